// Package server speaks JSON-RPC 2.0 and LSP with an editor, over any stream.
//
// Start with [Serve]. It reads frames (frame.go, codec.go), runs them in order
// (queue.go, dispatch.go), checks the params of each method (methods.go lists them)
// and asks a [Panel]. What panels show and how messages
// are stored is not known here, and LSP is known nowhere else.
//
// Whatever a client sends, the connection lives on: a bad frame or call is
// answered with an error and the next one is read. Every request is answered
// once, also when it is cancelled or its handler panics.
//
// The package imports lsp/panel, the sanitizer core/render and, for the
// connection, github.com/sourcegraph/jsonrpc2.
package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/signalbox-dev/signalbox/lsp/diagnose"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// ErrNoShutdown is what Serve gives when the client said exit without shutdown
// before; LSP asks for exit code 1 then.
var ErrNoShutdown = errors.New("server: client said exit without shutdown")

// Panel is what the server shows. Methods run concurrently, except Configure
// and Close. Failures that a client can tell apart are a *[panel.Error].
type Panel interface {
	// Status describes aliases, directories and limits.
	Status(ctx context.Context) (panel.Status, error)
	// Inbox gives one page of threads.
	Inbox(ctx context.Context, p panel.InboxParams) (panel.InboxPage, error)
	// Search gives one page of the messages that a query looks for.
	Search(ctx context.Context, p panel.SearchParams) (panel.SearchPage, error)
	// Thread gives one page of a thread's messages.
	Thread(ctx context.Context, p panel.ThreadParams) (panel.ThreadPage, error)
	// Diff gives both texts of a file that a tool call changed.
	Diff(ctx context.Context, p panel.DiffParams) (panel.Diff, error)
	// Asset gives a checked image of a thread.
	Asset(ctx context.Context, p panel.AssetParams) (panel.Asset, error)
	// Resolve says what tokens stand for: one answer for each, in their order.
	Resolve(ctx context.Context, tokens []string) ([]panel.ResolvedLink, error)
	// ComposeContext gives what a compose panel needs, and the draft of a reply.
	ComposeContext(ctx context.Context, p panel.ComposeParams) (panel.ComposeContext, error)
	// ComposePreview says what sending a draft would write.
	ComposePreview(ctx context.Context, d panel.Draft) (panel.ComposePreview, error)
	// Send writes a message, once for each client token.
	Send(ctx context.Context, p panel.SendParams) (panel.Sent, error)
	// SetRead marks messages as read or unread.
	SetRead(ctx context.Context, p panel.ReadParams) (panel.Counts, error)
	// ReplyTarget gives the newest message to the user from an alias, or from
	// anybody if from is empty. Without one the error is of kind NotFound.
	ReplyTarget(ctx context.Context, from string) (panel.Ref, error)
	// Archive puts signed mail away, or takes it back.
	Archive(ctx context.Context, p panel.ArchiveParams) (panel.Counts, error)
	// Shelve archives or snoozes threads of every format, or takes them back.
	Shelve(ctx context.Context, p panel.ShelveParams) (panel.Counts, error)
	// OpenAttachment gives a checked private copy of a file that came with a message.
	OpenAttachment(ctx context.Context, p panel.AttachmentParams) (panel.AttachmentFile, error)
	// SaveAttachment writes a checked copy where the user said.
	SaveAttachment(ctx context.Context, p panel.SaveParams) (panel.AttachmentFile, error)
	// Escalations gives one page of escalations, what is overdue and what was
	// rejected.
	Escalations(ctx context.Context, p panel.EscalationParams) (panel.EscalationPage, error)
	// RespondPreview says what an answer would write.
	RespondPreview(ctx context.Context, p panel.Response) (panel.RespondPreview, error)
	// Respond writes the admin's answer.
	Respond(ctx context.Context, p panel.RespondParams) (panel.Responded, error)
	// Ack writes the admin's ACK.
	Ack(ctx context.Context, p panel.AckParams) (panel.Responded, error)
	// Tasks gives one page of tasks.
	Tasks(ctx context.Context, p panel.TasksParams) (panel.TasksPage, error)
	// Task gives one page of a task's timeline.
	Task(ctx context.Context, p panel.TaskParams) (panel.TaskPage, error)
	// Issues gives what reviews found in files that are open here.
	Issues(ctx context.Context) (panel.IssuesPage, error)
	diagnose.Stores
	linker
	// Show keeps a text as a private file and gives its path.
	Show(ctx context.Context, name, text string) (string, error)
	// Configure takes new settings and workspace folders (paths).
	Configure(ctx context.Context, s panel.Settings, folders []string) error
	// Close stops watching. No event is sent after it returns.
	Close() error
}

// Setup is what a panel is opened with.
type Setup struct {
	Settings panel.Settings
	Folders  []string // absolute paths of the workspace's folders, in order
	Version  string
	// FrameBytes is the largest frame the connection takes, for [panel.Limits].
	FrameBytes int
	// Changed and StatusChanged report what happens in the stores. They may be
	// called from any goroutine, as often as things happen, and do not block.
	Changed       func(panel.Change)
	StatusChanged func(panel.Status)
}

// Clock is the passing of time.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

// Options are what Serve needs besides a stream. All are required.
type Options struct {
	// Open opens the panels at initialize. It returns quickly: indexing goes on
	// behind it. The context lasts as long as the connection.
	Open func(ctx context.Context, s Setup) (Panel, error)
	// Check checks an open document. [diagnose.Check] is the real one.
	Check   func(ctx context.Context, doc diagnose.Document, stores diagnose.Stores, last *diagnose.Checked) (*diagnose.Checked, error)
	Log     *slog.Logger
	Version string
	Clock   Clock
	// Alive reports whether a process runs. [Alive] is the real one.
	Alive func(pid int) bool
	// Token makes a new client token, for commands that come without one.
	Token func() string
}

// session is one connection.
type session struct {
	Options
	*dispatcher
	conn  *jsonrpc2.Conn
	docs  *documents
	news  *announcer
	owned sync.WaitGroup // goroutines besides the dispatcher's

	// Written by initialize, which ends before anything reads them.
	panel      Panel
	encoding   encoding
	plainHover bool // the client does not show Markdown
	speaks     bool // the client knows signalbox/*
	codeLinks  bool // it follows a rule to the page that explains it
	actions    bool // it takes code actions that are no commands
	versioned  bool // its edits name a document's version
	opens      bool // it opens a document when it is asked to
	offered    offered

	// Only notifications use these, and they run one after the other.
	settings   panel.Settings
	folders    []string
	announcing bool

	checks checks        // of open documents
	stale  chan struct{} // holds one token when diagnostics may be out of date
}

// Serve talks with one client until it says exit, closes the stream, or ctx
// ends; then it closes stream and the panel. It gives nil, or [ErrNoShutdown].
func Serve(ctx context.Context, stream io.ReadWriteCloser, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{Options: o, dispatcher: newDispatcher(ctx, o.Log, o.Clock), docs: newDocuments(), checks: newChecks(), stale: make(chan struct{}, 1)}
	s.news = newAnnouncer(o.Clock, s.notify)
	s.register()

	var wire jsonrpc2.ObjectStream
	write := func(r *reply) {
		if err := wire.WriteObject(r); err != nil {
			o.Log.Debug("could not write", "error", err)
			cancel() // half a frame may be out, so nothing after it can be read
		}
	}
	c := newCodec(o.Log, func(id json.RawMessage, e *rpcError) { write(replyError(id, e)) })
	wire = jsonrpc2.NewBufferedStream(stream, c)
	s.take, s.send, s.hangUp = c.take, write, cancel

	s.start()
	// Handlers can use conn: none runs before the first frame is read, but that
	// may be before NewConn returns, so they wait for ready.
	ready := make(chan struct{})
	conn := jsonrpc2.NewConn(ctx, wire, gate{ready, s.dispatcher}, jsonrpc2.SetLogger(printer{o.Log}))
	s.conn = conn
	close(ready)
	<-conn.DisconnectNotify()
	return s.end(cancel)
}

// end stops everything that the connection started.
func (s *session) end(cancel context.CancelFunc) error {
	cancel()
	if !s.stop() { // what they use must stay as it is
		return errors.New("server: end connection: requests did not end in time")
	}
	s.owned.Wait()
	if s.panel != nil {
		if err := s.panel.Close(); err != nil {
			s.Log.Error("closing the panels", "error", err)
		}
	}
	if s.exited && s.phase != shut {
		return ErrNoShutdown
	}
	return nil
}

// notify sends a notification to the client.
func (s *session) notify(method string, params any) {
	data, err := marshal(params)
	if err == nil {
		err = s.conn.Notify(s.ctx, method, data)
	}
	if err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		s.Log.Warn("could not notify", "method", method, "error", err)
	}
}

// gate holds calls back until the session has its connection.
type gate struct {
	ready <-chan struct{}
	*dispatcher
}

// Handle implements jsonrpc2.Handler.
func (g gate) Handle(ctx context.Context, c *jsonrpc2.Conn, r *jsonrpc2.Request) {
	<-g.ready
	g.dispatcher.Handle(ctx, c, r)
}

// printer lets jsonrpc2 log.
type printer struct{ log *slog.Logger }

// Printf implements jsonrpc2.Logger.
func (p printer) Printf(format string, args ...any) {
	p.log.Warn(fmt.Sprintf(format, args...))
}

// Stdio joins two halves, such as os.Stdin and os.Stdout, into a stream. Close
// closes both.
func Stdio(in io.ReadCloser, out io.WriteCloser) io.ReadWriteCloser {
	return halves{in, out}
}

type halves struct {
	in  io.ReadCloser
	out io.WriteCloser
}

func (h halves) Read(p []byte) (int, error)  { return h.in.Read(p) }
func (h halves) Write(p []byte) (int, error) { return h.out.Write(p) }
func (h halves) Close() error                { return errors.Join(h.in.Close(), h.out.Close()) }

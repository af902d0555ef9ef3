// Package server speaks JSON-RPC 2.0 and LSP with an editor, over any stream.
//
// Start with [Serve]. It reads frames (package codec), runs their calls in order
// (dispatch), checks the params of each method (check; methods.go lists the methods)
// and asks a [Panel]. What panels show and how messages are stored is not known here,
// and LSP is known nowhere else.
//
// A call that is wrong is answered with an error, and the next one is read. Every
// request is answered once, even when it is cancelled or its handler panics. Bytes
// that are not a frame end the connection, since nobody knows where the next begins.
//
// The package imports lsp/panel and the sanitizer core/render.
package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/announce"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/commands"
	"github.com/signalbox-dev/signalbox/lsp/server/dispatch"
	"github.com/signalbox-dev/signalbox/lsp/server/documents"
)

// ErrNoShutdown is what Serve returns when the client said exit without shutdown
// before; LSP asks for exit code 1 then.
var ErrNoShutdown = errors.New("server: client said exit without shutdown")

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

// Options are what Serve needs besides a stream. All are required.
type Options struct {
	// Open opens the panels at initialize. It returns quickly: indexing goes on
	// behind it. The context lasts as long as the connection.
	Open func(ctx context.Context, s Setup) (Panel, error)
	// Check checks an open document. [check.Check] is the real one.
	Check   func(ctx context.Context, doc check.Document, stores check.Stores, last *check.Checked) (*check.Checked, error)
	Log     *slog.Logger
	Version string
	// Alive reports whether a process runs. [Alive] is the real one.
	Alive func(pid int) bool
	// Token makes a new client token, for commands that come without one.
	Token func() string
}

// session is one connection.
type session struct {
	Options
	*dispatch.Dispatcher
	ctx    context.Context // ends with the connection
	hangUp func()          // closes the connection
	wire   *codec.Stream
	asked  atomic.Int64 // how many requests the client got
	docs   *documents.Set
	news   *announce.Announcer
	owned  sync.WaitGroup // goroutines besides the dispatcher's

	// Written by initialize, which ends before anything reads them.
	panel      Panel
	commands   *commands.Set
	encoding   documents.Encoding
	plainHover bool // the client does not show Markdown
	speaks     bool // the client knows signalbox/*
	codeLinks  bool // it follows a rule to the page that explains it
	actions    bool // it takes code actions that are not commands
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
// ends; then it closes stream and the panel. It returns nil, [ErrNoShutdown], or what
// was wrong with a broken frame.
func Serve(ctx context.Context, stream io.ReadWriteCloser, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{
		Options: o, ctx: ctx, hangUp: cancel, wire: codec.New(stream, o.Log), docs: documents.New(), checks: newChecks(), stale: make(chan struct{}, 1),
	}
	s.news = announce.New(s.notify)

	s.Dispatcher = dispatch.New(ctx, dispatch.Config{Log: o.Log, Methods: s.methods(), Send: func(r *codec.Reply) { s.write(r) }, HangUp: cancel})
	s.Start()
	ended := make(chan error, 1)
	go func() { ended <- s.read() }() // not every stream ends its reading when it is closed
	var fault error
	select {
	case fault = <-ended:
	case <-ctx.Done():
	}
	_ = stream.Close()
	err := s.end(cancel)
	if errors.Is(fault, codec.ErrFrame) {
		return fmt.Errorf("server: end the connection: %w", fault)
	}
	return err
}

// read has every call handled until the stream ends.
func (s *session) read() error {
	for {
		m, err := s.wire.Next()
		switch {
		case err != nil:
			return err
		case m.Method != "":
			s.Handle(m)
		default:
			s.opened(m)
		}
	}
}

// end stops everything that the connection started.
func (s *session) end(cancel context.CancelFunc) error {
	cancel()
	if !s.Stop() { // what they use must stay as it is
		return errors.New("server: end connection: requests did not end in time")
	}
	s.owned.Wait()
	if s.panel != nil {
		if err := s.panel.Close(); err != nil {
			s.Log.Error("closing the panels", "error", err)
		}
	}
	if s.Aborted() {
		return ErrNoShutdown
	}
	return nil
}

// notify sends a notification to the client.
func (s *session) notify(method string, params any) {
	s.write(codec.Call{Version: "2.0", Method: method, Params: params})
}

// write sends a message to the client. It ends the connection if it cannot: half a frame
// may be out, so that nothing after it can be read.
func (s *session) write(message any) {
	if s.ctx.Err() != nil {
		return
	}
	if err := s.wire.Write(message); err != nil {
		s.Log.Debug("could not write", "error", err)
		s.hangUp()
	}
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

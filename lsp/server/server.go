// Package server speaks JSON-RPC 2.0 and LSP with an editor, over any stream.
//
// Start with [Serve]. It reads frames (package codec), runs their calls in order
// (dispatch), checks the params of each method (limits; methods.go lists the methods)
// and calls a [Panel]. The package does not depend on what panels show or how messages
// are stored, and no other package depends on LSP.
//
// An invalid call is answered with an error, and the next one is read. Every request
// is answered once, even if it is cancelled or its handler panics. Bytes that are not
// a frame end the connection, since the start of the next frame is then unknown.
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

// ErrNoShutdown is returned by Serve if the client sent exit without shutdown. LSP
// requires exit code 1 then.
var ErrNoShutdown = errors.New("server: client said exit without shutdown")

// Setup is what a panel is opened with.
type Setup struct {
	Settings panel.Settings
	Folders  []string // absolute paths of the workspace's folders, in order
	Version  string
	// FrameBytes is the largest frame the connection takes, for [panel.Limits].
	FrameBytes int
	// Changed and StatusChanged report changes in the stores. They may be called from any
	// goroutine, as often as changes happen, and do not block.
	Changed       func(panel.Change)
	StatusChanged func(panel.Status)
}

// Options configure Serve. All are required.
type Options struct {
	// Open opens the panels at initialize. It returns quickly, and indexing continues in
	// the background. The context lasts as long as the connection.
	Open func(ctx context.Context, s Setup) (Panel, error)
	// Check checks an open document. [check.Check] is the real one.
	Check   func(ctx context.Context, doc check.Document, stores check.Stores, last *check.Checked) (*check.Checked, error)
	Log     *slog.Logger
	Version string
	// Alive reports whether a process runs. [Alive] is the real one.
	Alive func(pid int) bool
	// Token returns a new client token, for commands without one.
	Token func() string
}

// session is one connection.
type session struct {
	Options
	*dispatch.Dispatcher
	ctx       context.Context // ends with the connection
	hangUp    func()          // closes the connection
	wire      *codec.Stream
	requests  atomic.Int64 // how many requests were sent to the client
	docs      *documents.Set
	announcer *announce.Announcer
	owned     sync.WaitGroup // goroutines besides the dispatcher's

	// Written by initialize, which ends before anything reads them.
	panel      Panel
	commands   *commands.Set
	encoding   documents.Encoding
	plainHover bool // the client does not show Markdown
	speaks     bool // the client knows signalbox/*
	codeLinks  bool // the client links a rule to its page (codeDescription)
	actions    bool // the client supports code actions that are not commands
	versioned  bool // the client supports edits with a document's version
	opens      bool // the client opens documents on request (showDocument)
	offered    offered

	// Used only by notifications, which run one after the other.
	settings   panel.Settings
	folders    []string
	announcing bool

	checks checks
	stale  chan struct{} // holds one token if diagnostics may be out of date
}

// Serve serves one client until the client sends exit or closes the stream, or ctx ends. Then it
// closes stream and the panel. It returns nil, [ErrNoShutdown], the fault of a broken frame, or an
// error if requests did not end in time.
func Serve(ctx context.Context, stream io.ReadWriteCloser, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{
		Options: o, ctx: ctx, hangUp: cancel, wire: codec.New(stream, o.Log), docs: documents.New(), checks: newChecks(), stale: make(chan struct{}, 1),
	}
	s.announcer = announce.New(s.notify)

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

// read handles every message until the stream ends.
func (s *session) read() error {
	for {
		m, err := s.wire.Next()
		switch {
		case err != nil:
			return err
		case m.Method != "":
			s.Handle(m)
		default:
			s.shown(m)
		}
	}
}

// end stops everything that the connection started.
func (s *session) end(cancel context.CancelFunc) error {
	cancel()
	if !s.Stop() { // requests that still run use the panel, so it stays open
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

// write sends a message to the client. If that fails, it ends the connection: half a frame may
// have been sent, and the client could not read anything after it.
func (s *session) write(message any) {
	if s.ctx.Err() != nil {
		return
	}
	if err := s.wire.Write(message); err != nil {
		s.Log.Debug("could not write", "error", err)
		s.hangUp()
	}
}

// Stdio joins two halves, such as os.Stdin and os.Stdout, into a stream. Its Close closes both.
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

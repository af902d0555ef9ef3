package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/check"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // previews and thread names show local dates
	goleak.VerifyTestMain(m)
}

// client is the other end of a connection. It lives inside a synctest bubble:
// time passes only when everybody waits, so no test sleeps.
type client struct {
	t      *testing.T
	conn   net.Conn
	log    *logBook
	done   chan struct{}
	result error // of Serve, once done is closed

	mu  sync.Mutex
	got []string // what the server sent; guarded by mu
}

// dial serves a fake panel, or what options say, to a new client.
func dial(t *testing.T, change ...func(*Options)) *client {
	t.Helper()
	return dialContext(t, t.Context(), change...)
}

func dialContext(t *testing.T, ctx context.Context, change ...func(*Options)) *client {
	t.Helper()
	ours, theirs := net.Pipe()
	c := &client{t: t, conn: ours, done: make(chan struct{}), log: &logBook{}}
	o := Options{
		Open:    func(context.Context, Setup) (Panel, error) { return &fakePanel{}, nil },
		Log:     slog.New(slog.NewTextHandler(c.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Version: "1.2.3", Check: check.Check,
		Alive: func(int) bool { return true },
		Token: func() string { return "token" },
	}
	for _, f := range change {
		f(&o)
	}
	go func() {
		defer close(c.done)
		c.result = Serve(ctx, theirs, o)
	}()
	go c.listen()
	t.Cleanup(func() { // before the bubble ends, which fails if anything still runs
		_ = ours.Close()
		<-c.done
	})
	return c
}

func (c *client) listen() {
	in := bufio.NewReader(c.conn)
	for {
		content, err := readFrame(in)
		if err != nil {
			return
		}
		c.mu.Lock()
		c.got = append(c.got, string(content))
		c.mu.Unlock()
	}
}

// raw sends bytes as they are.
func (c *client) raw(s string) {
	c.t.Helper()
	if _, err := io.WriteString(c.conn, s); err != nil {
		c.t.Fatalf("send %.80q: %v", s, err)
	}
}

// send sends messages, each in a frame.
func (c *client) send(contents ...string) {
	c.t.Helper()
	for _, s := range contents {
		c.raw(framed(s))
	}
}

// take waits until nothing moves and gives what came since the last take.
func (c *client) take() []string {
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	got := c.got
	c.got = nil
	return got
}

// begin initializes with no capabilities and drops the answer.
func (c *client) begin() {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"capabilities":{}}}`,
		`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	if got := c.take(); len(got) != 1 || !strings.Contains(got[0], `"capabilities"`) {
		c.t.Fatalf("initialize: got %q", got)
	}
}

// ask sends one request and gives its result or error.
func (c *client) ask(method, params string) string {
	c.t.Helper()
	c.send(`{"jsonrpc":"2.0","id":"ask","method":"` + method + `","params":` + params + `}`)
	got := c.take()
	if len(got) != 1 {
		c.t.Fatalf("%s %s: got %d answers: %q", method, params, len(got), got)
	}
	var r struct {
		ID     string
		Result json.RawMessage
		Error  *codec.Error
	}
	if err := json.Unmarshal([]byte(got[0]), &r); err != nil || r.ID != "ask" {
		c.t.Fatalf("%s: answer %s: %v", method, got[0], err)
	}
	if r.Error != nil {
		return fmt.Sprintf("%d %s", r.Error.Code, r.Error.Message)
	}
	return string(r.Result)
}

// logBook keeps a log.
type logBook struct {
	mu   sync.Mutex
	text strings.Builder // guarded by mu
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

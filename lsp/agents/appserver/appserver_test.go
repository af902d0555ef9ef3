package appserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/appserver/appservertest"
)

// with runs a client against a server.
func with(t *testing.T, play func(*appservertest.Server), client func(context.Context, *Conn, error)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			play(&appservertest.Server{T: t, Conn: theirs})
		}()
		c, err := start(t.Context(), ours)
		client(t.Context(), c, err)
		if c != nil {
			c.Close()
		}
		theirs.Close()
		<-done
	})
}

const asked = `{"id":7,"method":"item/commandExecution/requestApproval","params":{"threadId":"T","command":"touch made"}}`

// TestConn: a client joins a thread, is asked what nobody has answered yet, answers, and adds
// the person's reason to the turn.
func TestConn(t *testing.T) {
	with(t, func(s *appservertest.Server) {
		s.Joined()
		s.Send(`{"method":"thread/status/changed","params":{}}`)
		s.Raw(appservertest.Frame(0x01, asked[:20])) // in pieces, with a ping between them
		s.Raw(appservertest.Frame(0x89, "p"))
		if op, text := s.Receive(); op != opPong || text != "p" {
			s.T.Errorf("a ping is answered by %d %q", op, text)
		}
		s.Raw(appservertest.Frame(0x80, asked[20:]))
		s.Expect("turn/steer", `{"id":ID,"error":{"message":"no such turn"}}`)
		if _, text := s.Receive(); text != `{"id":7,"result":{"decision":"decline"}}` {
			s.T.Errorf("the answer is %s", text)
		}
		s.Send(`{"method":"serverRequest/resolved","params":{"threadId":"T","requestId":7}}`)
	}, func(ctx context.Context, c *Conn, err error) {
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Join(ctx, "T"); err != nil {
			t.Fatal(err)
		}
		e := <-c.Events()
		if diff := cmp.Diff(Event{"item/commandExecution/requestApproval", []byte("7"), []byte(`{"threadId":"T","command":"touch made"}`)}, e); diff != "" {
			t.Errorf("asked (-want +got):\n%s", diff)
		}
		if err := c.Steer(ctx, "T", "U", "not now"); err == nil || err.Error() != `appserver: turn/steer: the server says "no such turn"` {
			t.Errorf("steer: %v", err)
		}
		if err := c.Answer(e.ID, map[string]string{"decision": "decline"}); err != nil {
			t.Error(err)
		}
		if e := <-c.Events(); e.Method != Resolved || string(e.ID) != "7" {
			t.Errorf("then %+v", e)
		}
	})
}

// TestNotLoaded: asking for a thread would load it, though no terminal has it.
func TestNotLoaded(t *testing.T) {
	with(t, func(s *appservertest.Server) {
		s.Introduced()
		s.Expect("thread/loaded/list", `{"id":ID,"result":{"data":["S"]}}`)
	}, func(ctx context.Context, c *Conn, err error) {
		if err := errors.Join(err, c.Join(ctx, "T")); !errors.Is(err, ErrNotLoaded) {
			t.Error(err)
		}
	})
}

// TestUpgradeRefused: a peer that is not Codex's server is left alone.
func TestUpgradeRefused(t *testing.T) {
	for name, play := range map[string]func(*appservertest.Server){
		"other key":   func(s *appservertest.Server) { s.Upgrade(func(string) string { return "x" }) },
		"no HTTP":     sends("\x00\xff\x80garbage\n\n"),
		"a refusal":   sends("HTTP/1.1 200 OK\r\n\r\n"),
		"no end":      sends("HTTP/1.1 101 X\r\nA: " + strings.Repeat("a", 2*maxHead)),
		"it hangs up": sends(""),
		"silence":     func(s *appservertest.Server) { _, _ = io.Copy(io.Discard, s.Conn) },
	} {
		t.Run(name, func(t *testing.T) {
			with(t, play, func(_ context.Context, _ *Conn, err error) {
				if err == nil {
					t.Error("it is taken for a server")
				}
			})
		})
	}
}

// sends returns a server that answers the first line with a text and hangs up.
func sends(text string) func(*appservertest.Server) {
	return func(s *appservertest.Server) {
		if _, err := http.ReadRequest(bufio.NewReader(s.Conn)); err != nil {
			s.T.Error(err)
		}
		s.Raw([]byte(text))
		s.Conn.Close()
	}
}

// TestGarbage: a peer that breaks the protocol is hung up on, whatever it promises.
func TestGarbage(t *testing.T) {
	huge := append([]byte{0x81, 127}, bytes.Repeat([]byte{0xff}, 8)...)
	for name, c := range map[string]struct {
		sent []byte
		want string
	}{
		"not JSON":             {appservertest.Frame(0x81, "hello"), "no message"},
		"a list":               {appservertest.Frame(0x81, "[1]"), "no message"},
		"nested too deep":      {appservertest.Frame(0x81, strings.Repeat("[", 60_000)), "no message"},
		"a length of 16 EiB":   {huge, "longer than"},
		"a length below zero":  {append([]byte{0x81, 127, 0x80}, make([]byte, 7)...), "longer than"},
		"masked":               {[]byte{0x81, 0x81, 0, 0, 0, 0, 'x'}, "breaks the protocol"},
		"an extension's bit":   {appservertest.Frame(0xc1, "x"), "breaks the protocol"},
		"binary":               {appservertest.Frame(0x82, "x"), "out of turn"},
		"the end of nothing":   {appservertest.Frame(0x80, "x"), "out of turn"},
		"two beginnings":       {append(appservertest.Frame(0x01, "x"), appservertest.Frame(0x01, "x")...), "out of turn"},
		"a ping in pieces":     {appservertest.Frame(0x09, "x"), "breaks the protocol"},
		"a long ping":          {appservertest.Frame(0x89, strings.Repeat("x", 200)), "breaks the protocol"},
		"too long, in pieces":  {append(appservertest.Frame(0x01, strings.Repeat("x", maxMessage)), appservertest.Frame(0x80, "x")...), "longer than"},
		"it closes":            {appservertest.Frame(0x88, ""), "EOF"},
		"more than is heard":   {bytes.Repeat(appservertest.Frame(0x81, asked), maxQueue+1), "more than is heard"},
		"a message that drips": {[]byte{0x81, 50, '{'}, "timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			with(t, func(s *appservertest.Server) {
				s.Introduced()
				s.Receive()
				s.Raw(c.sent)
				_, _ = io.Copy(io.Discard, s.Conn) // until it hangs up
			}, func(ctx context.Context, conn *Conn, err error) {
				if err != nil {
					t.Fatal(err)
				}
				if err := conn.Join(ctx, "T"); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				for range conn.Events() { // it is closed at the end
				}
			})
		})
	}
}

// TestUseless: messages that are not needed are ignored.
func TestUseless(t *testing.T) {
	with(t, func(s *appservertest.Server) {
		s.Introduced()
		for _, text := range []string{`{}`, `{"id":"x"}`, `{"id":99,"result":1}`, `{"id":null,"method":"x"}`, `{"method":"serverRequest/resolved","params":[]}`, `{"method":"serverRequest/resolved"}`} {
			s.Send(text)
		}
		s.Send(strings.NewReplacer("7", "6", "touch made", strings.Repeat("x", maxParams)).Replace(asked)) // nobody could read it
		s.Send(asked)
	}, func(_ context.Context, c *Conn, err error) {
		if err != nil {
			t.Fatal(err)
		}
		if e := <-c.Events(); string(e.ID) != "7" {
			t.Errorf("%+v", e)
		}
	})
}

// TestSilence: a server that does not answer is waited for, for a while.
func TestSilence(t *testing.T) {
	with(t, func(s *appservertest.Server) {
		s.Introduced()
		_, _ = io.Copy(io.Discard, s.Conn)
	}, func(ctx context.Context, c *Conn, err error) {
		began := time.Now()
		if err := errors.Join(err, c.Join(ctx, "T")); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != callLimit {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

// TestDial: only a socket is opened.
func TestDial(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		if c, err := Dial(t.Context(), path); err == nil {
			c.Close()
			t.Errorf("%s is a server", path)
		}
	}
}

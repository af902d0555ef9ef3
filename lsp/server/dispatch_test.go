package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/dispatch"
)

// withResolve serves a panel whose Resolve is f, the way in for tests that need
// a request to wait.
func withResolve(f func(context.Context, []string) ([]panel.ResolvedLink, error)) func(*Options) {
	return func(o *Options) {
		o.Open = func(context.Context, Setup) (Panel, error) { return &fakePanel{resolve: f}, nil }
	}
}

func resolveCall(id, token string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"signalbox/link/resolve","params":{"refs":[%q]}}`, id, token)
}

func errorReply(id string, code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, message)
}

func TestLifecycle(t *testing.T) {
	const (
		start    = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`
		ask      = `{"jsonrpc":"2.0","id":2,"method":"signalbox/read/set","params":{"refs":[],"read":true}}`
		shutdown = `{"jsonrpc":"2.0","id":3,"method":"shutdown"}`
		exit     = `{"jsonrpc":"2.0","method":"exit"}`
	)
	tests := []struct {
		name  string
		sends []string
		want  []string // "init" stands for initialize's result
		err   error
	}{
		{"whole life", []string{start, ask, shutdown, exit}, []string{"init", `{"jsonrpc":"2.0","id":2,"result":{"unread":0,"needsReply":0,"revision":0}}`, `{"jsonrpc":"2.0","id":3,"result":null}`}, nil},
		{"exit without shutdown", []string{start, exit}, []string{"init"}, ErrNoShutdown},
		{"exit at once", []string{exit}, nil, ErrNoShutdown},
		{"stream ends", []string{start}, []string{"init"}, nil},
		{"request before initialize", []string{ask, shutdown}, []string{errorReply("2", -32002, "initialize comes first"), errorReply("3", -32002, "initialize comes first")}, nil},
		{"unknown before initialize", []string{`{"jsonrpc":"2.0","id":2,"method":"x"}`}, []string{errorReply("2", -32002, "initialize comes first")}, nil},
		{"initialize twice", []string{start, start}, []string{"init", errorReply("1", -32600, "initialize comes only once")}, nil},
		{"initialize fails, then works", []string{strings.Replace(start, "{}", "5", 1), start}, []string{errorReply("1", -32602, "params: field capabilities: a value of type number is not allowed here"), "init"}, nil},
		{"request after shutdown", []string{start, shutdown, ask, start}, []string{"init", `{"jsonrpc":"2.0","id":3,"result":null}`, errorReply("2", -32600, "the server is shutting down"), errorReply("1", -32600, "the server is shutting down")}, nil},
		{"unknown request", []string{start, `{"jsonrpc":"2.0","id":2,"method":"no/such"}`}, []string{"init", errorReply("2", -32601, `no request is called "no/such"`)}, nil},
		{"unknown $/ request", []string{start, `{"jsonrpc":"2.0","id":2,"method":"$/no"}`}, []string{"init", errorReply("2", -32601, `no request is called "$/no"`)}, nil},
		{"notification as request", []string{start, `{"jsonrpc":"2.0","id":2,"method":"initialized"}`}, []string{"init", errorReply("2", -32601, `no request is called "initialized"`)}, nil},
		{"request as notification", []string{start, `{"jsonrpc":"2.0","method":"signalbox/message/send"}`}, []string{"init"}, nil},
		{"unknown notifications", []string{start, `{"jsonrpc":"2.0","method":"$/setTrace","params":{}}`, `{"jsonrpc":"2.0","method":"no/such"}`}, []string{"init"}, nil},
		{"cancel of nothing", []string{start, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":9}}`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":[1]}`, `{"jsonrpc":"2.0","method":"$/cancelRequest"}`}, []string{"init"}, nil},
		{"response nobody waits for", []string{start, `{"jsonrpc":"2.0","id":9,"result":1}`, ask}, []string{"init", `{"jsonrpc":"2.0","id":2,"result":{"unread":0,"needsReply":0,"revision":0}}`}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := dial(t)
				var got []string
				for _, s := range tt.sends {
					c.send(s)
					for _, answer := range c.take() {
						if strings.Contains(answer, `"capabilities"`) && strings.Contains(answer, "result") {
							answer = "init"
						}
						got = append(got, answer)
					}
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				_ = c.conn.Close()
				<-c.done
				if !errors.Is(c.result, tt.err) {
					t.Errorf("Serve: got %v, want %v", c.result, tt.err)
				}
			})
		})
	}
}

// TestPipelined: a client that sends everything at once and hangs up after
// exit still gets every answer.
func TestPipelined(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t)
		all := framed(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
		for id := 10; id < 60; id++ {
			all += framed(resolveCall(fmt.Sprint(id), "x"))
		}
		all += framed(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`) + framed(`{"jsonrpc":"2.0","method":"exit"}`)
		c.raw(all)
		<-c.done
		if got := c.take(); len(got) != 52 {
			t.Errorf("got %d answers, want 52", len(got))
		}
		if c.result != nil {
			t.Errorf("Serve: %v", c.result)
		}
	})
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, withResolve(func(ctx context.Context, _ []string) ([]panel.ResolvedLink, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}))
		c.begin()
		c.send(resolveCall("1", "a"), resolveCall(`"1"`, "a"), resolveCall("-7", "a"))
		if got := c.take(); got != nil {
			t.Fatalf("answered before cancel: %q", got)
		}
		for _, id := range []string{"1", "-7", `"\u0031"`} {
			c.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + id + `}}`)
			want := []string{errorReply(strings.ReplaceAll(id, `\u0031`, "1"), -32800, "request was cancelled")}
			if diff := cmp.Diff(want, c.take()); diff != "" {
				t.Errorf("cancel %s: (-want +got)\n%s", id, diff)
			}
		}
	})
}

// TestCancelWaiting: a request that no slot is free for can be cancelled, and
// is then not run.
func TestCancelWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var ran, most, now atomic.Int32
		c := dial(t, withResolve(func(_ context.Context, tokens []string) ([]panel.ResolvedLink, error) {
			ran.Add(1)
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			<-release
			return []panel.ResolvedLink{}, nil
		}))
		c.begin()
		for id := range dispatch.MaxRunning + 3 {
			c.send(resolveCall(fmt.Sprint(id), "a"))
			synctest.Wait() // the first ones have the slots, whatever the scheduler does
		}
		c.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":18}}`)
		synctest.Wait()
		close(release)
		got := c.take()
		if len(got) != dispatch.MaxRunning+3 {
			t.Errorf("got %d answers, want %d", len(got), dispatch.MaxRunning+3)
		}
		if !slices.Contains(got, errorReply("18", -32800, "request was cancelled")) {
			t.Errorf("18 was not cancelled: %q", got)
		}
		if ran.Load() != dispatch.MaxRunning+2 || most.Load() != dispatch.MaxRunning {
			t.Errorf("ran %d, at most %d at once; want %d and %d", ran.Load(), most.Load(), dispatch.MaxRunning+2, dispatch.MaxRunning)
		}
	})
}

// TestCancelTooLate: what was done is reported, not denied.
func TestCancelTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, withResolve(func(ctx context.Context, _ []string) ([]panel.ResolvedLink, error) {
			<-ctx.Done()
			return []panel.ResolvedLink{}, nil
		}))
		c.begin()
		c.send(resolveCall("1", "a"))
		synctest.Wait() // a request that has not begun is cancelled before it runs
		c.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}`)
		if diff := cmp.Diff([]string{`{"jsonrpc":"2.0","id":1,"result":[]}`}, c.take()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestDuplicateID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		c := dial(t, withResolve(func(context.Context, []string) ([]panel.ResolvedLink, error) {
			<-release
			return []panel.ResolvedLink{}, nil
		}))
		c.begin()
		c.send(resolveCall("1", "a"), resolveCall("1", "a"))
		want := []string{errorReply("1", -32600, "id 1 is in use by a request that has not been answered")}
		if diff := cmp.Diff(want, c.take()); diff != "" {
			t.Errorf("duplicate: (-want +got)\n%s", diff)
		}
		close(release)
		c.take()
		c.send(resolveCall("1", "a")) // free again
		if diff := cmp.Diff([]string{`{"jsonrpc":"2.0","id":1,"result":[]}`}, c.take()); diff != "" {
			t.Errorf("after the answer: (-want +got)\n%s", diff)
		}
	})
}

// TestOrder: a request sees every change sent before it and none sent after.
func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t, withResolve(func(_ context.Context, tokens []string) ([]panel.ResolvedLink, error) {
			return []panel.ResolvedLink{{Status: "found", Preview: tokens[0]}}, nil
		}))
		c.begin()
		const rounds = 200
		c.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"u","version":0,"text":"x"}}}`)
		for i := range rounds {
			c.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"u","version":%d},"contentChanges":[{"text":"v%d"}]}}`, i+1, i),
				fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover","params":{"textDocument":{"uri":"u"},"position":{"line":0,"character":0}}}`, i))
		}
		seen := 0
		for _, got := range c.take() {
			var r struct {
				ID     int
				Result struct{ Contents struct{ Value string } }
			}
			if err := json.Unmarshal([]byte(got), &r); err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf("v%d", r.ID); r.Result.Contents.Value != want {
				t.Errorf("hover %d saw %q", r.ID, r.Result.Contents.Value)
			}
			seen++
		}
		if seen != rounds {
			t.Errorf("%d answers, want %d", seen, rounds)
		}
	})
}

func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t)
		c.begin()
		want := "-32603 the server failed at signalbox/thread/get; its log says how"
		if got := c.ask("signalbox/thread/get", `{"ref":{"protocol":"samp","store":"s1","id":"panics"}}`); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if log := c.log.String(); !strings.Contains(log, "a bug") || !strings.Contains(log, "fake_test.go") {
			t.Errorf("the log lacks the panic or its stack:\n%s", log)
		}
		if got := c.ask("signalbox/link/resolve", `{"refs":[]}`); got != "[]" {
			t.Errorf("after a panic: got %s", got)
		}
	})
}

func TestErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := dial(t)
		c.begin()
		get := func(id string) string {
			return `{"jsonrpc":"2.0","id":1,"method":"signalbox/thread/get","params":{"ref":{"protocol":"samp","store":"s1","id":"` + id + `"}}}`
		}
		for id, want := range map[string]string{
			"gone":   `{"jsonrpc":"2.0","id":1,"error":{"code":1005,"message":"the directory cannot be read","data":{"code":"StoreUnavailable","retryable":true,"detail":"/m"}}}`,
			"none":   `{"jsonrpc":"2.0","id":1,"error":{"code":1001,"message":"no such thread","data":{"code":"NotFound","retryable":false,"detail":""}}}`,
			"broken": `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"something⟨U+001B⟩[31m else"}}`,
			"large":  `{"jsonrpc":"2.0","id":1,"error":{"code":1007,"message":"the result of signalbox/thread/get is too large to send","data":{"code":"TooLarge","retryable":false,"detail":"ask for a smaller page"}}}`,
		} {
			c.send(get(id))
			if diff := cmp.Diff([]string{want}, c.take()); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", id, diff)
			}
		}
	})
}

func TestCodes(t *testing.T) {
	kinds := []panel.Kind{panel.NotFound, panel.Ambiguous, panel.AliasInvalid, panel.NotOwner, panel.StoreUnavailable, panel.Malformed, panel.TooLarge, panel.Untrusted, panel.Unsupported}
	for i, k := range kinds {
		got := codec.ErrorOf(t.Context(), fmt.Errorf("wrapped: %w", &panel.Error{Kind: k, Message: "m"}))
		if got.Code != 1001+i || got.Data.Code != string(k) {
			t.Errorf("%s: got %d %+v", k, got.Code, got.Data)
		}
	}
	plain := map[string]struct {
		err  error
		code int
	}{
		"plain": {errors.New("x"), -32603}, "unknown kind": {&panel.Error{Kind: "Odd"}, -32603},
		"deadline": {context.DeadlineExceeded, -32603}, "cancelled": {fmt.Errorf("x: %w", context.Canceled), -32800},
		"no failure is left without a code": {io.EOF, -32603},
	}
	for name, tt := range plain {
		if got := codec.ErrorOf(t.Context(), tt.err); got.Code != tt.code {
			t.Errorf("%s: got %d, want %d", name, got.Code, tt.code)
		}
	}
}

// TestContextEnds: Serve ends with its context, though a request runs.
func TestContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		shown := &fakePanel{resolve: func(ctx context.Context, _ []string) ([]panel.ResolvedLink, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		c := dialContext(t, ctx, func(o *Options) {
			o.Open = func(context.Context, Setup) (Panel, error) { return shown, nil }
		})
		c.begin()
		c.send(resolveCall("1", "a"))
		c.take()
		cancel()
		<-c.done
		if !shown.closed || c.result != nil {
			t.Errorf("closed %v, result %v", shown.closed, c.result)
		}
	})
}

// TestExitWaits: exit lets a running request answer, but not for ever.
func TestExitWaits(t *testing.T) {
	for name, tt := range map[string]struct {
		takes   time.Duration
		answers int
	}{"ends in time": {time.Second, 2}, "does not": {3 * time.Second, 1}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := dial(t, withResolve(func(context.Context, []string) ([]panel.ResolvedLink, error) {
					<-time.After(tt.takes)
					return []panel.ResolvedLink{}, nil
				}))
				c.begin()
				c.send(resolveCall("1", "a"), `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`)
				<-c.done
				if got := c.take(); len(got) != tt.answers {
					t.Errorf("got %d answers, want %d: %q", len(got), tt.answers, got)
				}
			})
		})
	}
}

// brokenPipe fails all writes.
type brokenPipe struct{ io.ReadWriteCloser }

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestWriteFails: a client that cannot be answered is left.
func TestWriteFails(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(t.Context(), brokenPipe{Stdio(in, out)}, Options{Log: slog.New(slog.DiscardHandler)})
	}()
	if _, err := io.WriteString(out, framed("[]")); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

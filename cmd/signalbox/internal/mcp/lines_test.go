package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

// wire is a session of which a test sees the lines.
type wire struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Reader
}

// dial starts a server and agrees on a version of the protocol.
func (p *post) dial(version string) *wire {
	p.t.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- serve(context.Background(), p.options("coder"), p.run, false, toServer, fromServer) }()
	w := &wire{p.t, in, bufio.NewReader(out)}
	p.t.Cleanup(func() {
		in.Close()
		if err := <-done; err != nil {
			p.t.Error(err)
		}
	})
	if version != "" {
		w.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + version + `","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n")
		w.receive()
		w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	}
	return w
}

func (w *wire) send(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, text); err != nil {
		w.t.Error(err)
	}
}

func (w *wire) receive() string {
	w.t.Helper()
	line, err := w.out.ReadString('\n')
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.TrimSuffix(line, "\n")
}

const ping = `{"jsonrpc":"2.0","id":77,"method":"ping"}` + "\n"

// TestBadLines answers what is no message, and goes on.
func TestBadLines(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":` + params + "}"
	}
	for name, c := range map[string]struct {
		line string
		code int // 0 if nothing is answered
		id   any
	}{
		"a word":                      {"hello", -32700, nil},
		"cut":                         {`{"jsonrpc":"2.0","id":5,"method":"pi`, -32700, 5.0},
		"cut before the id":           {`{"jsonrpc":"2.0","method":"ping","params":{"a`, -32700, nil},
		"two in one line":             {`{"jsonrpc":"2.0","id":5,"method":"ping"} {"jsonrpc":"2.0","id":6,"method":"ping"}`, -32700, 5.0},
		"a header of another frame":   {"Content-Length: 52", -32700, nil},
		"only a mark of UTF-8":        {"\ufeff", -32700, nil},
		"no UTF-8":                    {"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":{\"a\":\"\xff\xfe\"}}", -32700, 5.0},
		"UTF-16":                      {"{\x00\"\x00j\x00", -32700, nil},
		"NUL":                         {"\x00\x00", -32700, nil},
		"a number":                    {"7", -32600, nil},
		"null":                        {"null", -32600, nil},
		"a string":                    {`"ping"`, -32600, nil},
		"no version":                  {`{"id":5,"method":"ping"}`, -32600, 5.0},
		"another version":             {`{"jsonrpc":"1.0","id":"x","method":"ping"}`, -32600, "x"},
		"no method":                   {`{"jsonrpc":"2.0","id":5}`, -32600, 5.0},
		"a method that is none":       {`{"jsonrpc":"2.0","id":5,"method":{}}`, -32600, 5.0},
		"the id null":                 {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, nil},
		"the id a list":               {`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, -32600, nil},
		"the id a fraction":           {`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600, 1.5},
		"an empty batch":              {"[]", -32600, nil},
		"a number in a batch":         {`[7]`, -32600, nil},
		"a batch in a batch":          {`[[{"jsonrpc":"2.0","id":5,"method":"ping"}]]`, -32600, nil},
		"no version in a batch":       {`[{"id":5,"method":"ping"}]`, -32600, 5.0},
		"too long":                    {call(`{"name":"send_mail","arguments":{"to":"dev","text":"` + strings.Repeat("a", maxLine) + `"}}`), -32600, 5.0},
		"long and no message":         {strings.Repeat("x", 3*maxLine), -32600, nil},
		"deep":                        {call(deep(20000)), -32700, 5.0},
		"less deep":                   {call(deep(2000)), -32600, 5.0},
		"blank":                       {"", 0, nil},
		"blanks":                      {" \t\r", 0, nil},
		"a response nobody waits for": {`{"jsonrpc":"2.0","id":5,"result":{}}`, 0, nil},
		"an error of nothing":         {`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, 0, nil},
		"an error that is none":       {`{"jsonrpc":"2.0","id":5,"error":"x"}`, 0, nil},
		"a cancellation of nothing":   {`{"jsonrpc":"2.0","method":"notifications/cancelled","params":3}`, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newPost(t).dial("2025-06-18")
			go w.send(c.line + "\n" + ping)
			got := w.receive()
			if c.code != 0 {
				var answer struct {
					ID    any
					Error struct{ Code int }
				}
				if err := json.Unmarshal([]byte(got), &answer); err != nil || answer.Error.Code != c.code || answer.ID != c.id || !strings.Contains(got, `"id":`) {
					t.Errorf("answered %s, want %d for %v", got, c.code, c.id)
				}
				got = w.receive()
			}
			if !strings.Contains(got, `"id":77`) || strings.Contains(got, `"error"`) {
				t.Errorf("after it: %s", got)
			}
		})
	}
}

// TestGoodLines reads messages however their line begins and ends, and the last one
// without an end.
func TestGoodLines(t *testing.T) {
	for name, line := range map[string]string{
		"CRLF": strings.TrimSuffix(ping, "\n") + "\r\n", "a mark of UTF-8": "\ufeff" + ping, "blanks around it": " \t" + strings.TrimSuffix(ping, "\n") + " \n",
	} {
		t.Run(name, func(t *testing.T) {
			w := newPost(t).dial("2025-06-18")
			w.send(line)
			if got := w.receive(); !strings.Contains(got, `"id":77`) || strings.Contains(got, `"error"`) {
				t.Error(got)
			}
		})
	}
	t.Run("the longest", func(t *testing.T) {
		w := newPost(t).dial("2025-06-18")
		head, tail := `{"jsonrpc":"2.0","id":77,"method":"ping","params":{"a":"`, `"}}`
		go w.send(head + strings.Repeat("a", maxLine-len(head)-len(tail)) + tail + "\r\n")
		if got := w.receive(); !strings.Contains(got, `"id":77`) || strings.Contains(got, `"error"`) {
			t.Error(got)
		}
	})
	t.Run("the last", func(t *testing.T) {
		w := newPost(t).dial("2025-06-18")
		w.send(`{"jsonrpc":"2.0","id":5,"method":"pi`)
		w.in.Close()
		if got := w.receive(); !strings.Contains(got, "-32700") {
			t.Error(got)
		}
	})
}

// TestBatch takes the messages of a batch one by one.
func TestBatch(t *testing.T) {
	for _, version := range []string{"2025-03-26", "2025-06-18"} {
		w := newPost(t).dial(version)
		w.send(`[{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":"b","method":"ping"},` + strings.TrimSpace(ping) + "]\n")
		if got := w.receive() + w.receive(); !strings.Contains(got, `"id":"b"`) || !strings.Contains(got, `"id":77`) || strings.Contains(got, `"error"`) {
			t.Errorf("%s: %s", version, got)
		}
	}
}

// TestBeforeInitialize goes on after bad first lines.
func TestBeforeInitialize(t *testing.T) {
	w := newPost(t).dial("")
	w.send("hello\n")
	if got := w.receive(); !strings.Contains(got, "-32700") {
		t.Error(got)
	}
	w.send("[]\n")
	if got := w.receive(); !strings.Contains(got, "-32600") {
		t.Error(got)
	}
	w.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n")
	if got := w.receive(); !strings.Contains(got, `"protocolVersion":"2025-06-18"`) {
		t.Error(got)
	}
}

// FuzzLines reads any bytes to their end, and answers in whole lines of JSON.
func FuzzLines(f *testing.F) {
	f.Add([]byte(ping))
	f.Add([]byte("[1," + strings.TrimSpace(ping) + "]\n{\"id\":\n\ufeff\n\xff"))
	f.Fuzz(func(t *testing.T, input []byte) {
		var out strings.Builder
		tr := &lines{io.NopCloser(strings.NewReader(string(input))), &written{out: &out}}
		c, err := tr.Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for {
			if _, err = c.Read(t.Context()); err != nil {
				break
			}
		}
		if !errors.Is(err, io.EOF) {
			t.Error(err)
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("answered %q", line)
			}
		}
	})
}

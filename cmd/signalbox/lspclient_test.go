//go:build editors

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// lspClient is an editor as the server sees it. It takes one message after the
// other: a test says what it waits for, and what is not read stays unread.
type lspClient struct {
	t     *testing.T
	in    *bufio.Reader
	out   io.WriteCloser
	calls int
}

// lspMessage is anything that the server sends.
type lspMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// startServer starts a server by its command line, as an editor would. It is asked
// to end with the test.
func startServer(t *testing.T, d *editorFixture, command string, args ...string) *lspClient {
	t.Helper()
	server := exec.CommandContext(context.WithoutCancel(t.Context()), command, args...)
	server.Dir, server.Env, server.Stderr = d.dir, d.environ(), os.Stderr
	out, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	c := &lspClient{t: t, in: bufio.NewReader(in), out: out}
	t.Cleanup(func() {
		c.call("shutdown", nil, nil)
		c.notify("exit", nil)
		if err := server.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return c
}

func (c *lspClient) send(m map[string]any) {
	c.t.Helper()
	m["jsonrpc"] = "2.0"
	data, err := json.Marshal(m)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(data), data); err != nil {
		c.t.Fatal(err)
	}
}

func (c *lspClient) notify(method string, params any) {
	c.t.Helper()
	c.send(map[string]any{"method": method, "params": params})
}

func (c *lspClient) next() (m lspMessage) {
	c.t.Helper()
	var n int
	if _, err := fmt.Fscanf(c.in, "Content-Length: %d\r\n\r\n", &n); err != nil {
		c.t.Fatal(err)
	}
	data := make([]byte, n)
	_, err := io.ReadFull(c.in, data)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

// call sends a request, decodes its result, and gives what the server sent before
// it answered.
func (c *lspClient) call(method string, params, result any) (before []lspMessage) {
	c.t.Helper()
	c.calls++
	c.send(map[string]any{"id": c.calls, "method": method, "params": params})
	for {
		m := c.next()
		switch {
		case m.Method != "":
			if m.ID != nil {
				c.send(map[string]any{"id": m.ID, "result": map[string]any{"success": true}})
			}
			before = append(before, m)
		case string(m.ID) != fmt.Sprint(c.calls):
			c.t.Fatalf("%s: an answer to %s", method, m.ID)
		case result == nil:
			return before
		case m.Error != nil:
			c.t.Fatalf("%s: %s", method, m.Error)
		default:
			if err := json.Unmarshal(m.Result, result); err != nil {
				c.t.Fatalf("%s: %s: %v", method, m.Result, err)
			}
			return before
		}
	}
}

// lspCommand is LSP's Command.
type lspCommand struct {
	Title     string            `json:"title,omitempty"`
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments,omitempty"`
}

// execute runs a command as a client that drops its answer. It gives the path and the
// text of the document that the server had opened, or the message that it had shown.
func (c *lspClient) execute(command lspCommand) (path, text string) {
	c.t.Helper()
	for _, m := range c.call("workspace/executeCommand", command, nil) {
		var p struct {
			URI     string
			Message string
		}
		if err := json.Unmarshal(m.Params, &p); err != nil {
			c.t.Fatal(err)
		}
		switch m.Method {
		case "window/showDocument":
			path = strings.TrimPrefix(p.URI, "file://")
			data, err := os.ReadFile(path)
			if err != nil {
				c.t.Fatal(err)
			}
			return path, string(data)
		case "window/showMessage":
			return "", p.Message
		}
	}
	c.t.Fatalf("%s shows nothing", command.Command)
	return "", ""
}

// open opens a document with a text.
func (c *lspClient) open(path, text string) {
	c.t.Helper()
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": "file://" + path, "languageId": "markdown", "version": 1, "text": text,
	}})
}

// act runs the code action whose title begins so, with the cursor where the text
// has at. It gives what execute does.
func (c *lspClient) act(path, text, at, title string) (shown, shownText string) {
	c.t.Helper()
	before, _, found := strings.Cut(text, at)
	if !found {
		c.t.Fatalf("%q is not in %q", at, text)
	}
	here := map[string]any{"line": strings.Count(before, "\n"), "character": len(before) - 1 - strings.LastIndex(before, "\n")}
	var actions []struct {
		Title   string
		Command lspCommand
	}
	c.call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": "file://" + path},
		"range":        map[string]any{"start": here, "end": here}, "context": map[string]any{"diagnostics": []any{}},
	}, &actions)
	for _, a := range actions {
		if strings.HasPrefix(a.Title, title) {
			return c.execute(a.Command)
		}
	}
	c.t.Fatalf("at %q there is no %q among %v", at, title, actions)
	return "", ""
}

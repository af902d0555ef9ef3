package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// opened is a client of an older version of the protocol, which says which folders are open.
type opened struct {
	t     *testing.T
	in    io.Writer
	out   *bufio.Scanner
	roots []string
	asked int
	id    int
}

// open starts a server for a client that offers roots, as editors do in the user's home.
func (p *post) open(roots ...string) *opened {
	p.t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- serve(p.t.Context(), p.options(""), p.run, false, toServer, fromServer) }()
	p.t.Cleanup(func() {
		fromClient.Close()
		toClient.Close()
		if err := <-done; err != nil {
			p.t.Error(err)
		}
	})
	o := &opened{t: p.t, in: fromClient, out: bufio.NewScanner(toClient), roots: roots}
	o.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"t","version":"1"}}}`)
	o.answer("0")
	o.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return o
}

func (o *opened) send(line string) {
	o.t.Helper()
	if _, err := io.WriteString(o.in, line+"\n"); err != nil {
		o.t.Fatal(err)
	}
}

// answer reads until a request is answered, and says which folders are open meanwhile.
func (o *opened) answer(id string) string {
	o.t.Helper()
	for o.out.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if err := json.Unmarshal(o.out.Bytes(), &m); err != nil {
			o.t.Fatal(err)
		}
		switch {
		case m.Method == "roots/list":
			o.asked++
			var list []map[string]string
			for _, r := range o.roots {
				list = append(list, map[string]string{"uri": (&url.URL{Scheme: "file", Path: r}).String()})
			}
			roots, err := json.Marshal(list)
			if err != nil {
				o.t.Fatal(err)
			}
			// The server may write while it is written to.
			go io.WriteString(o.in, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":%s}}`+"\n", m.ID, roots))
		case string(m.ID) == id && m.Method == "":
			return o.out.Text()
		}
	}
	o.t.Fatalf("the server ended: %v", o.out.Err())
	return ""
}

// call calls a tool and returns the line with its result.
func (o *opened) call(tool, args string) string {
	o.t.Helper()
	o.id++
	go io.WriteString(o.in, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", o.id, tool, args))
	return o.answer(fmt.Sprint(o.id))
}

// TestRoots: a server that was started in the user's home is the agent of the folder that the
// client has open, and of another one when that changes.
func TestRoots(t *testing.T) {
	p := newPost(t)
	for _, dir := range []string{"my work/shop/.git", "my work/shop/src", "blog/.git"} {
		if err := os.MkdirAll(filepath.Join(p.home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p.write("dev", "shop", "talk", "for shop")
	c := p.open(p.home, filepath.Join(p.home, "my work/shop/src"))
	if line := c.call("who", "{}"); !strings.Contains(line, "You are shop") || c.asked != 1 {
		t.Errorf("asked %d times: %s", c.asked, line)
	}
	if line := c.call("check_mail", "{}"); !strings.Contains(line, "for shop") {
		t.Error(line)
	}
	c.roots = []string{filepath.Join(p.home, "blog")}
	c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	if line := c.call("who", "{}"); !strings.Contains(line, "You are blog") || c.asked != 2 {
		t.Errorf("asked %d times: %s", c.asked, line)
	}
	c.roots = []string{filepath.Join(p.home, "my work/shop"), filepath.Join(p.home, "blog")}
	c.send(`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`)
	if line := c.call("who", "{}"); !strings.Contains(line, "You are blog") {
		t.Errorf("a folder more makes another agent: %s", line)
	}
}

// TestNameGiven waits for no client's folders where a variable gives the name.
func TestNameGiven(t *testing.T) {
	p := newPost(t)
	p.vars = map[string]string{"SIGNALBOX_AS": "reviewer"}
	synctest.Test(t, func(t *testing.T) {
		s := &self{Options: p.options(""), answered: make(chan struct{})}
		begin := time.Now()
		if me := s.who(); me.Value != "reviewer" || time.Since(begin) > 0 {
			t.Errorf("%+v after %v", me, time.Since(begin))
		}
	})
}

// TestSecondName: of two work trees of one folder name each reads its own mail, and is told
// once that it has another name than its folder.
func TestSecondName(t *testing.T) {
	p := newPost(t)
	for _, dir := range []string{"x/app/.git", "y/app/.git"} {
		if err := os.MkdirAll(filepath.Join(p.home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p.write("dev", "app", "talk", "for the first")
	first := p.open(filepath.Join(p.home, "x/app"))
	if line := first.call("who", "{}"); !strings.Contains(line, "You are app ") {
		t.Error(line)
	}
	second := p.open(filepath.Join(p.home, "y/app"))
	if line := second.call("check_mail", "{}"); strings.Contains(line, "for the first") || !strings.Contains(line, "No new mail for y-app") || !strings.Contains(line, "already has the name app") {
		t.Error(line)
	}
	if line := second.call("check_mail", "{}"); strings.Contains(line, "already has the name") {
		t.Error(line)
	}
	if line := first.call("check_mail", "{}"); !strings.Contains(line, "for the first") {
		t.Error(line)
	}
}

// TestNoProject says whom it cannot know and how to tell it, reads nobody's mail and sends
// nothing.
func TestNoProject(t *testing.T) {
	p := newPost(t)
	p.write("dev", filepath.Base(p.home), "talk", "for somebody")
	c := p.open(p.home, "/")
	for tool, args := range map[string]string{
		"who": "{}", "check_mail": "{}", "send_mail": `{"to":"dev","text":"x"}`, "search_mail": `{"query":"for"}`, "read_thread": `{"thread":"talk"}`,
		"wait_for_mail": `{"seconds":0}`, "ask": `{"question":"?","to":"dev","wait_seconds":0}`,
	} {
		line := c.call(tool, args)
		for _, word := range []string{"not known which agent", "--as", "SIGNALBOX_AS", "roots"} {
			if !strings.Contains(line, word) {
				t.Errorf("%s does not say %q: %s", tool, word, line)
			}
		}
		if strings.Contains(line, "for somebody") {
			t.Errorf("%s hands out mail: %s", tool, line)
		}
	}
	if logs, _ := filepath.Glob(filepath.Join(p.dir, "log-*")); len(logs) != 1 {
		t.Errorf("written: %q", logs)
	}
}

// TestTakenByAnother: of two sessions that go by one name, the one that finds nothing new is
// told what the other one read, once.
func TestTakenByAnother(t *testing.T) {
	p := newPost(t)
	p.write("dev", "coder", "talk", "for one of them")
	p.vars = map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "one"}
	one := p.connect("coder", nil)
	p.vars = map[string]string{"CODEX_THREAD_ID": "two"}
	two := p.connect("coder", nil)
	if text, _ := call(t, one, "check_mail", nil); !strings.Contains(text, "for one of them") {
		t.Fatal(text)
	}
	if text, _ := call(t, one, "check_mail", nil); text != "No new mail for coder." {
		t.Errorf("of its own it is told %q", text)
	}
	if text, _ := call(t, two, "check_mail", nil); !strings.Contains(text, `("claude one") has read a message from dev`) || !strings.Contains(text, "thread talk") {
		t.Errorf("the other one is told %q", text)
	}
	if text, _ := call(t, two, "check_mail", nil); text != "No new mail for coder." {
		t.Errorf("the second time it is told %q", text)
	}
	for i := range 20 {
		text := fmt.Sprint("for one of them, number ", i)
		p.write("dev", "coder", "talk", text)
		if got, _ := call(t, one, "check_mail", nil); !strings.Contains(got, text) {
			t.Fatal(got)
		}
		// At once: while the other one's mark is written, it is new here, too, or named.
		if got, _ := call(t, two, "check_mail", nil); !strings.Contains(got, text) && !strings.Contains(got, "has read a message from dev") {
			t.Errorf("number %d: the other one is told %q", i, got)
		}
	}
	path := filepath.Join(p.home, "state/taken.json")
	if err := os.WriteFile(path, []byte("\x00["), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, _ := call(t, two, "check_mail", nil); text != "No new mail for coder." {
		t.Errorf("after the file was lost: %q", text)
	}
}

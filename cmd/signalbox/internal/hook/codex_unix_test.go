//go:build unix

package hook

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/agents/appserver/appservertest"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// atServer has the process that stays beside Codex's terminal talk to a server, and returns what
// it prints once it ends.
func (m *machine) atServer(serve func(*appservertest.Server)) (run func() string) {
	m.t.Helper()
	dir, err := os.MkdirTemp("", "sb") // the names of sockets are short
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", socket)
	if err == nil {
		err = os.Chmod(socket, 0o600)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		serve(&appservertest.Server{T: m.t, Conn: conn})
	}()
	m.t.Cleanup(func() {
		listener.Close()
		<-served
	})
	transcript := filepath.Join(dir, "rollout.jsonl")
	lines := `{"type":"response_item","payload":{"type":"custom_tool_call","call_id":"call_1","input":"*** Begin Patch\n*** Add File: made\n"}}` + "\n" +
		`{"type":"response_item","payload":{"type":"function_call","call_id":"call_2","arguments":"{\"cmd\":\"apply_patch <<EOF\"}"}}` + "\nno line"
	if err := os.WriteFile(transcript, []byte(lines), 0o600); err != nil {
		m.t.Fatal(err)
	}
	start := fmt.Sprintf(`{"session_id":"T","cwd":%q,"hook_event_name":"SessionStart","transcript_path":%q}`, m.path("coder"), transcript)
	if err := m.run(new(bytes.Buffer), strings.NewReader(start), "codex"); err != nil {
		m.t.Fatal(err)
	}
	return func() string {
		var out bytes.Buffer
		if err := m.run(&out, strings.NewReader(fmt.Sprintf(`{"session":"T","socket":%q}`, socket)), "codex", attend); err != nil {
			m.t.Error(err)
		}
		return out.String()
	}
}

const (
	codexAsks = `{"id":7,"method":"item/commandExecution/requestApproval","params":{"threadId":"T","turnId":"U","itemId":"call_1","command":"/bin/bash -lc 'touch made'","reason":null}}`
	resolved  = `{"method":"serverRequest/resolved","params":{"threadId":"T","requestId":7}}`
	turnOver  = `{"method":"turn/completed","params":{"threadId":"T"}}`
)

// TestAttend: the terminal's dialog stays open while the person answers elsewhere; the first
// answer counts.
func TestAttend(t *testing.T) {
	t.Run("a no with a reason", func(t *testing.T) {
		m := newMachine(t)
		r, ended := m.waitsIn(m.atServer(func(s *appservertest.Server) {
			s.Joined()
			s.Send(codexAsks)
			if p := s.Expect("turn/steer", `{"id":ID,"result":{}}`); p != `{"expectedTurnId":"U","input":[{"text":"I did not allow this: use a temp dir","type":"text"}],"threadId":"T"}` {
				t.Errorf("the reason is sent as %s", p)
			}
			if _, text := s.Receive(); text != `{"id":7,"result":{"decision":"decline"}}` {
				t.Errorf("the answer is %s", text)
			}
			s.Send(resolved)
			s.Send(turnOver)
			s.Receive()
		}))
		if string(r.Input) != `{"command":"/bin/bash -lc 'touch made'"}` || r.Client != "codex" || r.Session != "T" || r.Alias != "coder" || r.Folder != m.path("coder") {
			t.Errorf("%+v %s", r, r.Input)
		}
		m.answer(&r, ask.Answer{Reason: "use a temp dir"})
		if out := ended(); out != "" || m.log() != "" {
			t.Error(out, m.log())
		}
	})
	t.Run("the terminal is first", func(t *testing.T) {
		m := newMachine(t)
		goOn := make(chan struct{})
		_, ended := m.waitsIn(m.atServer(func(s *appservertest.Server) {
			s.Joined()
			s.Send(codexAsks)
			<-goOn
			s.Send(resolved)
			s.Send(turnOver)
			if _, text := s.Receive(); text != "" {
				t.Errorf("it says %s", text)
			}
		}))
		close(goOn)
		ended()
		if list, errs := m.requests().List(); len(list)+len(errs) > 0 {
			t.Errorf("%+v, %v", list, errs)
		}
	})
	t.Run("the server ends", func(t *testing.T) {
		m := newMachine(t)
		goOn := make(chan struct{})
		_, ended := m.waitsIn(m.atServer(func(s *appservertest.Server) {
			s.Joined()
			s.Send(codexAsks)
			<-goOn
		}))
		close(goOn)
		ended()
		if list, errs := m.requests().List(); len(list)+len(errs) > 0 || m.log() != "" {
			t.Errorf("%+v, %v, %s", list, errs, m.log())
		}
	})
	for item, patch := range map[string]string{"call_1": "*** Begin Patch\n*** Add File: made\n", "call_2": "apply_patch <<EOF"} {
		t.Run("a patch, "+item, func(t *testing.T) {
			m := newMachine(t)
			goOn := make(chan struct{})
			r, ended := m.waitsIn(m.atServer(func(s *appservertest.Server) {
				s.Joined()
				// Nobody knows what this one changes, so that it is left to the terminal.
				s.Send(`{"id":6,"method":"item/fileChange/requestApproval","params":{"threadId":"T","turnId":"U","itemId":"call_9"}}`)
				// And this is of another thread.
				s.Send(strings.Replace(codexAsks, `"T"`, `"S"`, 1))
				s.Send(`{"id":7,"method":"item/fileChange/requestApproval","params":{"threadId":"T","turnId":"U","itemId":"` + item + `"}}`)
				<-goOn
			}))
			if r.Tool != "apply_patch" || string(r.Input) != fmt.Sprintf(`{"command":%q}`, patch) {
				t.Errorf("%s %s", r.Tool, r.Input)
			}
			close(goOn)
			ended()
		})
	}
}

// TestAttendMany: a server that asks for more than anybody answers has the rest left to its
// terminal.
func TestAttendMany(t *testing.T) {
	m := newMachine(t)
	goOn := make(chan struct{})
	_, ended := m.waitsIn(m.atServer(func(s *appservertest.Server) {
		s.Joined()
		for i := range maxAsks + 10 {
			s.Send(strings.NewReplacer(`"id":7`, fmt.Sprint(`"id":`, i), "touch made", fmt.Sprint("touch ", i)).Replace(codexAsks))
		}
		<-goOn
	}))
	came := make(chan struct{}, 1000)
	l := ask.Open(m.requests(), slog.New(slog.DiscardHandler), func() { came <- struct{}{} })
	defer l.Close()
	for range came {
		if len(l.Now().List) == maxAsks {
			break
		}
	}
	close(goOn)
	ended()
	if list, errs := m.requests().List(); len(list)+len(errs) > 0 || m.log() != "" {
		t.Errorf("%+v, %v, %s", list, errs, m.log())
	}
}

// TestAttendNot: what cannot be attended is written down, and nothing waits.
func TestAttendNot(t *testing.T) {
	m := newMachine(t)
	run := m.atServer(func(s *appservertest.Server) {
		s.Introduced()
		s.Expect("thread/loaded/list", `{"id":ID,"result":{"data":[]}}`)
	})
	if out := run(); out != "" || !strings.Contains(m.log(), "does not run that thread") {
		t.Error(out, m.log())
	}
	for _, text := range []string{"", "[]", `{"session":"T","socket":"/nowhere/s"}`} {
		if err := m.run(new(bytes.Buffer), strings.NewReader(text), "codex", attend); err != nil {
			t.Error(err)
		}
	}
	if list, errs := m.requests().List(); len(list)+len(errs) > 0 {
		t.Errorf("%+v, %v", list, errs)
	}
}

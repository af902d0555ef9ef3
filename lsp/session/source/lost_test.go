package source

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// TestLost finds the messages between Claude Code's own sessions that did not arrive, though
// their sender was told that they did: by the transcripts of both, and by what hooks tell.
func TestLost(t *testing.T) {
	const (
		hello  = "Hello one, this is two.\nWhich \"port\"?"
		quoted = `Hello one, this is two.\nWhich \"port\"?`
		tagged = `<cross-session-message from-name=\"two\">\n` + quoted + `\n</cross-session-message>`
		queued = `{"type":"queue-operation","operation":"enqueue","timestamp":"%s","sessionId":"1","content":"` + tagged + `"}`
		exited = `{"type":"cost-state","sessionId":"1"}`
	)
	given := func(origin string) string {
		return `{"type":"user","uuid":"r1","isMeta":true,"timestamp":"%s","message":{"role":"user","content":"Another Claude session sent a message:\n` + tagged + `"}` + origin + `}`
	}
	sent := begun.Add(time.Minute)
	later := sent.Add(time.Minute)
	for _, c := range []struct {
		name  string
		one   []string // what the receiver's transcript ends in, with %s for a time
		alias string   // what the receiver is called
		state activity.State
		now   time.Time
		lost  bool
		mail  string
	}{
		{name: "killed with it in the queue", one: []string{queued}, state: activity.Ended, lost: true, mail: "coder"},
		{name: "without a word of it", state: activity.Ended},
		{name: "ended, as its transcript says", one: []string{queued, exited}, lost: true},
		{name: "not heard of for a day", one: []string{queued}, now: later.Add(25 * time.Hour), lost: true},
		{name: "in the queue of one at work", one: []string{queued}, state: activity.Working},
		{name: "in the queue of one of which nothing is known", one: []string{queued}},
		{name: "read, then ended", one: []string{queued, given(`,"origin":{"kind":"peer","msg_id":"m-1"}`), exited}, state: activity.Ended},
		{name: "read, without its id", one: []string{given("")}, state: activity.Ended},
		{name: "read in the middle of a turn", one: []string{`{"type":"attachment","uuid":"r1","timestamp":"%s","attachment":{"type":"queued_command","prompt":"` + tagged + `"}}`}, state: activity.Ended},
		{name: "to somebody else", one: []string{queued}, alias: "three", state: activity.Ended},
	} {
		t.Run(c.name, func(t *testing.T) {
			home, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			work := filepath.Join(home, "work")
			if err := os.Mkdir(work, 0o700); err != nil {
				t.Fatal(err)
			}
			alias := c.alias
			if alias == "" {
				alias = "one"
			}
			one := &writer{client: "claude", work: work, number: 1, at: begun}
			one.say("user", "p1", "Wait.")
			one.lines = append(one.lines, fmt.Sprintf(`{"type":"agent-name","agentName":%q,"sessionId":"1"}`, alias))
			for _, line := range c.one {
				if strings.Contains(line, "%s") {
					line = fmt.Sprintf(line, later.Format(time.RFC3339))
				}
				one.lines = append(one.lines, line)
			}
			one.save(t, home, 0)
			two := &writer{client: "claude", work: work, number: 2, at: sent}
			two.say("user", "p1", "Ask one.")
			two.claude("assistant", "a1", record{"type": "tool_use", "id": "t1", "name": "SendMessage", "input": record{"to": "one", "message": hello}})
			two.line(record{
				"type": "user", "uuid": "u9", "cwd": work, "sessionId": "2", "timestamp": two.now(), "sourceToolAssistantUUID": "u1",
				"message":       record{"role": "user", "content": []record{{"type": "tool_result", "tool_use_id": "t1", "content": "sent"}}},
				"toolUseResult": record{"success": true, "message": "in its inbox", "msg_id": "m-1"},
			})
			two.save(t, home, 0)
			env := environ.Env{Getenv: func(string) string { return "" }, Home: home, Work: work}
			now := c.now
			if now.IsZero() {
				now = later.Add(time.Minute)
			}
			if c.state != "" {
				err := activity.At(env.StateDir()).Change(t.Context(), "claude", "1", func(s *activity.Session) bool {
					s.Alias = "coder"
					s.Become(c.state, "", now.UnixMilli())
					return true
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			p := door.Open(panel.Options{
				Env: env, Folders: []string{work}, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
				Sources: []panel.NewSource{New}, Changed: func(panel.Change) {}, StatusChanged: func(panel.Status) {},
			})
			t.Cleanup(func() { _ = p.Close() })
			if err := p.Sync(t.Context()); err != nil {
				t.Fatal(err)
			}
			links, err := p.Resolve(t.Context(), []string{id(2)})
			if err != nil || links[0].Thread == nil {
				t.Fatalf("%+v, %v", links, err)
			}
			page, err := p.Thread(t.Context(), panel.ThreadParams{Ref: *links[0].Thread})
			if err != nil {
				t.Fatal(err)
			}
			said := false
			for _, m := range page.Messages {
				if !strings.HasPrefix(m.Text, "Hello one") {
					continue
				}
				said = true
				lost := m.Receipt != nil && m.Receipt.State == panel.ReceiptLost && strings.Contains(m.Text, "[it was not delivered: one ended before it read this]")
				if lost != c.lost || lost && (m.Receipt.Alias != c.mail || m.Receipt.Text == "" || m.Receipt.Text+"\n\n[it was not delivered: one ended before it read this]" != m.Text) {
					t.Errorf("%+v: %s", m.Receipt, m.Text)
				}
			}
			if !said {
				t.Errorf("the message is not there: %+v", page.Messages)
			}
		})
	}
}

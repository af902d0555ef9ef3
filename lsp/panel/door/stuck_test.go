package door_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestAgentStates: what an agent is at is read from the end of its log and the time.
func TestAgentStates(t *testing.T) {
	t.Parallel()
	agent := func(rest string) string {
		return `{"id":"s1","role":"agent","timestamp":"2026-02-20T10:00:00.000Z","content":[{"type":"text","text":"Next: **session.ts**."}]` + rest + `}`
	}
	tool := func(status string) string {
		return agent(fmt.Sprintf(`,"toolCalls":[{"toolCallId":"t1","name":"Bash","title":"npm test","status":%q,"diff":{"path":"a.ts","oldText":"a\n","newText":"b\nc\n"}}]`, status))
	}
	const user = `{"id":"s2","role":"user","timestamp":"2026-02-20T10:00:00.000Z","content":[{"type":"text","text":"Go on."}]}`
	tests := []struct {
		name   string
		lines  []string
		after  time.Duration
		state  panel.AgentState
		what   string
		needs  panel.AgentState // until it was seen
		always bool             // and then, too
	}{
		{"the user spoke last", []string{user}, time.Minute, panel.AgentWorking, "", "", false},
		{"a tool runs", []string{tool("running")}, time.Minute, panel.AgentWorking, "", "", false},
		{"a tool has ended", []string{tool("completed")}, time.Minute, panel.AgentWorking, "", "", false},
		{"nothing for a while", []string{tool("running")}, 10 * time.Minute, panel.AgentSilent, "", "", false},
		{"nothing for hours", []string{tool("running")}, 2 * time.Hour, panel.AgentStopped, "", "", false},
		{"a tool waits", []string{tool("pending")}, time.Hour, panel.AgentWaiting, "npm test", panel.AgentWaiting, true},
		{"it has finished", []string{agent(`,"stopReason":"end_turn"`)}, time.Hour, panel.AgentDone, "", "", false},
		{"it broke off", []string{agent(`,"stopReason":"max_tokens"`)}, time.Hour, panel.AgentFailed, "max_tokens", panel.AgentFailed, false},
		{"a bad line at the end", []string{tool("pending"), `{"id": broken`}, time.Hour, panel.AgentWaiting, "npm test", panel.AgentWaiting, true},
		{"days ago", []string{tool("pending")}, 25 * time.Hour, "", "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := newCheckout(t)
			for _, line := range tt.lines {
				c.append(mainThread, line)
			}
			// thread.json is behind: what counts is when the line was written.
			c.backdate(mainThread)
			o := openOffice(t, c.home, c.main)
			o.at.Store(time.Date(2026, 2, 20, 10, 0, 0, 0, time.UTC).Add(tt.after).UnixMilli())
			it := o.find(mainThread)
			if it.Agent.State != tt.state || it.Agent.For != tt.what {
				t.Errorf("%q for %q, want %q for %q", it.Agent.State, it.Agent.For, tt.state, tt.what)
			}
			// A line that is no message is not counted.
			if want := 2 + len(tt.lines) - rank(len(tt.lines) > 1); it.Count != want || o.thread(panel.ThreadParams{Ref: it.Ref}).Thread.Count != want {
				t.Errorf("%d messages, want %d", it.Count, want)
			}
			check := func(when string, want panel.AgentState) {
				t.Helper()
				if a := o.agent(it.Ref); a.Needs != (want != "") {
					t.Errorf("%s: %+v", when, a)
				}
				needs, err := o.Needs(t.Context(), panel.NeedsParams{})
				if err != nil {
					t.Fatal(err)
				}
				if n := rank(want != ""); needs.Total != n || len(needs.Items) != n || n == 1 && (needs.Items[0].Thread == nil || needs.Items[0].Thread.Agent.State != want) {
					t.Errorf("%s: needs %+v", when, needs)
				}
			}
			check("before it was seen", tt.needs)
			if _, err := o.SetRead(t.Context(), panel.ReadParams{Refs: []panel.Ref{it.Ref}, Read: true}); err != nil {
				t.Fatal(err)
			}
			left := tt.needs
			if !tt.always {
				left = ""
			}
			check("when it was seen", left)
			if got := o.find(mainThread).Agent; got.Unseen || got.State == panel.AgentDone {
				t.Errorf("seen, and still %+v", got)
			}
		})
	}
}

func rank(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// backdate makes a thread's thread.json older than its log.
func (c *checkout) backdate(thread string) {
	c.tb.Helper()
	file := c.file(thread, "thread.json")
	data, err := os.ReadFile(file)
	if err != nil {
		c.tb.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(data), "2026-02-20T09:", "2026-02-20T08:")), 0o600); err != nil {
		c.tb.Fatal(err)
	}
}

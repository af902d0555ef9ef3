package session

import (
	"fmt"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/session"
)

// TestLost is about messages of which a transcript tells twice: of two with one text the second
// may be lost, and of one that came long ago nothing is known.
func TestLost(t *testing.T) {
	b := newFixture(t)
	b.mkdir("work")
	line := func(kind string, number int, more string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":"u%d","sessionId":%q,"cwd":%q,"timestamp":%q,%s}`+"\n", kind, number, id(1), b.path("work"), at(number), more)
	}
	said := func(text string) string { return `"message":{"role":"user","content":"` + text + `"}` }
	const text = `<cross-session-message from-name=\"two\">\nAre you there?\n</cross-session-message>`
	queued := func(number int) string {
		return line("queue-operation", number, `"operation":"enqueue","content":"`+text+`"`)
	}
	given := func(number int, id string) string {
		return line("user", number, `"isMeta":true,`+said("Another Claude session sent a message:\\n"+text)+`,"origin":{"kind":"peer","msg_id":"`+id+`"}`)
	}
	name := line("agent-name", 8, `"agentName":"one"`)
	for _, c := range []struct{ name, one, want string }{
		{"both arrived", queued(2) + given(3, "m-1") + queued(4) + given(5, "m-2"), ""},
		{"the second is lost", queued(2) + given(3, "m-1") + queued(4), "m-2"},
		{"both are lost", queued(2) + queued(4), "m-1 m-2"},
		{"long ago", queued(2) + strings.Repeat(line("user", 9, said(strings.Repeat("x", 1<<20))), maxTraced>>20+1), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b.write(line("user", 0, said("begin"))+c.one+name, "home/.claude/projects/-work/"+id(1)+".jsonl")
			b.write(strings.ReplaceAll(line("user", 0, said("begin")), id(1), id(2)), "home/.claude/projects/-work/"+id(2)+".jsonl")
			s := b.scan("work")
			two := s.Item(Key{"claude", id(2)})
			if two == nil || len(s.Items) != 2 {
				t.Fatalf("%+v", s)
			}
			var lost []string
			for _, sent := range []string{"m-1", "m-2"} {
				m := session.Message{Sent: sent, To: "one"}
				m.Time = session.Time(session.Millis(at(1)))
				m.Text("Are you there?")
				list := []session.Message{m}
				if s.Lost(t.Context(), two, list, func(*Item) bool { return true }); list[0].Lost != "" {
					lost = append(lost, sent)
				}
			}
			if got := strings.Join(lost, " "); got != c.want {
				t.Errorf("lost: %q", got)
			}
		})
	}
}

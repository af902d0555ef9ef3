package atsf_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

func line(id, role, at, rest string) string {
	return `{"id":"` + id + `","role":"` + role + `","timestamp":"2025-02-14T10:30:` + at + `.000Z","content":[]` + rest + "}"
}

// TestLog reads a log with every kind of line.
func TestLog(t *testing.T) {
	a, b := line("a", "user", "01", ""), line("b", "agent", "03", `,"x":"`+"\u2028\\n\\r"+`"`)
	text := a + "\n\n" + b + "\r\n" + "not json\n" + line("a", "system", "02", "") + "\n" + " \t\n" + `{"id":"d","role"`
	l := atsf.ReadLog([]byte(text), 0)
	if l.Next != strings.LastIndex(text, "\n")+1 || !l.Torn {
		t.Errorf("M5: reading ended at %d, torn %v", l.Next, l.Torn)
	}
	type entry struct {
		Number, Offset int
		ID, Rule       string
		Notes          []string
	}
	var got []entry
	for _, e := range l.Entries {
		x := entry{e.Number, e.Offset, e.Message.ID, "", rules(e.Message.Notes)}
		if e.Fault != nil {
			x.Rule = e.Fault.Rule
		}
		got = append(got, x)
	}
	at := len(a) + 2
	want := []entry{
		{1, 0, "a", "", []string{}},
		{3, at, "b", "", []string{}},
		{4, at + len(b) + 2, "", "M1", []string{}},
		{5, at + len(b) + 11, "a", "", []string{"M2 id", "M1 timestamp"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("M1 M2: %s", diff)
	}
}

// TestUnfinished reads a last line only when it is finished, even if it looks whole (M5), from
// where reading ended.
func TestUnfinished(t *testing.T) {
	a, b := line("a", "user", "01", "")+"\n", line("b", "agent", "02", "")
	first := atsf.ReadLog([]byte(a+b), 0)
	if len(first.Entries) != 1 || first.Next != len(a) || !first.Torn {
		t.Fatalf("M5: %d entries to %d", len(first.Entries), first.Next)
	}
	next := atsf.ReadLog([]byte((a + b + "\n")[first.Next:]), 0)
	if len(next.Entries) != 1 || next.Entries[0].Message.ID != "b" || next.Torn {
		t.Errorf("M5: %+v", next)
	}
	if empty := atsf.ReadLog(nil, 0); len(empty.Entries) != 0 || empty.Next != 0 || empty.Torn {
		t.Errorf("M5: %+v", empty)
	}
}

// TestReadPart reads no more entries than are asked for.
func TestReadPart(t *testing.T) {
	first := line("a", "user", "01", "") + "\n" + line("b", "user", "01", "") + "\n"
	if l := atsf.ReadLog([]byte(first+line("c", "user", "01", "")+"\ntorn"), 2); len(l.Entries) != 2 || l.Next != len(first) || l.Torn {
		t.Errorf("M1: %d entries to %d", len(l.Entries), l.Next)
	}
}

// TestStats derives what thread.json caches (T4, Z5, Z7).
func TestStats(t *testing.T) {
	log := line("a", "system", "01", "") + "\n" + line("b", "user", "02", "") + "\n" + line("c", "agent", "05", `,"toolCalls":[{},{}]`) + "\nbad\n" +
		line("d", "other", "04", `,"toolCalls":"none"`) + "\n" + `{"id":"e","role":"agent"}` + "\n" + line("torn", "user", "09", "")
	got, next := atsf.Count([]byte(log))
	want := atsf.Tally{Stats: atsf.Stats{Messages: 5, User: 1, Agent: 2, ToolCalls: 2}, Last: atsf.At(1739529004000), Bad: 1}
	if diff := cmp.Diff(want, got); diff != "" || next != strings.LastIndex(log, "\n")+1 {
		t.Errorf("T4 Z5: to %d, %s", next, diff)
	}
}

// TestMismatch names every figure that differs from the messages.
func TestMismatch(t *testing.T) {
	th, err := atsf.ParseThread([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	right := atsf.Tally{Stats: th.Stats, Last: atsf.At(th.Updated.Millis)}
	for _, c := range []struct {
		name   string
		change func(*atsf.Tally)
		want   []string
	}{
		{"T4 right", func(*atsf.Tally) {}, nil},
		{"T4 one more", func(a *atsf.Tally) { a.Stats.Messages, a.Stats.User = 13, 6 }, []string{"stats.messageCount 12 13", "stats.userMessageCount 5 6"}},
		{"Z5 system as agent", func(a *atsf.Tally) { a.Stats.Agent = 5 }, []string{"stats.agentMessageCount 7 5"}},
		{"T4 tool calls", func(a *atsf.Tally) { a.Stats.ToolCalls = 0 }, []string{"stats.toolCallCount 23 0"}},
		{"T4 later", func(a *atsf.Tally) { a.Last.Millis++ }, []string{"updatedAt 2025-02-14T11:45:00.000Z 2025-02-14T11:45:00.001Z"}},
		{"Z7 empty thread", func(a *atsf.Tally) { *a = atsf.Tally{} }, []string{
			"stats.messageCount 12 0", "stats.userMessageCount 5 0", "stats.agentMessageCount 7 0", "stats.toolCallCount 23 0",
			"updatedAt 2025-02-14T11:45:00.000Z 2025-02-14T10:30:00.000Z",
		}},
		{"Z7 messages without times", func(a *atsf.Tally) { a.Last = atsf.Time{} }, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			tally := right
			c.change(&tally)
			var got []string
			for _, m := range atsf.Compare(&th, tally) {
				got = append(got, m.Field+" "+m.Cached+" "+m.Derived)
				if m.Reason == "" || (c.name[:2] == "Z5") != strings.Contains(m.Reason, "system messages") {
					t.Errorf("%+v", m)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			out, err := atsf.Repair([]byte(whole), tally)
			if err != nil {
				t.Fatal(err)
			}
			if (string(out) == whole) != (len(c.want) == 0) {
				t.Errorf("repaired to %s", out)
			}
			if th, err := atsf.ParseThread(out); err != nil || len(atsf.Compare(&th, tally)) > 0 {
				t.Errorf("still wrong after the repair: %s, %v", out, err)
			}
		})
	}
}

// TestRepairBroken repairs figures that are missing or of the wrong kind.
func TestRepairBroken(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"none", `{"specVersion":"1.1","createdAt":"2025-02-14T10:30:00Z"}`, `{"specVersion":"1.1","createdAt":"2025-02-14T10:30:00Z","stats":{"messageCount":0,"userMessageCount":0,"agentMessageCount":0,"toolCallCount":0},"updatedAt":"2025-02-14T10:30:00.000Z"}`},
		{"a list", `{"specVersion":"1.1","stats":[1]}`, `{"specVersion":"1.1","stats":{"messageCount":0,"userMessageCount":0,"agentMessageCount":0,"toolCallCount":0}}`},
		{"one missing", `{"specVersion":"1.1","stats":{"messageCount":0,"x":1,"userMessageCount":"0","agentMessageCount":0.0}}`, `{"specVersion":"1.1","stats":{"messageCount":0,"x":1,"userMessageCount":0,"agentMessageCount":0.0,"toolCallCount":0}}`},
	} {
		t.Run("T4/"+c.name, func(t *testing.T) {
			out, err := atsf.Repair([]byte(c.text), atsf.Tally{})
			if err != nil || string(out) != c.want {
				t.Errorf("%s, %v", out, err)
			}
		})
	}
}

// TestLogLimits: neither many lines nor lines of many blocks make more values than the limit,
// and reading goes on after them.
func TestLogLimits(t *testing.T) {
	for name, row := range map[string]string{
		"lines":  "{}\n",
		"blocks": `{"content":[` + strings.Repeat("{},", atsf.MaxItems-1) + "{}]}\n",
	} {
		t.Run("M1/"+name, func(t *testing.T) {
			rows := 64 << 10 / max(1, strings.Count(row, "{")-1)
			data := []byte(strings.Repeat(row, rows+100))
			read, parts := 0, 0
			for at := 0; at < len(data); parts++ {
				l := atsf.ReadLog(data[at:], 0)
				items := 0
				for _, e := range l.Entries {
					items += 1 + len(e.Message.Content)
				}
				if items > atsf.MaxEntries+atsf.MaxItems || l.Next == 0 || l.Torn {
					t.Fatalf("%d values, to %d", items, l.Next)
				}
				read, at = read+len(l.Entries), at+l.Next
			}
			if parts < 2 || read != rows+100 {
				t.Errorf("%d lines in %d parts", read, parts)
			}
		})
	}
}

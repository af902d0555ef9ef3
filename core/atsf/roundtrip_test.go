package atsf_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// leaf is a member of a thread.json as encoding/json finds it: its path and its
// value, byte for byte.
type leaf struct{ Path, Value string }

// leaves lists the members of an object in the order of the file. The objects
// that a write may reach into are opened, all others are values.
func leaves(t *testing.T, data []byte) []leaf {
	t.Helper()
	return object(t, data, "")
}

func object(t *testing.T, data []byte, in string) (list []leaf) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		at := in + key.(string)
		if (at == "stats" || at == "metadata") && value[0] == '{' {
			// The object itself keeps its place.
			list = append(list, leaf{Path: at})
			list = append(list, object(t, value, at+".")...)
			continue
		}
		list = append(list, leaf{at, string(value)})
	}
	return list
}

// conversation is a thread while a sequence of writes is made to it.
type conversation struct {
	t         *testing.T
	r         *rand.Rand
	meta, log []byte
	// did lists what was done, for a failure's message.
	did []string
	// set are the members that were set, and to what.
	set map[string]string
	n   int
}

// derived are the members that follow from the messages.
var derived = []string{"stats", "stats.messageCount", "stats.userMessageCount", "stats.agentMessageCount", "stats.toolCallCount", "updatedAt"}

// only fails if the file changed in other members than these: all others are the same bytes in
// the same order, and a new member comes after them.
func (c *conversation) only(after []byte, allowed ...string) {
	c.t.Helper()
	was, now := leaves(c.t, c.meta), leaves(c.t, after)
	known := make(map[string]bool)
	for _, l := range was {
		known[l.Path] = true
	}
	var kept, want []leaf
	for _, l := range now {
		switch {
		case slices.Contains(allowed, l.Path):
		case known[l.Path]:
			kept = append(kept, l)
		default:
			c.t.Fatalf("X4: %q: the member %q came from nowhere", c.did, l.Path)
		}
	}
	for _, l := range was {
		if !slices.Contains(allowed, l.Path) {
			want = append(want, l)
		}
	}
	if diff := cmp.Diff(want, kept); diff != "" {
		c.t.Fatalf("X4: %q: %s", c.did, diff)
	}
	// Existing members stay in their order, changed or not.
	var order, before []string
	for _, l := range now {
		if known[l.Path] {
			order = append(order, l.Path)
		}
	}
	for _, l := range was {
		before = append(before, l.Path)
	}
	if diff := cmp.Diff(before, order); diff != "" {
		c.t.Fatalf("X4: %q: the order changed: %s", c.did, diff)
	}
	c.meta = after
}

func (c *conversation) must(data []byte, err error) []byte {
	c.t.Helper()
	if err != nil {
		c.t.Fatalf("%q: %v", c.did, err)
	}
	return data
}

// texts that a writer has to get right.
var texts = []string{"", "plain", "quo\"te \\ and </script>", "line\nend\u2028and\u2029more\x00", "Grüße 🚀 \u202e", strings.Repeat("long ", 300)}

func (c *conversation) text() string { return texts[c.r.IntN(len(texts))] }

// step makes one random write.
func (c *conversation) step() {
	c.t.Helper()
	c.n++
	switch c.r.IntN(6) {
	case 0:
		title := c.text()
		c.did = append(c.did, "title")
		c.only(c.must(atsf.Edit(c.meta, atsf.SetTitle(title))), "title")
		c.set["title"] = title
	case 1:
		key := []string{"signalbox", "other app", "ü\"", "a.b"}[c.r.IntN(4)]
		value := []string{"true", " [1.0, {\"x\" : null}]", "{}", "\"text\"", "1e400"}[c.r.IntN(5)]
		c.did = append(c.did, "metadata "+key)
		c.only(c.must(atsf.Edit(c.meta, atsf.Change{Path: []string{"metadata", key}, Value: []byte(value)})), "metadata", "metadata."+key)
	case 2:
		c.did = append(c.did, "repair")
		c.repair()
	case 3:
		c.did = append(c.did, "append")
		m := atsf.Message{ID: fmt.Sprint("ours-", c.n), Role: atsf.RoleUser, Time: atsf.At(1771600000000 + int64(c.n)), Content: []atsf.Block{{Type: atsf.TypeText, Text: c.text()}}}
		if c.n%2 == 0 {
			m.Role = atsf.RoleAgent
			m.Tools = []atsf.ToolCall{{ID: "t", Name: "bash", Status: "completed", HasOutput: true, Output: c.text(), Duration: -1}}
		}
		c.append(c.must(atsf.BuildMessage(m)))
	case 4:
		c.again()
	case 5:
		c.fork()
	}
}

// repair makes the derived figures right and nothing else.
func (c *conversation) repair() {
	c.t.Helper()
	tally, _ := atsf.Count(c.log)
	c.only(c.must(atsf.Repair(c.meta, tally)), derived...)
	th, err := atsf.ParseThread(c.meta)
	if bad := atsf.Compare(&th, tally); err != nil || len(bad) > 0 {
		c.t.Fatalf("T4: %q: %v %v", c.did, bad, err)
	}
}

// append adds a line, as a writer of files does.
func (c *conversation) append(line []byte) {
	c.t.Helper()
	if n := len(c.log); n > 0 && c.log[n-1] != '\n' {
		c.log = append(c.log, '\n')
	}
	c.log = append(slices.Clip(c.log), line...)
	c.repair()
}

// again writes an existing message once more under another id. Its blocks and tool calls stay
// as they were, including those of unknown kinds.
func (c *conversation) again() {
	c.t.Helper()
	c.did = append(c.did, "again")
	entries := atsf.ReadLog(c.log, 0).Entries
	if len(entries) == 0 {
		return
	}
	e := entries[c.r.IntN(len(entries))]
	if e.Fault != nil || !e.Message.Time.OK {
		return
	}
	m := e.Message
	m.ID = fmt.Sprint("again-", c.n)
	line, err := atsf.BuildMessage(m)
	if err != nil {
		// A message that breaks a rule stays where it is and is not written again.
		if f := fault(c.t, err); f.Rule != "L4" && f.Rule != "TC1" {
			c.t.Fatalf("%q: %v", c.did, err)
		}
		return
	}
	type parts struct {
		Content, ToolCalls []any
	}
	split := func(line []byte) (p parts) {
		all := tree(c.t, line).(map[string]any)
		p.Content, _ = all["content"].([]any)
		p.ToolCalls, _ = all["toolCalls"].([]any)
		return p
	}
	if diff := cmp.Diff(split(m.Raw), split(line)); diff != "" {
		c.t.Fatalf("B2: %q: %s", c.did, diff)
	}
	c.append(line)
}

// fork goes on as another thread, with all lines or with a part of them.
func (c *conversation) fork() {
	c.t.Helper()
	c.did = append(c.did, "fork")
	p := atsf.ForkPlan{ID: fmt.Sprint("fork-", c.n), Created: 1771600000000}
	if c.r.IntN(2) == 0 {
		p.Title = "Forked"
	}
	if c.r.IntN(3) == 0 {
		for _, e := range atsf.ReadLog(c.log, 0).Entries {
			if e.Fault == nil && e.Message.ID != "" && c.r.IntN(2) == 0 {
				p.Through = e.Message.ID
			}
		}
	}
	thread, log, err := atsf.Fork(c.meta, c.log, p)
	c.must(thread, err)
	end := bytes.LastIndexByte(c.log, '\n') + 1
	switch {
	case !bytes.HasPrefix(c.log, log) || len(log) > 0 && log[len(log)-1] != '\n':
		c.t.Fatalf("X4: %q: the lines changed", c.did)
	case p.Through == "" && len(log) != end:
		c.t.Fatalf("M5: %q: %d bytes were taken over, want %d", c.did, len(log), end)
	}
	c.only(thread, append([]string{"specVersion", "threadId", "createdAt", "parentThreadId", "title"}, derived...)...)
	if p.Title != "" {
		c.set["title"] = p.Title
	}
	c.log = log
}

// TestAnyWrites makes random sequences of our writes to files that other applications wrote,
// and leaves each foreign member, block and line as it was: rules X4, V3, Z2, T5 and B2. It
// also runs inside the module.
func TestAnyWrites(t *testing.T) {
	const seeds, steps = 30, 14
	logs := fixtures(t, atsf.MessagesName)
	for name, meta := range fixtures(t, atsf.ThreadName) {
		if strings.Contains(name, "major-2") {
			continue // Not written to, as TestRoundTrip holds.
		}
		log := logs[path.Join(path.Dir(name), atsf.MessagesName)]
		t.Run("X4/"+path.Dir(name), func(t *testing.T) {
			for seed := range uint64(seeds) {
				c := &conversation{
					t: t, r: rand.New(rand.NewPCG(seed, 7)),
					meta: bytes.Clone(meta), log: bytes.Clone(log), set: make(map[string]string),
				}
				for range steps {
					c.step()
				}
				c.compare(meta, log)
			}
		})
	}
}

// compare compares the outcome of a sequence with where it began.
func (c *conversation) compare(meta, log []byte) {
	c.t.Helper()
	ours := append([]string{"specVersion", "threadId", "createdAt", "parentThreadId", "title", "metadata"}, derived...)
	now := make(map[string]string)
	for _, l := range leaves(c.t, c.meta) {
		now[l.Path] = l.Value
	}
	for _, l := range leaves(c.t, meta) {
		if slices.Contains(ours, l.Path) {
			continue
		}
		if value, ok := now[l.Path]; !ok || value != l.Value {
			c.t.Fatalf("X4: %q: %s is %s, was %s", c.did, l.Path, value, l.Value)
		}
	}
	if title, ok := c.set["title"]; ok {
		var got string
		if err := json.Unmarshal([]byte(now["title"]), &got); err != nil || got != title {
			c.t.Fatalf("X4: %q: the title is %q, want %q", c.did, got, title)
		}
	}
	// The remaining lines begin the log, and hold the same blocks.
	was, is := bytes.SplitAfter(log, []byte("\n")), bytes.SplitAfter(c.log, []byte("\n"))
	for i, line := range was {
		if len(line) == 0 || i >= len(is) || bytes.Contains(is[i], []byte(`"id":"ours-`)) || bytes.Contains(is[i], []byte(`"id":"again-`)) {
			break // A fork took over less.
		}
		if line[len(line)-1] != '\n' && len(is[i]) > 0 {
			line = append(bytes.Clone(line), '\n')
		}
		if !bytes.Equal(line, is[i]) && len(is[i]) > 0 {
			c.t.Fatalf("X4: %q: line %d is %s, was %s", c.did, i+1, is[i], line)
		}
		var raw struct{ Content []json.RawMessage }
		if json.Unmarshal(line, &raw) != nil {
			continue
		}
		m, err := atsf.ParseMessage(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil || len(m.Content) != len(raw.Content) {
			c.t.Fatalf("B2: %q: line %d has %d blocks, want %d (%v)", c.did, i+1, len(m.Content), len(raw.Content), err)
		}
		for k, b := range m.Content {
			if !bytes.Equal(b.Raw, raw.Content[k]) {
				c.t.Fatalf("B2: %q: block %d of line %d is %s, want %s", c.did, k, i+1, b.Raw, raw.Content[k])
			}
		}
	}
}

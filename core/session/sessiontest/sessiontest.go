// Package sessiontest contains helpers for the tests of all programs' transcripts.
package sessiontest

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/isotime"
	"github.com/signalbox-dev/signalbox/core/session"
)

var update = flag.Bool("update", false, "write what the transcripts in testdata tell anew")

// Read reads a whole transcript.
func Read(f *session.Format, agent string, data []byte) *session.Log {
	return From(f, agent, data, 0, len(data))
}

// From reads the lines of a transcript that begin in [from, to).
func From(f *session.Format, agent string, data []byte, from, to int) *session.Log {
	l := &session.Log{Agent: agent}
	for at := 0; at < to; {
		line, _, _ := bytes.Cut(data[at:], []byte("\n"))
		if at >= from {
			own := bytes.Clone(line)
			l.Line(f, int64(at), own)
			for i := range own {
				own[i] = '?' // readers reuse a line's memory, so a log must not refer to it
			}
		}
		at += len(line) + 1
	}
	return l
}

// CheckText checks that the [Text] of a transcript equals the file beside it with the extension
// .txt. The file of a subagent's conversation has the subagent's id before the extension.
func CheckText(t *testing.T, f *session.Format, file, agent string) {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	got := Text(Read(f, agent, data))
	name := filepath.FromSlash(strings.TrimSuffix(file, filepath.Ext(file)) + strings.TrimSuffix("."+agent, ".") + ".txt")
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s tells\n%s\nand not\n%s", file, got, want)
	}
}

// Text returns a conversation as one line or block for each fact, for people to check.
func Text(l *session.Log) string {
	var b strings.Builder
	field := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\n", name, indent(value))
		}
	}
	field("id", l.ID)
	field("title", l.Title)
	field("prompt", l.Prompt)
	field("folder", l.Folder)
	field("branch", l.Branch)
	field("model", l.Model)
	field("version", l.Version)
	field("parent", l.Parent)
	field("name", l.Name)
	field("agents", strings.Join(l.Agents, " "))
	field("begun", clock(l.Begun))
	field("updated", clock(l.Updated))
	field("state", strings.TrimSpace(string(l.State)+" "+l.For))
	field("last", l.Last)
	for i := range l.Messages {
		message(&b, &l.Messages[i])
	}
	return b.String()
}

func message(b *strings.Builder, m *session.Message) {
	if m.Gap != "" {
		fmt.Fprintf(b, "\ngap at %d: %s\n", m.Offset, m.Gap)
		return
	}
	fmt.Fprintf(b, "\n%s at %d", m.Role, m.Offset)
	for _, s := range []struct{ name, value string }{
		{"id", m.ID}, {"time", clock(m.Time.Millis)}, {"model", m.Model}, {"stop", m.StopReason}, {"from", m.From}, {"to", m.To},
	} {
		if s.value != "" {
			fmt.Fprintf(b, ", %s %s", s.name, s.value)
		}
	}
	if m.Tokens != nil {
		fmt.Fprintf(b, ", tokens %d %d", m.Tokens.Input, m.Tokens.Output)
	}
	b.WriteByte('\n')
	for i := range m.Content {
		c := &m.Content[i]
		fmt.Fprintf(b, "  %s: %s\n", c.Type, indent(cmp.Or(c.Text, c.ToolCallID, c.MimeType+" "+fmt.Sprint(len(c.Inline))+" bytes")))
	}
	if n := m.Repeats(); n > 0 {
		fmt.Fprintf(b, "  (%d more times)\n", n)
	}
	for i := range m.Tools {
		tool(b, &m.Tools[i])
	}
	for _, call := range slices.Sorted(maps.Keys(m.Started)) {
		fmt.Fprintf(b, "  %s started %s\n", call, m.Started[call])
	}
}

func tool(b *strings.Builder, c *atsf.ToolCall) {
	fmt.Fprintf(b, "  call %s: %s, %s", c.ID, c.Name, c.Status)
	for _, s := range []struct{ name, value string }{{"kind", c.Kind}, {"title", c.Title}} {
		if s.value != "" {
			fmt.Fprintf(b, ", %s %s", s.name, indent(s.value))
		}
	}
	if c.Duration >= 0 {
		fmt.Fprintf(b, ", %d ms", c.Duration)
	}
	b.WriteByte('\n')
	for _, at := range c.Locations {
		fmt.Fprintf(b, "    at %s %d\n", at.Path, at.Line)
	}
	for _, s := range []struct{ name, value string }{{"input", c.Input}, {"output", c.Output}} {
		if s.value != "" {
			fmt.Fprintf(b, "    %s: %s\n", s.name, indent(s.value))
		}
	}
	if d := c.Diff; d != nil {
		fmt.Fprintf(b, "    diff of %s, created %v\n      old: %s\n      new: %s\n", d.Path, d.Created, indent(d.Old), indent(d.New))
	}
}

func indent(s string) string {
	return strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n      | ")
}

func clock(at int64) string {
	if at == 0 {
		return ""
	}
	return isotime.Format(at)
}

// CheckBroken checks that a transcript can be read without a panic if it is cut or broken anywhere,
// and without gaps from each of its lines on.
func CheckBroken(t *testing.T, f *session.Format, file string) {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(data); at += 97 {
		Read(f, "", data[:at])
		Read(f, "", slices.Concat(data[:at], []byte("\n"), data[at:]))
	}
	from := 0
	for line := range bytes.Lines(data) {
		l := From(f, "", data, from, len(data))
		for i := range l.Messages {
			if m := &l.Messages[i]; m.Gap != "" {
				t.Errorf("from byte %d on there is a gap: %s", from, m.Gap)
			}
		}
		from += len(line)
	}
}

// FuzzSeeded feeds a format with garbage. The seeds are every line of the transcripts, and the
// transcripts.
func FuzzSeeded(f *testing.F, format *session.Format, files ...string) {
	for _, file := range files {
		data, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		for line := range bytes.Lines(data) {
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l := Read(format, "", data)
		open := 0
		for i := range l.Messages {
			m := &l.Messages[i]
			if m.Offset < 0 || m.Offset > int64(len(data)) {
				t.Errorf("a message at byte %d of %d", m.Offset, len(data))
			}
			for k := range m.Tools {
				if s := m.Tools[k].State(); s != atsf.Completed && s != atsf.Failed {
					open++
				}
			}
		}
		if l.Open() != (open > 0) {
			t.Errorf("%d calls are open, and Open says %v", open, l.Open())
		}
		for _, agent := range l.Agents[:min(len(l.Agents), 3)] {
			Read(format, agent, data)
		}
	})
}

// Brief returns a conversation as one line for the facts and one for each message, for tables of
// hand-made records.
func Brief(l *session.Log) string {
	var facts []string
	for _, f := range []struct{ name, value string }{
		{"id ", l.ID},
		{"title ", l.Title},
		{"folder ", l.Folder},
		{"branch ", l.Branch},
		{"parent ", l.Parent},
		{"name ", l.Name},
		{"agents ", strings.Join(l.Agents, " ")},
		{"prompt ", l.Prompt},
		{"", strings.TrimSpace(string(l.State) + " " + l.For)},
		{"last ", l.Last},
	} {
		if f.value != "" {
			facts = append(facts, f.name+f.value)
		}
	}
	var b strings.Builder
	b.WriteString(strings.Join(facts, "; "))
	for i := range l.Messages {
		b.WriteString("\n" + briefMessage(&l.Messages[i]))
	}
	return b.String()
}

func briefMessage(m *session.Message) string {
	if m.Gap != "" {
		return "gap: " + m.Gap
	}
	var parts []string
	for i := range m.Content {
		switch c := &m.Content[i]; c.Type {
		case atsf.TypeImage:
			parts = append(parts, c.MimeType+" "+strings.Trim(string(c.Inline), `"`))
		case atsf.TypeThinking:
			parts = append(parts, "("+c.Text+")")
		case atsf.TypeToolCallRef:
		default:
			parts = append(parts, c.Text)
		}
	}
	for i := range m.Tools {
		parts = append(parts, briefCall(m, &m.Tools[i]))
	}
	who := m.Role
	if m.From+m.To != "" {
		who += " from " + m.From + " to " + m.To
	}
	return who + ": " + strings.Join(parts, " | ")
}

func briefCall(m *session.Message, c *atsf.ToolCall) string {
	parts := []string{c.ID, c.Name + "/" + c.Kind, c.Status, "(" + c.Title + ")"}
	if c.Duration >= 0 {
		parts = append(parts, fmt.Sprint(c.Duration, " ms"))
	}
	for _, at := range c.Locations {
		parts = append(parts, strings.TrimSuffix(fmt.Sprint(at.Path, ":", at.Line), ":0"))
	}
	if c.HasInput {
		parts = append(parts, "<"+c.Input+">")
	}
	if c.Output != "" {
		parts = append(parts, c.Output)
	}
	if d := c.Diff; d != nil {
		parts = append(parts, fmt.Sprintf("diff %s %v %q %q", d.Path, d.Created, d.Old, d.New))
	}
	if s := m.Started[c.ID]; s != "" {
		parts = append(parts, "started "+s)
	}
	return strings.Join(parts, " ")
}

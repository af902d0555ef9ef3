package turns

import (
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// diffBytes is the largest total size of the two texts of a change whose lines are
// shown. Larger ones are opened in an editor.
const diffBytes = 16 << 10

// text writes a turn as Markdown, for clients that show only text. It does not sanitize what
// others wrote: the caller sanitizes the result.
type text struct{ b strings.Builder }

func (t *text) paragraph(s string) {
	if s == "" {
		return
	}
	if t.b.Len() > 0 {
		t.b.WriteString("\n\n")
	}
	t.b.WriteString(strings.TrimRight(s, "\n"))
}

func (t *text) quote(s string) {
	if s == "" {
		return
	}
	t.paragraph("> " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n> "))
}

// code writes a code block that its content cannot end.
func (t *text) code(language, s string) {
	if s == "" {
		return
	}
	longest, run := 2, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	t.paragraph(fence + language + "\n" + strings.TrimRight(s, "\n") + "\n" + fence)
}

func (t *text) tool(p *panel.ToolPart) {
	title := p.Title
	if title == "" {
		title = p.Name
	}
	facts := []string{p.Name, p.Status}
	if p.Duration >= 0 {
		facts = append(facts, strconv.FormatInt(p.Duration, 10)+" ms")
	}
	t.paragraph("**Tool:** " + title + " (" + strings.Join(facts, ", ") + ")")
	if p.Input != "" {
		t.paragraph("Input:")
		t.code("", p.Input)
	}
	if p.Output != "" {
		t.paragraph("Output:")
		t.code("", p.Output)
	}
}

func (t *text) diff(p *panel.DiffPart, hunks string) {
	t.paragraph("Change to " + p.Path + ": " + strconv.Itoa(p.Added) + " lines added, " + strconv.Itoa(p.Removed) + " removed")
	t.code("diff", hunks)
}

// hunks returns a change as a unified diff without its head. ok is false for long texts.
func hunks(d *atsf.Diff) (string, bool) {
	if len(d.Old)+len(d.New) > diffBytes {
		return "", false
	}
	var b strings.Builder
	line := 0
	for l := range strings.Lines(string(diff.Diff("", []byte(d.Old), "", []byte(d.New)))) {
		// The first three lines name the files. Most snippets that agents replace end without a
		// newline, so the note about that is left out.
		if line++; line > 3 && l[0] != '\\' {
			b.WriteString(l)
		}
	}
	return b.String(), true
}

// countLines returns how many lines hunks add and remove.
func countLines(hunks string) (added, removed int) {
	for l := range strings.Lines(hunks) {
		switch l[0] {
		case '+':
			added++
		case '-':
			removed++
		}
	}
	return added, removed
}

package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/render"
)

// maxAnswer is how many bytes of an answer are read.
const maxAnswer = 100

// Confirm asks whether to go on, and returns an error unless the user agrees. It
// refuses if there is no terminal to ask on.
func (p *Program) Confirm(yes bool) error {
	if yes {
		return nil
	}
	if !IsTerminal(p.In) {
		return errors.New("nothing was done: this has to be confirmed, and stdin is no terminal (--yes confirms it)")
	}
	io.WriteString(p.Stderr, "Go on? [y/N] ")
	answer, _ := bufio.NewReader(io.LimitReader(p.In, maxAnswer)).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errors.New("nothing was done")
}

// Ask asks for a word. It returns proposed if the answer is empty.
func (p *Program) Ask(question, proposed string) string {
	fmt.Fprintf(p.Stderr, "%s [%s] ", question, proposed)
	answer, _ := bufio.NewReader(io.LimitReader(p.In, maxAnswer)).ReadString('\n')
	return cmp.Or(strings.TrimSpace(answer), proposed)
}

// Sheet lists on stderr what a command is about to do, all of it made safe to show.
type Sheet struct{ W *bufio.Writer }

// Sheet returns an empty sheet.
func (p *Program) Sheet() Sheet { return Sheet{bufio.NewWriter(p.Stderr)} }

// Row writes a name and a line of text.
func (s Sheet) Row(name, format string, args ...any) {
	name, _ = render.Line(name, 0)
	text, _ := render.Line(fmt.Sprintf(format, args...), 0)
	fmt.Fprintf(s.W, "  %-13s %s\n", name, text)
}

// Text writes all of a text with a bar before each line, so that no line looks like a
// row of the sheet.
func (s Sheet) Text(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(reveal(render.Text(text)), "\n"), "\n") {
		fmt.Fprintf(s.W, "    | %s\n", line)
	}
}

// maxBlank is the longest run of blanks that is shown unchanged, and maxEmpty the
// longest run of empty lines.
const (
	maxBlank = 32
	maxEmpty = 2
)

// reveal replaces long runs of blanks and of empty lines with their count, because they
// would push the rest of a text out of sight. The text must have passed [render.Text].
func reveal(s string) string {
	var b strings.Builder
	for s != "" {
		n := strings.IndexFunc(s, isBlank)
		if n < 0 {
			n = len(s)
		}
		b.WriteString(s[:n])
		rest := strings.TrimLeftFunc(s[n:], isBlank)
		lines := strings.Split(s[n:len(s)-len(rest)], "\n")
		if empty := len(lines) - 2; empty > maxEmpty {
			lines = []string{lines[0], fmt.Sprintf("⟨%d empty lines⟩", empty), lines[len(lines)-1]}
		}
		for i, line := range lines {
			if i > 0 {
				b.WriteByte('\n')
			}
			if n := utf8.RuneCountInString(line); n > maxBlank {
				line = fmt.Sprintf("⟨%d blanks⟩", n)
			}
			b.WriteString(line)
		}
		s = rest
	}
	return b.String()
}

func isBlank(r rune) bool { return r == '\n' || r == '\t' || unicode.Is(unicode.Zs, r) }

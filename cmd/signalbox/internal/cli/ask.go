package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/render"
)

// maxAnswer is how much of an answer is read, in bytes.
const maxAnswer = 100

// Confirm asks whether to do what was shown. Without a terminal there is nobody
// to ask, and so nothing is done.
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

// Sheet is what is shown before it is done, on stderr, so that stdout holds
// results alone. Everything on it is made safe.
type Sheet struct{ W *bufio.Writer }

// Sheet returns an empty sheet.
func (p *Program) Sheet() Sheet { return Sheet{bufio.NewWriter(p.Stderr)} }

// Row is a name and a line of text.
func (s Sheet) Row(name, format string, args ...any) {
	text, _ := render.Line(fmt.Sprintf(format, args...), 0)
	fmt.Fprintf(s.W, "  %-13s %s\n", name, text)
}

// Text shows a text whole, with each line marked as its own, so that none can
// pass for a line of the sheet.
func (s Sheet) Text(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(reveal(render.Text(text)), "\n"), "\n") {
		fmt.Fprintf(s.W, "    | %s\n", line)
	}
}

// maxBlank is the longest run of blanks that is shown as it is, and maxEmpty that
// of lines with nothing else.
const (
	maxBlank = 32
	maxEmpty = 2
)

// reveal counts long runs of blanks and of blank lines instead of showing them:
// they would push what comes after them out of sight. It takes a text that
// [render.Text] made safe, in which every other character can be seen.
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

// isBlank reports whether a character of a safe text shows as nothing but room.
func isBlank(r rune) bool { return r == '\n' || r == '\t' || unicode.Is(unicode.Zs, r) }

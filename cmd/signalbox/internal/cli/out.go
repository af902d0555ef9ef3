package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/render"
)

// Warn writes a warning to stderr, made safe to show.
func (p *Program) Warn(format string, args ...any) {
	io.WriteString(p.Stderr, "signalbox: "+render.Text(fmt.Sprintf(format, args...))+"\n")
}

// Plural returns a count with its noun, in the plural unless the count is 1.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprint(n, " ", what, "s")
}

// Line returns a text as one safe, short line.
func Line(s string) string {
	s, _ = render.Line(s, MaxName)
	return s
}

// Paint colours text. The zero value leaves it plain.
type Paint struct{ On bool }

// The styles of text in a terminal.
const (
	Bold   = "\x1b[1m"
	Dim    = "\x1b[2m"
	Red    = "\x1b[31m"
	Green  = "\x1b[32m"
	Yellow = "\x1b[33m"
	Plain  = "\x1b[0m"
)

// In returns a text in a style, "" for none.
func (c Paint) In(style, s string) string {
	if !c.On || style == "" {
		return s
	}
	return style + s + Plain
}

// Paint decides whether to colour: by --color, and with "auto" on a terminal that can,
// unless NO_COLOR is set.
func (o *Options) Paint() Paint {
	switch o.Color {
	case "always":
		return Paint{true}
	case "never":
		return Paint{}
	}
	return Paint{o.Terminal && o.Env.Getenv("NO_COLOR") == "" && o.Env.Getenv("TERM") != "dumb"}
}

// Result writes the result of a command: with --json the value as an object, otherwise
// a line of text.
func (o *Options) Result(value any, format string, args ...any) error {
	w := o.Writer()
	o.Row(w, value, format, args...)
	return w.Flush()
}

// Row writes one of several results: with --json the value as an object, otherwise a
// line of text.
func (o *Options) Row(w *bufio.Writer, value any, format string, args ...any) {
	if o.JSON {
		_ = Print(w, value) // Flush returns the error
		return
	}
	fmt.Fprintf(w, format+"\n", args...)
}

// Field writes a name and its value on a line, so that the values of several fields
// are aligned. The value must be safe to show.
func (c Paint) Field(w *bufio.Writer, width int, name, value string) {
	w.WriteString(c.In(Dim, name+":") + strings.Repeat(" ", max(0, width-len(name)-1)) + value + "\n")
}

// ProblemText returns one line about a problem with a file, with the rule last.
func ProblemText(where, reason, advice, rule string) string {
	text := reason
	if where != "" {
		text = where + " " + text
	}
	if advice != "" {
		text += "; " + advice
	}
	if rule != "" {
		text += " (" + rule + ")"
	}
	return text
}

// Writer returns a buffered stdout. The caller flushes it.
func (p *Program) Writer() *bufio.Writer { return bufio.NewWriterSize(output{p}, 64<<10) }

// piece is how many bytes of a text are made safe at a time, so that a message of any
// length takes constant memory.
const piece = 32 << 10

func pieces(s string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for len(s) > piece {
			n := piece
			for n > piece-utf8.UTFMax && !utf8.RuneStart(s[n]) {
				n--
			}
			if !yield(s[:n]) {
				return
			}
			s = s[n:]
		}
		if s != "" {
			yield(s)
		}
	}
}

// WriteText writes a text, made safe, with an indent before each line and a line end
// after the last.
func WriteText(w *bufio.Writer, text, indent string) {
	start := true
	for part := range pieces(text) {
		for l := range strings.SplitAfterSeq(render.Text(part), "\n") {
			if start && l != "" && l != "\n" {
				w.WriteString(indent)
			}
			w.WriteString(l)
			if l != "" {
				start = strings.HasSuffix(l, "\n")
			}
		}
	}
	if !start {
		w.WriteByte('\n')
	}
}

// WriteWrapped is [WriteText] for prose: it breaks lines between words to fit a terminal
// of so many columns. It leaves the lines as they are if columns is 0.
func WriteWrapped(w *bufio.Writer, text, indent string, columns int) {
	if columns > 0 {
		var lines []string
		for line := range strings.SplitSeq(strings.TrimRight(render.Text(text), "\n"), "\n") {
			lines = append(lines, wrap(line, columns-len(indent))...)
		}
		text = strings.Join(lines, "\n")
	}
	WriteText(w, text, indent)
}

// WholeLine returns a text as one safe line of any length, for names that scripts take
// from the output.
func WholeLine(s string) string {
	s, _ = render.Line(s, 0)
	return s
}

// FileCause returns a file error without the file's name, for lines that begin with the name.
func FileCause(err error) error {
	if e, ok := errors.AsType[*os.PathError](err); ok {
		return e.Err
	}
	return err
}

// FileName returns a file's name as the user gave it, made safe.
func FileName(name string) string {
	if render.Text(name) == name && !strings.ContainsAny(name, "\t\n") {
		return name
	}
	return WholeLine(name)
}

// MaxName is how many characters of a name a list shows.
const MaxName = 200

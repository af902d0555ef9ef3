package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"golang.org/x/term"
)

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// warn says something beside the output, on stderr, safe to show.
func (p *program) warn(format string, args ...any) {
	io.WriteString(p.stderr, "signalbox: "+render.Text(fmt.Sprintf(format, args...))+"\n")
}

// report says on stderr what a pass over the logs could not use.
func (p *program) report(m *store.Mail) {
	for _, problem := range m.Problems {
		p.warn("%s %s (%s)", problem.File, problem.Reason, problem.Rule)
	}
	if m.Malformed > 0 {
		p.warn("%s skipped (see \"signalbox validate\")", plural(m.Malformed, "malformed line"))
	}
	counts := make(map[[2]string]int)
	var order [][2]string
	for i := range m.Suspicious {
		k := [2]string{m.Suspicious[i].Stem, m.Suspicious[i].From}
		if counts[k]++; counts[k] == 1 {
			order = append(order, k)
		}
	}
	for _, k := range order {
		verb := "claims"
		if counts[k] > 1 {
			verb = "claim"
		}
		p.warn("%s in log-%s %s to be from %s and may be forged: not shown (see \"signalbox validate\")", plural(counts[k], "record"), samp.ShowAlias(k[0]), verb, samp.ShowAlias(k[1]))
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprint(n, " ", what, "s")
}

// line is one safe line of something that should be short.
func line(s string) string {
	s, _ = render.Line(s, maxName)
	return s
}

// paint is how text is coloured. The zero value does not colour.
type paint struct{ on bool }

const (
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

func (c paint) in(style, s string) string {
	if !c.on {
		return s
	}
	return style + s + plain
}

// paint decides whether to colour: on a terminal that can, unless NO_COLOR is
// set to anything.
func (o *options) paint() paint {
	switch o.color {
	case "always":
		return paint{true}
	case "never":
		return paint{}
	}
	return paint{o.terminal && o.env.Getenv("NO_COLOR") == "" && o.env.Getenv("TERM") != "dumb"}
}

// writer buffers stdout. Its owner flushes it.
func (p *program) writer() *bufio.Writer { return bufio.NewWriterSize(p.stdout, 64<<10) }

// piece is how much of a text is made safe at a time, so that a message of any
// length is shown in constant memory.
const piece = 32 << 10

// pieces cuts a text between characters.
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

// writeText writes a safe text, each line after an indent, and a line end
// after the last.
func writeText(w *bufio.Writer, text, indent string) {
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

// object writes one JSON object on a line of its own.
type object struct {
	w     *bufio.Writer
	begun bool
	buf   []byte
}

func (o *object) name(name string) {
	if o.begun {
		o.w.WriteByte(',')
	} else {
		o.w.WriteByte('{')
	}
	o.begun = true
	o.w.WriteByte('"')
	o.w.WriteString(name)
	o.w.WriteString(`":`)
}

// text writes a string. It stays readable where that is safe: characters that
// a terminal would act on, or not show, are escaped.
func (o *object) text(name, s string) *object {
	o.name(name)
	o.quote(s)
	return o
}

func (o *object) quote(s string) {
	o.w.WriteByte('"')
	for part := range pieces(s) {
		if render.Text(part) == part || isPlainEscaped(part) {
			o.buf = canon.Escape(o.buf[:0], part)
		} else {
			o.buf = canon.EscapeASCII(o.buf[:0], strings.ToValidUTF8(part, "\ufffd"))
		}
		o.w.Write(o.buf)
	}
	o.w.WriteByte('"')
}

// isPlainEscaped reports whether a text's only dangers are controls that JSON
// escapes in any case.
func isPlainEscaped(s string) bool {
	for _, r := range s {
		if r >= 0x7f {
			return false
		}
	}
	return true
}

func (o *object) number(name string, n int64) *object {
	o.name(name)
	o.buf = strconv.AppendInt(o.buf[:0], n, 10)
	o.w.Write(o.buf)
	return o
}

func (o *object) bool(name string, v bool) *object {
	o.name(name)
	o.w.WriteString(strconv.FormatBool(v))
	return o
}

// raw writes a JSON text as it is, but on one line and without what a terminal
// would act on.
func (o *object) raw(name string, data []byte) *object {
	o.name(name)
	var b bytes.Buffer
	if err := json.Compact(&b, data); err != nil {
		b.Reset()
		b.WriteString("null")
	}
	o.w.Write(shownJSON(b.Bytes()))
	return o
}

func (o *object) list(name string, values []string) *object {
	o.name(name)
	o.w.WriteByte('[')
	for i, v := range values {
		if i > 0 {
			o.w.WriteByte(',')
		}
		o.quote(v)
	}
	o.w.WriteByte(']')
	return o
}

func (o *object) end() {
	o.w.WriteString("}\n")
	o.begun = false
}

package markup

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/core/render/markdown"
)

type mdMode int

const (
	inParagraph mdMode = iota
	inHeading          // one line; # is special
	inTable            // one line; | is special in code too
)

// mdWriter writes Markdown line by line, each after the prefix of its containers.
//
// It never writes past its limit. While it writes, it stores two places where the
// output may end, with the text that must be added there for it to be valid: the last
// line end, and the last character of text or code.
type mdWriter struct {
	out   []byte
	opt   Options
	limit int
	full  bool
	mode  mdMode

	prefix    string // of every line in the open containers
	head      string // of the next line: prefix, or with markers not yet written
	lineStart int    // offset after the prefix of this line, -1 before it is written

	closers       []string       // the markers that end the open inlines, outermost first
	emphasis      int            // how many of the open inlines are emphasis
	fenceEnd      string         // the fence that ends the open code block
	lastAlternate *markdown.Node // the last list written with the other marker

	lineCut, textCut cut
}

// cut is a place where the output may end.
type cut struct {
	at  int
	end string // to be added there
}

func newMDWriter(opt Options) *mdWriter {
	const note = len("\n*" + cutNote + "*\n")
	return &mdWriter{opt: opt, limit: opt.maxBytes() - note, lineStart: -1}
}

// finish returns the output. If it was too long, it is cut and ends with a note.
func (w *mdWriter) finish() string {
	if !w.full {
		return string(w.out)
	}
	c := w.lineCut
	if c.at < w.limit/2 && w.textCut.at > c.at {
		c = w.textCut
	}
	out := string(w.out[:c.at]) + c.end + "\n*" + cutNote + "*\n"
	if len(out) > w.opt.maxBytes() { // a limit too small for the note
		return "…"[:min(len("…"), w.opt.maxBytes()/len("…")*len("…"))]
	}
	return out
}

// put appends s if there is room for it.
//
//go:noinline
func (w *mdWriter) put(s string) bool {
	if w.full || len(w.out)+len(s) > w.limit {
		w.full = true
		return false
	}
	w.out = append(w.out, s...)
	return true
}

// begin writes the prefix of a line if it is not written yet.
//
//go:noinline
func (w *mdWriter) begin() {
	if w.lineStart >= 0 {
		return
	}
	w.put(w.head)
	w.head = w.prefix
	w.lineStart = len(w.out)
}

// raw writes syntax.
//
//go:noinline
func (w *mdWriter) raw(s string) {
	w.begin()
	w.put(s)
}

// atom writes syntax and content that must not be cut in two.
func (w *mdWriter) atom(s string) {
	w.raw(s)
	w.markText("")
}

// newline ends a line, which may be empty.
func (w *mdWriter) newline() {
	w.begin()
	if w.fenceEnd == "" {
		w.trimSpaces()
	}
	if !w.put("\n") {
		return
	}
	w.lineStart = -1
	end := ""
	if w.fenceEnd != "" {
		end = w.prefix + w.fenceEnd + "\n"
	}
	w.mark(&w.lineCut, end)
}

// trimSpaces removes spaces at the end of the line, since two spaces would be a hard
// line break.
func (w *mdWriter) trimSpaces() {
	for len(w.out) > max(w.lineStart, 0) && w.out[len(w.out)-1] == ' ' {
		w.out = w.out[:len(w.out)-1]
	}
	if w.textCut.at > len(w.out) {
		w.textCut.at = len(w.out)
	}
}

// blank writes an empty line between two blocks.
func (w *mdWriter) blank() {
	if w.lineStart < 0 && w.head == w.prefix {
		w.put(strings.TrimRight(w.prefix, " ") + "\n")
	}
}

// lineBreak writes a break inside a paragraph.
func (w *mdWriter) lineBreak(hard bool) {
	if w.mode != inParagraph {
		w.raw(" ")
		return
	}
	if hard {
		w.raw(`\`)
	}
	w.newline()
}

// enter opens a container. first is the prefix of its first line, rest of all others.
func (w *mdWriter) enter(first, rest string) {
	w.head += first
	w.prefix += rest
}

// leave closes the container opened with rest. An empty one still has its marker.
func (w *mdWriter) leave(rest string) {
	if w.lineStart < 0 && w.head != w.prefix {
		w.newline()
	}
	w.prefix = strings.TrimSuffix(w.prefix, rest)
	w.head = w.prefix
}

// open starts an inline that end ends.
func (w *mdWriter) open(start, end string) {
	w.raw(start)
	w.closers = append(w.closers, end)
}

func (w *mdWriter) close(end string) {
	w.closers = w.closers[:len(w.closers)-1]
	w.raw(end)
}

func (w *mdWriter) isOpen(end string) bool { return slices.Contains(w.closers, end) }

// literal writes the content of code, in which no character is special.
func (w *mdWriter) literal(s string) {
	w.begin()
	for _, r := range s {
		if !w.put(string(r)) {
			return
		}
		if endsWell(r) {
			w.markText("…")
		}
	}
}

// text writes safe text of one line so that it is shown unchanged. last is set if nothing
// follows it in its line.
func (w *mdWriter) text(s string, last bool) {
	w.begin()
	for i, r := range s {
		if w.full {
			return
		}
		if r == ' ' && len(w.out) == w.lineStart {
			continue // an indent would be a code block
		}
		size := utf8.RuneLen(r)
		if r < utf8.RuneSelf && w.special(byte(r), s[i+size:], last) {
			w.put(`\` + s[i:i+size])
		} else {
			w.put(s[i : i+size])
		}
		if !w.full && endsWell(r) {
			w.markText("…")
		}
	}
}

// special reports whether the next character c, before rest, would have a meaning for a
// Markdown renderer. The text after rest is unknown unless last is set.
func (w *mdWriter) special(c byte, rest string, last bool) bool {
	line := w.out[w.lineStart:]
	next := byte(' ')
	if rest != "" {
		next = rest[0]
	} else if !last {
		next = 0 // anything
	}
	switch c {
	case '\\', '`', '*', '[', ']', '<', '~', '|':
		return true
	case '_':
		return len(line) == 0 || !names.Alphanumeric(line[len(line)-1]) || !names.Alphanumeric(next)
	case '&':
		return next == '#' || next == 0 || names.Alphanumeric(next)
	case '$': // VS Code: $(icon)
		return next == '(' || next == 0
	case '#':
		return len(line) == 0 || w.mode == inHeading
	case '>', '=':
		return len(line) == 0
	case '-', '+':
		return len(line) == 0 && (next == ' ' || next == 0 || next == c || next == ':' || next == '|')
	case '.', ')':
		return allDigits(line) && (next == ' ' || next == 0) || c == '.' && endsInFold(line, "www")
	case ':':
		// Bare addresses, which GitHub's Markdown turns into links.
		return next == '/' || next == 0 || len(line) == 0 && next == '-' ||
			endsInFold(line, "mailto") || endsInFold(line, "xmpp")
	case '@':
		return len(line) > 0 && line[len(line)-1] > ' '
	}
	return false
}

// mark stores the end of the output as a place to cut, if the text that must be added
// there still fits.
func (w *mdWriter) mark(c *cut, end string) {
	if !w.full && len(w.out)+len(end) <= w.limit {
		*c = cut{len(w.out), end}
	}
}

// markText marks a place to cut inside a line, where open inlines must be closed.
func (w *mdWriter) markText(ellipsis string) {
	if w.full || len(w.out) < w.limit/4 && w.limit > 1024 {
		return // too far from the limit to be needed
	}
	end := ellipsis
	for i := len(w.closers) - 1; i >= 0; i-- {
		end += w.closers[i]
	}
	end += "\n"
	if w.fenceEnd != "" {
		end += w.prefix + w.fenceEnd + "\n"
	}
	w.mark(&w.textCut, end)
}

// endsWell reports whether text may be cut after r: ASCII, a letter or punctuation, but
// not a part of an emoji. It does not test whether a combining mark follows r.
func endsWell(r rune) bool {
	return r < utf8.RuneSelf || unicode.IsLetter(r) || unicode.IsPunct(r)
}

func allDigits(line []byte) bool {
	for _, c := range line {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(line) > 0
}

//go:noinline
func endsInFold(line []byte, word string) bool {
	n := len(line) - len(word)
	return n >= 0 && strings.EqualFold(string(line[n:]), word)
}

package hooks

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/render"
)

const (
	// maxShown is the number of bytes of a command's output that are passed on. The rest is
	// read, so that the command does not wait, and dropped.
	maxShown = 1 << 20
	// maxLine is the number of bytes after which an unfinished line is passed on.
	maxLine = 8 << 10
	// maxTail is the number of bytes at the end of the output that are kept.
	maxTail = 8 << 10
)

// output takes the output of a command, makes it safe line by line, and keeps its end. It has
// one writer at a time.
type output struct {
	to    io.Writer
	line  []byte
	shown int
	tail  []byte
}

func (o *output) Write(p []byte) (int, error) {
	o.tail = append(o.tail, p...)
	if n := len(o.tail) - maxTail; n > 0 {
		o.tail = append(o.tail[:0], o.tail[n:]...)
	}
	for rest := p; len(rest) > 0; {
		// Progress bars end their lines with a carriage return.
		n := bytes.IndexAny(rest, "\r\n") + 1
		if n == 0 {
			n = len(rest)
		}
		n = min(n, maxLine)
		o.line = append(o.line, rest[:n]...)
		rest = rest[n:]
		if c := o.line[len(o.line)-1]; c == '\n' || c == '\r' || len(o.line) >= maxLine {
			o.pass(false)
		}
	}
	return len(p), nil
}

// flush passes on the unfinished line.
func (o *output) flush() { o.pass(true) }

// pass shows the line. Unless it is the last one, a character that is cut at its end waits
// for the rest.
func (o *output) pass(last bool) {
	line := o.line
	if !last {
		line = line[:whole(line)]
	}
	text := strings.TrimRight(string(line), "\r\n")
	o.line = append(o.line[:0], o.line[len(line):]...)
	if text == "" || o.to == nil || o.shown > maxShown {
		return
	}
	o.shown += len(text)
	if o.shown > maxShown {
		text = "… the rest of the output is not shown"
	}
	// A reader that has gone does not stop the command.
	_, _ = io.WriteString(o.to, "  | "+render.Text(text)+"\n")
}

// whole returns the length of a text without a character that is cut at its end.
func whole(b []byte) int {
	for n := len(b) - 1; n >= 0 && n >= len(b)-utf8.UTFMax; n-- {
		if utf8.RuneStart(b[n]) {
			if !utf8.FullRune(b[n:]) {
				return n
			}
			break
		}
	}
	return len(b)
}

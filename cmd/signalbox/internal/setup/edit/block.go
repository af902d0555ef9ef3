package edit

import (
	"bytes"
	"errors"
	"strings"
)

// Block is a marked section at the end of a text: a TOML file, whose comments begin with
// #, or Markdown.
type Block struct {
	// Begin and End are the lines that mark it, without their line ends.
	Begin, End string
	// Text is between them, with "\n" as line end.
	Text string
}

// whole returns the section with its marks and the given line ends.
func (b Block) whole(end string) string {
	text := b.Begin + "\n" + strings.TrimRight(b.Text, "\n") + "\n" + b.End + "\n"
	return strings.ReplaceAll(text, "\n", end)
}

// find returns the offsets of the section, including its marks and the line end after it.
func (b Block) find(text []byte) (from, to int, found bool, err error) {
	from = line(text, b.Begin)
	to = line(text, b.End)
	switch {
	case from < 0 && to < 0:
		return 0, 0, false, nil
	case from < 0 || to < from:
		return 0, 0, false, errors.New("the marks of Signalbox's section are not as they were written")
	}
	to += len(b.End)
	if bytes.HasPrefix(text[to:], []byte("\r")) {
		to++
	}
	if bytes.HasPrefix(text[to:], []byte("\n")) {
		to++
	}
	return from, to, true, nil
}

// line returns the offset of a line in a text, or -1.
func line(text []byte, want string) int {
	at := 0
	for l := range bytes.Lines(text) {
		if string(bytes.TrimRight(l, "\r\n")) == want {
			return at
		}
		at += len(l)
	}
	return -1
}

// Add returns the text with the section, replaced in its place or added at the end.
func (b Block) Add(text []byte) ([]byte, error) {
	from, to, found, err := b.find(text)
	if err != nil {
		return nil, err
	}
	end := lineEnd(text)
	if found {
		return Apply(text, []Splice{{from, string(text[from:to]), b.whole(end)}}), nil
	}
	before := ""
	switch {
	case len(text) == 0, bytes.HasSuffix(text, []byte(end+end)):
	case bytes.HasSuffix(text, []byte(end)):
		before = end
	default:
		before = end + end
	}
	return Apply(text, []Splice{{len(text), "", before + b.whole(end)}}), nil
}

// Has reports whether the text has the section, and whether it is the same.
func (b Block) Has(text []byte) (there, equal bool, err error) {
	from, to, found, err := b.find(text)
	return found, found && string(text[from:to]) == b.whole(lineEnd(text)), err
}

// Remove returns the text without the section and the empty line before it. Other lines
// between the marks stay, since somebody else wrote them.
func (b Block) Remove(text []byte) ([]byte, error) {
	from, to, found, err := b.find(text)
	if err != nil || !found {
		return text, err
	}
	end := lineEnd(text)
	ours := make(map[string]int)
	for l := range strings.Lines(b.whole(end)) {
		ours[l]++
	}
	theirs := ""
	for l := range strings.Lines(string(text[from:to])) {
		if whole := strings.TrimRight(l, "\r\n") + end; ours[whole] > 0 {
			ours[whole]--
		} else {
			theirs += l
		}
	}
	at := from
	if theirs == "" && bytes.HasSuffix(text[:from], []byte(end+end)) {
		at -= len(end)
	}
	return Apply(text, []Splice{{at, string(text[at:to]), theirs}}), nil
}

package server

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// maxOpenBytes bounds the text of all open documents together.
const maxOpenBytes = 64 << 20

// document is one version of an open document. It is immutable, so a request
// keeps what it saw while changes go on.
type document struct {
	version  int32
	language string // what the client takes it for
	text     string
	// lost says that the text is not known: it was too large to keep, or a
	// change did not fit. The client's next full text cures it.
	lost bool
}

// documents holds what the client has open (textDocument/didOpen to didClose).
type documents struct {
	mu    sync.RWMutex
	open  map[string]*document // by URI; guarded by mu
	bytes int                  // the cost of all; guarded by mu
}

func newDocuments() *documents { return &documents{open: map[string]*document{}} }

// get gives the current version of an open document, nil if there is none or
// its text is not known.
func (d *documents) get(uri string) *document {
	d.mu.RLock()
	defer d.mu.RUnlock()
	doc := d.open[uri]
	if doc == nil || doc.lost {
		return nil
	}
	return doc
}

// uris gives the addresses of all open documents, in order.
func (d *documents) uris() []string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return slices.Sorted(maps.Keys(d.open))
}

// texts gives the open documents whose text is known, by URI.
func (d *documents) texts() map[string]*document {
	d.mu.RLock()
	defer d.mu.RUnlock()
	list := make(map[string]*document, len(d.open))
	for uri, doc := range d.open {
		if !doc.lost {
			list[uri] = doc
		}
	}
	return list
}

// cost is what keeping a document is counted as.
func cost(uri string, doc *document) int {
	return len(uri) + len(doc.language) + len(doc.text) + 128
}

// put sets a document. It fails, and the text is lost, when it does not fit.
func (d *documents) put(uri string, doc *document) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remove(uri)
	if d.bytes+cost(uri, doc) <= maxOpenBytes {
		d.open[uri] = doc
		d.bytes += cost(uri, doc)
		return nil
	}
	lost := &document{version: doc.version, language: doc.language, lost: true}
	if d.bytes+cost(uri, lost) <= maxOpenBytes {
		d.open[uri] = lost
		d.bytes += cost(uri, lost)
	}
	return fmt.Errorf("server: keep %q: open documents would exceed %d bytes", short(uri), maxOpenBytes)
}

// drop forgets a document.
func (d *documents) drop(uri string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remove(uri)
}

// remove is drop for callers that hold mu.
func (d *documents) remove(uri string) {
	if old := d.open[uri]; old != nil {
		d.bytes -= cost(uri, old)
		delete(d.open, uri)
	}
}

// short cuts a stranger's text for a log or an error.
func short(s string) string { return s[:min(len(s), 100)] }

// change applies the changes of one textDocument/didChange, in order. Changes
// older than the document are refused: they were applied to something else.
func (d *documents) change(uri string, version int32, changes []contentChange, enc encoding) error {
	d.mu.RLock()
	old := d.open[uri]
	d.mu.RUnlock()
	switch {
	case old == nil:
		return fmt.Errorf("server: change %q: not open", short(uri))
	case version < old.version:
		return fmt.Errorf("server: change %q: version %d comes after %d", short(uri), version, old.version)
	}
	next := document{version: version, language: old.language, text: old.text, lost: old.lost}
	var fault error
	for _, c := range changes {
		if err := next.apply(c, enc); err != nil && fault == nil {
			fault = fmt.Errorf("server: change %q: %w", short(uri), err)
		}
	}
	if err := d.put(uri, &next); err != nil {
		return err
	}
	return fault
}

// apply replaces a range, or everything. Each change sees the one before.
func (doc *document) apply(c contentChange, enc encoding) error {
	if c.Range == nil {
		doc.text, doc.lost = c.Text, false
		return nil
	}
	if doc.lost {
		return nil
	}
	start, end := doc.offset(c.Range.Start, enc), doc.offset(c.Range.End, enc)
	switch {
	case start > end:
		doc.text, doc.lost = "", true
		return errors.New("range ends before it starts")
	case start+len(c.Text)+len(doc.text)-end > maxOpenBytes:
		doc.text, doc.lost = "", true
		return errors.New("document is too large")
	}
	doc.text = doc.text[:start] + c.Text + doc.text[end:]
	return nil
}

// offset gives the byte at a position. A position past the end of a line is its
// end, one past the last line the end of the text (LSP, "Position"); one within
// a character is its beginning.
func (doc *document) offset(p position, enc encoding) int {
	start := lineStart(doc.text, p.Line)
	line := cutLine(doc.text[start:])
	return start + columnOffset(line, p.Character, enc)
}

// position is the inverse of offset.
func (doc *document) position(offset int, enc encoding) position {
	offset = min(offset, len(doc.text))
	var p position
	at := 0
	for {
		end := at + len(cutLine(doc.text[at:]))
		if offset <= end || end == len(doc.text) {
			p.Character = columnOf(doc.text[at:min(offset, end)], min(offset, end)-at, enc)
			return p
		}
		if strings.HasPrefix(doc.text[end:], "\r\n") {
			end++
		}
		at = end + 1
		if offset < at {
			offset = at // within a line's end
		}
		p.Line++
	}
}

// line gives the text of a line without its end, "" past the last line.
func (doc *document) line(n uint32) string {
	return cutLine(doc.text[lineStart(doc.text, n):])
}

// lineStart gives the offset at which line n begins, the text's length past the
// last line. Lines end in \n, \r\n or \r. Looking for it anew costs less than
// keeping a table through every change.
func lineStart(text string, n uint32) int {
	at := 0
	for ; n > 0; n-- {
		end := len(cutLine(text[at:]))
		if at+end == len(text) {
			return len(text)
		}
		at += end
		if strings.HasPrefix(text[at:], "\r\n") {
			at++
		}
		at++
	}
	return at
}

// cutLine gives text up to its first line end. Both searches are of single
// bytes, which is fast, and the second stays within the line.
func cutLine(text string) string {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	if i := strings.IndexByte(text, '\r'); i >= 0 {
		text = text[:i]
	}
	return text
}

// columnOffset gives the byte at which a column of a line is.
func columnOffset(line string, column uint32, enc encoding) int {
	if enc == utf8Encoding {
		if uint64(column) >= uint64(len(line)) {
			return len(line)
		}
		at := int(column)
		for at > 0 && !utf8.RuneStart(line[at]) {
			at--
		}
		return at
	}
	left := column
	for at, r := range line {
		w := width(r, enc)
		if left < w {
			return at
		}
		left -= w
	}
	return len(line)
}

// columnOf is the inverse of columnOffset.
func columnOf(line string, offset int, enc encoding) uint32 {
	if enc == utf8Encoding {
		return uint32(offset)
	}
	var column uint32
	for _, r := range line[:offset] {
		column += width(r, enc)
	}
	return column
}

// width is how much a character counts: in UTF-16, two from U+10000 on.
func width(r rune, enc encoding) uint32 {
	if enc == utf16Encoding && r > 0xffff {
		return 2
	}
	return 1
}

package documents

import (
	"strings"
	"unicode/utf8"
)

// Encoding is a PositionEncodingKind: what Position.Character counts.
type Encoding string

// The encodings, by what each counts.
const (
	UTF8  Encoding = "utf-8"
	UTF16 Encoding = "utf-16" // the default
	UTF32 Encoding = "utf-32"
)

// Position is a place between two characters. Both numbers begin at 0.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// Before reports whether p comes before q.
func (p Position) Before(q Position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}

// Span is LSP's Range.
type Span struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// ContentChange replaces a range, or everything when Range is nil.
type ContentChange struct {
	Range *Span  `json:"range"`
	Text  string `json:"text"`
}

// Offset returns the byte at a position. A position past the end of a line is its
// end, one past the last line the end of the text (LSP, "Position"); one within
// a character is its beginning.
func (doc *Document) Offset(p Position, enc Encoding) int {
	start := lineStart(doc.Text, p.Line)
	line := cutLine(doc.Text[start:])
	return start + ColumnOffset(line, p.Character, enc)
}

// Position is the inverse of offset.
func (doc *Document) Position(offset int, enc Encoding) Position {
	return doc.Walk(enc).Position(offset)
}

// Line returns the text of a line without its end, "" past the last line.
func (doc *Document) Line(n uint32) string {
	return cutLine(doc.Text[lineStart(doc.Text, n):])
}

// lineStart returns the offset at which line n begins, the text's length past the
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

// cutLine returns a text up to its first line end. Both searches are of single
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

// ColumnOffset returns the byte at which a column of a line is.
func ColumnOffset(line string, column uint32, enc Encoding) int {
	if enc == UTF8 {
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

// ColumnOf is the inverse of columnOffset.
func ColumnOf(line string, offset int, enc Encoding) uint32 {
	if enc == UTF8 {
		return uint32(offset)
	}
	var column uint32
	for _, r := range line[:offset] {
		column += width(r, enc)
	}
	return column
}

// width is how much a character counts: in UTF-16, two from U+10000 on.
func width(r rune, enc Encoding) uint32 {
	if enc == UTF16 && r > 0xffff {
		return 2
	}
	return 1
}

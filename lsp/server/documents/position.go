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

// Before reports whether p is before q.
func (p Position) Before(q Position) bool {
	return p.Line < q.Line || p.Line == q.Line && p.Character < q.Character
}

// Span is LSP's Range.
type Span struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// ContentChange replaces a range, or the whole text if Range is nil.
type ContentChange struct {
	Range *Span  `json:"range"`
	Text  string `json:"text"`
}

// Offset returns the byte offset of a position. A position past the end of a line is the
// end of the line, and a position past the last line is the end of the text (LSP,
// "Position"). A position within a character is its beginning.
func (doc *Document) Offset(p Position, enc Encoding) int {
	start := lineStart(doc.Text, p.Line)
	line := cutLine(doc.Text[start:])
	return start + ColumnOffset(line, p.Character, enc)
}

// Position returns the position of an offset. It is the inverse of [Document.Offset].
func (doc *Document) Position(offset int, enc Encoding) Position {
	return doc.Walk(enc).Position(offset)
}

// Line returns the text of a line without its end. It is "" past the last line.
func (doc *Document) Line(n uint32) string {
	return cutLine(doc.Text[lineStart(doc.Text, n):])
}

// lineStart returns the offset at which line n begins, or the text's length past the
// last line. Lines end in \n, \r\n or \r. Searching each time costs less than updating a
// table with every change.
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

// cutLine returns a text up to its first line end. Both searches are for single bytes,
// which is fast, and the second is limited to the line.
func cutLine(text string) string {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	if i := strings.IndexByte(text, '\r'); i >= 0 {
		text = text[:i]
	}
	return text
}

// ColumnOffset returns the byte offset of a column in a line.
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

// ColumnOf returns the column of a byte offset in a line. It is the inverse of [ColumnOffset].
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

// width returns how many columns a character counts for. In UTF-16, characters from U+10000
// count for two.
func width(r rune, enc Encoding) uint32 {
	if enc == UTF16 && r > 0xffff {
		return 2
	}
	return 1
}

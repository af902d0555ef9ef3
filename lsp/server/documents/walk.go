package documents

import "strings"

// walk finds the positions of offsets in a text. It continues from the last offset if the next one
// is not before it, so a sorted list costs one pass over the text, however long its lines are.
type walk struct {
	text string
	enc  Encoding

	line   uint32
	start  int // offset of the line
	length int // length of the line without its end, if known is set
	known  bool
	at     int    // an offset in the line
	column uint32 // the column of at
}

// Walk returns a walk from the beginning of a document.
func (doc *Document) Walk(enc Encoding) *walk { return &walk{text: doc.Text, enc: enc} }

// Position returns the position of an offset.
func (w *walk) Position(offset int) Position {
	offset = min(offset, len(w.text))
	if offset < w.at {
		*w = walk{text: w.text, enc: w.enc}
	}
	for {
		if !w.known {
			w.length, w.known = len(cutLine(w.text[w.start:])), true
		}
		end := w.start + w.length
		if offset <= end || end == len(w.text) {
			break
		}
		if strings.HasPrefix(w.text[end:], "\r\n") {
			end++
		}
		w.start, w.line, w.known = end+1, w.line+1, false
		w.at, w.column = w.start, 0
		offset = max(offset, w.start) // within a line's end
	}
	w.column += ColumnOf(w.text[w.at:offset], offset-w.at, w.enc)
	w.at = offset
	return Position{Line: w.line, Character: w.column}
}

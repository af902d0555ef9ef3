package server

import "strings"

// walk finds the positions of offsets in a text, as [document.position] does. Where
// each offset lies behind the one before it goes on from there, so that a list of
// them costs one walk over the text and no more, however long its lines are.
type walk struct {
	text string
	enc  encoding

	line   uint32
	start  int // of the line
	length int // of the line without its end, if it is known
	known  bool
	at     int // an offset in the line
	column uint32
}

func (w *walk) position(offset int) position {
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
	w.column += columnOf(w.text[w.at:offset], offset-w.at, w.enc)
	w.at = offset
	return position{Line: w.line, Character: w.column}
}

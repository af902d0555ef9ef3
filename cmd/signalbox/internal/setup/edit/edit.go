// Package edit changes single things in configuration files that belong to other programs
// and to people, and leaves every other byte as it is.
//
// Start with [JSON] and [Block]. A text that cannot be parsed is refused.
package edit

import "bytes"

// Splice replaces Old at an offset of a text by New.
type Splice struct {
	Offset int    `json:"offset"`
	Old    string `json:"old,omitempty"`
	New    string `json:"new,omitempty"`
}

// Apply returns the text after all splices. Their offsets are in the original text, in
// order and without overlap.
func Apply(text []byte, splices []Splice) []byte {
	var out bytes.Buffer
	at := 0
	for _, s := range splices {
		out.Write(text[at:s.Offset])
		out.WriteString(s.New)
		at = s.Offset + len(s.Old)
	}
	out.Write(text[at:])
	return out.Bytes()
}

// Between returns one splice that turns before into after, or none if they are the same.
func Between(before, after []byte) []Splice {
	if bytes.Equal(before, after) {
		return nil
	}
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	return []Splice{{head, string(before[head : len(before)-tail]), string(after[head : len(after)-tail])}}
}

// lineEnd returns the line end that a text uses.
func lineEnd(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

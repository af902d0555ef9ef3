package canon

import (
	"bytes"
	"slices"
)

// Place is the position of a member in a text. Its offsets count from the same start as the
// object's offset.
type Place struct {
	// Value is the member's value.
	Value
	// Gap is where the white space before the key begins, after the brace or comma,
	// and Key is where the key begins.
	Gap, Key int
}

// End returns the position after the value.
func (p *Place) End() int { return p.Offset + len(p.Raw) }

// Find returns the last member of the object that has the name, and the object's last
// member. Either is nil if there is none. twice is set if several have the name.
func Find(object Value, name string) (found, last *Place, twice bool) {
	gap := bytes.IndexByte(object.Raw, '{') + 1
	// The object was checked as part of a larger text, so there is no error.
	_ = Object(object.Raw, func(key []byte, v Value) error {
		p := Place{Value: v, Gap: gap, Key: gap}
		// Between two values are white space, a comma and a key.
		for ; object.Raw[p.Key] != '"'; p.Key++ {
			if object.Raw[p.Key] == ',' {
				p.Gap = p.Key + 1
			}
		}
		gap = p.End()
		p.Offset, p.Gap, p.Key = p.Offset+object.Offset, p.Gap+object.Offset, p.Key+object.Offset
		if last = &p; string(key) == name {
			twice = twice || found != nil
			found = last
		}
		return nil
	})
	return found, last, twice
}

// Splice returns a copy of data with text in the place of data[start:end].
func Splice(data []byte, start, end int, text []byte) []byte {
	return slices.Concat(data[:start], text, data[end:])
}

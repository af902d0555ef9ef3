package documents

import (
	"slices"
	"testing"
)

// TestWalk: positions are those that a document gives, in whatever order they are
// asked for.
func TestWalk(t *testing.T) {
	for _, text := range []string{"é𝄞\r\nab\r\rc\n\n\t𝄞x\r\n", "", "a", "\n\n", "é\n", "\r\n\r\n"} {
		for _, enc := range []Encoding{UTF8, UTF16, UTF32} {
			doc := &Document{Text: text}
			w := doc.Walk(enc)
			offsets := []int{}
			for at := range len(text) + 2 {
				if at >= len(text) || text[at]&0xc0 != 0x80 {
					offsets = append(offsets, at)
				}
			}
			back := slices.Clone(offsets)
			slices.Reverse(back)
			for _, at := range append(offsets, back...) {
				if got, want := w.Position(at), doc.Position(at, enc); got != want {
					t.Errorf("%q in %s: %d is %+v, want %+v", text, enc, at, got, want)
				}
			}
		}
	}
}

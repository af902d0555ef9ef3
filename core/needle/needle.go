// Package needle searches for a text regardless of case, and finds the JSON lines that
// may contain it without decoding the others. It makes a search over a million records
// fast.
//
// Start with [New]. [Needle.Find] searches a text. A [Finder] finds every place in raw
// JSON where the text may be.
package needle

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Needle is a text to look for. Letters match in any case (simple folding of
// Unicode), and a run of white space matches any other one. The needle is found as it is
// spelled and in Unicode's normal forms C and D, in which the same letters with accents look
// the same. The text that is searched is not normalised. The zero Needle is found nowhere. A
// Needle never changes, so it is safe for concurrent use.
type Needle struct {
	// other is the needle in another spelling, or nil.
	other *Needle
	// runes are folded; a space means any run of white space.
	runes []rune
	// The key, runes[from:to], is the part that is searched for in raw JSON, which
	// writes it unchanged or with \u escapes. If it is empty, every line has to be
	// decoded. rare is the index of its rarest character, and forms are that
	// character's spellings.
	from, to, rare int
	forms          []string
	// If paired is set, near is the character after the rarest one, in lower case,
	// and both are searched for together.
	near   byte
	paired bool
	// escapable are the characters whose \u escapes may be part of the key: the rarest
	// one and, if paired is set, its neighbour, in all their forms.
	escapable []rune
}

// last returns the last byte of a form. The search is for this byte, since whole alphabets
// share the first one.
func last(form string) byte { return form[len(form)-1] }

// New makes a needle. White space at both ends is dropped; if nothing is left,
// the needle is the zero one.
func New(text string) Needle {
	spellings := Spellings(text)
	n := spell(spellings[0])
	for at := &n; len(spellings) > 1; at = at.other {
		spellings = spellings[1:]
		other := spell(spellings[0])
		at.other = &other
	}
	return n
}

// Spellings returns a text unchanged, and in Unicode's normal forms C and D if these
// differ: file systems and keyboards write either.
func Spellings(text string) []string {
	list := []string{text}
	for _, form := range []norm.Form{norm.NFC, norm.NFD} {
		if s := form.String(text); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

// spell makes a needle of one spelling.
func spell(text string) Needle {
	var n Needle
	space := false
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = len(n.runes) > 0
			continue
		}
		if space {
			n.runes = append(n.runes, ' ')
			space = false
		}
		n.runes = append(n.runes, fold(r))
	}
	n.choose()
	return n
}

// Empty reports whether the needle is the zero one.
func (n *Needle) Empty() bool { return len(n.runes) == 0 }

// Words returns the parts of a needle between white space, or nil if it has none.
func (n *Needle) Words() []Needle {
	var list []Needle
	for i := 0; i < len(n.runes); {
		j := i
		for j < len(n.runes) && n.runes[j] != ' ' {
			j++
		}
		if i == 0 && j == len(n.runes) {
			return nil
		}
		list = append(list, New(string(n.runes[i:j])))
		i = j + 1
	}
	return list
}

// In reports whether a text contains the needle.
func (n *Needle) In(text string) bool {
	start, _ := n.Find(text, 0)
	return start >= 0
}

// Is reports whether a text is the needle, apart from white space around it.
func (n *Needle) Is(text string) bool {
	i := skipSpace(text, 0)
	end, ok := n.ahead(text, i, 0, len(n.runes))
	return ok && !n.Empty() && skipSpace(text, end) == len(text) || n.other != nil && n.other.Is(text)
}

// Find returns the first place at or after the byte from at which a text contains the
// needle, or -1 and -1. Bytes that are not UTF-8 count as U+FFFD.
func (n *Needle) Find(text string, from int) (start, end int) {
	start, end = n.find(text, from)
	if n.other != nil {
		if s, e := n.other.Find(text, from); s >= 0 && (start < 0 || s < start) {
			return s, e
		}
	}
	return start, end
}

// find is [Needle.Find] without the other spellings.
func (n *Needle) find(text string, from int) (start, end int) {
	if n.Empty() {
		return -1, -1
	}
	if n.from == n.to {
		return n.findSlow(text, from)
	}
	f := Finder{needle: n}
	f.reset(bytesOf(text[from:]), false)
	for at := 0; ; {
		key, keyEnd := f.next(at)
		if key < 0 {
			return -1, -1
		}
		key, keyEnd = key+from, keyEnd+from
		start, ok := n.back(text, key, n.from)
		if ok && start >= from {
			if end, ok := n.ahead(text, keyEnd, n.to, len(n.runes)); ok {
				return start, end
			}
		}
		_, size := utf8.DecodeRuneInString(text[key:])
		at = key - from + size
	}
}

func (n *Needle) findSlow(text string, from int) (start, end int) {
	for i := from; i < len(text); {
		if end, ok := n.ahead(text, i, 0, len(n.runes)); ok {
			return i, end
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return -1, -1
}

// ahead matches runes[from:to] at the byte i of a text.
func (n *Needle) ahead(text string, i, from, to int) (end int, ok bool) {
	for _, want := range n.runes[from:to] {
		if want == ' ' {
			next := skipSpace(text, i)
			if next == i {
				return 0, false
			}
			i = next
			continue
		}
		if i >= len(text) {
			return 0, false
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if fold(r) != want {
			return 0, false
		}
		i += size
	}
	return i, true
}

// back matches runes[:to] backwards from the byte i of a text.
func (n *Needle) back(text string, i, to int) (start int, ok bool) {
	for k := to - 1; k >= 0; k-- {
		size, ok := before(text[:i], n.runes[k])
		if !ok {
			return 0, false
		}
		i -= size
	}
	return i, true
}

// before returns the length of the character or white space at the end of a text. ok is
// false if it is not want.
func before(text string, want rune) (size int, ok bool) {
	if want != ' ' {
		r, size := utf8.DecodeLastRuneInString(text)
		return size, size > 0 && fold(r) == want
	}
	i := len(text)
	for i > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if !unicode.IsSpace(r) {
			break
		}
		i -= size
	}
	return len(text) - i, i < len(text)
}

func skipSpace(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsSpace(r) {
			break
		}
		i += size
	}
	return i
}

// fold returns the smallest of the characters that differ from r only in case. For ASCII
// letters that is the capital.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}
	least := r
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	return least
}

package needle

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// choose picks the key, the rarest part of the needle that raw JSON contains unchanged or
// with \u escapes, and the key's rarest character.
func (n *Needle) choose() {
	best := 0
	for i := 0; i < len(n.runes); {
		j := i
		weight, rare := 0, i
		for ; j < len(n.runes) && plain(n.runes[j]); j++ {
			w := rarity(n.runes[j])
			weight += w
			if w > rarity(n.runes[rare]) {
				rare = j
			}
		}
		if weight > best {
			best, n.from, n.to, n.rare = weight, i, j, rare
		}
		i = max(j, i+1)
	}
	if n.from == n.to {
		return
	}
	if n.forms = formsOf(n.runes[n.rare]); len(n.forms) > maxForms {
		n.from, n.to = 0, 0
		return
	}
	n.chooseNear()
	for _, form := range n.forms {
		n.escapable = append(n.escapable, []rune(form)...)
	}
	if n.paired {
		n.escapable = append(n.escapable, rune(n.near), n.runes[n.rare+1])
	}
}

// chooseNear picks the rarest pair of neighbouring characters that have one byte in all
// their forms. If the rarest character is rare enough, or has longer forms, it is
// searched for alone.
func (n *Needle) chooseNear() {
	if r := n.runes[n.rare]; rarity(r) >= rareAlone || !short(r) {
		return
	}
	most := 0
	for at := n.from; at+1 < n.to; at++ {
		a, b := n.runes[at], n.runes[at+1]
		if w := rarity(a) + rarity(b); w > most && short(a) && short(b) {
			most, n.rare, n.near, n.paired = w, at, lower(byte(b)), true
		}
	}
	n.forms = formsOf(n.runes[n.rare])
}

// short reports whether a folded character takes one byte in all its forms.
func short(r rune) bool { return r < utf8.RuneSelf && r != 'K' && r != 'S' }

// lower returns the small letter of an ASCII letter.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// plain reports whether JSON writes a character either unchanged or as a \u escape.
// U+FFFD may come from half a surrogate pair, or from a byte that is not UTF-8.
func plain(r rune) bool {
	return r > ' ' && r != '"' && r != '\\' && r != '/' && r != utf8.RuneError
}

// formsOf returns all spellings of a folded character.
func formsOf(r rune) []string {
	list := []string{string(r)}
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		list = append(list, string(o))
	}
	return list
}

// Weight returns the rarity of the part of the needle that raw JSON contains. Search for the
// needle with the largest weight first. It is 0 if there is no such part.
func (n *Needle) Weight() int {
	sum := 0
	for _, r := range n.runes[n.from:n.to] {
		sum += rarity(r)
	}
	if n.other != nil {
		sum = min(sum, n.other.Weight())
	}
	return sum
}

// maxSlashes is the maximum number of backslashes before the u of an escape. JSON text within
// JSON text within JSON text has four.
const maxSlashes = 8

// KeyBytes returns the maximum length in bytes of a place that a [Finder] finds. To
// search JSON in parts, let them overlap by it.
func (n *Needle) KeyBytes() int {
	most := 2 * len(`\u0000`) * (n.to - n.from)
	most += (2*maxSlashes - 2) * (n.to - n.from)
	if n.other != nil {
		most = max(most, n.other.KeyBytes())
	}
	return most
}

// MayBeIn reports whether a JSON text may contain the needle in one of its strings.
func (n *Needle) MayBeIn(json []byte) bool {
	f, ok := NewFinder(n)
	if !ok {
		return true
	}
	f.Reset(json)
	return f.Next(0) >= 0
}

// rarity is about ten times the binary logarithm of how rare a folded character is in
// mail. Ids contain many of the letters up to F.
func rarity(r rune) int {
	if 'A' <= r && r <= 'Z' {
		return [...]int{36, 49, 46, 42, 30, 48, 56, 40, 38, 94, 70, 46, 54, 39, 37, 57, 99, 40, 40, 35, 52, 66, 54, 94, 56, 99}[r-'A']
	}
	switch {
	case '0' <= r && r <= '9', r == '-':
		return 45
	case r == ':', r == ',', r == '{', r == '}':
		return 40
	}
	return 65
}

// rareAlone is the rarity from which it is faster to search for both cases of a character
// than for a pair.
const rareAlone = 80

// Finder finds the places in raw JSON where a needle may be. It is for one goroutine.
type Finder struct {
	needle *Needle
	buf    []byte
	// at holds the next place of each form's last byte, or in at[0] the next place of
	// the pair. len(buf) means none.
	at [maxForms]int
	// In raw JSON, escape and escapeEnd are the next place where one of the needle's escapable
	// characters is written as a \u escape, and escaped is that character, folded. If escape is
	// len(buf), there is none.
	escape, escapeEnd int
	escaped           rune
	raw               bool
	// other finds the needle's other spelling. found is the next place of this spelling, used
	// if there is another: -1 before the first search, len(buf) for none.
	other *Finder
	found int
}

// maxForms is larger than any number of letters that differ only in case.
const maxForms = 8

// NewFinder makes a finder for a needle. ok is false if raw JSON contains no certain part
// of the needle, so that every line has to be decoded.
func NewFinder(n *Needle) (f *Finder, ok bool) {
	f, ok = &Finder{needle: n}, n.from < n.to
	if n.other != nil {
		var all bool
		f.other, all = NewFinder(n.other)
		ok = ok && all
	}
	return f, ok
}

// Reset starts a search in the bytes given. Bytes that [Finder.Next] has not passed
// must not change.
func (f *Finder) Reset(json []byte) {
	f.reset(json, true)
	f.found = -1
	if f.other != nil {
		f.other.Reset(json)
	}
}

func (f *Finder) reset(buf []byte, raw bool) {
	f.buf, f.raw = buf, raw
	for i := range f.needle.forms {
		f.at[i] = -1
	}
	f.escape = -1
}

// Next returns the first place at or after from inside a possible needle, or -1. from
// must not go back. A string of the JSON, or one in JSON text that it contains, can contain
// the needle only if there is such a place between its quotes.
func (f *Finder) Next(from int) int {
	if f.other == nil {
		start, _ := f.next(from)
		return start
	}
	if at := f.first(from); at < len(f.buf) {
		return at
	}
	return -1
}

// first returns the first place of any spelling, or the end. A place found of one spelling is
// reused while others come before it, so that no part is searched twice.
func (f *Finder) first(from int) int {
	if f.found < from {
		if f.found, _ = f.next(from); f.found < 0 {
			f.found = len(f.buf)
		}
	}
	if f.other == nil {
		return f.found
	}
	return min(f.found, f.other.first(from))
}

func (f *Finder) next(from int) (start, end int) {
	n := f.needle
	for at := from; ; {
		which, first := f.candidate(at)
		if f.raw && f.escape < at {
			f.nextEscape(at)
		}
		ok := false
		switch {
		case f.raw && f.escape < first:
			first = f.escape
			start, end, ok = f.matchEscape()
		case which < 0:
			return -1, -1
		default:
			form := n.forms[which]
			if begin := first + 1 - len(form); begin >= 0 && string(f.buf[begin:first+1]) == form {
				start, end, ok = f.match(n.rare, begin, first+1)
			}
		}
		if ok && start >= from {
			return start, end
		}
		at = first + 1
	}
}

// candidate returns the first place at or after at of the last byte of a form, and the
// form's index, or -1 and the end.
func (f *Finder) candidate(at int) (which, place int) {
	n := f.needle
	which, place = -1, len(f.buf)
	if n.paired {
		// After an escape the caller goes on after its line. f.at[0] may still be ahead.
		if f.at[0] < at {
			f.at[0] = f.pair(at)
		}
		if place = f.at[0]; place == len(f.buf) {
			return -1, place
		}
		for i := range n.forms {
			if last(n.forms[i]) == f.buf[place] {
				which = i
			}
		}
		if which < 0 {
			which = 0 // another character with the same bits: no match
		}
		return which, place
	}
	for i := range n.forms {
		if f.at[i] < at {
			f.at[i] = indexByte(f.buf, last(n.forms[i]), at)
		}
		if f.at[i] < place {
			which, place = i, f.at[i]
		}
	}
	return which, place
}

// pair returns the first place at or after at where the rarest character and its
// neighbour may be. It looks at eight places at a time and ignores the bit in which the
// cases of a letter differ.
func (f *Finder) pair(at int) int {
	const ones = 0x0101010101010101
	n := f.needle
	rare, near := uint64(lower(byte(n.runes[n.rare]))|0x20)*ones, uint64(n.near|0x20)*ones
	buf := f.buf
	i := at
	for ; i+17 <= len(buf); i += 16 {
		part := buf[i : i+17]
		v := (binary.LittleEndian.Uint64(part) | 0x20*ones) ^ rare | (binary.LittleEndian.Uint64(part[1:]) | 0x20*ones) ^ near
		w := (binary.LittleEndian.Uint64(part[8:]) | 0x20*ones) ^ rare | (binary.LittleEndian.Uint64(part[9:]) | 0x20*ones) ^ near
		// A byte is zero where both are equal. Bytes above a zero byte may be taken for zero
		// too; match then decides.
		if ((v-ones)&^v|(w-ones)&^w)&(0x80*ones) == 0 {
			continue
		}
		if z := (v - ones) &^ v & (0x80 * ones); z != 0 {
			return i + bits.TrailingZeros64(z)/8
		}
		return i + 8 + bits.TrailingZeros64((w-ones)&^w&(0x80*ones))/8
	}
	for ; i+1 < len(buf); i++ {
		if buf[i]|0x20 == byte(rare) && buf[i+1]|0x20 == byte(near) {
			return i
		}
	}
	return len(buf)
}

// matchEscape reports whether the key is around the current escape, and where.
func (f *Finder) matchEscape() (start, end int, ok bool) {
	n, begin := f.needle, slashes(f.buf, f.escape)
	if n.runes[n.rare] == f.escaped {
		start, end, ok = f.match(n.rare, begin, f.escapeEnd)
	}
	if !ok && n.paired && n.runes[n.rare+1] == f.escaped {
		start, end, ok = f.match(n.rare+1, begin, f.escapeEnd)
	}
	return start, end, ok
}

// match reports whether the key is around its k-th character, which is at
// [begin, after), and where.
func (f *Finder) match(k, begin, after int) (start, end int, ok bool) {
	if end, ok = f.ahead(after, k+1); !ok {
		return 0, 0, false
	}
	start, ok = f.back(begin, k-1)
	return start, end, ok
}

// ahead matches the key from its k-th character on at the byte i.
func (f *Finder) ahead(i, k int) (end int, ok bool) {
	n, text := f.needle, textOf(f.buf)
	for _, want := range n.runes[k:n.to] {
		r, size := decodeRune(text, i)
		if f.raw && r == '\\' {
			r, size = escapeAt(f.buf, i)
		}
		if size == 0 || fold(r) != want {
			return 0, false
		}
		i += size
	}
	return i, true
}

// back matches the key up to its k-th character before the byte i. An escape is tried as one
// character and then as plain digits. Those fail at its backslash, which is in no key.
func (f *Finder) back(i, k int) (start int, ok bool) {
	n, text := f.needle, textOf(f.buf)
	for ; k >= n.from; k-- {
		want := n.runes[k]
		if f.raw {
			if r, size := escapeBefore(f.buf[:i]); size > 0 && fold(r) == want {
				if start, ok := f.back(i-size, k-1); ok {
					return start, true
				}
			}
		}
		size, ok := backOne(text[:i], want)
		if !ok {
			return 0, false
		}
		i -= size
	}
	return i, true
}

func backOne(text string, want rune) (size int, ok bool) {
	if text == "" {
		return 0, false
	}
	if c := text[len(text)-1]; c < utf8.RuneSelf {
		return 1, fold(rune(c)) == want
	}
	return before(text, want)
}

func indexByte(buf []byte, c byte, from int) int {
	if from < len(buf) {
		if i := bytes.IndexByte(buf[from:], c); i >= 0 {
			return from + i
		}
	}
	return len(buf)
}

// bytesOf and textOf share the memory of their argument, which must not be changed.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
func textOf(b []byte) string  { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Package secrets finds keys, tokens and passwords in a text and puts [Masked] in their
// place. Start with [Mask].
//
// A secret is recognised by a word: a prefix of an issuer's tokens, a name to which a value is
// assigned, a header, an option of a command. The words are in one table. A set of their first
// three letters selects the positions of a text to check, so that ordinary text is read only
// once. All tables are plain data, so that a program that masks nothing pays nothing for them.
//
// Each check reads a bounded part of the text, or the part that it then masks, so that a hostile
// text takes linear time too.
package secrets

import (
	"math/bits"
	"strings"
)

// Masked replaces a secret.
const Masked = "•••"

// Mask returns a text with the recognised secrets masked. It guesses: it may mask other values,
// and it misses a secret with neither a known shape nor a name.
func Mask(s string) string { return mask(s, false) }

// Named returns a value with its secrets masked. It also uses the value's name: the name of
// an argument, or of a member of an object.
func Named(name, value string) string {
	f := finder{s: name}
	for i := range name {
		for k := range words {
			w := &words[k]
			if named := w.kind == password || w.kind == secret || w.kind == provider; named && f.at(i, w) {
				end := f.identifierEnd(i + len(w.text))
				if end == len(name) && f.namesSecret(i, end, w) && judge(value, w, style{quoted: true}) {
					return Masked
				}
			}
		}
	}
	return Mask(value)
}

// mask masks a text. If every is set, as in tests, it checks all positions.
func mask(s string, every bool) string {
	f := finder{s: s}
	find := f.run
	if every {
		find = f.everywhere
	}
	at := find()
	if at >= 0 {
		f = finder{s: strip(s, at)}
		find()
	}
	if len(f.found) == 0 {
		return s
	}
	var moved []shift
	if at >= 0 {
		moved = shifts(s, at)
	}
	var b strings.Builder
	last := 0
	for _, found := range f.found {
		found = unstripped(s, moved, found)
		if found.from > last || last == 0 { // two that touch are one
			b.WriteString(s[last:found.from])
			b.WriteString(Masked)
		}
		last = found.to
	}
	b.WriteString(s[last:])
	return b.String()
}

// span is a part of a text.
type span struct{ from, to int }

// none is returned if there is no secret.
var none = span{}

// finder looks for secrets in one text.
type finder struct {
	s     string
	found []span
	done  int // the end of the last secret found
	// The following fields avoid reading the same part of a text again and again.
	runEnd      int    // the end of the last run of letters that may begin a JSON Web Token
	noSecretEnd int    // the end of the last header value without a secret
	scanned     int    // the position up to which command lines were read
	options     string // the options of the command at scanned
}

// run looks for secrets where the first letters of a word are. It stops at the first mark and
// returns its position, or -1.
func (f *finder) run() int {
	h := uint(0)
	for i := range len(f.s) {
		c := f.s[i]
		if markStarts[c] && (c != '\\' || i+1 < len(f.s) && markEscapes[f.s[i+1]]) && isMark(f.s[i:]) {
			return i
		}
		h = h>>5 | uint(c&31)<<10
		if starts[h>>6]>>(h&63)&1 != 0 && i-2 >= f.done {
			f.tryGroup(i-2, h)
		}
	}
	return -1
}

// group is the words with the same first three letters.
type group struct {
	fourth  uint32 // has a bit for each possible fourth letter
	from, n uint16 // the group's first index in order, and the number of its words
}

// tryGroup tries the words that begin with the three letters at i, whose hash is h.
func (f *finder) tryGroup(i int, h uint) {
	g := &groups[int(ranks[h>>6])+bits.OnesCount64(starts[h>>6]<<(63-h&63))-1]
	if g.fourth>>(f.byteAt(i+3)&31)&1 == 0 {
		return
	}
	for _, n := range order[g.from : g.from+g.n] {
		if f.try(i, &words[n]) {
			return
		}
	}
}

// everywhere looks for secrets as run does, but tries all words at all positions.
func (f *finder) everywhere() int {
	if at := firstMark(f.s); at >= 0 {
		return at
	}
	for i := 0; i+2 < len(f.s); i++ {
		for k := range words {
			if i >= f.done && f.try(i, &words[k]) {
				break
			}
		}
	}
	return -1
}

// try adds the secret that a word at i indicates, and reports whether there is one.
func (f *finder) try(i int, w *word) bool {
	if !f.at(i, w) {
		return false
	}
	var at span
	switch w.kind {
	case token:
		at = f.token(i, w)
	case infix:
		at = f.infix(i, w)
	case jwt:
		at = f.jwt(i)
	case pem:
		at = f.pem(i)
	case lines:
		at = f.lines(i + len(w.text))
	case address:
		at = f.address(i + len(w.text))
	case login:
		at = f.login(i)
	case header, cookie:
		at = f.header(i, w)
	case scheme:
		at = f.scheme(i, w)
	case option:
		at = f.option(i, w)
	default:
		at = f.named(i, w)
	}
	if at == none || at.from < f.done || strings.Contains(Masked, f.s[at.from:at.to]) {
		return false
	}
	f.found, f.done = append(f.found, at), at.to
	return true
}

// at reports whether a word is at i.
func (f *finder) at(i int, w *word) bool {
	if len(f.s)-i < len(w.text) {
		return false
	}
	if w.exact {
		return f.s[i:i+len(w.text)] == w.text
	}
	return foldPrefix(f.s[i:], w.text)
}

// foldPrefix reports whether a text begins with another one, which is in lower case.
func foldPrefix(s, lower string) bool {
	if len(s) < len(lower) {
		return false
	}
	for k := range len(lower) {
		if toLower(s[k]) != lower[k] {
			return false
		}
	}
	return true
}

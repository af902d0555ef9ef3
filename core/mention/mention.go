// Package mention finds one exact word, an id or the name of a thread, in texts by strangers: in
// undecoded JSON, and in plain text. Start with [Of]. It reads no files and keeps no index.
package mention

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/needle"
)

// MaxToken is the maximum length in bytes of a token.
const MaxToken = 512

// Needle is a word to look for. It is safe for concurrent use.
type Needle struct {
	token string
	// tokens are the token's spellings in Unicode, the token first.
	tokens []string
	// forms are the token's spellings in JSON.
	forms [][]byte
}

// Of returns the needle of a token. ok is false if the token is empty, longer than
// [MaxToken], or not valid UTF-8.
func Of(token string) (n *Needle, ok bool) {
	if token == "" || len(token) > MaxToken || !utf8.ValidString(token) {
		return nil, false
	}
	n = &Needle{token: token, tokens: needle.Spellings(token)}
	for _, token := range n.tokens {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if e.Encode(token) != nil {
			return nil, false
		}
		plain := bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(b.Bytes()), []byte(`"`)), []byte(`"`))
		for _, spelled := range [][]byte{plain, escaped(plain, lowerHex), escaped(plain, upperHex)} {
			n.add(spelled)
			n.add(bytes.ReplaceAll(spelled, []byte("/"), []byte(`\/`)))
		}
	}
	return n, true
}

func (n *Needle) add(form []byte) {
	if !slices.ContainsFunc(n.forms, func(f []byte) bool { return bytes.Equal(f, form) }) {
		n.forms = append(n.forms, form)
	}
}

// The digits of escapes.
const (
	lowerHex = "0123456789abcdef"
	upperHex = "0123456789ABCDEF"
)

// escaped returns s with JSON's escapes for all characters beyond ASCII, as some programs write it.
func escaped(s []byte, digits string) []byte {
	var out []byte
	escape := func(unit rune) {
		out = append(out, '\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
	}
	for _, r := range string(s) {
		switch {
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			escape(high)
			escape(low)
		default:
			escape(r)
		}
	}
	return out
}

// Longest returns the length of the longest form in bytes.
func (n *Needle) Longest() int {
	longest := 0
	for _, f := range n.forms {
		longest = max(longest, len(f))
	}
	return longest
}

// Next returns the first place at or after from where the bytes of the word are, even
// within a longer word, or -1.
//
// One form may be everywhere and another nowhere. So Next searches raw in parts, each for
// all forms and twice as long as the last. It reads little beyond the place that it finds.
func (n *Needle) Next(raw []byte, from int) int {
	size := 1 << 8
	if len(n.forms) == 1 {
		size = len(raw)
	}
	for ; from < len(raw); from, size = from+size, 2*size {
		// A word that begins in the part may end after it.
		part := raw[from:min(len(raw), from+size+n.Longest()-1)]
		at := -1
		for _, f := range n.forms {
			if i := bytes.Index(part, f); i >= 0 && (at < 0 || i < at) {
				at = i
			}
		}
		if at >= 0 {
			return from + at
		}
	}
	return -1
}

// In finds the word in a JSON text as a word of its own. A place where it is the whole
// value of one of the members in except does not count. ok is false if there is no place.
func (n *Needle) In(raw []byte, except ...string) (start, end int, ok bool) {
	for at := n.Next(raw, 0); at >= 0; at = n.Next(raw, at+1) {
		end = at + n.length(raw[at:])
		if n.separateIn(raw, at, end) && !memberOf(raw, at, end, except) {
			return at, end, true
		}
		if end >= len(raw) {
			break
		}
	}
	return 0, 0, false
}

// length returns the length of the form that raw begins with.
func (n *Needle) length(raw []byte) int {
	for _, f := range n.forms {
		if bytes.HasPrefix(raw, f) {
			return len(f)
		}
	}
	return 0
}

// InText returns at most limit places, in bytes from start to end, where a text
// has the word as a word of its own.
func (n *Needle) InText(text string, limit int) (places [][2]int) {
	for _, token := range n.tokens {
		found := len(places)
		for at := 0; len(places)-found < limit; {
			i := strings.Index(text[at:], token)
			if i < 0 {
				break
			}
			at += i
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			if n.separate(before, at > 0, text[at+len(token):]) {
				places = append(places, [2]int{at, at + len(token)})
			}
			at += len(token)
		}
	}
	slices.SortStableFunc(places, func(a, b [2]int) int { return a[0] - b[0] })
	return places[:min(len(places), limit)]
}

// separateIn reports whether the word at a place of a JSON text is not part of a longer
// word.
func (n *Needle) separateIn(raw []byte, start, end int) bool {
	before, ok := lastRune(raw[:start])
	return n.separate(before, ok, string(raw[end:min(len(raw), end+2*utf8.UTFMax)]))
}

// separate reports whether the word is not part of a longer word. before is the character before
// it, if hasBefore is set, and after is the text after it.
// A "-" or "." with a letter after it continues a name. It does not continue a task's id, since
// subtasks are about the task.
func (n *Needle) separate(before rune, hasBefore bool, after string) bool {
	first, _ := utf8.DecodeRuneInString(n.token)
	last, _ := utf8.DecodeLastRuneInString(n.token)
	if hasBefore && inWord(first) && (inWord(before) || before == '-') {
		return false
	}
	next, size := utf8.DecodeRuneInString(after)
	if size == 0 || !inWord(last) {
		return true
	}
	if inWord(next) {
		return false
	}
	if next != '-' && next != '.' || strings.HasPrefix(n.token, "T-") {
		return true
	}
	second, size := utf8.DecodeRuneInString(after[size:])
	return size == 0 || !inWord(second) || next == '.' && isFile(after)
}

// isFile reports whether the text after an id is the end of a file's name.
func isFile(after string) bool { return strings.HasPrefix(after, ".json") }

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// lastRune returns the last character of raw, the beginning of a JSON text. It may be
// escaped. ok is false if raw is empty.
func lastRune(raw []byte) (r rune, ok bool) {
	if len(raw) == 0 {
		return 0, false
	}
	if n := len(raw); n >= 6 && raw[n-6] == '\\' && raw[n-5] == 'u' && endsInEscape(raw[:n-5]) {
		var unit [2]byte
		if _, err := hex.Decode(unit[:], raw[n-4:]); err == nil {
			return rune(unit[0])<<8 | rune(unit[1]), true
		}
	}
	if endsInEscape(raw[:len(raw)-1]) {
		return ' ', true // \n and its like
	}
	r, _ = utf8.DecodeLastRune(raw)
	return r, true
}

// endsInEscape reports whether a text ends in an odd number of backslashes, of which the last
// escapes the next character.
func endsInEscape(raw []byte) bool {
	n := len(raw) - len(bytes.TrimRight(raw, `\`))
	return n%2 == 1
}

// memberOf reports whether the word at a place is the whole value of one of the
// members.
func memberOf(raw []byte, start, end int, names []string) bool {
	if len(names) == 0 || start == 0 || raw[start-1] != '"' || end >= len(raw) || raw[end] != '"' {
		return false
	}
	head := bytes.TrimRight(raw[:start-1], " \t\r\n")
	head, ok := bytes.CutSuffix(head, []byte(":"))
	if !ok {
		return false
	}
	head = bytes.TrimRight(head, " \t\r\n")
	for _, name := range names {
		if bytes.HasSuffix(head, []byte(`"`+name+`"`)) {
			return true
		}
	}
	return false
}

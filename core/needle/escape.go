package needle

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// digits is the number of hexadecimal digits after \u.
const digits = 4

// nextEscape sets escape to the first place at or after from where the rarest character of
// the key, or its neighbour, is written as a \u escape.
func (f *Finder) nextEscape(from int) {
	for at := indexEscape(f.buf, from); at < len(f.buf); at = indexEscape(f.buf, at+1) {
		if r, size := escapeAt(f.buf, at); size > 0 && slices.Contains(f.needle.escapable, r) {
			f.escape, f.escapeEnd, f.escaped = at, at+size, fold(r)
			return
		}
	}
	f.escape = len(f.buf)
}

// escapeRun is how many bytes after a backslash are searched eight at a time. Backslashes are
// close together, and stopping at each takes longer.
const escapeRun = 2 << 10

// indexEscape returns the first place of \u at or after from, or the end.
func indexEscape(buf []byte, from int) int {
	for i := from; ; {
		if i = indexByte(buf, '\\', i); i+1 >= len(buf) {
			return len(buf)
		}
		end := min(len(buf), i+escapeRun)
		if at := scanEscape(buf[i:end]); at >= 0 {
			return i + at
		}
		if i = end - 1; end == len(buf) {
			return len(buf)
		}
	}
}

// scanEscape returns the first place of \u, or -1, searching eight bytes at a time.
func scanEscape(buf []byte) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+17 <= len(buf); i += 16 {
		part := buf[i : i+17]
		v := (binary.LittleEndian.Uint64(part) ^ '\\'*ones) | (binary.LittleEndian.Uint64(part[1:]) ^ 'u'*ones)
		w := (binary.LittleEndian.Uint64(part[8:]) ^ '\\'*ones) | (binary.LittleEndian.Uint64(part[9:]) ^ 'u'*ones)
		// A byte is zero where both are equal. The first byte found is zero. Bytes above it
		// may be taken for zero by mistake.
		if ((v-ones)&^v|(w-ones)&^w)&high == 0 {
			continue
		}
		if z := (v - ones) &^ v & high; z != 0 {
			return i + bits.TrailingZeros64(z)/8
		}
		return i + 8 + bits.TrailingZeros64((w-ones)&^w&high)/8
	}
	for ; i+1 < len(buf); i++ {
		if buf[i] == '\\' && buf[i+1] == 'u' {
			return i
		}
	}
	return -1
}

// escapeAt returns the character whose \u escape is at i, with one backslash or, in JSON text
// within a string, several. size is 0 if there is none.
func escapeAt(buf []byte, i int) (r rune, size int) {
	r, n := unitAt(buf, i)
	if !utf16.IsSurrogate(r) {
		return r, n
	}
	low, m := unitAt(buf, i+n)
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return r, 0 // half a pair, which is in no key
	}
	return r, n + m
}

// escapeBefore returns the character whose \u escape is at the end of buf.
func escapeBefore(buf []byte) (r rune, size int) {
	r, size = unitBefore(buf)
	if size > 0 && utf16.IsSurrogate(r) {
		high, more := unitBefore(buf[:len(buf)-size])
		if r = utf16.DecodeRune(high, r); more == 0 || r == utf8.RuneError {
			return r, 0
		}
		size += more
	}
	return r, size
}

// unitAt returns the UTF-16 unit whose escape is at i: a character, or half a pair.
func unitAt(buf []byte, i int) (r rune, size int) {
	from := i
	for i < len(buf) && buf[i] == '\\' && i-from < maxSlashes {
		i++
	}
	if i == from || i+digits >= len(buf) || buf[i] != 'u' {
		return 0, 0
	}
	i++
	for _, c := range buf[i : i+digits] {
		d, ok := hex(c)
		if !ok {
			return 0, 0
		}
		r = r<<4 | d
	}
	return r, i + digits - from
}

func unitBefore(buf []byte) (r rune, size int) {
	u := len(buf) - digits - 1
	if u < 1 || buf[u] != 'u' || buf[u-1] != '\\' {
		return 0, 0
	}
	return unitAt(buf, slashes(buf, u-1))
}

// slashes returns the start of the run of backslashes that includes i.
func slashes(buf []byte, i int) int {
	for end := i; i > 0 && buf[i-1] == '\\' && end-i+1 < maxSlashes; {
		i--
	}
	return i
}

func hex(c byte) (d rune, ok bool) {
	switch c = lower(c); {
	case '0' <= c && c <= '9':
		return rune(c - '0'), true
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10, true
	}
	return 0, false
}

// decodeRune returns the character at i, and its size, which is 0 at the end.
func decodeRune(text string, i int) (r rune, size int) {
	if i < len(text) && text[i] < utf8.RuneSelf {
		return rune(text[i]), 1
	}
	return utf8.DecodeRuneInString(text[i:])
}

package canon

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

// The scans read eight bytes at a time, because most of the input is message bodies. In the
// module Go compiles every jump inside a function to a jump through a table, which costs a loop
// several nanoseconds each time round. scan_wasm.s therefore has the same loops written by hand.
// TestScans compares both with simple loops.
const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special sets the high bit of the first byte of w that must be escaped in a string. No
// bit is set if there is no such byte. The bits of later bytes mean nothing.
//
// Swapping 0x20 with 0x22, which swaps other bytes too, moves the quote below 0x21 to
// the control characters, so that one subtraction finds both.
func special(w uint64) uint64 {
	return (((w ^ ones*0x02) - ones*0x21) | ((w ^ ones*'\\') - ones)) &^ w & highs
}

// plain is [Plain] in Go.
func plain(b []byte) int {
	n := 0
	for ; len(b)-n >= 16; n += 16 {
		c := b[n : n+16 : n+16]
		first, second := special(binary.LittleEndian.Uint64(c)), special(binary.LittleEndian.Uint64(c[8:]))
		if first|second == 0 {
			continue
		}
		if first != 0 {
			return n + bits.TrailingZeros64(first)>>3
		}
		return n + 8 + bits.TrailingZeros64(second)>>3
	}
	for n < len(b) && b[n] != '"' && b[n] != '\\' && b[n] >= 0x20 {
		n++
	}
	return n
}

// ascii is [ASCII] in Go.
func ascii(b []byte) int {
	n := 0
	for ; len(b)-n >= 16; n += 16 {
		c := b[n : n+16 : n+16]
		first, second := binary.LittleEndian.Uint64(c)&highs, binary.LittleEndian.Uint64(c[8:])&highs
		if first|second == 0 {
			continue
		}
		if first != 0 {
			return n + bits.TrailingZeros64(first)>>3
		}
		return n + 8 + bits.TrailingZeros64(second)>>3
	}
	for n < len(b) && b[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// Printable counts the bytes at the start of b from 0x20 to 0x7F.
func Printable(b []byte) int {
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		w := binary.LittleEndian.Uint64(b[n:])
		// No borrow reaches the first flagged byte from the bytes below it.
		if other := ((w - ones*0x20) | w) & highs; other != 0 {
			return n + bits.TrailingZeros64(other)>>3
		}
	}
	for n < len(b) && 0x20 <= b[n] && b[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// ValidUTF8 is utf8.Valid, faster for text that is mostly ASCII.
func ValidUTF8(b []byte) bool {
	for {
		if b = b[ASCII(b):]; len(b) == 0 {
			return true
		}
		for len(b) > 0 && b[0] >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(b)
			if r == utf8.RuneError && size == 1 {
				return false
			}
			b = b[size:]
		}
	}
}

// Digits counts the decimal digits at the start of b.
func Digits(b []byte) int {
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		// The bytes of w are 0 to 9 for digits, and adding 0x76 to them sets no
		// high bit. No byte carries into the next.
		w := binary.LittleEndian.Uint64(b[n:]) ^ ones*'0'
		if other := ((w &^ highs) + ones*0x76 | w) & highs; other != 0 {
			return n + bits.TrailingZeros64(other)>>3
		}
	}
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	return n
}

// view returns the bytes of s, which must not be changed.
func view(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

//go:build !wasm

package canon

import "bytes"

// Plain counts the bytes at the start of b that need no escape in a string:
// no quote, no backslash, no control character.
func Plain(b []byte) int { return plain(b) }

// LineEnd returns the index of the first line feed in b, or -1.
func LineEnd(b []byte) int { return bytes.IndexByte(b, '\n') }

// untilEscape counts the bytes before the first backslash of a string that was checked.
func untilEscape(b []byte) int {
	if n := bytes.IndexByte(b, '\\'); n >= 0 {
		return n
	}
	return len(b)
}

// ASCII counts the bytes at the start of b that are below 0x80.
func ASCII(b []byte) int { return ascii(b) }

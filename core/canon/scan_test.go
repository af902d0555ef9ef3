package canon

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// slowScans are the scans without any trick.
var slowScans = map[string]struct{ quick, slow func([]byte) int }{
	"Plain":     {Plain, until(func(c byte) bool { return c == '"' || c == '\\' || c < 0x20 })},
	"plain":     {plain, until(func(c byte) bool { return c == '"' || c == '\\' || c < 0x20 })},
	"ASCII":     {ASCII, until(func(c byte) bool { return c >= 0x80 })},
	"ascii":     {ascii, until(func(c byte) bool { return c >= 0x80 })},
	"Printable": {Printable, until(func(c byte) bool { return c < 0x20 || c >= 0x80 })},
	"Digits":    {Digits, until(func(c byte) bool { return c < '0' || c > '9' })},
	"LineEnd":   {LineEnd, func(b []byte) int { return bytes.IndexByte(b, '\n') }},
	"ValidUTF":  {func(b []byte) int { return truth(ValidUTF8(b)) }, func(b []byte) int { return truth(utf8.Valid(b)) }},
}

func until(stop func(c byte) bool) func([]byte) int {
	return func(b []byte) int {
		for n, c := range b {
			if stop(c) {
				return n
			}
		}
		return len(b)
	}
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestScans compares the scans, on wasip1 including those in assembly, with simple
// ones: each byte at each place of texts around the sizes of their blocks, and
// random texts. The bytes before and after a text must not matter.
func TestScans(t *testing.T) {
	check := func(text []byte) {
		t.Helper()
		for name, scan := range slowScans {
			if got, want := scan.quick(text), scan.slow(text); got != want {
				t.Fatalf("%s(%q) = %d, want %d", name, text, got, want)
			}
		}
	}
	for _, fill := range []byte("a\n\x82") {
		all := bytes.Repeat([]byte{fill}, 128)
		for size := range 70 {
			text := all[16 : 16+size]
			for _, fill := range []byte("a7") {
				for i := range text {
					text[i] = fill
				}
				check(text)
				for at := range text {
					for _, c := range []byte("\n\"\\\x00\x1f !#$09/:\x7f\x80\xa2\xff\xdc\x8a") {
						text[at] = c
						check(text)
					}
					text[at] = fill
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := make([]byte, random.IntN(100))
		for i := range text {
			if text[i] = 'a'; random.IntN(20) == 0 {
				text[i] = byte(random.Uint32())
			}
		}
		check(text)
	}
}

// FuzzScans does the same with what the fuzzer thinks of.
func FuzzScans(f *testing.F) {
	for _, s := range []string{"", "0123456789abcdef\"", "\\", "12345678", "1234567890,", "caf\u00e9\n", "\xff", "!\"#\x21\x20\x1f"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for name, scan := range slowScans {
			if got, want := scan.quick(text), scan.slow(text); got != want {
				t.Fatalf("%s(%q) = %d, want %d", name, text, got, want)
			}
		}
	})
}

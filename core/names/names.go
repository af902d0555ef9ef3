// Package names contains the parts of the names and ids of all formats: classes of ASCII
// characters, file names that Windows reserves for devices, and random ids. It
// imports nothing of this project.
package names

import (
	"encoding/hex"
	"strings"
)

// Digit reports whether c is 0 to 9.
func Digit(c byte) bool { return '0' <= c && c <= '9' }

// Letter reports whether c is a letter of ASCII.
func Letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// Alphanumeric reports whether c is a letter or digit of ASCII.
func Alphanumeric(c byte) bool { return Digit(c) || Letter(c) }

// Hexadecimal reports whether c is a hexadecimal digit in either case.
func Hexadecimal(c byte) bool { return Digit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// Common returns the length in bytes of the common prefix of two names.
func Common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Device reports whether Windows takes a file of that name for a device, whatever
// follows its first dot. COM0 and LPT0 count, which only some versions reserve.
func Device(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.ToUpper(strings.TrimRight(stem, " "))
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "COM" || stem[:3] == "LPT") && Digit(stem[3])
}

// UUID returns the UUID of version 4 that 16 random bytes make.
func UUID(random [16]byte) string {
	random[6] = random[6]&0x0f | 0x40
	random[8] = random[8]&0x3f | 0x80
	s := hex.EncodeToString(random[:])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

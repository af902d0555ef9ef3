package atsf

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// maxPath and maxID bound names in bytes, as file systems do.
const (
	maxPath = 1024
	maxID   = 128
)

// CleanHookPath confines a symlink's source or target to the tree that it is
// relative to (rule H1) and gives it with "/" between its names. It looks at
// the text alone: whoever makes the link opens both ends beneath their roots,
// since a directory on the way may itself be a link.
//
// A path that could mean different things on different systems is refused:
// "\" separates like "/", and a drive letter, a stream's colon or a name of dots
// and spaces is never part of one. So are the trees themselves, and git's own
// files. The *[canon.Fault] is of rule H1.
func CleanHookPath(path string) (string, error) {
	clean, bad := cleanHookPath(path)
	if bad != "" {
		return "", &canon.Fault{Rule: "H1", Reason: "the path " + quote(path) + " " + bad}
	}
	return clean, nil
}

func cleanHookPath(path string) (clean, bad string) {
	switch {
	case blankText(path):
		return "", "is empty"
	case len(path) > maxPath:
		return "", "is too long"
	case hasControl(path):
		return "", "holds a control character"
	case hasDrive(path):
		return "", "has a drive letter"
	case absolute(path):
		return "", "is absolute"
	case strings.ContainsRune(path, ':'):
		return "", "holds a colon"
	}
	var names []string
	for name := range strings.SplitSeq(strings.ReplaceAll(path, `\`, "/"), "/") {
		switch {
		case name == "" || name == ".":
		case name == "..":
			return "", `leaves the tree by ".."`
		case strings.Trim(name, ". ") == "":
			return "", "has a name of dots and spaces"
		case gitsOwn(name):
			return "", "leads into git's own files"
		default:
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "", "is the tree itself"
	}
	return strings.Join(names, "/"), ""
}

// gitsOwn reports whether some file system takes the name for ".git".
func gitsOwn(name string) bool {
	name = strings.ToLower(strings.TrimRight(name, ". "))
	return name == ".git" || name == "git~1"
}

func blankText(s string) bool { return strings.Trim(s, " \t\r\n") == "" }

func hasControl(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == 0x7f {
			return true
		}
	}
	return false
}

// ValidID reports whether a thread id can be a directory's name on every
// system (rule L3): 1 to 128 of A-Z a-z 0-9 . _ -, starting with a letter or
// digit, not ending in a dot and not the name of a Windows device. Threads
// under other names are read by the name of their directory; none is made.
func ValidID(id string) bool {
	if id == "" || len(id) > maxID || !isAlnum(id[0]) || id[len(id)-1] == '.' || isDevice(id) {
		return false
	}
	for i := range len(id) {
		if c := id[i]; !isAlnum(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

func isDevice(s string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(s), ".")
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "COM" || stem[:3] == "LPT") && '0' <= stem[3] && stem[3] <= '9'
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// NewID makes a UUID v4 (Naming Conventions) of 16 random bytes.
func NewID(random [16]byte) string {
	random[6] = random[6]&0x0f | 0x40
	random[8] = random[8]&0x3f | 0x80
	out := make([]byte, 0, 36)
	for i, b := range random {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			out = append(out, '-')
		}
		out = append(out, hexDigits[b>>4], hexDigits[b&15])
	}
	return string(out)
}

const hexDigits = "0123456789abcdef"

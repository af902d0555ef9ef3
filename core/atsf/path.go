package atsf

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/names"
)

// maxPath and maxID bound names in bytes, as file systems do.
const (
	maxPath = 1024
	maxID   = 128
)

// cleanHookPath returns a symlink's source or target with "/" between its names, or why it is
// refused: a path must not leave the tree (rule H1). It checks only the text. A program that
// makes the link must open both ends beneath their roots, since a directory on the way may
// itself be a link.
//
// A path that could mean different things on different systems is refused: "\" separates names
// as "/" does, and a drive letter, a colon or a name of dots and spaces is not allowed. The
// root of the tree and git's own files are refused too.
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
		case isGitDir(name):
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

// isGitDir reports whether some file system takes the name for ".git".
func isGitDir(name string) bool {
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

// ValidID reports whether a thread id can be a directory's name on every system (rule L3): 1 to
// 128 of A-Z a-z 0-9 . _ -, starting with a letter or digit, not ending in a dot and not the
// name of a Windows device. Threads with other ids are read by the name of their directory, but
// none is made.
func ValidID(id string) bool {
	if id == "" || len(id) > maxID || !names.Alphanumeric(id[0]) || id[len(id)-1] == '.' || names.Device(id) {
		return false
	}
	for i := range len(id) {
		if c := id[i]; !names.Alphanumeric(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// NewID returns a UUID v4 (Naming Conventions) made of 16 random bytes.
func NewID(random [16]byte) string { return names.UUID(random) }

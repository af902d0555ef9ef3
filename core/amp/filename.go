package amp

import (
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/names"
)

// filename adds a fault or note about an attachment's name, at most one.
func filename(m *canon.Member, name string) {
	safe, bad := SafeFilename(name)
	switch {
	case bad != nil:
		f := bad.(*canon.Fault) //nolint:errorlint // the contract is the type itself
		m.FaultOf(f.Rule, f.Reason)
	case strings.Trim(name, ". ") != name:
		m.NoteOf("ATT-13", "the file name "+quote(name)+" begins or ends with dots or spaces")
	case safe != name:
		m.NoteOf("ATT-11", "the file name "+quote(name)+" has other characters than A-Z a-z 0-9 . _ -")
	}
}

// SafeFilename returns the name under which an attachment may be stored: without dots and spaces
// at its ends, with "_" for characters outside [a-zA-Z0-9._-] (rules ATT-11 and ATT-13). It
// returns a *[canon.Fault] for a name that must not be used in any form (ATT-4, ATT-10, ATT-12,
// ATT-14), or if nothing is left of it.
func SafeFilename(name string) (string, error) {
	refuse := func(rule, reason string) (string, error) {
		return "", &canon.Fault{Rule: rule, Reason: "the file name " + quote(name) + " " + reason}
	}
	if utf8.RuneCountInString(name) > MaxFilename {
		return refuse("ATT-4", "is longer than 255 characters")
	}
	if strings.ContainsAny(name, `/\`) {
		return refuse("ATT-10", "holds a separator of paths")
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
		return refuse("ATT-10", "holds control characters")
	}
	if encodedSeparator(name) {
		return refuse("ATT-14", "holds an encoded separator of paths")
	}
	safe := strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (names.Alphanumeric(byte(r)) || strings.ContainsRune("._-", r)) {
			return r
		}
		return '_'
	}, strings.Trim(name, ". "))
	if safe == "" {
		return refuse("ATT-13", "is empty")
	}
	if Device(safe) {
		return refuse("ATT-12", "is the name of a device on Windows")
	}
	return safe, nil
}

// CleanFilename makes a safe name for a new attachment from any file's name, as [SafeFilename]
// does. It puts a "_" before the name of a device, and cuts the middle of a name that is too
// long.
func CleanFilename(name string) (string, error) {
	if n := utf8.RuneCountInString(name); n > MaxFilename {
		runes, dot := []rune(name), strings.LastIndexByte(name, '.')
		ext := 0
		if dot > 0 {
			ext = min(utf8.RuneCountInString(name[dot:]), 32)
		}
		name = string(runes[:MaxFilename-1-ext]) + string(runes[len(runes)-ext:])
	}
	if Device(strings.Trim(name, ". ")) {
		name = "_" + strings.Trim(name, ". ")
	}
	return SafeFilename(name)
}

// Device reports whether Windows takes a file of that name for a device (rule ATT-12, which does
// not list COM0 and LPT0).
func Device(name string) bool {
	return names.Device(name) && (len(name) == 3 || name[3] != '0')
}

func encodedSeparator(name string) bool {
	for {
		if s := strings.ToLower(name); strings.Contains(s, "%2f") || strings.Contains(s, "%5c") {
			return true
		}
		shorter := strings.ReplaceAll(name, "%25", "%")
		if shorter == name {
			return false
		}
		name = shorter
	}
}

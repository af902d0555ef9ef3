package samp

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// maxAlias is the length limit of §1's regular expression.
const maxAlias = 64

// ValidAlias reports whether s matches §1's
// ^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$ (rule L2). It is what reading asks of a
// name; [CheckAlias] is what writing asks.
func ValidAlias(s string) bool {
	if s == "" || len(s) > maxAlias || !isAlnum(s[0]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		if c := s[i]; !isAlnum(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// ShowAlias gives an alias as it is, and what is none quoted, with everything but
// ASCII escaped, so that no other letter can look like one of an alias.
func ShowAlias(s string) string {
	if ValidAlias(s) {
		return s
	}
	return quote(s)
}

// CheckAlias returns a *[canon.Fault] of rule L2 unless s may name a new log. Beyond
// §1 it refuses what some file systems cannot hold as a name of its own: a
// trailing dot, and Windows' device names with or without an extension.
func CheckAlias(s string) error {
	const form = " (an alias is 1 to 64 of A-Z a-z 0-9 . _ -, and starts with a letter or digit)"
	switch {
	case !ValidAlias(s):
		return &canon.Fault{Rule: "L2", Reason: "alias " + quote(s) + " is not allowed" + form}
	case strings.HasSuffix(s, "."):
		return &canon.Fault{Rule: "L2", Reason: "alias " + quote(s) + " ends in a dot, which Windows drops from a file name"}
	case isDevice(s):
		return &canon.Fault{Rule: "L2", Reason: "alias " + quote(s) + " is a device name on Windows"}
	}
	return nil
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

const (
	logPrefix = "log-"
	logSuffix = ".jsonl"
)

// LogName is the file name of an alias's log (§1, rule L1).
func LogName(alias string) string { return logPrefix + alias + logSuffix }

// LogStem gives the part of a log's file name between "log-" and ".jsonl". It
// is an alias only if [ValidAlias] says so: sync tools make names like
// "log-bob (conflicted copy).jsonl". ok is false for any other file.
func LogStem(name string) (stem string, ok bool) {
	if !strings.HasPrefix(name, logPrefix) || !strings.HasSuffix(name, logSuffix) || len(name) <= len(logPrefix)+len(logSuffix) {
		return "", false
	}
	return name[len(logPrefix) : len(name)-len(logSuffix)], true
}

// WatermarkName is the name of a reader's watermark file (§1, rule L1).
func WatermarkName(alias string) string { return ".seen-" + alias }

// MtimeName is the name of a reader's cache file (§1, rule L1).
func MtimeName(alias string) string { return ".mtime-" + alias }

// Filing says how a record stands to the log it was found in.
type Filing uint8

// A record is Own when the log is its sender's; Copied when the log's name is
// the sender's with a suffix, as sync tools make it; Misfiled otherwise, which
// is a replica of the original or a forgery (design: "Readings we take"). One
// whose sender is no alias is Misfiled, too, since nobody can own its log: names
// that only look like another's would pass for it otherwise (rule L2).
const (
	Own Filing = iota
	Copied
	Misfiled
)

// FilingOf compares a log's stem with a record's sender.
func FilingOf(stem, from string) Filing {
	switch {
	case !ValidAlias(from):
		return Misfiled
	case stem == from:
		return Own
	case strings.HasPrefix(stem, from) && !isAlnum(stem[len(from)]):
		return Copied
	}
	return Misfiled
}

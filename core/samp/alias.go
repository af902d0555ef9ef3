package samp

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/names"
)

// maxAlias is the length limit of §1's regular expression.
const maxAlias = 64

// ValidAlias reports whether s matches §1's
// ^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$ (rule L2). It is what reading asks of a
// name; [CheckAlias] is what writing asks.
func ValidAlias(s string) bool {
	if s == "" || len(s) > maxAlias || !names.Alphanumeric(s[0]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		if c := s[i]; !names.Alphanumeric(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// ShowAlias returns a valid alias unchanged. Any other text is quoted, with everything
// except ASCII escaped, so that no foreign letter looks like an alias's.
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
	case names.Device(s):
		return &canon.Fault{Rule: "L2", Reason: "alias " + quote(s) + " is a device name on Windows"}
	}
	return nil
}

const (
	logPrefix = "log-"
	logSuffix = ".jsonl"
)

// LogName is the file name of an alias's log (§1, rule L1).
func LogName(alias string) string { return logPrefix + alias + logSuffix }

// LogStem returns the part of a log's file name between "log-" and ".jsonl". It
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

// Filing says whether a record belongs in the log where it was found.
type Filing uint8

// A record is Own if the log is its sender's, and Copied if the log's name is the
// sender's with a suffix, as sync tools make it. Otherwise it is Misfiled: a replica of
// the original, or a forgery (design: "Readings we take"). A record whose sender is not
// a valid alias is Misfiled too, since nobody can own its log: a name that only looks
// like another's would pass for it (rule L2).
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
	case strings.HasPrefix(stem, from) && !names.Alphanumeric(stem[len(from)]):
		return Copied
	}
	return Misfiled
}

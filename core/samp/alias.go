package samp

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/names"
)

// maxAlias is the length limit of §1's regular expression.
const maxAlias = 64

// ValidAlias reports whether s matches §1's ^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$ (rule L2). Readers
// require that; writers also require [CheckAlias].
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

// ShowAlias returns a valid alias unchanged. It quotes any other text and escapes everything
// except ASCII, so that no look-alike letter passes for an alias's.
func ShowAlias(s string) string {
	if ValidAlias(s) {
		return s
	}
	return quote(s)
}

// CheckAlias returns a *[canon.Fault] of rule L2 unless s may name a new log. Beyond §1 it
// refuses names that some file systems cannot store: those with a trailing dot, and Windows'
// device names with or without an extension.
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

// LogName returns the file name of an alias's log (§1, rule L1).
func LogName(alias string) string { return logPrefix + alias + logSuffix }

// LogStem returns the part of a log's file name between "log-" and ".jsonl". It need not be a
// valid alias: sync tools make names like "log-bob (conflicted copy).jsonl". ok is false for any
// other file.
func LogStem(name string) (stem string, ok bool) {
	if !strings.HasPrefix(name, logPrefix) || !strings.HasSuffix(name, logSuffix) || len(name) <= len(logPrefix)+len(logSuffix) {
		return "", false
	}
	return name[len(logPrefix) : len(name)-len(logSuffix)], true
}

// WatermarkName returns the name of a reader's watermark file (§1, rule L1).
func WatermarkName(alias string) string { return ".seen-" + alias }

// MtimeName returns the name of a reader's cache file (§1, rule L1).
func MtimeName(alias string) string { return ".mtime-" + alias }

// Provenance is whether a record belongs in the log where it was found.
type Provenance uint8

// A record is Own in its sender's log, and Copied in a log named like the sender's with a suffix,
// as sync tools make it. In any other log it is Foreign: a replica of the original, or a forgery
// (design: "Readings we take"). A record whose sender is not a valid alias is also Foreign, since
// a sender cannot own such a log: a name that only looks like another's would pass for it (rule
// L2).
const (
	Own Provenance = iota
	Copied
	Foreign
)

// ProvenanceOf returns the provenance of a record by its sender, in a log with that stem.
func ProvenanceOf(stem, from string) Provenance {
	switch {
	case !ValidAlias(from):
		return Foreign
	case stem == from:
		return Own
	case strings.HasPrefix(stem, from) && !names.Alphanumeric(stem[len(from)]):
		return Copied
	}
	return Foreign
}

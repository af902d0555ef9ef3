// Package samp is the protocol core of SAMP v1, the Simple Agent Message
// Protocol: one append-only JSONL log per writer, content-addressed ids, and
// an inbox that is filtered by recipient and watermark.
//
// Start with [Parse] for one line of a log, [Identify] for what its id says,
// [Build] for a new record, and [Find] with [Gather] for an inbox over several
// logs. The package knows bytes and values only: no files, no clock, no
// randomness. Section numbers are those of the SAMP v1 text; rule ids (R3, W1
// …) are those of the project's conformance table. It imports canon,
// excerpt, names and small parts of the standard library. It stays free of fmt and
// reflection for the WASM module.
package samp

import "github.com/signalbox-dev/signalbox/core/excerpt"

// MaxBody is the number of characters (code points) a new body may have. A
// longer one is refused when writing and read without limit (rule R4).
const MaxBody = 65536

// Profile is the form in which new records are written. Reading accepts both.
type Profile uint8

// The two forms in use. V1 is the published text of 2026-04-25; V1Compact is
// what the published tool has written since: ids over compact JSON and the
// body in Unicode NFC, UTC dates in derived thread names.
const (
	V1 Profile = iota
	V1Compact
)

// String returns the profile's name as flags and settings spell it.
func (p Profile) String() string {
	if p == V1Compact {
		return "v1-compact"
	}
	return "v1"
}

// ParseProfile reads a profile's name. ok is false for anything but "v1" and
// "v1-compact"; "auto" is a question about a directory, not a profile.
func ParseProfile(name string) (p Profile, ok bool) {
	switch name {
	case "v1":
		return V1, true
	case "v1-compact":
		return V1Compact, true
	}
	return V1, false
}

func quote(s string) string { return excerpt.Quote(s) }
func clip(s string) string  { return excerpt.Clip(s) }

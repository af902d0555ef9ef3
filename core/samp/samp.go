// Package samp is the protocol core of SAMP v1, the Simple Agent Message
// Protocol: one append-only JSONL log per writer, content-addressed ids, and
// an inbox that is filtered by recipient and watermark.
//
// Start with [Parse] for one line of a log, [Identify] for the form of its id, [Build] for a new
// record, and [Find] with [Gather] for an inbox over several logs. The package handles bytes and
// values only: no files, no clock, no randomness. Section numbers refer to the SAMP v1 spec; rule
// ids (R3, W1 …) are listed in docs/conformance.md. It imports canon, excerpt, names and small
// parts of the standard library. It stays free of fmt and reflection for the WASM module.
package samp

import "github.com/signalbox-dev/signalbox/core/excerpt"

// MaxBody is the number of characters (code points) that a new body may have. Longer bodies are
// refused when writing, but read without limit (rule R4).
const MaxBody = 65536

// Profile is the form in which new records are written. Reading accepts both.
type Profile uint8

// The two forms in use. V1 is that of the spec published on 2026-04-25. V1Compact is the form
// that the published tool has written since: ids over compact JSON and the body in Unicode NFC,
// UTC dates in derived thread names.
const (
	V1 Profile = iota
	V1Compact
)

// String returns the profile's name in flags and settings.
func (p Profile) String() string {
	if p == V1Compact {
		return "v1-compact"
	}
	return "v1"
}

// ParseProfile reads a profile's name. ok is true only for "v1" and "v1-compact"; "auto" depends
// on a directory and is not a profile.
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

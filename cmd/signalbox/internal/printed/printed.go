// Package printed has the values that commands print with --json, one type for each
// kind of line. docs/json has their schemas: what a member means is its comment here or,
// for names that mean the same everywhere, a row of testdata/json/vocabulary.txt.
//
// One thing has one name: a time is "time" in milliseconds since 1970 (UTC), a place is
// "file" and "line", a git work tree "worktree".
package printed

import "encoding/json"

// Version is what "version" prints.
type Version struct {
	Version string `json:"version"`
	// the commit that the program was built from, or the tag that stands for it
	Commit string `json:"commit"`
	// the version of Go that built it
	Go string `json:"go"`
	// the operating system and the processor, with a slash between
	Platform string `json:"platform"`
	// the formats that it reads, each with its version
	Formats []string `json:"formats"`
}

// Problem is one broken rule or note about mail, or something around its directory.
type Problem struct {
	Rule   string `json:"rule"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	// what to do about it
	Advice    string `json:"advice"`
	Violation bool   `json:"violation"`
}

// Fact is something that was chosen.
type Fact struct {
	// what was chosen
	Fact string `json:"fact"`
	// what it is
	Value string `json:"value"`
	// what decided on it
	Origin string `json:"origin"`
}

// Fixed is a repair that "doctor --fix" made.
type Fixed struct {
	// the rule that is kept again
	Fixed string `json:"fixed"`
	File  string `json:"file"`
	// what was done
	Reason string `json:"reason"`
	// what is left to do
	Advice string `json:"advice"`
}

// Summary is the last line of "validate" and "doctor".
type Summary struct {
	// the directory
	Summary string `json:"summary"`
	// how many logs it has
	Logs int `json:"logs"`
	// how many records are in them
	Records int `json:"records"`
	// records without an id
	Missing int `json:"missing"`
	// records with an id in the form of v1
	Spaced int `json:"spaced"`
	// records with an id in the form of v1-compact
	Compact int `json:"compact"`
	// records whose id was computed over escaped characters
	ASCII int `json:"ascii-escaped"`
	// records whose id was computed without normalising their text
	Unnormalised int `json:"unnormalised"`
	// records whose id fits no form
	Wrong int `json:"wrong"`
	// lines that are no records
	Malformed int `json:"malformed"`
	// records that may be forged
	Suspicious int `json:"suspicious"`
	// how many rules are broken
	Violations int `json:"violations"`
	// how many notes there are, which break no rule
	Notes int `json:"notes"`
}

// Fault is one broken rule of a file, or a note about it.
type Fault struct {
	Rule string `json:"rule"`
	// the member that breaks it
	Field  string `json:"field"`
	Reason string `json:"reason"`
	// where it is, in bytes from the beginning of the file; left out with the next two for a file that was not read
	Offset *int `json:"offset,omitempty"`
	Line   int  `json:"line,omitempty"`
	// the character of that line, from 1
	Column int `json:"column,omitempty"`
}

// Raw is JSON that a format defines, passed through.
type Raw = json.RawMessage

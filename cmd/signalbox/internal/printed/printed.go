// Package printed has the values that commands print with --json, one type for each
// kind of line. docs/json has their schemas: a member is described by its tag here or,
// for names that mean the same everywhere, by a row of testdata/json/vocabulary.txt.
//
// One thing has one name: a time is "time" in milliseconds since 1970 (UTC), a place is
// "file" and "line", a worktree is "worktree".
package printed

import "encoding/json"

// Version is what "version" prints.
type Version struct {
	Version  string   `json:"version"`
	Commit   string   `json:"commit" jsonschema:"the commit that the program was built from, or the tag that stands for it"`
	Go       string   `json:"go" jsonschema:"the version of Go that built it"`
	Platform string   `json:"platform" jsonschema:"the operating system and the processor, with a slash between"`
	Formats  []string `json:"formats" jsonschema:"the formats that it reads, each with its version"`
}

// Problem is one broken rule or note about mail, or something around its directory.
type Problem struct {
	Rule      string `json:"rule"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Reason    string `json:"reason"`
	Advice    string `json:"advice" jsonschema:"what to do about it"`
	Violation bool   `json:"violation"`
}

// Fact is something that was chosen.
type Fact struct {
	Fact   string `json:"fact" jsonschema:"what was chosen"`
	Value  string `json:"value" jsonschema:"what it is"`
	Origin string `json:"origin" jsonschema:"what decided on it"`
}

// Fixed is a repair that "doctor --fix" made.
type Fixed struct {
	Fixed  string `json:"fixed" jsonschema:"the rule that is kept again"`
	File   string `json:"file"`
	Reason string `json:"reason" jsonschema:"what was done"`
	Advice string `json:"advice" jsonschema:"the lines that were written"`
}

// Summary is the last line of "validate" and "doctor".
type Summary struct {
	Summary      string `json:"summary" jsonschema:"the directory"`
	Logs         int    `json:"logs" jsonschema:"how many logs it has"`
	Records      int    `json:"records" jsonschema:"how many records are in them"`
	Missing      int    `json:"missing" jsonschema:"records without an id"`
	Spaced       int    `json:"spaced" jsonschema:"records with an id in the form of v1"`
	Compact      int    `json:"compact" jsonschema:"records with an id in the form of v1-compact"`
	ASCII        int    `json:"ascii-escaped" jsonschema:"records whose id was computed over escaped characters"`
	Unnormalised int    `json:"unnormalised" jsonschema:"records whose id was computed without normalising their text"`
	Wrong        int    `json:"wrong" jsonschema:"records whose id fits no form"`
	Malformed    int    `json:"malformed" jsonschema:"lines that are no records"`
	Suspicious   int    `json:"suspicious" jsonschema:"records that may be forged"`
	Violations   int    `json:"violations" jsonschema:"how many rules are broken"`
	Notes        int    `json:"notes" jsonschema:"how many notes there are, which break no rule"`
}

// Fault is one broken rule of a file, or a note about it.
type Fault struct {
	Rule   string `json:"rule"`
	Field  string `json:"field" jsonschema:"the member that breaks it"`
	Reason string `json:"reason"`
	Offset *int   `json:"offset,omitempty" jsonschema:"where it is, in bytes from the beginning of the file; left out with the next two for a file that was not read"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty" jsonschema:"the character of that line, from 1"`
}

// Raw is JSON that a format defines, passed through.
type Raw = json.RawMessage

// Package atsf is the protocol core of ATSF 1.x, the Agent Thread Storage
// Format: an agent's own conversation as files, a thread.json and a
// messages.jsonl for each thread below .agent/threads, and a config.json for
// the project.
//
// Start with [ParseThread] for a thread.json, [ReadLog] or [ParseMessage] for
// messages.jsonl and [ParseConfig] for config.json. [Edit] changes single members of a
// file and leaves every other byte, [BuildThread], [BuildMessage] and [Fork] write new
// text, [Count] and [Compare] compare the cached figures with the messages.
//
// The package handles only bytes and values: no files, no clock, no randomness. Hooks are
// parsed and checked here and run elsewhere. Every value contains the bytes it was read
// from, so that members unknown to this version survive (Extension Points 1). Times are
// Unix milliseconds. Rule ids (T1, M2 …) are those of the project's conformance
// table; sections have their names in the ATSF 1.1 text. It imports canon, isotime,
// excerpt and small parts of the standard library, and stays free of fmt and reflection
// for the WASM module.
package atsf

import "github.com/signalbox-dev/signalbox/core/excerpt"

// SpecVersion is the version that new files declare (Spec Versioning).
const SpecVersion = "1.1"

// The names of Directory Layout (rule L1). A thread's files are in
// .agent/threads/<thread-id>.
const (
	DirName      = ".agent"
	ConfigName   = "config.json"
	IgnoreName   = ".gitignore"
	ThreadsName  = "threads"
	ThreadName   = "thread.json"
	MessagesName = "messages.jsonl"
	AssetsName   = "assets"
)

// MaxThreadFile is the size in bytes of the longest thread.json or config.json that is read.
// metadata may be large, but not a gigabyte.
const MaxThreadFile = 4 << 20

func quote(s string) string { return excerpt.Quote(s) }
func clip(s string) string  { return excerpt.Clip(s) }

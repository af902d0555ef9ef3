// Package agn is the protocol core of AMP/1.0, the task messages between an
// admin, a coordinator, an executor and a reviewer: one envelope with five
// kinds of payload.
//
// Start with [ParseMessage], which reads any JSON object leniently and lists every rule
// it breaks; a message with Faults is invalid and must not be acted upon (rule E0).
// [ParsePayload] reads a payload without its message. The Build functions write
// messages, and only messages that break no rule. [Check] compares a message with the
// others of its task, and [State] follows a task through its history: its phase, its
// locks, missing ACKs, the next action.
//
// The package knows bytes and values only: no files, no clock, no randomness. Times are
// Unix milliseconds. Rule ids (E1, D3, C9 …) are listed in docs/conformance.md; the C
// rules settle what the text contradicts or leaves out. It imports canon, isotime,
// excerpt and small parts of the standard library, and stays free of fmt and reflection
// for the WASM module.
package agn

import (
	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// Version is the protocol_version of every message (rule E2).
const Version = "AMP/1.0"

// The limits on what is read. The text sets none.
const (
	// MaxMessage is the length of a message in bytes.
	MaxMessage = 1 << 20
	// MaxItems is the number of elements of one list that are read.
	MaxItems = 4096
	// MaxAckTimeout is the longest ack_timeout_sec, in seconds: a year. A longer
	// one would disable the deadline, or overflow it.
	MaxAckTimeout = 366 * 24 * 60 * 60
)

// The types of messages (rule E3).
const (
	TypeDispatch   = "task_dispatch"
	TypeResult     = "task_result"
	TypeRequest    = "review_request"
	TypeVerdict    = "review_verdict"
	TypeEscalation = "escalation"
)

// The parties (rules E4, E5 and X3).
const (
	Admin       = "admin"
	Coordinator = "coordinator"
	Executor    = "executor"
	Reviewer    = "reviewer"
	System      = "system"
)

// Urgent reports whether a note of a rule is shown even to people who did not ask
// for notes: a deadline that applies to no ACK (rule E9), or an empty list where something is
// expected (rules T7, V3 and V4). In both cases the sender's intention is lost.
func Urgent(rule string) bool {
	switch rule {
	case "E9", "T7", "V3", "V4":
		return true
	}
	return false
}

func quote(s string) string { return excerpt.Quote(s) }

// Package agn is the store of AMP/1.0 tasks: a single-source-of-truth directory
// in which agents leave task messages, ACKs and answers, one file per fact.
//
// Start with [OpenLive], or [Scan] to look once; [Open] gives a
// [Dir] to write to. The layout, of which everything but messages is ours:
//
//	tasks/<task id>.json                 a summary, replaced whole
//	messages/<task id>/<message id>.json written once
//	acks/<message id>.json               written once
//	resumes/<message id>.json            written once
//	errors.jsonl                         appended to
//
// Envelopes that lie anywhere else in the directory are read as well. Names of
// files prove nothing: a message is what it says, and files are opened beneath
// the directory, never through a link.
package agn

import (
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
)

// Problem is something that the user should know.
type Problem = follow.Problem

// Rejected is a message that breaks a rule and has no effect (rule E0).
type Rejected struct {
	// Source is the file, relative to the directory with "/" between the names if it is in it
	// (Here), otherwise as the error log has it.
	Source string
	Here   bool
	// MsgID and TaskID are copied from the message and may be any text.
	MsgID, TaskID string
	Faults        []canon.Fault
	// Conflict is set if the message is valid, but an earlier message has the same id and other
	// content (rule E1).
	Conflict bool
	// Millis is when it was logged, or the file's time if it was not.
	Millis int64
	// Digest is the SHA-256 of the file's bytes in hexadecimal digits. If the file is longer than
	// [agn.MaxMessage], it covers only the first bytes.
	Digest string
	// Logged is set if errors.jsonl has it.
	Logged bool
	// Message is as much as could be parsed, without Raw.
	Message agn.Message
	// MalformedEscalation is what [agn.MalformedEscalation] makes of a file in the directory that may be an
	// escalation, because no one else will show it to the admin. It is nil if a message that
	// counts has its id and description.
	MalformedEscalation *agn.Message
}

// Task is one task with everything known about it. A refused message or an ACK of an unknown
// message is enough for a task to exist. A message that only the error log has is not: it
// reached no one. A Task is shared and never changed after it is returned.
type Task struct {
	ID string
	// History holds the messages that count, without Raw, in the order of [agn.Compare], and the
	// ACKs and answers, ordered by time. In a [Live] store the texts of a message have at most 68
	// KiB in all: longer ones are cut and end in "…".
	History agn.History
	// Files are the paths of History.Messages in the same order, relative to the directory with
	// "/" between the names.
	Files []string
	// Record is the task's summary, or nil if it is missing or cannot be read.
	Record *agn.Record
	// Last is the newest time of a fact in Unix milliseconds, for sorting.
	Last int64

	// refused are the refused messages in the directory, where agents may find them. A message
	// that only the error log has reached no one.
	refused []agn.Message
	places  places
	memo    atomic.Pointer[memo] // the last result of at
}

// Snapshot is the state at one moment. It is never changed; its parts are shared.
type Snapshot struct {
	// Path is absolute. ID is derived from it and names the directory in refs.
	Path, ID string
	// Exists is set if the directory exists, Own if it has our layout (a messages folder),
	// Writable if facts can be added.
	Exists, Own, Writable bool
	// Err is the reason why the directory cannot be read.
	Err error
	// Tasks are ordered newest first: by Last, then ID, both descending.
	Tasks []*Task
	// Rejected is ordered newest first.
	Rejected []*Rejected
	// Messages is the number of messages that count.
	Messages int
	// Problems are ordered by Path. Problems with watching come last.
	Problems []Problem
	// Watching is [follow.Notify], [follow.Partly] or [follow.Poll].
	Watching string
	// Ready is set after the first complete look.
	Ready bool
	// Revision grows with every change.
	Revision int64

	byID map[string]*Task
}

// Change describes what changed.
type Change struct {
	Revision int64
	// Tasks are ids, at most 100. Truncated is set if there were more.
	Tasks     []string
	Truncated bool
	// Status is set if the directory itself appeared, disappeared, cannot be read, or is watched
	// in another way. If Status is not set and Tasks is empty, problems or refused messages
	// without a task changed.
	Status bool

	problems bool // they may have changed
}

func (c *Change) empty() bool { return len(c.Tasks) == 0 && !c.problems && !c.Status }

// Config sets which directory is followed, and how.
type Config struct {
	// Path is the directory's absolute path. It need not exist yet.
	Path string
	// Poll is how often everything is looked at, even if the system reported no change. 0 means
	// [follow.DefaultPoll].
	Poll time.Duration
	// Once means that nothing is followed; see [follow.Config].
	Once bool
	// Log means that newly rejected messages are appended to errors.jsonl, if the directory has
	// our layout (rule E0).
	Log bool
	// Now is the clock, for times of the error log.
	Now    func() time.Time
	Logger *slog.Logger
	// Changed is called with each change. It must not block.
	Changed func(Change)
}

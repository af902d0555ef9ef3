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

// Problem is something that the user should know, in words.
type Problem = follow.Problem

// Rejected is a message that breaks a rule and counts for nothing (rule E0).
type Rejected struct {
	// Source is the file: relative to the directory with "/" between the names
	// if it lies there (Here), else as the error log names it.
	Source string
	Here   bool
	// MsgID and TaskID are as the message has them and may be anything.
	MsgID, TaskID string
	Faults        []canon.Fault
	// Conflict is set where the message itself is sound, but another one with its
	// id and other content was there before (rule E1).
	Conflict bool
	// Millis is when it was logged, or else the time of the file.
	Millis int64
	// Digest is the SHA-256 of its bytes in hexadecimal digits; of a file that is
	// longer than [agn.MaxMessage], of its first bytes alone.
	Digest string
	// Logged is set where errors.jsonl has it.
	Logged bool
	// Message is what could be read of it: Raw is dropped.
	Message agn.Message
	// Distress is what [agn.MalformedEscalation] makes of a file that lies here and may be an
	// escalation: nobody else will tell the admin. It is nil where a message that
	// counts has its id and description.
	Distress *agn.Message
}

// Task is one task with everything that is known of it. A refused message or an
// ACK of nothing is enough for one to be there, but not what the error log alone
// knows: that reached nobody. It is shared and never changed once it was given
// out.
type Task struct {
	ID string
	// History holds the messages that count, without Raw, in the order of
	// [agn.Compare]; ACKs and answers, ordered by time. Of a [Live] store the
	// texts of a message have 68 KiB in all: longer ones were cut, and end in "…".
	History agn.History
	// Files are the files of History.Messages in the same order, relative to
	// the directory with "/" between the names.
	Files []string
	// Record is the task's own file, nil where there is none that can be read.
	Record *agn.Record
	// Last is the newest time of a fact in Unix milliseconds, for sorting.
	Last int64

	// met are the refused messages that lie here, where agents may meet them. What was
	// refused on its way stands in the error log alone, and reached nobody.
	met    []agn.Message
	places places
	memo   atomic.Pointer[memo] // what was asked for last
}

// Snapshot is what there was at one moment. It is never changed; what it holds
// is shared.
type Snapshot struct {
	// Path is absolute; ID is made of it and names the directory in refs.
	Path, ID string
	// Exists is set where the directory is there, Own that it has the layout
	// (a messages folder), Writable that facts can be added.
	Exists, Own, Writable bool
	// Err is why the directory cannot be read.
	Err error
	// Tasks: newest first by Last, then ID, both descending.
	Tasks []*Task
	// Rejected: newest first.
	Rejected []*Rejected
	// Messages counts those that count.
	Messages int
	// Problems are ordered by Path; what is wrong with watching comes last.
	Problems []Problem
	// Watching is [follow.Notify], [follow.Partly] or [follow.Poll].
	Watching string
	// Ready is false before everything was looked at for the first time.
	Ready bool
	// Revision grows with every change.
	Revision int64

	byID map[string]*Task
}

// Change says what became different.
type Change struct {
	Revision int64
	// Tasks are ids, at most 100; Truncated is set where there were more.
	Tasks     []string
	Truncated bool
	// Status is set where the directory itself came, went or cannot be read, or is
	// watched in another way. Where it is false and Tasks is empty, problems or
	// refused messages of no task are others.
	Status bool

	problems bool // they may differ
}

func (c *Change) empty() bool { return len(c.Tasks) == 0 && !c.problems && !c.Status }

// Config says which directory is followed, and how.
type Config struct {
	// Path is the directory, absolute. It need not exist yet.
	Path string
	// Poll is how often everything is looked at, even if the system reported
	// nothing. 0 means [follow.DefaultPoll].
	Poll time.Duration
	// Once has nothing followed, as [follow.Config] says.
	Once bool
	// Log tells to append newly rejected messages to errors.jsonl, if the
	// directory has the layout (rule E0).
	Log bool
	// Now is the clock, for times of the error log.
	Now    func() time.Time
	Logger *slog.Logger
	// Changed is told what became different. It must not block.
	Changed func(Change)
}

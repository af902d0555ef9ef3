package panel

import "github.com/signalbox-dev/signalbox/lsp/panel/shelf"

// Counts is the result of signalbox/read/set: the counts over all stores after the change. A
// list with this Revision, or a newer one, shows the change.
type Counts struct {
	Unread     int `json:"unread"`
	NeedsReply int `json:"needsReply"` // threads with [ThreadItem.NeedsReply]
	Asks       int `json:"-"`          // threads with a [ThreadItem.Question]
	Questions  int `json:"-"`          // the threads of NeedsReply that are in [SectionQuestions]
	// Undo is the number for signalbox/undo. It is valid until the next change that can be
	// undone. It is 0 if the change cannot be undone.
	Undo     int64 `json:"undo,omitempty"`
	Revision int64 `json:"revision"`
}

// Change is the params of signalbox/didChange. Refs are threads, at most 100. Truncated is set
// if there were more, so that everything may have changed.
type Change struct {
	Revision   int64    `json:"revision"`
	Kinds      []string `json:"kinds"` // "messages", "read", "tasks", "agents"
	Refs       []Ref    `json:"refs"`
	Truncated  bool     `json:"truncated"`
	Unread     int      `json:"unread"`
	NeedsReply int      `json:"needsReply"`
	Critical   int      `json:"critical"` // open critical escalations
	Overdue    int      `json:"overdue"`  // tasks with missed ACKs or silence that was not escalated
	Needs      int      `json:"needs"`    // the Total of a [NeedsPage]
}

// Tally counts threads, their unread messages, the threads that need a reply from the user, the
// threads that ask the user something, and the threads in [SectionQuestions]. Asks is at most
// Questions, and Questions at most Waiting.
type Tally struct{ Threads, Unread, Waiting, Asks, Questions int }

// With returns the sum of two tallies.
func (t Tally) With(o Tally) Tally {
	return Tally{t.Threads + o.Threads, t.Unread + o.Unread, t.Waiting + o.Waiting, t.Asks + o.Asks, t.Questions + o.Questions}
}

// less returns the difference of two tallies.
func (t Tally) less(o Tally) Tally {
	return Tally{t.Threads - o.Threads, t.Unread - o.Unread, t.Waiting - o.Waiting, t.Asks - o.Asks, t.Questions - o.Questions}
}

// Tallies count the threads in the inbox, the archived ones and the snoozed ones.
type Tallies struct{ Inbox, Archived, Snoozed Tally }

// Add adds a thread to the tally of its state. A thread that is back from being snoozed needs
// the user, whoever wrote last.
func (t *Tallies) Add(s Shelved, one Tally) {
	if s.Quiet() {
		one.Waiting, one.Asks, one.Questions = 0, 0, 0
	}
	switch s.State {
	case shelf.Archived:
		t.Archived = t.Archived.With(one)
	case shelf.Snoozed:
		t.Snoozed = t.Snoozed.With(one)
	case shelf.Due:
		one.Waiting, one.Questions = 1, 1
		t.Inbox = t.Inbox.With(one)
	case shelf.InInbox:
		t.Inbox = t.Inbox.With(one)
	}
}

// Move takes a thread out of the inbox's tally and adds it to the tally of its state.
func (t *Tallies) Move(s Shelved, one Tally) {
	t.Inbox = t.Inbox.less(one)
	t.Add(s, one)
}

// Of returns the sum of the tallies that a filter asks for.
func (t *Tallies) Of(f *InboxFilter) (sum Tally) {
	for _, part := range []struct {
		state shelf.State
		Tally
	}{{shelf.InInbox, t.Inbox}, {shelf.Archived, t.Archived}, {shelf.Snoozed, t.Snoozed}} {
		if f.Shown(part.state) {
			sum = sum.With(part.Tally)
		}
	}
	return sum
}

// ReadParams are the params of signalbox/read/set. A thread's ref stands for
// all its messages. Without UpdateWatermark the settings decide.
type ReadParams struct {
	Refs            []Ref `json:"refs"`
	Read            bool  `json:"read"`
	UpdateWatermark *bool `json:"updateWatermark,omitempty"`
}

// ArchiveParams are the params of signalbox/mail/archive: threads or messages in
// the user's own inbox. The result is [Counts].
type ArchiveParams struct {
	Refs     []Ref `json:"refs"`
	Archived bool  `json:"archived"`
}

// MarkParams are the params of signalbox/read/all. Without UpdateWatermark the settings decide.
type MarkParams struct {
	Filter          InboxFilter `json:"filter,omitzero"`
	UpdateWatermark *bool       `json:"updateWatermark,omitempty"`
}

// Marked is the result of signalbox/read/all. Threads is how many threads were marked as read.
type Marked struct {
	Counts
	Threads int `json:"threads"`
}

// ShelveParams are the params of signalbox/thread/shelve. A message's ref stands for
// its thread. Exactly one of Archived, SnoozeUntil and NoReply is set.
//
// The request changes only the user's own state. It writes nothing into a message directory, a
// project or another agent's mailbox. Signed mail that the user received is archived in their
// own mailbox, where other programs also see it.
type ShelveParams struct {
	Refs     []Ref `json:"refs"`
	Archived *bool `json:"archived,omitempty"`
	// SnoozeUntil is when the threads come back, in Unix milliseconds. They come back at once
	// if it is 0, and when new mail to the user arrives.
	SnoozeUntil *int64 `json:"snoozeUntil,omitempty"`
	// NoReply true marks the threads as needing no reply until somebody writes to the user
	// again, and false takes that back. It changes no thread that is archived or snoozed.
	NoReply *bool `json:"noReply,omitempty"`
}

// UndoParams are the params of signalbox/undo. Undo is the [Counts.Undo] of the change to undo.
// The result is [Counts].
type UndoParams struct {
	Undo int64 `json:"undo" check:"given"`
}

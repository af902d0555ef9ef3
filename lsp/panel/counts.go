package panel

import (
	"context"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
)

// Counts is the result of signalbox/read/set: what is left over all stores. Revision
// is at least that of the change which the request made: a list that is as new shows it.
type Counts struct {
	Unread     int `json:"unread"`
	NeedsReply int `json:"needsReply"` // threads with [ThreadItem.NeedsReply]
	Asks       int `json:"-"`          // threads with a [ThreadItem.Question]
	Questions  int `json:"-"`          // of NeedsReply, threads under [SectionQuestions]
	// Undo takes the request back by signalbox/undo, until the next that can be undone.
	// It is 0 where it cannot be undone.
	Undo     int64 `json:"undo,omitempty"`
	Revision int64 `json:"revision"`
}

// Change is the params of signalbox/didChange. Refs are threads, at most 100;
// Truncated says there were more, so everything may have changed.
type Change struct {
	Revision   int64    `json:"revision"`
	Kinds      []string `json:"kinds"` // "messages", "read", "tasks", "agents"
	Refs       []Ref    `json:"refs"`
	Truncated  bool     `json:"truncated"`
	Unread     int      `json:"unread"`
	NeedsReply int      `json:"needsReply"`
	Critical   int      `json:"critical"` // open critical escalations
	Overdue    int      `json:"overdue"`  // tasks with missed ACKs or silence that nobody escalated
	Needs      int      `json:"needs"`    // the Total of a [NeedsPage]
}

// announce raises the revision and sends a source's change to the client. It does
// nothing once the panels are closed. One change is numbered, counted and sent before the
// next: otherwise an older count could be sent last, and stay.
func (p *Panels) announce(c SourceChange) {
	p.announcing.Lock()
	defer p.announcing.Unlock()
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.revision++
	change := Change{Revision: p.revision, Kinds: c.Kinds, Refs: c.Threads, Truncated: c.Truncated}
	p.mu.Unlock()
	now := p.look(context.Background())
	if len(c.Kinds) > 0 {
		if change.Refs == nil {
			change.Refs = []Ref{}
		}
		if slices.Contains(c.Kinds, "messages") || slices.Contains(c.Kinds, "read") {
			p.unread.Kick()
		}
		p.unread.Want(now.agents.idle())
		left, alarms := countAll(now.views), alarming(now.views)
		change.Unread, change.NeedsReply, change.Critical, change.Overdue = left.Unread, left.NeedsReply, alarms.Critical, alarms.Overdue
		change.Needs = now.needing().total()
		p.opt.Changed(change)
	}
	if c.Status {
		p.opt.StatusChanged(p.statusOf(now))
	}
}

// countAll returns the unread messages, the waiting threads and the threads that ask in
// the inbox, over all formats.
func countAll(views []view) (all Counts) {
	for _, v := range views {
		c := v.Counts()
		all.Unread, all.NeedsReply, all.Asks, all.Questions = all.Unread+c.Unread, all.NeedsReply+c.NeedsReply, all.Asks+c.Asks, all.Questions+c.Questions
	}
	return all
}

// counts returns the unread messages and waiting threads of all stores, with the
// revision.
func (p *Panels) counts(ctx context.Context) Counts {
	revision := p.revised()
	left := countAll(p.viewsNow(ctx))
	left.Revision = revision
	return left
}

// NeedsReplyFor is how long a message to the user needs a reply if it is the last word of
// its thread and asks nothing. Without an end all that a user ever read would need one. A
// question needs an answer however old it is.
const NeedsReplyFor = 14 * 24 * time.Hour

// ReplySince returns the moment from which on a last word needs a reply, in Unix
// milliseconds: [NeedsReplyFor] ago, to the hour, so that counts stand for a while.
func (s *Shelf) ReplySince() int64 {
	return time.UnixMilli(s.Now).Add(-NeedsReplyFor).Truncate(time.Hour).UnixMilli()
}

// Tally counts threads, their unread messages, the threads that need a reply of the user,
// those that ask the user something, and those listed under [SectionQuestions]. What asks is
// one of the questions, and each question needs a reply.
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

// Add adds a thread to the count of its state. A thread that came back needs the user,
// whoever wrote last.
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
	case shelf.Out:
		t.Inbox = t.Inbox.With(one)
	}
}

// Move takes a thread out of the inbox's count and adds it to the count of its state.
func (t *Tallies) Move(s Shelved, one Tally) {
	t.Inbox = t.Inbox.less(one)
	t.Add(s, one)
}

// Of returns the sum of the counts that a filter asks for.
func (t *Tallies) Of(f *InboxFilter) (sum Tally) {
	for _, part := range []struct {
		state shelf.State
		Tally
	}{{shelf.Out, t.Inbox}, {shelf.Archived, t.Archived}, {shelf.Snoozed, t.Snoozed}} {
		if f.Shown(part.state) {
			sum = sum.With(part.Tally)
		}
	}
	return sum
}

// Package receipt says what became of mail that somebody sent: whether its receiver was told
// of it, has read it or has answered, or that nobody reads it. Lists, threads, commands and
// agents' tools ask it, so that all say the same.
//
// Start with [Tracker].
package receipt

import (
	"maps"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// waitsLong is after how long nobody reads a message that nobody was told of.
const waitsLong = time.Hour

// Marks is a message directory.
type Marks interface {
	// Receipts returns what a name has read by now, or nil.
	Receipts(alias string, now time.Time) *sampstore.Receipts
	// Known reports whether somebody has written or read mail under a name.
	Known(alias string) bool
}

// Tracker tells what became of mail in one message directory at one moment. It is used by one
// goroutine.
type Tracker struct {
	// Reach has the sessions of agents that read the mail, and the work trees: whoever begins to
	// work in one reads the mail to its name.
	Reach *agents.Reaching
	Marks Marks
	// Person is the user's alias, or empty.
	Person string
	Now    time.Time

	to map[string]*receiver
}

// receiver is what is known of somebody to whom mail went.
type receiver struct {
	mark *sampstore.Receipts
	// known is set if somebody reads the mail, or may come to read it.
	known bool
	// sessions are those of agents that read it, and alive is set if one of them is under way.
	sessions []activity.Session
	alive    bool
}

// Answers finds what answers a message, while the messages of threads are walked from the newest
// to the oldest.
type Answers struct {
	// later has of each thread when one wrote to another first, in Unix milliseconds, and same
	// those of the second that is walked: what came first in one second nobody knows.
	later, same map[route]int64
	second      int64
}

type route struct{ thread, from, to string }

// Note tells of the next message. A zero one is none.
func (a *Answers) Note(m *samp.Found) {
	if m.TS != a.second || a.same == nil {
		if a.later == nil {
			a.later = make(map[route]int64)
		}
		maps.Copy(a.later, a.same)
		a.same, a.second = make(map[route]int64), m.TS
	}
	if m.From != "" {
		a.same[route{m.Thread, m.From, m.To}] = show.Millis(m.TS)
	}
}

// To returns when the message that was noted last was answered, or 0.
func (a *Answers) To(m *samp.Found) int64 { return a.later[route{m.Thread, m.To, m.From}] }

// Of says what became of a message, which was answered at a time in Unix milliseconds, or with
// 0 was not.
func (t *Tracker) Of(m *samp.Found, answered int64) panel.Receipt {
	to := t.receiver(m.To)
	r := panel.Receipt{State: panel.ReceiptSent, Alias: show.Line(m.To), Time: show.Millis(m.TS)}
	when, read := to.mark.Read(m)
	switch {
	case answered != 0:
		r.State, r.Time = panel.ReceiptAnswered, answered
	case read:
		r.State, r.Time = panel.ReceiptRead, 0
		if !when.IsZero() {
			r.Time = show.Time(when.UnixMilli())
		}
	case to.notified(m.From + ":" + m.Key):
		r.State, r.Time = panel.ReceiptTold, 0
	case len(to.sessions) > 0 && !to.alive:
		r.State, r.Reason = panel.ReceiptNobody, panel.ReasonEnded
	case !to.known:
		r.State, r.Reason = panel.ReceiptNobody, panel.ReasonUnknown
	case t.Now.Unix()-m.TS >= int64(waitsLong/time.Second):
		r.State, r.Reason = panel.ReceiptNobody, panel.ReasonWaits
	}
	return r
}

// notified reports whether an agent was told of a message, by its key, whose session is under way.
func (r *receiver) notified(key string) bool {
	return slices.ContainsFunc(r.sessions, func(s activity.Session) bool { return s.State != activity.Ended && slices.Contains(s.Notified, key) })
}

func (t *Tracker) receiver(alias string) *receiver {
	if r := t.to[alias]; r != nil {
		return r
	}
	r := &receiver{mark: t.Marks.Receipts(alias, t.Now)}
	for i := range t.Reach.Sessions {
		if s := &t.Reach.Sessions[i]; s.Reads(alias, t.Reach.Mail) {
			r.sessions = append(r.sessions, *s)
			r.alive = r.alive || s.State != activity.Ended
		}
	}
	r.known = alias == t.Person || len(r.sessions) > 0 || t.Marks.Known(alias) || t.Reach.Party(alias).Way != ""
	if t.to == nil {
		t.to = make(map[string]*receiver)
	}
	t.to[alias] = r
	return r
}

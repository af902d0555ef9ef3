// Package receipt finds out what became of a sent message: whether its receiver was notified
// of it, has read it or has answered it, or whether no one reads it. Lists, threads, commands
// and agents' tools all use it, so that they agree.
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

// longWait is the age from which a message counts as read by no one, if its receiver was not
// notified of it.
const longWait = time.Hour

// Marks reports, for one message directory, who has read and written mail.
type Marks interface {
	// Receipts returns the messages that were read under a name by now, or nil.
	Receipts(alias string, now time.Time) *sampstore.Receipts
	// Known reports whether somebody has written or read mail under a name.
	Known(alias string) bool
}

// Tracker finds out what became of mail in one message directory at one moment. It is for one
// goroutine.
type Tracker struct {
	// Reach holds the sessions of agents that read the mail, and the work trees: an agent that
	// begins to work in a work tree reads the mail to its name.
	Reach *agents.Reaching
	Marks Marks
	// Person is the user's alias, or empty.
	Person string
	Now    time.Time

	receivers map[string]*receiver
}

// receiver holds the facts about one receiver of mail.
type receiver struct {
	mark *sampstore.Receipts
	// known is set if somebody reads the mail or may begin to read it.
	known bool
	// sessions lists the agents' sessions that read the mail. alive is set if one of them has
	// not ended.
	sessions []activity.Session
	alive    bool
}

// Answers finds the answers to messages, while a caller walks the messages from the newest to
// the oldest.
type Answers struct {
	// later holds, in Unix milliseconds, when one alias first wrote to another in a thread
	// after the present second. sameSecond does so for the present second itself, since the
	// order within a second is unknown.
	later, sameSecond map[route]int64
	second            int64
}

type route struct{ thread, from, to string }

// Note adds the next message. A zero message answers nothing.
func (a *Answers) Note(m *samp.Found) {
	if m.TS != a.second || a.sameSecond == nil {
		if a.later == nil {
			a.later = make(map[route]int64)
		}
		maps.Copy(a.later, a.sameSecond)
		a.sameSecond, a.second = make(map[route]int64), m.TS
	}
	if m.From != "" {
		a.sameSecond[route{m.Thread, m.From, m.To}] = show.Millis(m.TS)
	}
}

// To returns when the message that was noted last was answered, in Unix milliseconds, or 0.
func (a *Answers) To(m *samp.Found) int64 { return a.later[route{m.Thread, m.To, m.From}] }

// Of returns the receipt of a message. answered is when it was answered, in Unix milliseconds,
// or 0 if it was not.
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
	case t.Now.Unix()-m.TS >= int64(longWait/time.Second):
		r.State, r.Reason = panel.ReceiptNobody, panel.ReasonWaits
	}
	return r
}

// notified reports whether an agent whose session has not ended was notified of a message, by
// its key.
func (r *receiver) notified(key string) bool {
	return slices.ContainsFunc(r.sessions, func(s activity.Session) bool { return s.State != activity.Ended && slices.Contains(s.Notified, key) })
}

func (t *Tracker) receiver(alias string) *receiver {
	if r := t.receivers[alias]; r != nil {
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
	if t.receivers == nil {
		t.receivers = make(map[string]*receiver)
	}
	t.receivers[alias] = r
	return r
}

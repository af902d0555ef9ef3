package agents

import (
	"cmp"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
)

// quiet is how long an agent may work without writing to its log.
const quiet = 10 * time.Minute

// stopped is after how long it may have stopped for good.
const stopped = 2 * time.Hour

// Known is what is known of the sessions on this machine at one moment. It is for one goroutine.
type Known struct {
	// Sessions are those that hooks told of, as [At] lists them.
	Sessions []activity.Session

	now   int64
	own   owns
	judge judge
}

// With returns what is known at a time, in Unix milliseconds, once hooks told of some sessions.
func With(sessions []activity.Session, now int64) *Known {
	return &Known{Sessions: sessions, now: now, own: newOwns()}
}

// Hooked returns what hooks told of a session, in its state, or nil.
func (k *Known) Hooked(client, id string) *activity.Session {
	i := slices.IndexFunc(k.Sessions, func(s activity.Session) bool { return s.Client == client && s.ID == id })
	if i < 0 {
		return nil
	}
	return &k.Sessions[i]
}

// Of returns what a session is doing that a program wrote down, and what it is called. sure is
// set if more is known than how its transcript ends.
func (k *Known) Of(it *sessionstore.Item) (s activity.Session, sure bool) {
	s = activity.Session{
		Client: it.Format.Client, Transcript: it.File, Alias: it.Alias,
		State: it.State, For: it.For, Since: it.Updated, Heard: it.Updated,
	}
	if it.Agent != "" || it.Parent != "" { // a subagent's, of which nobody tells
		s.State = Aged(s.State, it.Updated, k.now)
		return s, false
	}
	s.ID = it.ID
	if told := k.Hooked(s.Client, s.ID); told != nil {
		s = *told
		s.Alias = cmp.Or(s.Alias, it.Alias)
		return s, true
	}
	if o, runs := k.own.of(&s); runs {
		if state := statuses[o.Status]; state != s.State {
			become(&s, state, "", o.At)
		}
		k.judge.words(&s)
		return s, true
	}
	if len(k.own.about(&s)) > 0 && activity.Self().Start != "" { // it was killed, and the system tells
		s.State, s.For = activity.Ended, ""
		return s, true
	}
	s.State = Aged(s.State, it.Updated, k.now)
	return s, false
}

// Aged returns what an agent is at of whom nothing is known but its log, which says a state
// and was written last at a time, both times in Unix milliseconds.
func Aged(state activity.State, updated, now int64) activity.State {
	switch age := time.Duration(now-updated) * time.Millisecond; {
	case state == "": // nothing can be read of it
	case age >= activity.Silent:
		return activity.Ended
	case state == activity.Working && age >= stopped:
		return activity.Stopped
	case state == activity.Working && age >= quiet:
		return activity.Quiet
	}
	return state
}

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

// stopped is the time without writing after which an agent may have stopped for good.
const stopped = 2 * time.Hour

// Known holds what is known about the sessions on this machine at one moment. It is not safe for
// concurrent use.
type Known struct {
	// Sessions are the sessions that hooks reported, as [At] lists them.
	Sessions []activity.Session

	now    int64
	claude claudeFiles
	judge  judge
}

// With returns what is known at a time in Unix milliseconds, given the sessions that hooks
// reported.
func With(sessions []activity.Session, now int64) *Known {
	return &Known{Sessions: sessions, now: now, claude: newClaudeFiles()}
}

// Hooked returns a session as hooks reported it and [At] judged it, or nil.
func (k *Known) Hooked(client, id string) *activity.Session {
	i := slices.IndexFunc(k.Sessions, func(s activity.Session) bool { return s.Client == client && s.ID == id })
	if i < 0 {
		return nil
	}
	return &k.Sessions[i]
}

// Of returns the state and name of a session that a program recorded. sure is set if they rest on
// more than the end of its transcript.
func (k *Known) Of(it *sessionstore.Item) (s activity.Session, sure bool) {
	s = activity.Session{
		Client: it.Format.Client, Transcript: it.File, Alias: it.Alias,
		State: it.State, For: it.For, Since: it.Updated, Heard: it.Updated,
	}
	if it.Agent != "" || it.Parent != "" { // a subagent's, which no hook reports
		s.State = Aged(s.State, it.Updated, k.now)
		return s, false
	}
	s.ID = it.ID
	if told := k.Hooked(s.Client, s.ID); told != nil {
		s = *told
		s.Alias = cmp.Or(s.Alias, it.Alias)
		return s, true
	}
	if o, runs := k.claude.of(&s); runs {
		if state := claudeStates[o.Status]; state != s.State {
			become(&s, state, "", o.At)
		}
		k.judge.words(&s)
		return s, true
	}
	if len(k.claude.about(&s)) > 0 && activity.Self().Start != "" { // it was killed: the system reports processes
		s.State, s.For = activity.Ended, ""
		return s, true
	}
	s.State = Aged(s.State, it.Updated, k.now)
	return s, false
}

// Aged returns the state of an agent about which only its log is known: the state in the log and
// the time of its last change. Both times are in Unix milliseconds.
func Aged(state activity.State, updated, now int64) activity.State {
	switch age := time.Duration(now-updated) * time.Millisecond; {
	case state == "": // the log shows none
	case age >= activity.Silent:
		return activity.Ended
	case state == activity.Working && age >= stopped:
		return activity.Stopped
	case state == activity.Working && age >= quiet:
		return activity.Quiet
	}
	return state
}

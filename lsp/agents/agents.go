// Package agents decides what each session of an agent's program is doing, and how the agent is
// reached. It is the only place that does. It combines the events that hooks recorded, what a
// hook or a question of our tools waits for, the program's own record, the end of the transcript,
// and whether the process still runs where a person can reach it.
//
// Start with [At] for the sessions that hooks tell of, with [Known.Of] for one that a program
// wrote down, and with [Reach] for how agents are reached. All files are the person's own and are
// only read. Of this project the package imports core/session, lsp/agents/activity and ask, lsp/who,
// and lsp/session.
package agents

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
)

// At returns the sessions of a state folder. What is listed or followed of them is in the
// state that this package finds.
func At(stateDir string) activity.Folder {
	j := &judge{terminals: activity.Programs, requests: ask.At(stateDir)}
	f := activity.At(stateDir)
	f.Judge = j.judge
	return f
}

// judge finds what sessions are doing.
type judge struct {
	endings  sessionstore.Endings
	requests ask.Folder
	// terminals lists the programs with a name that run in a terminal.
	terminals func(name string) ([]activity.Program, bool)
}

// lag is how much later than a hook's event a program may write what came before it, in
// milliseconds.
const lag = 1000

// missed is after how long without an event a turn that the transcript says is over is over,
// in milliseconds: the hook that would tell it did not run.
const missed = 30_000

func (j *judge) judge(list []activity.Session, now int64) {
	asked := j.requests.Look() // whoever answers them says which are not taken
	own := newOwns()
	for i := range list {
		s := &list[i]
		if s.State == activity.Ended || !s.Ask.Open() {
			s.Ask = activity.Ask{}
		}
		if s.State == activity.Ended || !s.Wakeable() {
			s.Waiter = activity.Process{}
		}
		if s.State == activity.Ended {
			j.ended(s, now)
			continue
		}
		requested(s, asked)
		j.correct(s, &own, now)
		j.ask(s)
		if s.State != activity.Working && s.Ask.Text == "" && j.unreachable(s) {
			if s.State != activity.Waiting {
				s.For = ""
			}
			s.State = activity.Ended
		}
	}
}

// ended says what a session waited for when it ended, unless its transcript shows that it went on
// before, or was interrupted.
func (j *judge) ended(s *activity.Session, now int64) {
	if s.For == "" {
		return
	}
	before := *s
	before.State = activity.Waiting
	if j.transcript(&before, now); before.State != activity.Waiting {
		before.For = ""
	}
	s.For = before.For
}

// requested has a session wait while a hook of it waits for the person's decision, and go on once
// that was given: no event tells so before the hook has passed it on.
func requested(s *activity.Session, asked *ask.Snapshot) {
	own := func(r ask.Request) bool { return r.Of(s.Client, s.ID) }
	if i := slices.IndexFunc(asked.List, own); i >= 0 {
		if r := &asked.List[i]; s.State != activity.Waiting || s.For == "" {
			become(s, activity.Waiting, r.Wants(), r.Since)
		}
	} else if i := slices.IndexFunc(asked.Passing, own); i >= 0 && s.State == activity.Waiting {
		become(s, activity.Working, "", asked.Passing[i].Since)
	}
}

// correct sets what a session is doing by what its program keeps itself.
func (j *judge) correct(s *activity.Session, own *owns, now int64) {
	if o, ok := own.of(s); ok {
		o.overrule(s, now)
	} else {
		j.transcript(s, now)
	}
	j.words(s)
}

// words says what a session waits for of which only that is known.
func (j *judge) words(s *activity.Session) {
	if s.State == activity.Waiting && s.For == "" {
		end := j.endings.Of(s.Client, s.Transcript)
		s.For = cmp.Or(end.For, end.Asks, "permission")
	}
}

// ask has a session wait for the answer to the question that it asked by mail, unless it has
// begun to wait for something else since, as a subagent's permission.
func (j *judge) ask(s *activity.Session) {
	switch {
	case s.Ask.Text == "":
	case s.State == activity.Waiting && s.Since > s.Ask.Since:
		s.Ask = activity.Ask{}
	default:
		become(s, activity.Waiting, s.Ask.Text, s.Ask.Since)
	}
}

// transcript corrects what hooks told by how the transcript ends. No program has a hook for a
// turn that the person interrupts, and some have none for what they ask.
func (j *judge) transcript(s *activity.Session, now int64) {
	end := j.endings.Of(s.Client, s.Transcript)
	over := end.State == activity.Idle || end.State == activity.Ended
	goesOn := end.Updated > s.Since+lag
	switch s.State {
	case activity.Waiting:
		// A call from before that has not ended may be the one that waits, beside another.
		open := end.Open > 0 && end.Open <= s.Since+lag
		switch {
		case end.Interrupted > s.Since, over && end.Updated > s.Since:
			become(s, activity.Idle, "", max(end.Interrupted, end.Updated))
		case end.State == activity.Waiting && end.Updated > s.Since && end.For != "": // for something else by now
			become(s, activity.Waiting, end.For, end.Updated)
		case end.State == activity.Working && goesOn && !open:
			become(s, activity.Working, "", end.Updated)
		}
	case activity.Working:
		switch {
		case end.State == activity.Waiting && end.Updated >= s.Since:
			become(s, activity.Waiting, end.For, end.Updated)
		case over && (end.Interrupted > s.Heard || end.Updated > s.Heard && now-end.Updated > missed):
			become(s, activity.Idle, "", max(end.Interrupted, end.Updated))
		}
	case activity.Idle: // a turn may begin without a hook, as one that another program's hook holds
		if end.Acted > s.Since+lag && (end.State == activity.Working || end.State == activity.Waiting) {
			become(s, end.State, end.For, end.Updated)
		}
	case activity.Quiet, activity.Stopped, activity.Ended:
	}
}

func become(s *activity.Session, state activity.State, waitsFor string, since int64) {
	s.State, s.For, s.Since = state, waitsFor, since
}

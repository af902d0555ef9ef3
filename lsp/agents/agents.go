// Package agents decides what each session of an agent's program is doing, and how the agent is
// reached. It is the only place that does. It combines the events that hooks recorded, what a
// hook or a question of our tools waits for, the program's own record, the end of the transcript,
// and whether the process still runs where a person can reach it.
//
// Start with [At] for the sessions that hooks report, with [Known.Of] for a session that a program
// recorded, and with [NewReaching] for how agents are reached. All files belong to the person and are
// only read. From this project, the package imports core/session, lsp/agents/activity and ask,
// lsp/who, and lsp/session.
package agents

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
)

// At returns the sessions of a state folder. Listed and followed sessions have the state that
// this package finds.
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

// lag is how long after a hook's event a program may still write what happened before the event,
// in milliseconds.
const lag = 1000

// missedHook is the time without an event, in milliseconds, after which a turn that has ended in
// the transcript counts as over: the hook that reports the end did not run.
const missedHook = 30_000

// judge corrects the state of each session at a time in Unix milliseconds.
func (j *judge) judge(list []activity.Session, now int64) {
	asked := j.requests.Look() // its errors are reported by whoever lists the requests
	claude := newClaudeFiles()
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
		j.correct(s, &claude, now)
		j.ask(s)
		if s.State != activity.Working && s.Ask.Text == "" && j.unreachable(s) {
			if s.State != activity.Waiting {
				s.For = ""
			}
			s.State = activity.Ended
		}
	}
}

// ended clears what a session waited for when it ended if its transcript shows that it went on or
// was interrupted before.
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

// requested sets a session to waiting while one of its hooks waits for the person's decision, and
// to working once the person has decided: no event reports that before the hook has passed the
// decision on.
func requested(s *activity.Session, asked *ask.Snapshot) {
	bySession := func(r ask.Request) bool { return r.Of(s.Client, s.ID) }
	if i := slices.IndexFunc(asked.List, bySession); i >= 0 {
		if r := &asked.List[i]; s.State != activity.Waiting || s.For == "" {
			become(s, activity.Waiting, r.Wants(), r.Since)
		}
	} else if i := slices.IndexFunc(asked.Passing, bySession); i >= 0 && s.State == activity.Waiting {
		become(s, activity.Working, "", asked.Passing[i].Since)
	}
}

// correct sets the state of a session from the program's own records.
func (j *judge) correct(s *activity.Session, claude *claudeFiles, now int64) {
	if o, ok := claude.of(s); ok {
		o.overrule(s, now)
	} else {
		j.transcript(s, now)
	}
	j.words(s)
}

// words fills in what a waiting session waits for, if that is not known yet.
func (j *judge) words(s *activity.Session) {
	if s.State == activity.Waiting && s.For == "" {
		end := j.endings.Of(s.Client, s.Transcript)
		s.For = cmp.Or(end.For, end.Asks, "permission")
	}
}

// ask sets a session to waiting for the answer to the question that it asked by mail, unless it
// has since begun to wait for something else, such as a subagent's permission.
func (j *judge) ask(s *activity.Session) {
	switch {
	case s.Ask.Text == "":
	case s.State == activity.Waiting && s.Since > s.Ask.Since:
		s.Ask = activity.Ask{}
	default:
		become(s, activity.Waiting, s.Ask.Text, s.Ask.Since)
	}
}

// transcript corrects the state that hooks reported by the end of the transcript. No program has a
// hook for a turn that the person interrupts, and some have no hook for their questions.
func (j *judge) transcript(s *activity.Session, now int64) {
	end := j.endings.Of(s.Client, s.Transcript)
	over := end.State == activity.Idle || end.State == activity.Ended
	goesOn := end.Updated > s.Since+lag
	switch s.State {
	case activity.Waiting:
		// An earlier call that is still open may be the one that waits, while another call runs.
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
		case over && (end.Interrupted > s.Heard || end.Updated > s.Heard && now-end.Updated > missedHook):
			become(s, activity.Idle, "", max(end.Interrupted, end.Updated))
		}
	case activity.Idle: // a turn may begin without our hook, such as when another hook keeps the agent going
		if end.Acted > s.Since+lag && (end.State == activity.Working || end.State == activity.Waiting) {
			become(s, end.State, end.For, end.Updated)
		}
	case activity.Quiet, activity.Stopped, activity.Ended:
	}
}

func become(s *activity.Session, state activity.State, waitsFor string, since int64) {
	s.State, s.For, s.Since = state, waitsFor, since
}

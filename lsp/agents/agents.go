// Package agents decides what each session of an agent's program is doing. It is the only
// place that does. It combines the events that hooks recorded, a question of our tools that
// waits for the person, the program's own record, the end of the transcript, and whether
// the process still runs where a person can reach it.
//
// Start with [At]. All files are the person's own and are only read. Of this project the
// package imports core/session, and of lsp/store disk, session and transcript.
package agents

import (
	core "github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents/session"
	"github.com/signalbox-dev/signalbox/lsp/store/transcript"
)

// At returns the sessions of a state folder. What is listed or followed of them is in the
// state that this package finds.
func At(stateDir string) session.Folder {
	j := &judge{terminals: session.Programs}
	f := session.At(stateDir)
	f.Judge = j.judge
	return f
}

// judge finds what sessions are doing.
type judge struct {
	endings transcript.Endings
	// terminals lists the programs with a name that run in a terminal.
	terminals func(name string) ([]session.Program, bool)
}

// lag is how much later than a hook's event a program may write what came before it, in
// milliseconds.
const lag = 1000

// missed is after how long without an event a turn that the transcript says is over is over,
// in milliseconds: the hook that would tell it did not run.
const missed = 30_000

func (j *judge) judge(s *session.Session, now int64) {
	if s.State == session.Ended || !s.Ask.Open() {
		s.Ask = session.Ask{}
	}
	if s.State == session.Ended {
		s.For = ""
		return
	}
	if s.Ask.Text != "" { // it is answered by mail, wherever the person is
		become(s, session.Waiting, s.Ask.Text, s.Ask.Since)
		return
	}
	if own, ok := claudeOwn(s); ok {
		own.overrule(s)
	} else {
		j.transcript(s, now)
	}
	if s.State != session.Working && j.unreachable(s) {
		s.State, s.For = session.Ended, ""
	}
}

// transcript corrects what hooks told by how the transcript ends. No program has a hook for a
// turn that the person interrupts, and some have none for what they ask.
func (j *judge) transcript(s *session.Session, now int64) {
	end := j.endings.Of(s.Client, s.Transcript)
	over := end.State == core.Idle || end.State == core.Ended
	switch s.State {
	case session.Waiting:
		switch {
		case end.Interrupted > s.Since, over && end.Updated > s.Since:
			become(s, session.Idle, "", max(end.Interrupted, end.Updated))
		case end.State == core.Working && end.Updated > s.Since+lag:
			become(s, session.Working, "", end.Updated)
		}
	case session.Working:
		switch {
		case end.State == core.Waiting && end.Updated >= s.Since:
			become(s, session.Waiting, end.For, end.Updated)
		case over && (end.Interrupted > s.Heard || end.Updated > s.Heard && now-end.Updated > missed):
			become(s, session.Idle, "", max(end.Interrupted, end.Updated))
		}
	case session.Idle, session.Ended:
	}
}

func become(s *session.Session, state session.State, waitsFor string, since int64) {
	s.State, s.For, s.Since = state, waitsFor, since
}

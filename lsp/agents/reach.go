package agents

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

// Way is how an agent is reached. Only [Reaching] decides it.
type Way string

// The ways to reach an agent, best first.
const (
	// Send is mail to a working agent. Its hooks announce the mail at its next step.
	Send Way = "send"
	// Wake is mail that wakes an idle agent.
	Wake Way = "wake"
	// Type is mail, and a line typed into the agent's terminal in the calling window.
	Type Way = "type"
	// Wait is mail that waits until somebody continues an idle agent.
	Wait Way = "wait"
	// Continue resumes a session that has ended, with its program's own command.
	Continue Way = "continue"
	// SetUp is for a session whose program does not run our hooks: nothing reaches it.
	SetUp Way = "setUp"
	// Begin is mail to a work tree in which no agent is at work: the next one reads it.
	Begin Way = "begin"
)

// ways lists the ways by preference, for choosing among the sessions of one agent.
var ways = []Way{Send, Wake, Type, Wait, Continue}

// Reaching decides how agents are reached by mail in one directory at one moment.
type Reaching struct {
	// Sessions are in the order of [activity.Folder.List], at Now in Unix milliseconds.
	Sessions []activity.Session
	Now      int64
	// Mail is the message directory, a path without links.
	Mail string
	// Trees returns the work trees that have a name there.
	Trees func() []who.Known
	// Here reports whether a session runs in a terminal of the calling window. It is nil if
	// there is no window.
	Here func(*activity.Session) bool
	// codex lists the Codex processes that run in a terminal.
	codex func() ([]activity.Program, bool)
}

// NewReaching returns a [Reaching] for the sessions of a list and the message directory mail, without
// a window of an editor. now is in Unix milliseconds. trees is called at most once, when worktrees
// are needed.
func NewReaching(list []activity.Session, now int64, mail string, trees func() []who.Known) *Reaching {
	return &Reaching{
		Sessions: list, Now: now, Mail: who.Real(mail), Trees: sync.OnceValue(trees),
		codex: sync.OnceValues(func() ([]activity.Program, bool) { return activity.Programs("codex") }),
	}
}

// Of returns how a session that hooks report is reached. It is empty if the session reads other
// mail.
func (r *Reaching) Of(s *activity.Session) Way {
	switch {
	case s.State == activity.Ended:
		return Continue
	case !s.Reads(s.Alias, r.Mail):
		return ""
	case s.State != activity.Idle:
		return Send
	case (s.Wakeable() || r.queues(s)) && r.spare(s):
		return Wake
	case r.Here != nil && r.Here(s):
		return Type
	}
	return Wait
}

// OfRecorded returns how a session from [Known.Of] is reached. hooked is set if hooks report it,
// and resumes if a command can resume it.
func (r *Reaching) OfRecorded(s *activity.Session, hooked, resumes bool) Way {
	switch {
	case hooked && (resumes || s.State != activity.Ended):
		return r.Of(s)
	case hooked, s.State == activity.Ended && !resumes:
		return ""
	case resumes && s.State != activity.Working && s.State != activity.Waiting && s.State != activity.Quiet:
		return Continue
	}
	return SetUp
}

// Named returns the session that mail to a name reaches, and how. If several match, it returns the
// one that reads the mail first. It is nil if no session has the name.
func (r *Reaching) Named(alias string) (*activity.Session, Way) {
	var best *activity.Session
	at := len(ways)
	for i := range r.Sessions {
		s := &r.Sessions[i]
		if !s.Reads(alias, r.Mail) {
			continue
		}
		if n := slices.Index(ways, r.Of(s)); n >= 0 && n < at {
			best, at = s, n
		}
	}
	if best == nil {
		return nil, ""
	}
	return best, ways[at]
}

// Party is a possible recipient of mail.
type Party struct {
	Alias string
	Way   Way
	// Session is the session that is reached, or nil for a work tree without one.
	Session *activity.Session
	Tree    string // the work tree
}

// Parties returns the agents whose sessions have not ended and the named work trees, in the order
// of their names: everyone who reads mail now or will.
func (r *Reaching) Parties() (list []Party) {
	known := make(map[string]bool)
	add := func(p Party) {
		if !known[p.Alias] && samp.ValidAlias(p.Alias) {
			known[p.Alias] = true
			list = append(list, p)
		}
	}
	for i := range r.Sessions {
		if s, way := r.Named(r.Sessions[i].Alias); s != nil && way != Continue {
			add(Party{s.Alias, way, s, cmp.Or(s.Worktree, s.Folder)})
		}
	}
	for _, t := range r.Trees() {
		add(Party{t.Name, Begin, nil, t.Tree})
	}
	slices.SortStableFunc(list, func(a, b Party) int { return cmp.Compare(a.Alias, b.Alias) })
	return list
}

// About describes what an agent is doing and how it is reached: "idle, mail wakes it".
func (p *Party) About() string {
	if p.Session == nil {
		return "no agent at work"
	}
	return p.Session.Doing() + p.Way.More()
}

// More returns what a session's state alone does not say about how it is reached.
func (w Way) More() string {
	switch w {
	case Wake:
		return ", mail wakes it"
	case Type:
		return ", in a terminal here"
	case Wait:
		return ", until somebody goes on there"
	case Send, Continue, SetUp, Begin:
	}
	return ""
}

// Outcome describes in a sentence what happens to mail to a session.
func (p *Party) Outcome() string {
	switch p.Way {
	case Send:
		if p.Session.State == activity.Waiting {
			return p.Alias + " waits for a person, and sees this once it goes on"
		}
		return p.Alias + " is at work, and sees this at its next step"
	case Wake:
		return p.Alias + " is idle, and this wakes it"
	case Type, Wait:
		return p.Alias + " is idle, and reads this when somebody goes on with it" + p.in()
	case Continue:
		text := p.Alias + " has ended, and reads this when it goes on"
		if line, ok := Line(p.Session.Client, p.Session.ID); ok {
			text += ": \"" + line + "\"" + p.in()
		}
		return text
	case Begin:
		return "no agent is at work" + p.in() + ": the next one reads this as " + p.Alias
	case SetUp:
	}
	return ""
}

func (p *Party) in() string {
	if p.Tree == "" {
		return ""
	}
	return " in " + p.Tree
}

// Party returns the recipient with a name. It has only the name if no agent or work tree has it.
func (r *Reaching) Party(alias string) Party {
	if s, way := r.Named(alias); s != nil {
		return Party{alias, way, s, cmp.Or(s.Worktree, s.Folder)}
	}
	for _, t := range r.Trees() {
		if t.Name == alias {
			return Party{alias, Begin, nil, t.Tree}
		}
	}
	return Party{Alias: alias}
}

// spare reports whether a session may be woken again. It leaves the session's Holds unchanged.
func (r *Reaching) spare(s *activity.Session) bool {
	at := activity.Session{Holds: slices.Clone(s.Holds)}
	return at.MayHold(r.Now)
}

// queues reports whether an idle session of Codex is shown in a terminal, so that the person sees
// the turn that a queued message begins. If the terminal shows another session by now, Codex would
// run the turn unseen.
func (r *Reaching) queues(s *activity.Session) bool {
	if s.Client != "codex" || s.State != activity.Idle || Resume(s.Client, s.ID) == nil { // nil for an id that is not the program's
		return false
	}
	list, ok := r.codex()
	if !ok {
		return false
	}
	// A terminal that was started for the session shows it. Every other terminal in the folder
	// shows one of the sessions that were last active there.
	shown := 0
	for _, p := range list {
		switch {
		case p.Folder == "":
		case strings.Contains(p.Args, s.ID):
			return true
		case !resumes(&p) && shows(&p, s):
			shown++
		}
	}
	for i := range r.Sessions {
		o := &r.Sessions[i]
		if o.ID != s.ID && o.Client == "codex" && o.State != activity.Ended && sameFolder(o, s) && (o.State != activity.Idle || o.Since >= s.Since) {
			shown--
		}
	}
	return shown > 0
}

// resumes reports whether a terminal was started for one session.
func resumes(p *activity.Program) bool {
	return slices.Contains(strings.Split(p.Args, "\x00"), "resume")
}

func sameFolder(a, b *activity.Session) bool {
	return filepath.Clean(cmp.Or(a.Worktree, a.Folder)) == filepath.Clean(cmp.Or(b.Worktree, b.Folder))
}

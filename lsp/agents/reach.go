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

// Way is how an agent is reached. Every door asks [Reaching] for it.
type Way string

// The ways to reach an agent, the best first.
const (
	// Send is mail to an agent at work, which its hooks tell of at its next step.
	Send Way = "send"
	// Wake is mail that wakes an idle agent.
	Wake Way = "wake"
	// Type is mail, and a line typed into the terminal of the window that asks.
	Type Way = "type"
	// Wait is mail that waits until somebody goes on with an idle agent.
	Wait Way = "wait"
	// Continue goes on with a session that has ended, by its program's own command.
	Continue Way = "continue"
	// SetUp is for a session whose program runs no hooks of ours: nothing reaches it.
	SetUp Way = "setUp"
	// Begin is mail to a work tree in which no agent is at work: the next one reads it.
	Begin Way = "begin"
)

// ways are in the order in which the sessions of one agent are chosen from.
var ways = []Way{Send, Wake, Type, Wait, Continue}

// Reaching decides how agents are reached by mail in one directory, by what is known at one
// moment.
type Reaching struct {
	// Sessions are in the order of [activity.Folder.List], at Now in Unix milliseconds.
	Sessions []activity.Session
	Now      int64
	// Mail is the message directory, a path without links.
	Mail string
	// Trees returns the work trees that have a name there.
	Trees func() []who.Known
	// Here reports whether a session runs in a terminal of the window that asks. It is nil
	// where there is no window.
	Here func(*activity.Session) bool
	// codex lists what runs as Codex in a terminal.
	codex func() ([]activity.Program, bool)
}

// Reach returns how the sessions of a list are reached by mail in a directory, without a window.
// trees is called once, if work trees are asked for.
func Reach(list []activity.Session, now int64, mail string, trees func() []who.Known) *Reaching {
	return &Reaching{
		Sessions: list, Now: now, Mail: who.Real(mail), Trees: sync.OnceValue(trees),
		codex: sync.OnceValues(func() ([]activity.Program, bool) { return activity.Programs("codex") }),
	}
}

// Of returns how a session is reached that hooks tell of, or nothing if it reads other mail.
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

// Seen returns how a session is reached that its program wrote down, as [Known.Of] has it, of
// which hooks tell or not, and which a command goes on with or not.
func (r *Reaching) Seen(s *activity.Session, hooked, resumes bool) Way {
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

// Named returns the session by which mail to a name reaches an agent, and how: of several, the
// one that reads it first. It is nil if nobody has the name.
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

// Party is somebody whom one can write to.
type Party struct {
	Alias string
	Way   Way
	// Session is the one that is reached, nil for a work tree without any.
	Session *activity.Session
	// Tree is the work tree.
	Tree string
}

// Parties returns the agents that are under way, and the work trees that have a name, by
// name: who reads the mail, or will.
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

// About says in words what an agent is doing, and how it is reached: "idle, mail wakes it".
func (p *Party) About() string {
	if p.Session == nil {
		return "no agent at work"
	}
	return p.Session.Doing() + p.Way.More()
}

// More says what a session's state does not say of how it is reached.
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

// Told says what becomes of mail to a session, in a sentence.
func (p *Party) Told() string {
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

// Party returns who a name is, with nothing but the name for one that no agent has.
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

// spare reports whether a session was not woken too often of late. It is not forgotten how
// often.
func (r *Reaching) spare(s *activity.Session) bool {
	at := activity.Session{Holds: slices.Clone(s.Holds)}
	return at.Spare(r.Now)
}

// queues reports whether an idle session of Codex is shown in a terminal, so that a message
// that is queued for it begins a turn in sight of the person. The program would run it unseen
// for a session whose terminal shows another one by now.
func (r *Reaching) queues(s *activity.Session) bool {
	if s.Client != "codex" || s.State != activity.Idle || Resume(s.Client, s.ID) == nil { // an id that is none of the program's
		return false
	}
	list, ok := r.codex()
	if !ok {
		return false
	}
	// A terminal that was started for the session shows it; each other one of its folder shows
	// the sessions there that did something last.
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

// Package query is the language of the search: words, "phrases", and what a
// message must be, such as from:alice, is:unread or before:2026-11-01.
//
// Start with [Parse]. It takes whatever a user has typed so far and never fails:
// anything it does not understand is left out and listed as a [Problem] with its place.
// The methods of [Query] then report whether a message matches. All terms must hold,
// and terms after a minus must not.
package query

import (
	"math"
	"slices"

	"github.com/signalbox-dev/signalbox/core/needle"
)

// MaxTerms is how many terms a query has at most. More are a [Problem].
const MaxTerms = 32

// Kind is what a term is about.
type Kind string

// The kinds of terms. All but a Word are written as their name, a colon and a
// value.
const (
	Word     Kind = ""         // in the text, subject, sender or thread
	From     Kind = "from"     // the sender
	To       Kind = "to"       // the recipient
	Thread   Kind = "thread"   // the thread's name, title or id
	In       Kind = "in"       // the worktree, branch, agent or thread that it stands in
	Is       Kind = "is"       // one of the Is constants
	Protocol Kind = "protocol" // the format
	Before   Kind = "before"   // older than a local day, or than a time such as 3d
	After    Kind = "after"    // newer than a local day, or than a time such as 3d
	On       Kind = "on"       // on a local day

	// These are about what agents did, and no mail fits them.
	Client Kind = "client" // the agent's program
	Tool   Kind = "tool"   // the tool that it called, or what sort of tool
	File   Kind = "file"   // the file that it read or changed
)

// The groups of what stands in no worktree. Other values of [In] may be parts of names.
const (
	InMail  = "mail"
	InTasks = "tasks"
)

// The values of [Is].
const (
	IsUnread     = "unread"     // to the user, who has not read it
	IsRead       = "read"       // to the user, who has read it
	IsMine       = "mine"       // to the user or from them
	IsSuspicious = "suspicious" // may be forged
)

// Term is one condition.
type Term struct {
	Kind Kind
	// Not is set if it must not hold.
	Not bool
	// Needle is what a name or text has to hold, or with Whole has to be.
	Needle needle.Needle
	Whole  bool
	// Value is that of Is and Protocol.
	Value string
	// Trace is what the log of an agent shows of a Tool or File that fits, and the zero one
	// where it need not show anything. Rooted is set for a File that is a whole path.
	Trace  needle.Needle
	Rooted bool
	// Begin and End bound a time in Unix milliseconds: at or after Begin, and
	// before End.
	Begin, End int64
}

// Problem is a part of a query that was left out.
type Problem struct {
	// Offset and Length are in bytes of the query.
	Offset, Length int
	// Message says what was expected there.
	Message string
}

// Query is a parsed search. The zero Query has no terms and matches every message, so
// ask [Query.Empty] first.
type Query struct {
	Terms []Term
	// Problems are in the order of their places.
	Problems []Problem
}

// Empty reports whether there is nothing to look for.
func (q *Query) Empty() bool { return len(q.Terms) == 0 }

// Has reports whether a term is of a kind.
func (q *Query) Has(k Kind) bool {
	for i := range q.Terms {
		if q.Terms[i].Kind == k {
			return true
		}
	}
	return false
}

// Words returns what the texts of a message must hold.
func (q *Query) Words() []needle.Needle { return q.needles(Word) }

// Files returns what the paths of files must hold that an agent read or changed.
func (q *Query) Files() []needle.Needle { return q.needles(File) }

func (q *Query) needles(k Kind) []needle.Needle {
	var list []needle.Needle
	for i := range q.Terms {
		if t := &q.Terms[i]; t.Kind == k && !t.Not {
			list = append(list, t.Needle)
		}
	}
	return list
}

// Text reports whether the words are in the texts of a message as they have to
// be: each in one of them.
func (q *Query) Text(texts ...string) bool { return q.names(Word, texts) }

// From reports whether a sender is one that is looked for.
func (q *Query) From(name string) bool { return q.By(name) }

// By is [Query.From] for a sender that is called several names.
func (q *Query) By(names ...string) bool { return q.names(From, names) }

// To reports whether a recipient is one that is looked for.
func (q *Query) To(name string) bool { return q.names(To, []string{name}) }

// Thread reports whether a thread is one that is looked for, by what it is called.
func (q *Query) Thread(names ...string) bool { return q.names(Thread, names) }

// In reports whether a group is one that is looked for, by what it is called.
func (q *Query) In(names ...string) bool { return q.names(In, names) }

// Client reports whether a program is one that is looked for, by what it is called.
func (q *Query) Client(names ...string) bool { return q.names(Client, names) }

func (q *Query) names(k Kind, names []string) bool {
	for i := range q.Terms {
		if t := &q.Terms[i]; t.Kind == k && t.in(names) == t.Not {
			return false
		}
	}
	return true
}

// in reports whether one of some names is what a term asks for.
func (t *Term) in(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return t.Whole && t.Needle.Is(name) || !t.Whole && t.Needle.In(name)
	})
}

// Call is something that an agent did: what its tool is called and what sort it is, and the
// files that it was about, from the agent's folder on and by their whole paths, with "/"
// between the names.
type Call struct{ Tools, Files, Paths []string }

// Calls reports whether an agent did what is looked for: one call that fits all terms, and
// none that fits one after a minus.
func (q *Query) Calls(list []Call) bool {
	wanted := false
	for i := range q.Terms {
		t := &q.Terms[i]
		if t.called() && t.Not && slices.ContainsFunc(list, t.fits) {
			return false
		}
		wanted = wanted || t.called() && !t.Not
	}
	return !wanted || slices.ContainsFunc(list, func(c Call) bool {
		return !slices.ContainsFunc(q.Terms, func(t Term) bool { return t.called() && !t.Not && !t.fits(c) })
	})
}

func (t *Term) called() bool { return t.Kind == Tool || t.Kind == File }

func (t *Term) fits(c Call) bool {
	if t.Kind == Tool {
		return t.in(c.Tools)
	}
	return t.in(c.Files) || t.Rooted && t.in(c.Paths)
}

// Traces returns what the log of an agent that works in a folder must show of the calls that
// are looked for. The log need not show a part of the folder.
func (q *Query) Traces(folder string) []needle.Needle {
	var list []needle.Needle
	for i := range q.Terms {
		if t := &q.Terms[i]; t.called() && !t.Not && !t.Trace.Empty() && !(t.Rooted && t.Trace.In(folder)) {
			list = append(list, t.Trace)
		}
	}
	return list
}

// Mail reports whether messages may match that are no agent's own conversation.
func (q *Query) Mail() bool { return q.Client() && q.Calls(nil) }

// Protocol reports whether messages of a format are looked for.
func (q *Query) Protocol(name string) bool {
	for i := range q.Terms {
		if t := &q.Terms[i]; t.Kind == Protocol && (t.Value == name) == t.Not {
			return false
		}
	}
	return true
}

// State is what [Is] asks for.
type State struct{ Unread, Read, Mine, Suspicious bool }

// State reports whether a message in a state is one that is looked for. What may
// be forged is so only where the query asks for it.
func (q *Query) State(s State) bool {
	asked := false
	for i := range q.Terms {
		t := &q.Terms[i]
		if t.Kind != Is {
			continue
		}
		holds := false
		switch t.Value {
		case IsUnread:
			holds = s.Unread
		case IsRead:
			holds = s.Read
		case IsMine:
			holds = s.Mine
		case IsSuspicious:
			holds = s.Suspicious
			asked = asked || !t.Not
		}
		if holds == t.Not {
			return false
		}
	}
	return asked || !s.Suspicious
}

// Suspicious reports whether what may be forged is looked for, and nothing else.
func (q *Query) Suspicious() bool {
	for i := range q.Terms {
		if t := &q.Terms[i]; t.Kind == Is && t.Value == IsSuspicious && !t.Not {
			return true
		}
	}
	return false
}

// Time reports whether a time in Unix milliseconds is one that is looked for.
func (q *Query) Time(ms int64) bool {
	for i := range q.Terms {
		t := &q.Terms[i]
		if t.dated() && (t.Begin <= ms && ms < t.End) == t.Not {
			return false
		}
	}
	return true
}

// Span returns the bounds outside of which [Query.Time] is false: at or after begin,
// and before end unless that is the largest number.
func (q *Query) Span() (begin, end int64) {
	begin, end = math.MinInt64, math.MaxInt64
	for i := range q.Terms {
		switch t := &q.Terms[i]; {
		case t.dated() && !t.Not:
			begin, end = max(begin, t.Begin), min(end, t.End)
		case t.Kind == Before:
			begin = max(begin, t.End)
		case t.Kind == After:
			end = min(end, t.Begin)
		}
	}
	return begin, end
}

func (t *Term) dated() bool { return t.Kind == Before || t.Kind == After || t.Kind == On }

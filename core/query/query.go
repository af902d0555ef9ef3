// Package query is the language of the search: words, "phrases", and conditions such as
// from:alice, is:unread or before:2026-11-01.
//
// Start with [Parse]. It takes whatever a user has typed so far and never fails:
// anything it does not understand is left out and listed as a [Problem] with its place.
// The methods of [Query] then report whether a message matches. All terms must match,
// and terms after a minus must not.
package query

import (
	"math"
	"slices"

	"github.com/signalbox-dev/signalbox/core/needle"
)

// MaxTerms is the maximum number of terms in a query. More are a [Problem].
const MaxTerms = 32

// Kind is the kind of a [Term].
type Kind string

// The kinds of terms. All but Word are written as a name, a colon and a value.
const (
	Word     Kind = ""         // in the text, subject, sender or thread
	From     Kind = "from"     // the sender
	To       Kind = "to"       // the recipient
	Thread   Kind = "thread"   // the thread's name, title or id
	In       Kind = "in"       // the worktree, branch, agent or thread of the message
	Is       Kind = "is"       // one of the Is constants
	Protocol Kind = "protocol" // the format
	Before   Kind = "before"   // older than a local day, or than a time such as 3d
	After    Kind = "after"    // newer than a local day, or than a time such as 3d
	On       Kind = "on"       // on a local day

	// These are about actions of agents, and no mail matches them.
	Client Kind = "client" // the agent's program
	Tool   Kind = "tool"   // the tool that it called, or the sort of the tool
	File   Kind = "file"   // the file that it read or changed
)

// The groups of messages outside all worktrees. Other values of [In] may be parts of names.
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
	// Not is set if the term must not match.
	Not bool
	// Needle is what a name or text must contain or, with Whole, must be equal to.
	Needle needle.Needle
	Whole  bool
	// Value is the value of an Is or Protocol term.
	Value string
	// Trace is a text that an agent's log shows if a Tool or File matches, or zero if the
	// log need not show any. Rooted is set for a File that is an absolute path.
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
	// Message describes what was expected there.
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

// Words returns the words and phrases that the texts of a message must contain.
func (q *Query) Words() []needle.Needle { return q.needles(Word) }

// Files returns the needles that the paths of files an agent read or changed must contain.
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

// Text reports whether the texts of a message match the words: each word is in one of
// them, and no word after a minus is.
func (q *Query) Text(texts ...string) bool { return q.names(Word, texts) }

// From reports whether a sender matches.
func (q *Query) From(name string) bool { return q.By(name) }

// By is [Query.From] for a sender with several names.
func (q *Query) By(names ...string) bool { return q.names(From, names) }

// To reports whether a recipient matches.
func (q *Query) To(name string) bool { return q.names(To, []string{name}) }

// Thread reports whether a thread with these names matches.
func (q *Query) Thread(names ...string) bool { return q.names(Thread, names) }

// In reports whether a group with these names matches.
func (q *Query) In(names ...string) bool { return q.names(In, names) }

// Client reports whether an agent's program with these names matches.
func (q *Query) Client(names ...string) bool { return q.names(Client, names) }

func (q *Query) names(k Kind, names []string) bool {
	for i := range q.Terms {
		if t := &q.Terms[i]; t.Kind == k && t.in(names) == t.Not {
			return false
		}
	}
	return true
}

// in reports whether one of the names matches a term.
func (t *Term) in(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return t.Whole && t.Needle.Is(name) || !t.Whole && t.Needle.In(name)
	})
}

// Call is a call of a tool by an agent. Tools are the tool's name and sort. Files are the paths
// of its files, relative to the agent's folder if they are below it, and Paths are the absolute
// ones, all with "/" as separator.
type Call struct{ Tools, Files, Paths []string }

// Calls reports whether an agent's calls match: one call matches all terms about calls, and no
// call matches a term after a minus.
func (q *Query) Calls(list []Call) bool {
	wanted := false
	for i := range q.Terms {
		t := &q.Terms[i]
		if t.isCall() && t.Not && slices.ContainsFunc(list, t.matches) {
			return false
		}
		wanted = wanted || t.isCall() && !t.Not
	}
	return !wanted || slices.ContainsFunc(list, func(c Call) bool {
		return !slices.ContainsFunc(q.Terms, func(t Term) bool { return t.isCall() && !t.Not && !t.matches(c) })
	})
}

func (t *Term) isCall() bool { return t.Kind == Tool || t.Kind == File }

// matches reports whether a call matches a Tool or File term, without its Not.
func (t *Term) matches(c Call) bool {
	if t.Kind == Tool {
		return t.in(c.Tools)
	}
	return t.in(c.Files) || t.Rooted && t.in(c.Paths)
}

// Traces returns the texts that the log of an agent in a folder shows if its calls match. The
// log need not show a part of the folder.
func (q *Query) Traces(folder string) []needle.Needle {
	var list []needle.Needle
	for i := range q.Terms {
		if t := &q.Terms[i]; t.isCall() && !t.Not && !t.Trace.Empty() && !(t.Rooted && t.Trace.In(folder)) {
			list = append(list, t.Trace)
		}
	}
	return list
}

// Mail reports whether messages may match that are not turns of an agent's session.
func (q *Query) Mail() bool { return q.Client() && q.Calls(nil) }

// Protocol reports whether a format matches.
func (q *Query) Protocol(name string) bool {
	for i := range q.Terms {
		if t := &q.Terms[i]; t.Kind == Protocol && (t.Value == name) == t.Not {
			return false
		}
	}
	return true
}

// State is the state of a message, which [Is] terms check.
type State struct{ Unread, Read, Mine, Suspicious bool }

// State reports whether a message's state matches. A message that may be forged
// matches only if the query asks for such messages.
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

// Suspicious reports whether only messages that may be forged match.
func (q *Query) Suspicious() bool {
	for i := range q.Terms {
		if t := &q.Terms[i]; t.Kind == Is && t.Value == IsSuspicious && !t.Not {
			return true
		}
	}
	return false
}

// Time reports whether a time in Unix milliseconds matches.
func (q *Query) Time(ms int64) bool {
	for i := range q.Terms {
		t := &q.Terms[i]
		if t.dated() && (t.Begin <= ms && ms < t.End) == t.Not {
			return false
		}
	}
	return true
}

// Span returns bounds outside of which [Query.Time] is false. Times are at or after begin,
// and before end unless end is the largest number.
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

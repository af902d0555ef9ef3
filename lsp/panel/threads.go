package panel

import (
	"fmt"
	"slices"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
)

// Sort is an order of the inbox.
type Sort string

// The orders of an inbox, as values of [InboxParams.Sort].
const (
	SortNewest Sort = "newest" // the default
	SortOldest Sort = "oldest"
	SortUnread Sort = "unread" // threads that wait for the user, then the others, both newest first
	SortSender Sort = "sender" // by the shown name of who wrote last, then newest first
)

// Sorts are all orders.
var Sorts = []Sort{SortNewest, SortOldest, SortUnread, SortSender}

// ParseSort returns an order, the default for an empty one. Any other text is an error of kind
// Malformed.
func ParseSort(s Sort) (Sort, error) {
	if s == "" {
		return SortNewest, nil
	}
	if slices.Contains(Sorts, s) {
		return s, nil
	}
	return "", &Error{Kind: Malformed, Message: fmt.Sprintf("sort is to be one of %v", Sorts), Detail: "sort"}
}

// InboxFilter filters an inbox. Absent fields do not filter.
type InboxFilter struct {
	Unread     bool `json:"unread,omitempty"`
	Mine       bool `json:"mine,omitempty"`
	Asks       bool `json:"asks,omitempty"` // threads with a ThreadItem.Question
	NeedsReply bool `json:"needsReply,omitempty"`
	// Section selects the mail threads that Needs You lists in it.
	Section    NeedSection `json:"-"`
	Protocol   string      `json:"protocol,omitempty"`
	Text       string      `json:"text,omitempty"`
	Suspicious bool        `json:"suspicious,omitempty"`
	Group      string      `json:"group,omitempty"` // a Group.ID
	// Archived selects only archived threads, which are hidden otherwise, and Snoozed only
	// snoozed threads. With both, both are selected.
	Archived bool `json:"archived,omitempty"`
	Snoozed  bool `json:"snoozed,omitempty"`
	// Everywhere selects all threads, put away or not.
	Everywhere bool `json:"everywhere,omitempty"`
}

// NeedSection is the part of Needs You that a [NeedItem] is listed in.
type NeedSection string

// The sections of Needs You, in their order.
const (
	// SectionBlocked lists agents that cannot go on without the user: they wait for
	// permission or with a plan, raised an escalation, failed, or are overdue.
	SectionBlocked NeedSection = "blocked"
	// SectionQuestions lists questions by mail, agents' forms, urgent mail and threads that
	// are back from being snoozed.
	SectionQuestions NeedSection = "questions"
	// SectionUnanswered lists mail that needs a reply and asks nothing, and idle agents with
	// unread mail. They block no agent.
	SectionUnanswered NeedSection = "unanswered"
)

// Shown reports whether the filter asks for threads in a state.
func (f *InboxFilter) Shown(s shelf.State) bool {
	if f.Everywhere {
		return true
	}
	if f.Archived || f.Snoozed {
		return f.Archived && s == shelf.Archived || f.Snoozed && s == shelf.Snoozed
	}
	return !s.Hidden()
}

// Wants reports whether the filter asks for threads of a format.
func (f *InboxFilter) Wants(p mail.Protocol) bool { return f.Protocol == "" || f.Protocol == string(p) }

// InboxParams are the params of signalbox/inbox/list. Limit 0 means the
// default; Cursor is an InboxPage.NextCursor of a page in the same order. An empty Sort
// means [SortNewest].
type InboxParams struct {
	Filter InboxFilter `json:"filter,omitzero"`
	Sort   Sort        `json:"sort,omitempty"`
	Cursor string      `json:"cursor,omitempty"`
	Limit  int         `json:"limit,omitempty"`
}

// InboxPage is the result of signalbox/inbox/list, newest thread first or as asked.
type InboxPage struct {
	Threads    []ThreadItem `json:"threads"`
	NextCursor string       `json:"nextCursor,omitempty"`
	Unread     int          `json:"unread"`
	NeedsReply int          `json:"needsReply"`
	Suspicious int          `json:"suspicious"`
	// Groups are all groups, whatever the filter: worktrees, then mail. They count the threads
	// that Archived, Snoozed and Everywhere of the filter select.
	Groups   []Group   `json:"groups"`
	Revision int64     `json:"revision"`
	Warnings []Warning `json:"warnings"`
}

// GroupKind is the kind of a [Group].
type GroupKind string

// The kinds of a [Group].
const (
	GroupMail     GroupKind = "mail"     // the message directories
	GroupWorktree GroupKind = "worktree" // a checkout of a repository, or a plain folder
)

// Group is what a list puts threads under: the mail, or the worktree in which
// agents held their conversations.
type Group struct {
	ID       string    `json:"id"`
	Kind     GroupKind `json:"kind"`
	Title    string    `json:"title"`            // the branch, or the name of the worktree
	Path     string    `json:"path,omitempty"`   // of the worktree or folder
	Branch   string    `json:"branch,omitempty"` // empty if there is none, as in a detached checkout
	Main     bool      `json:"main,omitempty"`   // the repository's main checkout
	Gone     bool      `json:"gone,omitempty"`   // the worktree was removed; its threads are from the cache
	Note     string    `json:"note,omitempty"`   // what is special, in words: gone, cannot be read, detached
	Threads  int       `json:"threads"`
	Unread   int       `json:"unread"`
	LastTime int64     `json:"lastTime"` // 0 if there is no thread
	// Bare is set by a source if the group has no agent's thread of its format. If all sources
	// set it, the group is not listed.
	Bare bool `json:"-"`
	// Tree is set for a checkout of a repository. A bare repository is not one.
	Tree bool `json:"-"`
	// Opened is set for a folder that is open in the editor.
	Opened bool `json:"opened,omitempty"`
}

// MailGroup is the [Group.ID] of the mail of all formats. The ids of other groups are
// longer.
const MailGroup = "mail"

// ThreadItem is one thread as a list shows it.
type ThreadItem struct {
	Ref          Ref      `json:"ref"`
	Protocol     string   `json:"protocol"`
	Title        string   `json:"title"`          // its title or subject, or the first words of its first message
	Name         string   `json:"name,omitempty"` // for link/resolve; empty if no link can contain the name
	Participants []string `json:"participants"`
	LastFrom     string   `json:"lastFrom"`
	LastTo       string   `json:"lastTo"`
	LastTime     int64    `json:"lastTime"`
	FirstTime    int64    `json:"firstTime"`
	Count        int      `json:"count"`
	Unread       int      `json:"unread"`
	// NeedsReply is set if the newest message is to the user, from somebody else, and asks
	// something, or is younger than [NeedsReplyFor] and more than thanks or the like. It is also
	// set if an unread question came late, and if the thread is back from being snoozed. It is
	// never set for a thread that is put away.
	NeedsReply bool     `json:"needsReply"`
	Unsure     bool     `json:"unsure,omitempty"`  // the text does not show whether it needs a reply
	NoReply    bool     `json:"noReply,omitempty"` // the user said that it needs no reply
	Mine       bool     `json:"mine"`
	Preview    string   `json:"preview"` // one line, at most 200 characters
	Marks      []string `json:"marks"`   // "sync copy", "late", "suspicious", "gone", "faulty"
	// Archived is set if the user archived the thread. Snoozed is when a snoozed thread comes
	// back. Returned is set once it is back, until it is read.
	Archived bool  `json:"archived,omitempty"`
	Snoozed  int64 `json:"snoozed,omitempty"`
	Returned bool  `json:"returned,omitempty"`
	// Question is set if the thread's newest message asks the user something, or if an unread
	// message does that came after the newest was read. It is not set if the thread is put away.
	Question *ThreadQuestion `json:"question,omitempty"`
	// Urgent is set if it needs a reply, and its sender calls it urgent and can be trusted.
	Urgent bool `json:"-"`
	// Group is the ID of the [Group] that the thread is in.
	Group string `json:"group"`
	// Agent is set only for an agent's own conversation (ATSF).
	Agent *AgentThread `json:"agent,omitempty"`
	// Amp is set only for signed mail (amp/0.1).
	Amp *AmpThread `json:"amp,omitempty"`
}

// ThreadQuestion is a question to the user that nobody answered.
type ThreadQuestion struct {
	Message Ref      `json:"message"`
	Text    string   `json:"text"` // one line, at most 200 characters, without the options
	Options []string `json:"options,omitempty"`
	Urgent  bool     `json:"urgent,omitempty"`
	// From and Time are the message's, set if it may not be the newest of its thread.
	From string `json:"-"`
	Time int64  `json:"-"`
}

// PutAway sets the fields for a thread that is archived, snoozed, back from being snoozed or
// dismissed. A thread that is back needs a reply. NeedsReply and Question have to be set before.
func (i *ThreadItem) PutAway(s Shelved) {
	i.NoReply = s.Dismissed && i.Agent == nil // for an agent's thread it means that the user has looked
	if s.Quiet() {
		i.NeedsReply, i.Unsure, i.Urgent, i.Question = false, false, false, nil
	}
	switch s.State {
	case shelf.Archived:
		i.Archived = true
	case shelf.Snoozed:
		i.Snoozed = s.Until
	case shelf.Due:
		i.Returned, i.NeedsReply, i.Unsure = true, true, false
	case shelf.InInbox:
	}
}

// AgentThread is what only an agent's own conversation has.
type AgentThread struct {
	Name      string `json:"name"`             // the agent's
	Branch    string `json:"branch,omitempty"` // at the thread's beginning
	Dir       string `json:"dir"`              // the thread's directory, its address
	ThreadID  string `json:"threadId"`         // from thread.json, which may have another id
	Parent    string `json:"parent,omitempty"` // the thread that it was forked from
	ToolCalls int    `json:"toolCalls"`
	Fault     string `json:"fault,omitempty"` // why thread.json cannot be read, with the rule
	// State is what the agent is doing, according to hooks or, without them, to the end of its
	// log. It is empty if that is not known, as for a log that did not change for a day. For is
	// what a waiting agent waits for.
	State AgentState `json:"state,omitempty"`
	For   string     `json:"for,omitempty"`
	// Times is how many turns in a row failed the same way, if the log shows more than one.
	Times int `json:"times,omitempty"`
	// Unseen is set if the log changed within a day and the user has not opened it since.
	Unseen bool `json:"unseen,omitempty"`
	// Session is set for a session that an agent's program recorded.
	Session *SessionThread `json:"session,omitempty"`
}

// SessionThread is what only a session recorded by an agent's program has.
type SessionThread struct {
	Client  string `json:"client"` // claude, codex, gemini or copilot
	ID      string `json:"id"`     // the program's own
	Model   string `json:"model,omitempty"`
	Version string `json:"version,omitempty"` // of the program
	Folder  string `json:"folder"`            // where it works
	Alias   string `json:"alias,omitempty"`   // the alias that mail to it is for
	// Resume is the command that resumes it, in Folder. It is empty while it is under way.
	Resume []string `json:"resume,omitempty"`
	// Reach is how its agent is reached. It is empty if nothing does, as for a subagent.
	Reach Reach `json:"reach,omitempty"`
}

// InboxListsParams are the params of signalbox/inbox/lists, which returns the first pages of
// several lists at once.
type InboxListsParams struct {
	Filter InboxFilter `json:"filter,omitzero"`
	Sort   Sort        `json:"sort,omitempty"`
	Lists  []ListWish  `json:"lists" check:"most 200"`
}

// ListWish asks for the threads of a group, or for all threads if Group is empty. Limit 0
// means the default.
type ListWish struct {
	Group string `json:"group,omitempty"`
	Limit int    `json:"limit,omitempty"`
}

// InboxLists is the result of signalbox/inbox/lists: one page for each list, in their
// order, or one page without threads if no list was asked for. Only the first page has Groups
// and Warnings.
type InboxLists struct {
	Pages []InboxPage `json:"pages"`
}

// NeedsUser returns the state of an agent's thread if the thread needs the user, or "". It needs
// the user if the agent waits, or if it broke off and the user has not looked since. A thread that
// was put away does not need the user.
func (i *ThreadItem) NeedsUser() AgentState {
	switch a := i.Agent; {
	case a == nil || i.Archived || i.Snoozed != 0:
	case a.State == AgentWaiting, a.State == AgentFailed && a.Unseen:
		return a.State
	}
	return ""
}

// IsOf reports whether a thread belongs to a session, given by its client and id.
func (i *ThreadItem) IsOf(client, id string) bool {
	return i.Agent != nil && i.Agent.Session != nil && i.Agent.Session.Client == client && i.Agent.Session.ID == id
}

// SessionsParams are the params of signalbox/sessions/all. Text selects sessions whose title,
// program, branch or folder contains it. Limit 0 means the default.
type SessionsParams struct {
	Text  string `json:"text,omitempty"`
	Limit int    `json:"limit,omitempty"`
}

// SessionsPage is the result of signalbox/sessions/all: sessions of all repositories on this
// machine, and the groups that they are in. Sessions that wait for the user come first, then the
// newest. More is set if there are others.
type SessionsPage struct {
	Threads []ThreadItem `json:"threads"`
	Groups  []Group      `json:"groups"`
	More    bool         `json:"more,omitempty"`
}

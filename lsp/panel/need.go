package panel

import (
	"cmp"
	"slices"
)

// NeedKind is the kind of a [NeedItem].
type NeedKind string

// The kinds of a [NeedItem].
const (
	NeedQuestion   NeedKind = "question"
	NeedReply      NeedKind = "reply"
	NeedAgent      NeedKind = "agent"
	NeedEscalation NeedKind = "escalation"
	NeedOverdue    NeedKind = "overdue"
)

// NeedItem is one thing that waits for the user. Exactly one of its pointers is set, except that
// Request comes with Agent, and From with Question or Reply.
type NeedItem struct {
	Kind       NeedKind        `json:"kind"`
	Section    NeedSection     `json:"section"` // the part of Needs You that lists it
	Urgent     bool            `json:"urgent"`
	Time       int64           `json:"time"` // since when it waits
	Question   *Question       `json:"question,omitempty"`
	Reply      *ThreadItem     `json:"reply,omitempty"`   // it needs a reply and asks nothing, or is back from being snoozed
	Agent      *AgentItem      `json:"agent,omitempty"`   // it waits, or is idle with unread mail
	Request    *AgentRequest   `json:"request,omitempty"` // what the agent waits for, if it can be answered here
	From       *AgentItem      `json:"from,omitempty"`    // the agent that asks or wrote, if it is an agent at work
	Thread     *ThreadItem     `json:"thread,omitempty"`  // an agent's own thread, whose log shows that the agent waits or broke off
	Escalation *EscalationItem `json:"escalation,omitempty"`
	Overdue    *Overdue        `json:"overdue,omitempty"`
}

// Question is a message that asks the user. It is the newest of its thread, or an unread message
// that came late.
type Question struct {
	Thread  ThreadItem `json:"thread"`
	Message Ref        `json:"message"`
	From    string     `json:"from"`
	Text    string     `json:"text"` // one line, at most 200 characters, without the options
	Options []string   `json:"options,omitempty"`
	Time    int64      `json:"time"`
	Urgent  bool       `json:"urgent,omitempty"`
}

// NeedsParams are the params of signalbox/needs/list. Limit 0 means the default, and the
// largest is [MaxNeeds].
type NeedsParams struct {
	Limit int `json:"limit,omitempty" check:"most 500"`
}

// MaxNeeds is the largest number of rows in each list of a [NeedsPage].
const MaxNeeds = 500

// NeedsPage is the result of signalbox/needs/list: everything that waits for the user, over all
// formats and all agents on this machine. Items lists what is blocked, then the questions, the
// longest waiting of each first. Unanswered lists the rest, newest first. Each list is cut to the
// limit, and the counts include what was cut. Total, the number that people see everywhere, is the
// sum of Blocked and Questions.
type NeedsPage struct {
	Items           []NeedItem `json:"items"`
	Unanswered      []NeedItem `json:"unanswered"`
	Total           int        `json:"total"`
	Blocked         int        `json:"blocked"`
	Questions       int        `json:"questions"`
	UnansweredTotal int        `json:"unansweredTotal"`
	Revision        int64      `json:"revision"`
	Warnings        []Warning  `json:"warnings"`

	// Mail counts only the mail.
	Mail NeedCounts `json:"-"`
}

// NeedCounts count what needs the user.
type NeedCounts struct{ Blocked, Questions, Unanswered int }

// Total returns the number that people see everywhere.
func (c NeedCounts) Total() int { return c.Blocked + c.Questions }

// Count sets the counts of a page.
func (p *NeedsPage) Count(c NeedCounts) {
	p.Blocked, p.Questions, p.UnansweredTotal, p.Total = c.Blocked, c.Questions, c.Unanswered, c.Total()
}

// Cut sorts the lists and cuts each to the limit of a request.
func (p *NeedsPage) Cut(limit int) {
	if limit <= 0 {
		limit = pageDefault
	}
	limit = min(limit, MaxNeeds)
	slices.SortStableFunc(p.Items, func(a, b NeedItem) int {
		return cmp.Or(Rank(a.Section != SectionBlocked)-Rank(b.Section != SectionBlocked), cmp.Compare(a.Time, b.Time))
	})
	slices.SortStableFunc(p.Unanswered, func(a, b NeedItem) int { return cmp.Compare(b.Time, a.Time) })
	p.Items, p.Unanswered = p.Items[:min(len(p.Items), limit)], p.Unanswered[:min(len(p.Unanswered), limit)]
}

// AddMail adds the mail of a second page, for another name of the same reader.
func (p *NeedsPage) AddMail(second NeedsPage, limit int) {
	mail := func(list []NeedItem) []NeedItem {
		return slices.DeleteFunc(list, func(it NeedItem) bool { return it.Kind != NeedQuestion && it.Kind != NeedReply })
	}
	p.Items, p.Unanswered = append(p.Items, mail(second.Items)...), append(p.Unanswered, mail(second.Unanswered)...)
	p.Mail.Questions, p.Mail.Unanswered = p.Mail.Questions+second.Mail.Questions, p.Mail.Unanswered+second.Mail.Unanswered
	p.Count(NeedCounts{p.Blocked, p.Questions + second.Mail.Questions, p.UnansweredTotal + second.Mail.Unanswered})
	p.Cut(limit)
}

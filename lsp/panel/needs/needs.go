// Package needs answers requests for what waits for the user, over all formats and agents.
// Start with [Collector].
package needs

import (
	"cmp"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel/list"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// mailCounts counts the mail that needs the user.
func mailCounts(now *agents.Moment) panel.NeedCounts {
	counts := now.Views.Counts()
	return panel.NeedCounts{Questions: counts.Questions - len(returnedWithRow(now)), Unanswered: counts.NeedsReply - counts.Questions}
}

// returnedWithRow returns the threads that are back from being snoozed and need no row of their own,
// because their agents have one.
func returnedWithRow(now *agents.Moment) map[panel.Ref]bool {
	list := make(map[panel.Ref]bool)
	add := func(t *panel.ThreadItem) {
		if t != nil && t.Returned {
			list[t.Ref] = true
		}
	}
	waiting, _ := now.NeedingSessions()
	for _, s := range waiting {
		add(now.Thread(s))
	}
	for _, r := range now.Open() {
		add(now.Thread(&activity.Session{Client: r.Client, ID: r.Session}))
	}
	for _, t := range now.NeedingThreads() {
		add(&t)
	}
	return list
}

// Count counts what needs the user.
func Count(now *agents.Moment) panel.NeedCounts {
	c, alarms := mailCounts(now), now.Views.Alarms()
	waiting, idle := now.NeedingSessions()
	c.Blocked += len(waiting) + len(now.NeedingThreads()) + alarms.Open + alarms.Overdue
	c.Unanswered += len(idle)
	for _, r := range now.Open() {
		if sectionOf(&r) == panel.SectionBlocked {
			c.Blocked++
		} else {
			c.Questions++
		}
	}
	return c
}

// sectionOf returns the section that lists a request. A form asks, and any other request blocks its
// agent.
func sectionOf(r *ask.Request) panel.NeedSection {
	if r.Kind == ask.Question {
		return panel.SectionQuestions
	}
	return panel.SectionBlocked
}

// misplaced returns the warnings about mail in places where it is not read.
func misplaced(all []panel.Warning) (list []panel.Warning) {
	for _, w := range all {
		if w.Rule == "L3" {
			list = append(list, w)
		}
	}
	return list
}

// Collector answers requests for what waits for the user.
type Collector struct{ *agents.Follower }

// Needs returns what waits for the user.
func (c Collector) Needs(ctx context.Context, q panel.NeedsParams) (panel.NeedsPage, error) {
	if err := c.Settle(ctx); err != nil {
		return panel.NeedsPage{}, err
	}
	now := c.At(c.Look(ctx))
	page := panel.NeedsPage{Revision: now.Revision, Warnings: append([]panel.Warning{}, now.Problems()...), Mail: mailCounts(now)}
	page.Count(Count(now))
	for _, v := range now.Views {
		page.Warnings = append(page.Warnings, misplaced(v.Problems())...)
	}
	alarms, err := alarms(now.Views)
	if err != nil {
		return panel.NeedsPage{}, err
	}
	asking := requests(now)
	if c.Options.Reader != nil { // a request shows what other agents' programs do
		for i := range asking {
			asking[i].Request = nil
		}
	}
	waiting, idle := waitingAgents(now)
	// The lists are not nil, even if they are empty.
	page.Items = append([]panel.NeedItem{}, slices.Concat(asking, waiting, waitingThreads(now), alarms, replies(now, panel.SectionQuestions, page.Questions))...)
	page.Unanswered = append([]panel.NeedItem{}, append(idle, replies(now, panel.SectionUnanswered, 0)...)...)
	page.Cut(q.Limit)
	return page, nil
}

// requests returns the requests that wait for the user, each with the agent that asks.
func requests(now *agents.Moment) (list []panel.NeedItem) {
	open := now.Open()
	shown := now.Shown(open)
	for i := range open {
		r := &open[i]
		s := activity.Session{Client: r.Client, ID: r.Session, Alias: r.Alias, Folder: r.Folder, Worktree: r.Worktree, Process: r.Process}
		if i := slices.IndexFunc(now.Sessions, func(s activity.Session) bool { return r.Of(s.Client, s.ID) }); i >= 0 {
			s = now.Sessions[i]
		}
		s.State, s.For = activity.Waiting, r.Wants() // the session may also wait for another request
		it := now.Needed(&s)
		it.Since = show.Time(r.Since)
		list = append(list, panel.NeedItem{Kind: panel.NeedAgent, Section: sectionOf(r), Urgent: true, Time: it.Since, Agent: &it, Request: &shown[i]})
	}
	return list
}

// replies returns the mail of a section, at most [panel.MaxNeeds] threads. If count is larger than
// that, it returns the threads that have waited longest, otherwise the newest.
func replies(now *agents.Moment, s panel.NeedSection, count int) (mail []panel.NeedItem) {
	order := panel.SortNewest
	if count > panel.MaxNeeds {
		order = panel.SortOldest
	}
	returned := returnedWithRow(now)
	for _, t := range list.Items(now.Views, &panel.HeadQuery{Filter: &panel.InboxFilter{Section: s}, Order: order, Limit: panel.MaxNeeds}) {
		if returned[t.Ref] {
			continue
		}
		it, from := needOf(t)
		it.Section, it.From = s, now.Named(from)
		mail = append(mail, it)
	}
	return mail
}

// needOf returns the row of a thread that needs the user, and who wrote to the user.
func needOf(t panel.ThreadItem) (it panel.NeedItem, from string) {
	q := t.Question
	if q == nil {
		return panel.NeedItem{Kind: panel.NeedReply, Urgent: t.Urgent, Time: t.LastTime, Reply: &t}, t.LastFrom
	}
	from, at := cmp.Or(q.From, t.LastFrom), cmp.Or(q.Time, t.LastTime)
	return panel.NeedItem{Kind: panel.NeedQuestion, Urgent: q.Urgent, Time: at, Question: &panel.Question{
		Thread: t, Message: q.Message, From: from, Text: q.Text, Options: q.Options, Time: at, Urgent: q.Urgent,
	}}, from
}

// waitingAgents returns the rows of the sessions that wait for the user, or that ended while they
// waited, and of the idle sessions with unread mail.
func waitingAgents(now *agents.Moment) (waiting, idle []panel.NeedItem) {
	row := func(s *activity.Session, section panel.NeedSection) panel.NeedItem {
		it := now.Needed(s)
		return panel.NeedItem{Kind: panel.NeedAgent, Section: section, Urgent: s.State == activity.Waiting, Time: it.Since, Agent: &it}
	}
	waitingSessions, idleSessions := now.NeedingSessions()
	for _, s := range waitingSessions {
		waiting = append(waiting, row(s, panel.SectionBlocked))
	}
	for _, s := range idleSessions {
		idle = append(idle, row(s, panel.SectionUnanswered))
	}
	return waiting, idle
}

// waitingThreads returns the rows of the agents' threads that need the user.
func waitingThreads(now *agents.Moment) (list []panel.NeedItem) {
	for _, t := range now.NeedingThreads() {
		list = append(list, panel.NeedItem{Kind: panel.NeedAgent, Section: panel.SectionBlocked, Urgent: t.Agent.State == panel.AgentWaiting, Time: t.LastTime, Thread: &t})
	}
	return list
}

// alarms returns the rows of open escalations and of what is overdue, at most [panel.MaxNeeds] of
// each.
func alarms(views view.Views) (list []panel.NeedItem, err error) {
	open := true
	for _, t := range view.Having[panel.Tasked](views) {
		page, err := t.Escalations(panel.EscalationParams{Open: &open, Limit: panel.MaxNeeds, Waiting: true})
		if err != nil {
			return nil, err
		}
		for k := range page.Items {
			e := &page.Items[k]
			list = append(list, panel.NeedItem{
				Kind: panel.NeedEscalation, Section: panel.SectionBlocked, Urgent: e.Severity == panel.SeverityCritical && e.Acked == 0, Time: e.Time, Escalation: e,
			})
		}
		for k := range page.Overdue {
			o := &page.Overdue[k]
			list = append(list, panel.NeedItem{Kind: panel.NeedOverdue, Section: panel.SectionBlocked, Time: o.Since, Overdue: o})
		}
	}
	return list, nil
}

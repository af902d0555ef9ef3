package panel

import (
	"cmp"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// mailCounts counts the mail that needs the user.
func mailCounts(now *Moment) NeedCounts {
	left := now.Views.Counts()
	s := NeedCounts{Questions: left.Questions, Unanswered: left.NeedsReply - left.Questions}
	s.Questions -= len(repeated(now))
	return s
}

// repeated returns the threads that are back from being snoozed and need no row, since their
// agents have one.
func repeated(now *Moment) map[Ref]bool {
	list := make(map[Ref]bool)
	add := func(t *ThreadItem) {
		if t != nil && t.Returned {
			list[t.Ref] = true
		}
	}
	waiting, _ := now.Needing()
	for _, s := range waiting {
		add(now.Thread(s))
	}
	for _, r := range now.Open() {
		add(now.Thread(&activity.Session{Client: r.Client, ID: r.Session}))
	}
	for _, t := range now.Stuck() {
		add(&t)
	}
	return list
}

// Count counts what needs the user.
func CountNeeds(now *Moment) NeedCounts {
	c, alarms := mailCounts(now), now.Views.Alarms()
	waiting, idle := now.Needing()
	c.Blocked += len(waiting) + len(now.Stuck()) + alarms.Open + alarms.Overdue
	c.Unanswered += len(idle)
	for _, r := range now.Open() {
		if sectionOf(&r) == SectionBlocked {
			c.Blocked++
		} else {
			c.Questions++
		}
	}
	return c
}

// sectionOf returns where a request is listed: a form asks, anything else holds its agent up.
func sectionOf(r *ask.Request) NeedSection {
	if r.Kind == ask.Question {
		return SectionQuestions
	}
	return SectionBlocked
}

// misplaced returns the warnings about mail that lies where it is not read.
func misplaced(all []Warning) (list []Warning) {
	for _, w := range all {
		if w.Rule == "L3" {
			list = append(list, w)
		}
	}
	return list
}

// Collector answers requests for what waits for the user.
type Collector struct{ *Follower }

// Needs returns what waits for the user.
func (c Collector) Needs(ctx context.Context, q NeedsParams) (NeedsPage, error) {
	if err := c.Settle(ctx); err != nil {
		return NeedsPage{}, err
	}
	now := c.At(c.Look(ctx))
	page := NeedsPage{Revision: now.Revision, Warnings: append([]Warning{}, now.Problems()...), Mail: mailCounts(now)}
	page.Count(CountNeeds(now))
	for _, v := range now.Views {
		page.Warnings = append(page.Warnings, misplaced(v.Problems())...)
	}
	alarms, err := alarms(now.Views)
	if err != nil {
		return NeedsPage{}, err
	}
	asking := asking(now)
	if c.Options.Reader != nil { // a request shows what others' programs do
		for i := range asking {
			asking[i].Request = nil
		}
	}
	waiting, idle := waitingAgents(now)
	// Clients have lists, also where they are empty.
	page.Items = append([]NeedItem{}, slices.Concat(asking, waiting, stuck(now), alarms, replies(now, SectionQuestions, page.Questions))...)
	page.Unanswered = append([]NeedItem{}, append(idle, replies(now, SectionUnanswered, 0)...)...)
	page.Cut(q.Limit)
	return page, nil
}

// asking returns the requests that wait for the user, each with the agent that asks.
func asking(now *Moment) (list []NeedItem) {
	open := now.Open()
	shown := now.Shown(open)
	for i := range open {
		r := &open[i]
		s := activity.Session{Client: r.Client, ID: r.Session, Alias: r.Alias, Folder: r.Folder, Worktree: r.Worktree, Process: r.Process}
		if i := slices.IndexFunc(now.Sessions, func(s activity.Session) bool { return r.Of(s.Client, s.ID) }); i >= 0 {
			s = now.Sessions[i]
		}
		s.State, s.For = activity.Waiting, r.Wants() // it may wait for another one as well
		it := now.Needed(&s)
		it.Since = show.Time(r.Since)
		list = append(list, NeedItem{Kind: NeedAgent, Section: sectionOf(r), Urgent: true, Time: it.Since, Agent: &it, Request: &shown[i]})
	}
	return list
}

// replies returns the mail of a section, at most [MaxNeeds] threads. Of more questions, which
// count says, it returns those that have waited longest, else the newest.
func replies(now *Moment, s NeedSection, count int) (list []NeedItem) {
	order := SortNewest
	if count > MaxNeeds {
		order = SortOldest
	}
	repeated := repeated(now)
	for _, t := range Items(now.Views, &HeadQuery{Filter: &InboxFilter{Section: s}, Order: order, Limit: MaxNeeds}) {
		if repeated[t.Ref] {
			continue
		}
		it, from := needOf(t)
		it.Section, it.From = s, now.Named(from)
		list = append(list, it)
	}
	return list
}

// needOf returns a thread that needs the user, and who wrote.
func needOf(t ThreadItem) (it NeedItem, from string) {
	q := t.Question
	if q == nil {
		return NeedItem{Kind: NeedReply, Urgent: t.Urgent, Time: t.LastTime, Reply: &t}, t.LastFrom
	}
	from, at := cmp.Or(q.From, t.LastFrom), cmp.Or(q.Time, t.LastTime)
	return NeedItem{Kind: NeedQuestion, Urgent: q.Urgent, Time: at, Question: &Question{
		Thread: t, Message: q.Message, From: from, Text: q.Text, Options: q.Options, Time: at, Urgent: q.Urgent,
	}}, from
}

// waitingAgents returns the sessions that wait for the user, or ended while they did, and those
// that are idle with unread mail.
func waitingAgents(now *Moment) (waiting, idle []NeedItem) {
	row := func(s *activity.Session, section NeedSection) NeedItem {
		it := now.Needed(s)
		return NeedItem{Kind: NeedAgent, Section: section, Urgent: s.State == activity.Waiting, Time: it.Since, Agent: &it}
	}
	blocked, unread := now.Needing()
	for _, s := range blocked {
		waiting = append(waiting, row(s, SectionBlocked))
	}
	for _, s := range unread {
		idle = append(idle, row(s, SectionUnanswered))
	}
	return waiting, idle
}

// stuck returns the rows of the agents' threads that need the user.
func stuck(now *Moment) (list []NeedItem) {
	for _, t := range now.Stuck() {
		list = append(list, NeedItem{Kind: NeedAgent, Section: SectionBlocked, Urgent: t.Agent.State == AgentWaiting, Time: t.LastTime, Thread: &t})
	}
	return list
}

// alarms returns the open escalations and what is overdue, at most [MaxNeeds] of each.
func alarms(views Views) (list []NeedItem, err error) {
	open := true
	for _, t := range Having[Tasked](views) {
		page, err := t.Escalations(EscalationParams{Open: &open, Limit: MaxNeeds, Waiting: true})
		if err != nil {
			return nil, err
		}
		for k := range page.Items {
			e := &page.Items[k]
			list = append(list, NeedItem{
				Kind: NeedEscalation, Section: SectionBlocked, Urgent: e.Severity == SeverityCritical && e.Acked == 0, Time: e.Time, Escalation: e,
			})
		}
		for k := range page.Overdue {
			o := &page.Overdue[k]
			list = append(list, NeedItem{Kind: NeedOverdue, Section: SectionBlocked, Time: o.Since, Overdue: o})
		}
	}
	return list, nil
}

package panel

import (
	"cmp"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// mail counts the mail that needs the user.
func (i *inbox) mail() sections {
	left := countAll(i.views)
	s := sections{questions: left.Questions, unanswered: left.NeedsReply - left.Questions}
	s.questions -= len(i.agents.repeated())
	return s
}

// repeated returns the threads that are back from being snoozed and need no row, since their
// agents have one.
func (a *agents) repeated() map[Ref]bool {
	list := make(map[Ref]bool)
	add := func(t *ThreadItem) {
		if t != nil && t.Returned {
			list[t.Ref] = true
		}
	}
	waiting, _ := a.needing()
	for _, s := range waiting {
		add(a.thread(s))
	}
	for _, r := range a.open() {
		add(a.thread(&activity.Session{Client: r.Client, ID: r.Session}))
	}
	for _, t := range a.stuck() {
		add(&t)
	}
	return list
}

// needing counts what needs the user.
func (i *inbox) needing() sections {
	s, alarms := i.mail(), alarming(i.views)
	waiting, idle := i.agents.needing()
	s.blocked += len(waiting) + len(i.agents.stuck()) + alarms.Open + alarms.Overdue
	s.unanswered += len(idle)
	for _, r := range i.agents.open() {
		if sectionOf(&r) == SectionBlocked {
			s.blocked++
		} else {
			s.questions++
		}
	}
	return s
}

// sectionOf returns where a request is listed: a form asks, anything else holds its agent up.
func sectionOf(r *ask.Request) NeedSection {
	if r.Kind == ask.Question {
		return SectionQuestions
	}
	return SectionBlocked
}

// alarming returns the alarms of all views.
func alarming(views []view) (all Alarms) {
	for _, t := range having[Tasked](views) {
		a := t.Alarming()
		all = Alarms{all.Open + a.Open, all.Critical + a.Critical, all.Overdue + a.Overdue}
	}
	return all
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

// Needs returns what waits for the user.
func (p *Panels) Needs(ctx context.Context, q NeedsParams) (NeedsPage, error) {
	if _, err := p.settledAgents(ctx); err != nil {
		return NeedsPage{}, err
	}
	now := p.inboxNow(ctx)
	page := NeedsPage{Revision: now.revision, Warnings: append([]Warning{}, now.agents.problems()...), mail: now.mail()}
	page.count(now.needing())
	for _, v := range now.views {
		page.Warnings = append(page.Warnings, misplaced(v.Problems())...)
	}
	alarms, err := now.alarms()
	if err != nil {
		return NeedsPage{}, err
	}
	asking := now.agents.asking()
	if d := p.decisions(); d.Agent {
		for i := range asking {
			asking[i].Request = nil
		}
	}
	waiting, idle := now.waitingAgents()
	// Clients have lists, also where they are empty.
	page.Items = append([]NeedItem{}, slices.Concat(asking, waiting, now.agents.stuckItems(), alarms, now.replies(SectionQuestions, page.Questions))...)
	page.Unanswered = append([]NeedItem{}, append(idle, now.replies(SectionUnanswered, 0)...)...)
	page.cut(q.Limit)
	return page, nil
}

// replies returns the mail of a section, at most [MaxNeeds] threads. Of more questions, which
// count says, it returns those that have waited longest, else the newest.
func (i *inbox) replies(s NeedSection, count int) (list []NeedItem) {
	order := SortNewest
	if count > MaxNeeds {
		order = SortOldest
	}
	rows, _ := i.rows(&HeadQuery{Filter: &InboxFilter{Section: s}, Order: order, Limit: MaxNeeds})
	repeated := i.agents.repeated()
	for _, t := range items(rows) {
		if repeated[t.Ref] {
			continue
		}
		it, from := needOf(t)
		it.Section, it.From = s, i.agents.named(from)
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
func (i *inbox) waitingAgents() (waiting, idle []NeedItem) {
	row := func(s *activity.Session, section NeedSection) NeedItem {
		it := i.agents.needed(s)
		return NeedItem{Kind: NeedAgent, Section: section, Urgent: s.State == activity.Waiting, Time: it.Since, Agent: &it}
	}
	blocked, unread := i.agents.needing()
	for _, s := range blocked {
		waiting = append(waiting, row(s, SectionBlocked))
	}
	for _, s := range unread {
		idle = append(idle, row(s, SectionUnanswered))
	}
	return waiting, idle
}

// stuckItems returns the rows of the agents' threads that need the user.
func (a *agents) stuckItems() (list []NeedItem) {
	for _, t := range a.stuck() {
		list = append(list, NeedItem{Kind: NeedAgent, Section: SectionBlocked, Urgent: t.Agent.State == AgentWaiting, Time: t.LastTime, Thread: &t})
	}
	return list
}

// alarms returns the open escalations and what is overdue, at most [MaxNeeds] of each.
func (i *inbox) alarms() (list []NeedItem, err error) {
	open := true
	for _, t := range having[Tasked](i.views) {
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

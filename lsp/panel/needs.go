package panel

import (
	"cmp"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/agents/session"
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

// NeedItem is one thing that waits for the user. Exactly one of its pointers is set, but for
// Request, which goes with Agent.
type NeedItem struct {
	Kind       NeedKind        `json:"kind"`
	Urgent     bool            `json:"urgent"`
	Time       int64           `json:"time"` // since when
	Question   *Question       `json:"question,omitempty"`
	Reply      *ThreadItem     `json:"reply,omitempty"`   // it needs a reply and asks nothing, or is back from being snoozed
	Agent      *AgentItem      `json:"agent,omitempty"`   // it waits, or is idle with unread mail
	Request    *AgentRequest   `json:"request,omitempty"` // what the agent waits for, where it can be answered here
	Thread     *ThreadItem     `json:"thread,omitempty"`  // an agent's own, whose log says that it waits or broke off
	Escalation *EscalationItem `json:"escalation,omitempty"`
	Overdue    *Overdue        `json:"overdue,omitempty"`
}

// Question is a message that asks the user: the last word of its thread, or an unread one
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

// NeedsParams are the params of signalbox/needs/list. Limit 0 means the default.
type NeedsParams struct {
	Limit int `json:"limit,omitempty"`
}

// NeedsPage is the result of signalbox/needs/list: what waits for the user, over all
// formats and all agents on this machine. Urgent items come first: critical
// escalations that nobody acknowledged, urgent questions and mail, and agents that wait.
// Within both parts the newest comes first. Total counts all items and Urgent the urgent ones, also those that are not listed.
type NeedsPage struct {
	Items  []NeedItem `json:"items"`
	Total  int        `json:"total"`
	Urgent int        `json:"urgent"`
	// Unanswered are threads of which it is not clear whether they need a reply, the newest
	// first, and Unsure counts them. They are in no other list or count of the page.
	Unanswered []ThreadItem `json:"unanswered,omitempty"`
	Unsure     int          `json:"unsure,omitempty"`
	Revision   int64        `json:"revision"`
	Warnings   []Warning    `json:"warnings"`
}

// needing returns how much needs the user.
func needing(left Counts, alarms Alarms, now *agents) int {
	sessions, _ := now.needing()
	stuck, _ := now.stuck()
	return left.NeedsReply - left.Unsure + len(now.requests) + len(sessions) + len(stuck) + alarms.Open + alarms.Overdue
}

// alarming returns the alarms of all views.
func alarming(views []view) (all Alarms) {
	for _, t := range having[Tasked](views) {
		a := t.Alarming()
		all = Alarms{all.Open + a.Open, all.Critical + a.Critical, all.Urgent + a.Urgent, all.Overdue + a.Overdue}
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
	now, limit := p.inboxNow(ctx), PageSize(q.Limit)
	left, alarms := countAll(now.views), alarming(now.views)
	page := NeedsPage{
		Items: []NeedItem{}, Total: needing(left, alarms, now.agents), Revision: now.revision,
		Unanswered: now.unanswered(limit), Unsure: left.Unsure,
		Warnings: append([]Warning{}, now.agents.problems()...),
	}
	for _, v := range now.views {
		page.Warnings = append(page.Warnings, misplaced(v.Problems())...)
	}
	page.Items = append(page.Items, now.replies()...)
	for _, it := range page.Items {
		page.Urgent += rank(it.Urgent)
	}
	_, waiting := now.agents.needing()
	page.Urgent += len(now.agents.requests) + waiting + alarms.Urgent
	for _, it := range now.agents.asking() {
		if d := p.decisions(); d.Agent {
			it.Request = nil
		}
		page.Items = append(page.Items, it)
	}
	page.Items = append(page.Items, now.waitingAgents()...)
	stuck, waiting := now.agents.stuck()
	page.Urgent += waiting
	for _, t := range stuck {
		page.Items = append(page.Items, NeedItem{Kind: NeedAgent, Urgent: t.Agent.State == AgentWaiting, Time: t.LastTime, Thread: &t})
	}
	alarmed, err := now.alarms(limit)
	if err != nil {
		return NeedsPage{}, err
	}
	page.Items = append(page.Items, alarmed...)
	page.cut(limit)
	return page, nil
}

// cut puts the items in order and leaves the first.
func (p *NeedsPage) cut(limit int) {
	slices.SortStableFunc(p.Items, func(a, b NeedItem) int {
		return cmp.Or(rank(b.Urgent)-rank(a.Urgent), cmp.Compare(b.Time, a.Time))
	})
	p.Items = p.Items[:min(len(p.Items), limit)]
}

// AddMail adds the mail of another page, which is of a second name of the same reader.
func (p *NeedsPage) AddMail(second NeedsPage, limit int) {
	p.Unanswered, p.Unsure = append(p.Unanswered, second.Unanswered...), p.Unsure+second.Unsure
	slices.SortStableFunc(p.Unanswered, func(a, b ThreadItem) int { return cmp.Compare(b.LastTime, a.LastTime) })
	p.Unanswered = p.Unanswered[:min(len(p.Unanswered), PageSize(limit))]
	for _, it := range second.Items {
		if it.Kind != NeedQuestion && it.Kind != NeedReply {
			continue
		}
		p.Items, p.Total = append(p.Items, it), p.Total+1
		p.Urgent += rank(it.Urgent)
	}
	p.cut(PageSize(limit))
}

// replies returns the threads that need a reply: the newest that ask and the newest of
// all, at most [MaxPage] each, so that urgent questions come first in a page of any size.
func (i *inbox) replies() (list []NeedItem) {
	asking, _ := i.rows(&HeadQuery{Filter: &InboxFilter{Asks: true}, Order: SortNewest, Limit: MaxPage})
	rows, _ := i.rows(&HeadQuery{Filter: &InboxFilter{NeedsReply: true, Sure: true}, Order: SortNewest, Limit: MaxPage})
	known := make(map[Ref]bool)
	for _, t := range append(items(asking), items(rows)...) {
		if !known[t.Ref] {
			known[t.Ref] = true
			list = append(list, needOf(t))
		}
	}
	return list
}

// unanswered returns the threads of which it is not clear whether they need a reply, among the
// newest that may, at most limit.
func (i *inbox) unanswered(limit int) []ThreadItem {
	if countAll(i.views).Unsure == 0 {
		return nil
	}
	rows, _ := i.rows(&HeadQuery{Filter: &InboxFilter{NeedsReply: true}, Order: SortNewest, Limit: MaxPage})
	list := slices.DeleteFunc(items(rows), func(t ThreadItem) bool { return !t.Unsure })
	return list[:min(len(list), limit)]
}

func needOf(t ThreadItem) NeedItem {
	q := t.Question
	if q == nil {
		urgent := t.Amp != nil && t.Amp.Priority == amp.Urgent && t.Amp.Trust.Level != TrustWarn
		return NeedItem{Kind: NeedReply, Urgent: urgent, Time: t.LastTime, Reply: &t}
	}
	from, at := cmp.Or(q.From, t.LastFrom), cmp.Or(q.Time, t.LastTime)
	return NeedItem{Kind: NeedQuestion, Urgent: q.Urgent, Time: at, Question: &Question{
		Thread: t, Message: q.Message, From: from, Text: q.Text, Options: q.Options, Time: at, Urgent: q.Urgent,
	}}
}

// waitingAgents returns the sessions that need the user.
func (i *inbox) waitingAgents() (list []NeedItem) {
	sessions, _ := i.agents.needing()
	for _, s := range sessions {
		it := i.agents.needed(s)
		list = append(list, NeedItem{Kind: NeedAgent, Urgent: s.State == session.Waiting, Time: it.Since, Agent: &it})
	}
	return list
}

// alarms returns the open escalations, at most limit, and what is overdue.
func (i *inbox) alarms(limit int) (list []NeedItem, err error) {
	open := true
	for _, t := range having[Tasked](i.views) {
		page, err := t.Escalations(EscalationParams{Open: &open, Limit: limit, Newest: true})
		if err != nil {
			return nil, err
		}
		for k := range page.Items {
			e := &page.Items[k]
			list = append(list, NeedItem{Kind: NeedEscalation, Urgent: e.Severity == SeverityCritical && e.Acked == 0, Time: e.Time, Escalation: e})
		}
		for k := range page.Overdue {
			o := &page.Overdue[k]
			list = append(list, NeedItem{Kind: NeedOverdue, Time: o.Since, Overdue: o})
		}
	}
	return list, nil
}

package panel

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
)

// MaxCompletions is the most items of a completion.
const MaxCompletions = 200

// CompleteKind is the kind of thing to complete.
type CompleteKind string

// The kinds of what is completed.
const (
	CompleteRecipient CompleteKind = "recipient"
	CompleteThread    CompleteKind = "thread"
	CompleteID        CompleteKind = "id"
)

// CompletionKind is what a [Completion] names.
type CompletionKind string

// The kinds of a [Completion].
const (
	CompletionRecipient CompletionKind = "recipient"
	CompletionThread    CompletionKind = "thread"
	CompletionMessage   CompletionKind = "message"
)

// CompleteParams ask how something goes on. Kind is one of the Complete constants;
// an id has to begin with msg_, T- or four hexadecimal digits. Limit 0 means the most.
type CompleteParams struct {
	Kind   CompleteKind `json:"kind"`
	Prefix string       `json:"prefix"`
	Limit  int          `json:"limit,omitempty"`
}

// Completion is one way to go on.
type Completion struct {
	// Text is what is inserted: it holds nothing that cannot be seen, so that it is
	// its own label.
	Text string         `json:"text"`
	Kind CompletionKind `json:"kind"`
	// Protocol is the format.
	Protocol string `json:"protocol"`
	Detail   string `json:"detail"`
	Time     int64  `json:"time"`
}

// Completions are ordered by how likely they are meant: the newest first.
type Completions struct {
	Items []Completion `json:"items"`
	// Incomplete is set if there are more: ask again with more of the word.
	Incomplete bool `json:"incomplete"`
}

// completing gathers items up to a limit.
type completing struct {
	Completions
	prefix string // in lower case
	limit  int
	seen   map[string]bool
}

// add takes an item that can be seen as it is and has the prefix somewhere; one that
// begins with it is as good.
func (c *completing) add(it Completion) {
	if it.Text == "" || len(it.Text) > mail.MaxName || c.seen[it.Text] || !strings.Contains(strings.ToLower(it.Text), c.prefix) {
		return
	}
	if render.Text(it.Text) != it.Text || strings.ContainsAny(it.Text, "\n\t\"\\") {
		return // nobody could tell what it is that they take
	}
	c.seen[it.Text] = true
	c.Items = append(c.Items, it)
}

// full reports that no more are wanted, of which there may be some.
func (c *completing) full() bool {
	if len(c.Items) < c.limit {
		return false
	}
	c.Incomplete = true
	return true
}

// Complete says how an alias, the name of a thread or an id goes on.
func (p *Panels) Complete(ctx context.Context, q CompleteParams) (Completions, error) {
	c := completing{prefix: strings.ToLower(q.Prefix), limit: MaxCompletions, seen: make(map[string]bool)}
	if q.Limit > 0 {
		c.limit = min(c.limit, q.Limit)
	}
	c.Items = []Completion{}
	switch q.Kind {
	case CompleteRecipient:
		p.completeRecipient(ctx, &c)
	case CompleteThread:
		p.completeThread(ctx, &c)
	case CompleteID:
		p.completeID(ctx, &c, q.Prefix)
	default:
		return c.Completions, &Error{Kind: Malformed, Message: "kind is none of recipient, thread, id", Detail: "kind"}
	}
	if len(c.Items) > c.limit {
		c.Items, c.Incomplete = c.Items[:c.limit], true
	}
	return c.Completions, ctx.Err()
}

// completeRecipient gives who can be written to: aliases, addresses, and the roles of
// AMP/1.0.
func (p *Panels) completeRecipient(ctx context.Context, c *completing) {
	stores, _, _ := p.snapshot()
	for _, s := range stores {
		for _, party := range s.live.Parties(recipientsShown) {
			c.add(Completion{Text: party.Alias, Kind: CompletionRecipient, Protocol: string(mail.SAMP), Detail: "alias", Time: millis(party.Last)})
		}
	}
	n := p.mailNow(ctx)
	for _, t := range n.Threads[:min(len(n.Threads), recipientsShown)] {
		for i := range t.Messages[:min(len(t.Messages), recipientsShown)] {
			for _, a := range []string{t.Messages[i].From, t.Messages[i].To} {
				c.add(Completion{Text: a, Kind: CompletionRecipient, Protocol: string(mail.AMP), Detail: "address", Time: clampTime(t.Last)})
			}
		}
	}
	if len(p.ssotsNow()) > 0 {
		for _, role := range []string{agn.Coordinator, agn.Executor, agn.Reviewer, agn.Admin} {
			c.add(Completion{Text: role, Kind: CompletionRecipient, Protocol: string(mail.AGN), Detail: "role of AMP/1.0 tasks"})
		}
	}
	newestFirst(c.Items)
}

// completeThread gives the names of threads.
func (p *Panels) completeThread(_ context.Context, c *completing) {
	stores, _, _ := p.snapshot()
	has := func(name string) bool { return strings.Contains(strings.ToLower(name), c.prefix) }
	for _, s := range stores {
		list, more := s.live.ThreadsNamed(has, c.limit)
		c.Incomplete = c.Incomplete || more
		for i := range list {
			t := &list[i]
			detail, _ := render.Line(t.From+" → "+t.To+", "+count(t.Count, "message", "messages"), 120)
			c.add(Completion{Text: t.Name, Kind: CompletionThread, Protocol: string(mail.SAMP), Detail: detail, Time: millis(t.Last)})
		}
	}
	for _, s := range p.ssotsNow() {
		for _, t := range s.Tasks[:min(len(s.Tasks), 10*c.limit)] {
			c.add(Completion{Text: t.ID, Kind: CompletionThread, Protocol: string(mail.AGN), Detail: taskTitle(t), Time: clampTime(t.Last)})
		}
	}
	items := p.agents().Items
	for _, it := range items[:min(len(items), 10*c.limit)] {
		c.add(Completion{Text: it.Name, Kind: CompletionThread, Protocol: string(mail.ATSF), Detail: agentTitle(it), Time: clampTime(it.Updated)})
	}
	newestFirst(c.Items)
}

// completeID gives ids by how they begin.
func (p *Panels) completeID(ctx context.Context, c *completing, prefix string) {
	switch {
	case strings.HasPrefix(prefix, "msg_") || strings.HasPrefix(prefix, "msg-"):
		n := p.mailNow(ctx)
		for _, t := range n.Threads {
			for i := range t.Messages {
				m := n.own.Shown(&t.Messages[i])
				if strings.HasPrefix(m.ID, prefix) && !c.full() {
					detail, _ := render.Line(m.From+": "+m.Subject, 120)
					c.add(Completion{Text: m.ID, Kind: "message", Protocol: string(mail.AMP), Detail: detail, Time: clampTime(m.When())})
				}
			}
		}
	case strings.HasPrefix(prefix, "T-"):
		for _, s := range p.ssotsNow() {
			for _, t := range s.Tasks {
				if strings.HasPrefix(t.ID, prefix) && !c.full() {
					c.add(Completion{Text: t.ID, Kind: CompletionThread, Protocol: string(mail.AGN), Detail: taskTitle(t), Time: clampTime(t.Last)})
				}
			}
		}
	default:
		p.completeDigits(c, prefix)
	}
	newestFirst(c.Items)
}

// minDigits is how much of an id that looks like a number has to be there.
const minDigits = 4

// completeDigits gives the ids of SAMP, and of the threads of agents.
func (p *Panels) completeDigits(c *completing, prefix string) {
	if len(prefix) < minDigits || strings.Trim(prefix, "0123456789abcdef-") != "" {
		return
	}
	stores, _, _ := p.snapshot()
	for _, s := range stores {
		list, more := s.live.WithPrefix(prefix, c.limit)
		c.Incomplete = c.Incomplete || more
		for i := range list {
			m := &list[i]
			if m.Err == nil {
				detail, _ := render.Line(m.From+" → "+m.To+": "+m.Body, 120)
				c.add(Completion{Text: m.Key, Kind: "message", Protocol: string(mail.SAMP), Detail: detail, Time: millis(m.TS)})
			}
		}
	}
	for _, it := range p.agents().Items {
		if strings.HasPrefix(it.Name, prefix) && !c.full() {
			c.add(Completion{Text: it.Name, Kind: CompletionThread, Protocol: string(mail.ATSF), Detail: agentTitle(it), Time: clampTime(it.Updated)})
		}
	}
}

func newestFirst(list []Completion) {
	slices.SortStableFunc(list, func(a, b Completion) int { return cmp.Compare(b.Time, a.Time) })
}

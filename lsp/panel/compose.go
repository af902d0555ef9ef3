package panel

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/mail"
	sessions "github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// ComposeContext returns what a compose panel offers: the recipients to write to, the
// threads to continue, and, if the params have a ref, the draft of a reply to it.
func (p *Panels) ComposeContext(ctx context.Context, q ComposeParams) (ComposeContext, error) {
	c := ComposeContext{Recipients: []Recipient{}, Threads: []ThreadName{}}
	views := p.viewsNow(ctx)
	replied, err := composeAll(ctx, views, &c, q.Ref)
	if err != nil {
		return c, err
	}
	now := p.agentsNow(views)
	if q.Ref == nil || q.Ref.Protocol != mail.AMP { // signed mail goes to addresses
		c.offer(now.reach.Parties())
	}
	if q.Ref == nil || replied {
		if c.Draft != nil {
			c.Reach, c.Agent = now.mailed(c.Draft.To), now.named(c.Draft.To)
		}
		return c, nil
	}
	v := viewIn(views, *q.Ref)
	if v == nil {
		return c, unserved(views, *q.Ref)
	}
	// An agent reads mail in SAMP and not in its own log. The reply goes to the
	// SAMP thread of the same name, and the name links the two.
	name, err := v.Name(*q.Ref)
	c.Draft = &Draft{Thread: name}
	if err != nil {
		return c, err
	}
	page, err := v.Thread(ctx, ThreadParams{Ref: *q.Ref, Limit: 1})
	if err != nil {
		return c, err
	}
	c.address(&page.Thread)
	if s := now.of(&page.Thread); s != nil {
		it := now.running(s)
		c.Agent = &it
	}
	return c, nil
}

// composeAll adds to c what every view that can send offers, and reports whether one of
// them drafted the reply to ref.
func composeAll(ctx context.Context, views []view, c *ComposeContext, ref *Ref) (replied bool, err error) {
	for _, v := range views {
		w, ok := v.View.(Writer)
		if !ok {
			continue
		}
		var reply *Ref
		if ref != nil && ref.Protocol == v.Protocol {
			reply, replied = ref, true
		}
		if err := w.Compose(ctx, c, reply); err != nil {
			return replied, err
		}
	}
	return replied, nil
}

// ComposePreview returns what sending a draft would write, and every objection to it.
// Nothing is written.
func (p *Panels) ComposePreview(ctx context.Context, d Draft) (ComposePreview, error) {
	if w := p.writerOf(ctx, &d); w != nil {
		return w.Preview(ctx, d)
	}
	return ComposePreview{}, errNoWriter
}

// writerOf returns the view that takes a draft, or nil if none does.
func (p *Panels) writerOf(ctx context.Context, d *Draft) Writer {
	for _, w := range having[Writer](p.viewsNow(ctx)) {
		if w.Takes(d) {
			return w
		}
	}
	return nil
}

// errNoWriter is the error for a draft that no format can send.
var errNoWriter = &Error{Kind: Unsupported, Message: "a reply in another protocol"}

// Send writes a draft, once for each client token.
func (p *Panels) Send(ctx context.Context, q SendParams) (Sent, error) {
	w := p.writerOf(ctx, &q.Draft)
	if w == nil {
		return Sent{}, errNoWriter
	}
	sent, err := w.Send(ctx, q)
	if err == nil {
		sent.Reach = p.woken(ctx, p.viewsNow(ctx), q.Draft.To)
	}
	return sent, err
}

// ReplyTarget returns the newest message to the user. If from is an alias, only messages
// from that alias count (§7).
func (p *Panels) ReplyTarget(ctx context.Context, from string) (Ref, error) {
	if v := having[Answering](p.viewsNow(ctx)); len(v) > 0 {
		return v[0].Newest(ctx, from)
	}
	return Ref{}, &Error{Kind: NotFound, Message: "no message to reply to"}
}

// offer adds the agents and work trees to the recipients, with what they are doing, those
// that were not written to before behind the others.
func (c *ComposeContext) offer(list []sessions.Party) {
	for i := range list {
		party := &list[i]
		if party.Alias == c.From {
			continue
		}
		at := slices.IndexFunc(c.Recipients, func(r Recipient) bool { return r.Alias == party.Alias })
		if at < 0 {
			if at = len(c.Recipients); at >= 2*RecipientsMost {
				return
			}
			c.Recipients = append(c.Recipients, Recipient{Alias: party.Alias})
		}
		c.Recipients[at].Doing, c.Recipients[at].Reach = show.Line(party.About()), Reach(party.Way)
	}
}

// address makes the draft one to the agent of a session, if mail reaches that.
func (c *ComposeContext) address(t *ThreadItem) {
	if t.Agent != nil && t.Agent.Session != nil {
		if c.Reach = t.Agent.Session.Reach; c.Reach != "" && c.Reach != ReachSetUp {
			c.Draft.To = t.Agent.Session.Alias
		}
	}
}

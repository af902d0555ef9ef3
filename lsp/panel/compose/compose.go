// Package compose answers requests about drafts: what a compose panel offers, what sending a draft
// would write, and sending it. Start with [Composer].
package compose

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/mail"
	sessions "github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/agents"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/view"
)

// Composer answers requests about drafts.
type Composer struct{ *agents.Follower }

// ComposeContext returns what a compose panel offers: the recipients to write to, the
// threads to continue, and, if the params have a ref, the draft of a reply to it.
func (d Composer) ComposeContext(ctx context.Context, q panel.ComposeParams) (panel.ComposeContext, error) {
	c := panel.ComposeContext{Recipients: []panel.Recipient{}, Threads: []panel.ThreadName{}}
	now := d.At(d.LookNow(ctx))
	views := now.Views
	replied, err := composeAll(ctx, views, &c, q.Ref)
	if err != nil {
		return c, err
	}
	if q.Ref == nil || q.Ref.Protocol != mail.AMP { // signed mail goes to addresses
		offer(&c, now.Parties())
	}
	if q.Ref == nil || replied {
		if c.Draft != nil {
			c.Reach, c.Agent = now.ReachOf(c.Draft.To), now.Named(c.Draft.To)
		}
		return c, nil
	}
	v := views.Of(*q.Ref)
	if v == nil {
		return c, views.Unserved(*q.Ref)
	}
	// An agent reads mail in SAMP and not in its own log. The reply goes to the
	// SAMP thread of the same name, and the name links the two.
	name, err := v.Name(*q.Ref)
	c.Draft = &panel.Draft{Thread: name}
	if err != nil {
		return c, err
	}
	page, err := v.Thread(ctx, panel.ThreadParams{Ref: *q.Ref, Limit: 1})
	if err != nil {
		return c, err
	}
	address(&c, &page.Thread)
	if s := now.SessionOf(&page.Thread); s != nil {
		it := now.Running(s)
		c.Agent = &it
	}
	return c, nil
}

// composeAll adds to c what every view that can send mail offers, and reports whether one of
// them drafted the reply to ref.
func composeAll(ctx context.Context, views view.Views, c *panel.ComposeContext, ref *panel.Ref) (replied bool, err error) {
	for _, v := range views {
		w, ok := v.View.(panel.Writer)
		if !ok {
			continue
		}
		var reply *panel.Ref
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
func (d Composer) ComposePreview(ctx context.Context, draft panel.Draft) (panel.ComposePreview, error) {
	if w := d.writerOf(ctx, &draft); w != nil {
		return w.Preview(ctx, draft)
	}
	return panel.ComposePreview{}, errNoWriter
}

// writerOf returns the view that takes a draft, or nil if none does.
func (d Composer) writerOf(ctx context.Context, draft *panel.Draft) panel.Writer {
	for _, w := range view.Having[panel.Writer](d.ViewsNow(ctx)) {
		if w.Takes(draft) {
			return w
		}
	}
	return nil
}

// errNoWriter is the error for a draft that no format can send.
var errNoWriter = &panel.Error{Kind: panel.Unsupported, Message: "a reply in another protocol"}

// Send writes a draft, once for each client token.
func (d Composer) Send(ctx context.Context, q panel.SendParams) (panel.Sent, error) {
	w := d.writerOf(ctx, &q.Draft)
	if w == nil {
		return panel.Sent{}, errNoWriter
	}
	sent, err := w.Send(ctx, q)
	if err == nil {
		sent.Reach = d.Wake(ctx, q.Draft.To)
	}
	return sent, err
}

// ReplyTarget returns the newest message to the user. If from is an alias, only messages
// from that alias count (§7).
func (d Composer) ReplyTarget(ctx context.Context, from string) (panel.Ref, error) {
	if v := view.Having[panel.Answering](d.ViewsNow(ctx)); len(v) > 0 {
		return v[0].Newest(ctx, from)
	}
	return panel.Ref{}, &panel.Error{Kind: panel.NotFound, Message: "no message to reply to"}
}

// offer adds agents and worktrees to the recipients, with what they are doing. New recipients come
// after those that the user has written to before.
func offer(c *panel.ComposeContext, list []sessions.Party) {
	for i := range list {
		party := &list[i]
		if party.Alias == c.From {
			continue
		}
		at := slices.IndexFunc(c.Recipients, func(r panel.Recipient) bool { return r.Alias == party.Alias })
		if at < 0 {
			if at = len(c.Recipients); at >= 2*panel.RecipientsMost {
				return
			}
			c.Recipients = append(c.Recipients, panel.Recipient{Alias: party.Alias})
		}
		c.Recipients[at].Doing, c.Recipients[at].Reach = show.Line(party.About()), panel.Reach(party.Way)
	}
}

// address sets the draft's recipient to the agent of a thread's session, if mail reaches the agent.
func address(c *panel.ComposeContext, t *panel.ThreadItem) {
	if t.Agent != nil && t.Agent.Session != nil {
		if c.Reach = t.Agent.Session.Reach; c.Reach != "" && c.Reach != panel.ReachSetUp {
			c.Draft.To = t.Agent.Session.Alias
		}
	}
}

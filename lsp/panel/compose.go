package panel

import "context"

// RecipientsMost is the most recipients that a format offers.
const RecipientsMost = 100

// ComposeContext returns what a compose panel offers: the recipients to write to, the
// threads to continue, and, if the params have a ref, the draft of a reply to it.
func (p *Panels) ComposeContext(ctx context.Context, q ComposeParams) (ComposeContext, error) {
	c := ComposeContext{Recipients: []Recipient{}, Threads: []ThreadName{}}
	replied, err := composeAll(ctx, p.viewsNow(ctx), &c, q.Ref)
	if err != nil {
		return c, err
	}
	if q.Ref == nil || replied {
		return c, nil
	}
	v := p.viewOf(ctx, *q.Ref)
	if v == nil {
		return c, p.unserved(*q.Ref)
	}
	// An agent reads mail in SAMP and not in its own log. The reply goes to the
	// SAMP thread of the same name, and the name links the two.
	name, err := v.Name(*q.Ref)
	c.Draft = &Draft{Thread: name}
	return c, err
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
	for _, v := range p.viewsNow(ctx) {
		if w, ok := v.View.(Writer); ok && w.Takes(d) {
			return w
		}
	}
	return nil
}

// errNoWriter is the error for a draft that no format can send.
var errNoWriter = &Error{Kind: Unsupported, Message: "a reply in another protocol"}

// Send writes a draft, once for each client token.
func (p *Panels) Send(ctx context.Context, q SendParams) (Sent, error) {
	if w := p.writerOf(ctx, &q.Draft); w != nil {
		return w.Send(ctx, q)
	}
	return Sent{}, errNoWriter
}

// ReplyTarget returns the newest message to the user. If from is an alias, only messages
// from that alias count (§7).
func (p *Panels) ReplyTarget(ctx context.Context, from string) (Ref, error) {
	for _, v := range p.viewsNow(ctx) {
		if a, ok := v.View.(Answering); ok {
			return a.Newest(ctx, from)
		}
	}
	return Ref{}, &Error{Kind: NotFound, Message: "no message to reply to"}
}

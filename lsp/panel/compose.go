package panel

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/mail"
)

// RecipientsMost is the most recipients that a format offers.
const RecipientsMost = 100

// ComposeContext returns what a compose panel offers: the recipients to write to, the
// threads to continue, and, if the params have a ref, the draft of a reply to it.
func (p *Panels) ComposeContext(ctx context.Context, q ComposeParams) (ComposeContext, error) {
	signed := p.mailNow(ctx)
	c := ComposeContext{Recipients: []Recipient{}, Threads: []ThreadName{}, Amp: signed.identity(p.readOnly())}
	replied, err := composeAll(ctx, p.viewsNow(ctx), &c, q.Ref)
	if err != nil {
		return c, err
	}
	switch {
	case q.Ref == nil || replied:
	case q.Ref.Protocol == mail.AMP:
		c.Recipients, c.Threads = []Recipient{}, []ThreadName{}
		return p.ampContext(&signed, *q.Ref, c)
	default:
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
	return c, nil
}

// ComposePreview returns what sending a draft would write, and every objection to it.
// Nothing is written.
func (p *Panels) ComposePreview(ctx context.Context, d Draft) (ComposePreview, error) {
	if w := p.writerOf(ctx, &d); w != nil {
		return w.Preview(ctx, d)
	}
	if d.isAmp() {
		return p.ampPreview(ctx, d)
	}
	return ComposePreview{}, errNoWriter
}

// errNoWriter is the error for a draft that no format can send.
var errNoWriter = &Error{Kind: Unsupported, Message: "a reply in another protocol"}

// Object adds an objection to the draft.
func (c *ComposePreview) Object(severity DraftSeverity, rule, field, message string) {
	c.Warnings = append(c.Warnings, DraftWarning{Severity: severity, Rule: rule, Field: field, Message: message})
}

// Send writes a draft, once for each client token.
func (p *Panels) Send(ctx context.Context, q SendParams) (Sent, error) {
	if w := p.writerOf(ctx, &q.Draft); w != nil {
		return w.Send(ctx, q)
	}
	if q.Draft.isAmp() {
		return p.ampSend(ctx, q)
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

// SetRead marks messages as read or unread and returns the new counts. A ref to a thread
// stands for all messages of the thread to the user.
func (p *Panels) SetRead(ctx context.Context, q ReadParams) (Counts, error) {
	settings := p.settingsNow()
	if settings.ReadOnly {
		return Counts{}, &Error{Kind: Untrusted, Message: "read-only: the workspace is not trusted, so nothing is marked"}
	}
	if err := p.settled(ctx); err != nil {
		return Counts{}, err
	}
	refs := q.Refs
	if q.Read {
		var err error
		if refs, err = p.seen(ctx, refs); err != nil {
			return Counts{}, err
		}
	}
	move := settings.UpdateWatermark
	if q.UpdateWatermark != nil {
		move = *q.UpdateWatermark
	}
	views := p.viewsNow(ctx)
	for _, r := range refs { // check every ref before any is marked
		if r.Protocol != mail.AMP && !marks(views, r.Protocol) {
			return Counts{}, p.unserved(r)
		}
	}
	refs, err := setRead(ctx, views, refs, q.Read, move)
	if err != nil {
		return Counts{}, err
	}
	signed, _ := ampRefs(refs)
	if len(signed) > 0 {
		if err := p.ampSetRead(ctx, signed, q.Read); err != nil {
			return Counts{}, err
		}
	}
	return p.counts(ctx), nil
}

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

// ComposePreview returns what sending a draft would write, and every objection to it.
// Nothing is written.
func (p *Panels) ComposePreview(ctx context.Context, d Draft) (ComposePreview, error) {
	if w := p.writerOf(ctx, &d); w != nil {
		return w.Preview(ctx, d)
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
		if _, ok := viewIn(views, r).(Marker); !ok {
			return Counts{}, p.unserved(r)
		}
	}
	if err := eachView(views, refs, func(v View, own []Ref) error {
		return v.(Marker).SetRead(ctx, own, q.Read, move)
	}); err != nil {
		return Counts{}, err
	}
	return p.counts(ctx), nil
}

// Archive archives threads or messages of signed mail in the user's own inbox, or takes
// them out of the archive. It returns the new counts.
func (p *Panels) Archive(ctx context.Context, q ArchiveParams) (Counts, error) {
	if p.readOnly() {
		return Counts{}, &Error{Kind: Untrusted, Message: "read-only: the workspace is not trusted, so nothing is marked"}
	}
	views := p.viewsNow(ctx)
	for _, r := range q.Refs { // check every ref before any is archived
		if _, ok := viewIn(views, r).(Archiver); !ok {
			return Counts{}, &Error{Kind: Unsupported, Message: "only signed mail can be archived"}
		}
	}
	if err := archive(ctx, views, q.Refs, q.Archived); err != nil {
		return Counts{}, err
	}
	return p.counts(ctx), nil
}

// archive archives messages, or takes them out of the archive. The views of all refs
// must be Archivers.
func archive(ctx context.Context, views []view, refs []Ref, archived bool) error {
	return eachView(views, refs, func(v View, own []Ref) error { return v.(Archiver).Archive(ctx, own, archived) })
}

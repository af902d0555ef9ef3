package panel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

const (
	recipientsShown = 100
	threadsShown    = 100
)

// ComposeContext gives what a compose panel offers: whom to write to, which
// threads to go on with, and for a ref the draft of a reply to it.
func (p *Panels) ComposeContext(ctx context.Context, q ComposeParams) (ComposeContext, error) {
	s, settings, alias := p.first()
	signed := p.mailNow(ctx)
	c := ComposeContext{From: safe(alias.Value), Recipients: []Recipient{}, Threads: []ThreadName{}}
	c.Reason = cannotSend(s, settings, alias)
	c.CanSend = c.Reason == ""
	c.Amp = signed.identity(settings.ReadOnly)
	replied, err := composeAll(ctx, p.viewsNow(ctx), &c, q.Ref)
	if err != nil {
		return c, err
	}
	if q.Ref != nil && q.Ref.Protocol == mail.AMP && !replied {
		return p.ampContext(&signed, *q.Ref, c)
	}
	if q.Ref == nil || replied {
		// A new message, or a draft that its source made.
	} else if v := p.viewOf(ctx, *q.Ref); v != nil {
		name, err := v.Name(*q.Ref)
		if err != nil {
			return c, err
		}
		// An agent reads its mail in SAMP, not in its own log: a thread of
		// the same name leads from one to the other.
		c.Draft = &Draft{Thread: name}
	} else {
		d, err := p.replyDraft(*q.Ref)
		if err != nil {
			return c, err
		}
		if len(d.Thread) > mail.MaxName {
			d.Thread = "" // ReplyTo stands for it.
		}
		c.Draft = &d
		if s, err = p.find(*q.Ref); err != nil {
			return c, err
		}
	}
	if s.live == nil {
		return c, nil
	}
	id := s.live.Stats().ID
	for _, party := range s.live.Parties(recipientsShown) {
		if party.Alias != alias.Value {
			c.Recipients = append(c.Recipients, Recipient{Alias: party.Alias, LastTime: millis(party.Last)})
		}
	}
	threads, _ := s.live.Threads(store.Filter{}, store.Cursor{}, threadsShown)
	for i := range threads {
		t := &threads[i]
		if len(t.Name) > mail.MaxName || render.Text(t.Name) != t.Name || strings.ContainsAny(t.Name, "\n\t") {
			continue // Nobody could tell what it is that they type.
		}
		title, _ := render.Line(t.Name, titleChars)
		c.Threads = append(c.Threads, ThreadName{Name: t.Name, Title: title, Ref: threadRef(id, t.Name)})
	}
	return c, nil
}

// first gives the directory that new messages go to.
func (p *Panels) first() (opened, Settings, store.Choice) {
	stores, settings, alias := p.snapshot()
	if len(stores) == 0 {
		return opened{}, settings, alias
	}
	return stores[0], settings, alias
}

// cannotSend says why nothing can be sent, or is empty.
func cannotSend(s opened, settings Settings, alias store.Choice) string {
	if settings.ReadOnly {
		return "read-only: the workspace is not trusted"
	}
	if err := samp.CheckAlias(alias.Value); err != nil {
		return safe(err.Error()) + " (from " + alias.Origin + ")"
	}
	if s.live == nil {
		return "no message directory is open"
	}
	stats := s.live.Stats()
	if stats.Exists && !stats.Writable {
		return "the message directory " + safe(stats.Path) + " cannot be written"
	}
	return ""
}

// replyDraft gives the draft of a reply to a message, or to the newest message
// of a thread that is not the user's own (§7).
func (p *Panels) replyDraft(r Ref) (Draft, error) {
	s, err := p.find(r)
	if err != nil {
		return Draft{}, err
	}
	m, err := p.answered(s, r)
	if err != nil {
		return Draft{}, failure(err, "reply")
	}
	_, _, alias := p.snapshot()
	to := m.From
	if to == alias.Value {
		to = m.To
	}
	ref := messageRef(s.live.Stats().ID, &m)
	return Draft{To: to, Thread: m.Thread, ReplyTo: &ref}, nil
}

func (p *Panels) answered(s opened, r Ref) (store.Message, error) {
	if key, ok := keyOf(r); ok {
		return s.live.Get(key)
	}
	name, ok := threadNamed(s.live, r)
	if !ok {
		return store.Message{}, store.ErrNotFound
	}
	page, err := s.live.Page(name, nil, nil, pageDefault)
	if err != nil {
		return store.Message{}, err
	}
	_, _, alias := p.snapshot()
	var best *store.Message
	for i := range page.Messages {
		m := &page.Messages[i]
		if m.Err == nil && (best == nil || m.To == alias.Value || best.To != alias.Value) {
			best = m
		}
	}
	if best == nil {
		return store.Message{}, store.ErrNotFound
	}
	return *best, nil
}

// ComposePreview says what sending a draft would write, and every objection to
// it. Nothing is written.
func (p *Panels) ComposePreview(ctx context.Context, d Draft) (ComposePreview, error) {
	if w := p.writerOf(ctx, &d); w != nil {
		return w.Preview(ctx, d)
	}
	if d.isAmp() {
		return p.ampPreview(ctx, d)
	}
	s, settings, alias := p.first()
	out := ComposePreview{From: safe(alias.Value), To: safe(d.To), Protocol: string(mail.SAMP), Warnings: []DraftWarning{}}
	if reason := cannotSend(s, settings, alias); reason != "" {
		out.object("error", "L2", "from", reason)
	}
	thread, err := p.draftThread(&s, &d)
	if err != nil {
		return out, err
	}
	profile := samp.V1
	if s.live != nil {
		profile = s.live.Stats().Profile
	}
	out.Profile = profile.String()
	out.look(s, &d, alias.Value, thread != "")
	r, err := store.Compose(p.opt.Now(), profile, alias.Value, d.To, thread, d.Body)
	if err != nil {
		fault, _ := errors.AsType[*canon.Fault](err)
		out.object("error", fault.Rule, fault.Field, safe(fault.Reason))
		return out, nil
	}
	out.Record = strings.TrimSuffix(string(r.Append(nil)), "\n")
	out.ID, out.Thread, out.Log = r.ID, r.Thread, samp.LogName(r.From)
	out.CanSend = !slices.ContainsFunc(out.Warnings, func(w DraftWarning) bool { return w.Severity == "error" })
	return out, nil
}

// draftThread gives the thread that a draft goes on with, empty for a new one,
// and turns s to the directory that the draft belongs to. A reply keeps its
// thread and, unless the user chose another, its recipient.
func (p *Panels) draftThread(s *opened, d *Draft) (string, error) {
	if d.ReplyTo == nil {
		return d.Thread, nil
	}
	if d.ReplyTo.Protocol != mail.SAMP {
		return "", &Error{Kind: Unsupported, Message: "a reply in another protocol"}
	}
	reply, err := p.replyDraft(*d.ReplyTo)
	if err != nil {
		return "", err
	}
	if *s, err = p.find(*d.ReplyTo); err != nil {
		return "", err
	}
	if d.To == "" {
		d.To = reply.To
	}
	if d.Thread != "" {
		return d.Thread, nil
	}
	return reply.Thread, nil
}

func (c *ComposePreview) object(severity DraftSeverity, rule, field, message string) {
	c.Warnings = append(c.Warnings, DraftWarning{Severity: severity, Rule: rule, Field: field, Message: message})
}

// look finds what a careful reader of the draft would ask about.
func (c *ComposePreview) look(s opened, d *Draft, me string, threaded bool) {
	if strings.TrimSpace(d.Body) == "" {
		c.object("error", "R1", "body", "the message is empty")
	}
	if d.To == me {
		c.object("warning", "L2", "to", "the message is to yourself")
	}
	if s.live != nil && samp.ValidAlias(d.To) && d.To != me && !known(s.live, d.To) {
		c.object("warning", "L2", "to", fmt.Sprintf("nobody here has written or been written to as %q yet", d.To))
	}
	_, stored := samp.DeriveThread(d.Body, me, "", samp.V1)
	switch {
	case stored == d.Body:
	case threaded:
		c.object("warning", "T3", "body", "the thread is set already: the [thread:…] at the start stays in the text")
	default:
		c.object("warning", "T1", "body", "the [thread:…] at the start names the thread and is not part of the message")
	}
}

func known(live *store.Live, alias string) bool {
	return slices.ContainsFunc(live.Parties(1<<20), func(p store.Party) bool { return p.Alias == alias })
}

// Send writes a draft, once for each client token.
func (p *Panels) Send(ctx context.Context, q SendParams) (Sent, error) {
	if w := p.writerOf(ctx, &q.Draft); w != nil {
		return w.Send(ctx, q)
	}
	if q.Draft.isAmp() {
		return p.ampSend(ctx, q)
	}
	s, settings, alias := p.first()
	if settings.ReadOnly {
		return Sent{}, &Error{Kind: Untrusted, Message: cannotSend(s, settings, alias)}
	}
	thread, err := p.draftThread(&s, &q.Draft)
	if err != nil {
		return Sent{}, err
	}
	if s.live == nil {
		return Sent{}, &Error{Kind: StoreUnavailable, Message: "no message directory is open", Retryable: true}
	}
	if q.ClientToken == "" || len(q.ClientToken) > store.MaxToken {
		return Sent{}, &Error{Kind: Malformed, Message: fmt.Sprintf("clientToken has to be 1 to %d bytes long", store.MaxToken)}
	}
	if strings.TrimSpace(q.Draft.Body) == "" {
		return Sent{}, &Error{Kind: Malformed, Message: "the message is empty", Detail: "R1"}
	}
	r, err := s.live.Send(ctx, q.ClientToken, func(profile samp.Profile) (samp.Record, error) {
		return store.Compose(p.opt.Now(), profile, alias.Value, q.Draft.To, thread, q.Draft.Body)
	})
	if err != nil {
		return Sent{}, failure(err, "send")
	}
	id := s.live.Stats().ID
	return Sent{
		Ref: mail.MessageRef(mail.SAMP, id, r.From, r.ID), Thread: threadRef(id, r.Thread),
		ID: r.ID, ThreadName: safe(r.Thread),
	}, nil
}

// ReplyTarget gives the newest message to the user, from an alias if one is
// given (§7).
func (p *Panels) ReplyTarget(ctx context.Context, from string) (Ref, error) {
	s, _, _ := p.first()
	if s.live == nil {
		return Ref{}, failure(store.ErrNotFound, "reply")
	}
	if err := s.live.Settle(ctx); err != nil {
		return Ref{}, failure(err, "reply")
	}
	newest, tied := s.live.Newest(from, p.opt.Now().Unix())
	switch {
	case len(tied) > 0:
		var who []string
		for i := range tied {
			who = append(who, safe(tied[i].From))
		}
		return Ref{}, &Error{Kind: Ambiguous, Message: "several senders wrote in the newest second: " + strings.Join(who, ", "), Detail: "P2"}
	case newest == nil:
		return Ref{}, &Error{Kind: NotFound, Message: "no message to reply to"}
	}
	return messageRef(s.live.Stats().ID, newest), nil
}

// SetRead marks messages as read or unread; a thread stands for all its
// messages to the user.
func (p *Panels) SetRead(ctx context.Context, q ReadParams) (Counts, error) {
	_, settings, _ := p.snapshot()
	if settings.ReadOnly {
		return Counts{}, &Error{Kind: Untrusted, Message: "read-only: the workspace is not trusted, so nothing is marked"}
	}
	if err := p.settled(ctx); err != nil {
		return Counts{}, err
	}
	keys, threads := make(map[*store.Live][]store.Key), make(map[*store.Live][]string)
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
	refs, err := setRead(ctx, p.viewsNow(ctx), refs, q.Read, move)
	if err != nil {
		return Counts{}, err
	}
	signed, others := ampRefs(refs)
	for _, r := range others {
		s, err := p.find(r)
		if err != nil {
			return Counts{}, err
		}
		name, isThread := threadNamed(s.live, r)
		key, isMessage := keyOf(r)
		switch {
		case isThread:
			threads[s.live] = append(threads[s.live], name)
		case isMessage:
			keys[s.live] = append(keys[s.live], key)
		default:
			return Counts{}, &Error{Kind: Unsupported, Message: "a suspicious record cannot be marked"}
		}
	}
	stores, _, _ := p.snapshot()
	for _, s := range stores {
		if len(keys[s.live])+len(threads[s.live]) == 0 {
			continue
		}
		err := s.live.SetRead(keys[s.live], threads[s.live], q.Read)
		if err == nil && move && q.Read {
			err = s.live.MoveWatermark(p.opt.Now())
		}
		if err != nil {
			return Counts{}, failure(err, "mark read")
		}
	}
	if len(signed) > 0 {
		if err := p.ampSetRead(ctx, signed, q.Read); err != nil {
			return Counts{}, err
		}
	}
	return p.counts(ctx), nil
}

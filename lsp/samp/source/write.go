package source

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
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// threadsOffered is the largest number of existing threads in a compose panel.
const threadsOffered = 100

func (v *view) Compose(_ context.Context, c *panel.ComposeContext, reply *panel.Ref) error {
	s := v.first()
	c.From, c.Reason = show.Line(v.alias.Value), v.cannotSend(s)
	c.CanSend = c.Reason == ""
	if reply != nil {
		d, in, err := v.replyDraft(*reply)
		if err != nil {
			return err
		}
		if len(d.Thread) > mail.MaxName {
			d.Thread = "" // ReplyTo names the thread instead.
		}
		c.Draft, s = &d, in
	}
	if s.live == nil {
		return nil
	}
	id := s.live.Stats().ID
	for _, party := range s.live.Parties(panel.RecipientsMost) {
		if party.Alias != v.alias.Value {
			c.Recipients = append(c.Recipients, panel.Recipient{Alias: party.Alias, LastTime: show.Millis(party.Last)})
		}
	}
	threads, _ := s.live.List(index.Listing{Limit: threadsOffered})
	titled := titlesOf(s.live, threads)
	for i := range threads {
		name := threads[i].Name
		if len(name) > mail.MaxName || render.Text(name) != name || strings.ContainsAny(name, "\n\t") {
			continue // The shown name would not be the name that is sent.
		}
		c.Threads = append(c.Threads, panel.ThreadName{Name: name, Title: titled[name], With: participants(threads[i].Participants), Ref: threadRef(id, name)})
	}
	return nil
}

// cannotSend returns the reason why mail cannot be sent, or "" if it can.
func (v *view) cannotSend(s opened) string {
	if v.readOnly {
		return v.source.host.Options.ReadOnlyWords()
	}
	if err := samp.CheckAlias(v.alias.Value); err != nil {
		return show.Line(err.Error()) + " (from " + v.alias.Origin + ")"
	}
	if s.live == nil {
		return "no message directory is open"
	}
	stats := s.live.Stats()
	if stats.Exists && !stats.Writable {
		return "the message directory " + show.Line(stats.Path) + " cannot be written"
	}
	return ""
}

// replyDraft returns the draft of a reply to a message, or to the message that replyTarget
// chooses in a thread (§7), and the directory to which it is sent.
func (v *view) replyDraft(r panel.Ref) (panel.Draft, opened, error) {
	s, err := v.find(r)
	if err != nil {
		return panel.Draft{}, s, err
	}
	m, err := v.replyTarget(s, r)
	if err != nil {
		return panel.Draft{}, s, failure(err, "reply")
	}
	to := m.From
	if to == v.alias.Value {
		to = m.To
	}
	ref := messageRef(s.live.Stats().ID, &m)
	return panel.Draft{To: to, Thread: m.Thread, ReplyTo: &ref}, s, nil
}

// replyTarget returns the message of a ref. For a thread it returns the newest readable message
// to the user on the thread's last page, or the newest to anybody if none is to the user.
func (v *view) replyTarget(s opened, r panel.Ref) (index.Message, error) {
	if key, ok := keyOf(r); ok {
		return s.live.Get(key)
	}
	name, ok := threadName(s.live, r)
	if !ok {
		return index.Message{}, index.ErrNotFound
	}
	page, err := s.live.Page(name, nil, nil, panel.PageSize(0))
	if err != nil {
		return index.Message{}, err
	}
	me := v.alias.Value
	var best *index.Message
	for i := range page.Messages {
		m := &page.Messages[i]
		if m.Err == nil && (best == nil || m.To == me || best.To != me) {
			best = m
		}
	}
	if best == nil {
		return index.Message{}, index.ErrNotFound
	}
	return *best, nil
}

func (v *view) Takes(d *panel.Draft) bool {
	if d.ReplyTo != nil {
		return d.ReplyTo.Protocol == mail.SAMP
	}
	return !strings.Contains(d.To, "@") // only addresses of signed mail have an "@"
}

func (v *view) Preview(_ context.Context, d panel.Draft) (panel.ComposePreview, error) {
	me := v.alias.Value
	out := panel.ComposePreview{From: show.Line(me), To: show.Line(d.To), Protocol: string(mail.SAMP), Warnings: []panel.DraftWarning{}}
	if reason := v.cannotSend(v.first()); reason != "" {
		out.Object("error", "L2", "from", reason)
	}
	s, thread, err := v.destination(&d)
	if err != nil {
		return out, err
	}
	profile := samp.V1
	if s.live != nil {
		profile = s.live.Stats().Profile
	}
	out.Profile = profile.String()
	v.check(&out, s, &d, me, thread != "")
	r, err := sampstore.Compose(v.source.host.Options.Now(), profile, me, d.To, thread, d.Body)
	if err != nil {
		fault, _ := errors.AsType[*canon.Fault](err)
		out.Object("error", fault.Rule, fault.Field, show.Line(fault.Reason))
		return out, nil
	}
	out.Record = strings.TrimSuffix(string(r.Append(nil)), "\n")
	out.ID, out.Thread, out.Log = r.ID, r.Thread, samp.LogName(r.From)
	out.CanSend = !slices.ContainsFunc(out.Warnings, func(w panel.DraftWarning) bool { return w.Severity == "error" })
	return out, nil
}

// destination returns the directory to which a draft is sent, and the thread that it
// continues, or "" for a new thread. A reply stays in its thread and goes to the sender,
// unless the user chose others. destination sets d.To if it is empty.
func (v *view) destination(d *panel.Draft) (s opened, thread string, err error) {
	if d.ReplyTo == nil {
		return v.first(), d.Thread, nil
	}
	reply, s, err := v.replyDraft(*d.ReplyTo)
	if err != nil {
		return s, "", err
	}
	if d.To == "" {
		d.To = reply.To
	}
	if d.Thread != "" {
		return s, d.Thread, nil
	}
	return s, reply.Thread, nil
}

// check adds errors and warnings about a draft: an empty body (R1), an unusual recipient
// (L2) and a [thread:…] at the start (T1, T3).
func (v *view) check(c *panel.ComposePreview, s opened, d *panel.Draft, me string, threaded bool) {
	if strings.TrimSpace(d.Body) == "" {
		c.Object("error", "R1", "body", "the message is empty")
	}
	if d.To == me {
		c.Object("warning", "L2", "to", "the message is to yourself")
	}
	if s.live != nil && samp.ValidAlias(d.To) && d.To != me && !known(s.live, d.To) && v.source.host.Reach(s.path).Party(d.To).Way == "" {
		c.Object("warning", "L2", "to", fmt.Sprintf("nobody here has written or been written to as %q yet", d.To))
	}
	_, stored := samp.DeriveThread(d.Body, me, "", samp.V1)
	switch {
	case stored == d.Body:
	case threaded:
		c.Object("warning", "T3", "body", "the thread is set already: the [thread:…] at the start stays in the text")
	default:
		c.Object("warning", "T1", "body", "the [thread:…] at the start names the thread and is not part of the message")
	}
}

func known(live *index.Live, alias string) bool {
	return slices.ContainsFunc(live.Parties(1<<20), func(p index.Party) bool { return p.Alias == alias })
}

func (v *view) Send(ctx context.Context, q panel.SendParams) (panel.Sent, error) {
	if v.readOnly {
		return panel.Sent{}, &panel.Error{Kind: panel.Untrusted, Message: v.cannotSend(v.first())}
	}
	s, thread, err := v.destination(&q.Draft)
	if err != nil {
		return panel.Sent{}, err
	}
	if s.live == nil {
		return panel.Sent{}, &panel.Error{Kind: panel.StoreUnavailable, Message: "no message directory is open", Retryable: true}
	}
	if err := panel.CheckClientToken(q.ClientToken); err != nil {
		return panel.Sent{}, err
	}
	if strings.TrimSpace(q.Draft.Body) == "" {
		return panel.Sent{}, &panel.Error{Kind: panel.Malformed, Message: "the message is empty", Detail: "R1"}
	}
	r, err := s.live.Send(ctx, q.ClientToken, func(profile samp.Profile) (samp.Record, error) {
		return sampstore.Compose(v.source.host.Options.Now(), profile, v.alias.Value, q.Draft.To, thread, q.Draft.Body)
	})
	if err != nil {
		return panel.Sent{}, failure(err, "send")
	}
	id := s.live.Stats().ID
	return panel.Sent{
		Ref: mail.MessageRef(mail.SAMP, id, r.From, r.ID), Thread: threadRef(id, r.Thread),
		ID: r.ID, ThreadName: show.Line(r.Thread),
	}, nil
}

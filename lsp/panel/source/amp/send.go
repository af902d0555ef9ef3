package amp

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// stamp returns the stamp of a draft, or a new one if the draft has none.
func (v *view) stamp(d *panel.Draft) (mailbox.Stamp, error) {
	if d.Stamp == "" {
		return mailbox.NewStamp(v.source.host.Options.Now()), nil
	}
	s, err := mailbox.ParseStamp(d.Stamp)
	if err != nil {
		return s, &panel.Error{Kind: panel.Malformed, Message: "the stamp is not one that a preview gave", Detail: "stamp", Err: err}
	}
	return s, nil
}

// Send signs and delivers a draft, once for each client token. The stamp of the
// preview decides the message's id; without a stamp, the token does. A second try
// therefore finds what the first one sent.
func (v *view) Send(ctx context.Context, q panel.SendParams) (panel.Sent, error) {
	if q.ClientToken == "" || len(q.ClientToken) > store.MaxToken {
		return panel.Sent{}, &panel.Error{Kind: panel.Malformed, Message: fmt.Sprintf("clientToken has to be 1 to %d bytes long", store.MaxToken)}
	}
	s := v.source
	s.signing.Lock()
	defer s.signing.Unlock()
	if err := s.Sync(ctx); err != nil {
		return panel.Sent{}, err
	}
	v = s.view(ctx, v.shelf)
	if reason := v.cannotSign(); reason != "" {
		kind := panel.NotOwner
		if v.readOnly {
			kind = panel.Untrusted
		}
		return panel.Sent{}, &panel.Error{Kind: kind, Message: show.Line(reason), Detail: "SIG-1"}
	}
	st, err := v.stamp(&q.Draft)
	if err != nil {
		return panel.Sent{}, err
	}
	if q.Draft.Stamp == "" {
		st = st.ForToken(q.ClientToken)
	}
	if id := v.sentWith(st.ID(), q.ClientToken); id != "" {
		return v.sent(id), nil
	}
	l, err := v.letter(&q.Draft)
	if err != nil {
		return panel.Sent{}, err
	}
	prepared, err := in(v.Path, v.own.Mailbox, func(b *mailbox.Box) (*Prepared, error) {
		p, err := b.Prepare(ctx, v.Snapshot, l, st)
		if err == nil {
			_, err = b.Send(ctx, p, v.source.host.Options.Now())
		}
		return p, err
	})
	if err != nil {
		return panel.Sent{}, failure(err, "send")
	}
	// The message is sent, so the rest is done even if the client cancels.
	ctx = context.WithoutCancel(ctx)
	if err := s.Sync(ctx); err != nil {
		v.source.host.Options.Log.Warn("look at what was sent", "error", err)
	}
	return s.view(ctx, v.shelf).sent(prepared.Draft.ID), nil
}

// sentWith returns the id of a message that the user has sent, or "" if there is none.
// The message has the given id, which is a stamp's, or an id made for the token.
func (v *view) sentWith(id, token string) string {
	for _, t := range v.Threads {
		for i := range t.Messages {
			at := &t.Messages[i]
			if (at.ID == id || mailbox.MadeFor(at.ID, token)) && v.own.File(at, mailbox.Sent) != nil {
				return at.ID
			}
		}
	}
	return ""
}

// sent returns the refs and the thread's name of a message that the user sent. A message
// that is not found is named by its id.
func (v *view) sent(id string) panel.Sent {
	out := panel.Sent{ID: id, ThreadName: id, Ref: mail.ThreadRef(mail.AMP, v.ID, id), Thread: mail.ThreadRef(mail.AMP, v.ID, id)}
	for _, m := range v.ByID(id) {
		if m.Box != mailbox.Sent || !v.own.Has(m.Mailbox) {
			continue
		}
		out.Ref = messageRef(v.ID, m.Key)
		if t, _ := v.Message(m.Key); t != nil {
			out.Thread, out.ThreadName = mail.ThreadRef(mail.AMP, v.ID, t.ID), title(t)
		}
	}
	return out
}

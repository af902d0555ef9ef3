package panel

import (
	"context"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// stamp returns the stamp of a draft, or a new one if the draft has none.
func (p *Panels) stamp(d *Draft) (mailbox.Stamp, error) {
	if d.Stamp == "" {
		return mailbox.NewStamp(p.opt.Now(), len(d.Attachments)), nil
	}
	s, err := mailbox.ParseStamp(d.Stamp)
	if err != nil {
		return s, &Error{Kind: Malformed, Message: "the stamp is not one that a preview gave", Detail: "stamp", Err: err}
	}
	return s, nil
}

// ampSend signs and delivers a draft, once for each client token. The stamp of the
// preview decides the message's id; without a stamp, the token does. A second try
// therefore finds what the first one sent.
func (p *Panels) ampSend(ctx context.Context, q SendParams) (Sent, error) {
	if q.ClientToken == "" || len(q.ClientToken) > store.MaxToken {
		return Sent{}, &Error{Kind: Malformed, Message: fmt.Sprintf("clientToken has to be 1 to %d bytes long", store.MaxToken)}
	}
	p.signing.Lock()
	defer p.signing.Unlock()
	if err := p.syncMail(ctx); err != nil {
		return Sent{}, err
	}
	n := p.mailNow(ctx)
	if reason := n.cannotSign(p.readOnly()); reason != "" {
		kind := NotOwner
		if p.readOnly() {
			kind = Untrusted
		}
		return Sent{}, &Error{Kind: kind, Message: safe(reason), Detail: "SIG-1"}
	}
	st, err := p.stamp(&q.Draft)
	if err != nil {
		return Sent{}, err
	}
	if q.Draft.Stamp == "" {
		st = st.ForToken(q.ClientToken)
	}
	if id := n.sentWith(st.ID(), q.ClientToken); id != "" {
		return n.sent(id), nil
	}
	l, err := n.letter(&q.Draft, p.now())
	if err != nil {
		return Sent{}, err
	}
	box, err := mailbox.Open(n.Path, n.own.Mailbox.Dir)
	if err != nil {
		return Sent{}, ampFailure(err, "send")
	}
	defer box.Close()
	prepared, err := box.Prepare(ctx, n.Snapshot, l, st)
	if err == nil {
		_, err = box.Send(ctx, prepared, p.opt.Now())
	}
	if err != nil {
		return Sent{}, ampFailure(err, "send")
	}
	// The message is sent, so the rest is done even if the client cancels.
	ctx = context.WithoutCancel(ctx)
	if err := p.syncMail(ctx); err != nil {
		p.opt.Log.Warn("look at what was sent", "error", err)
	}
	n = p.mailNow(ctx)
	return n.sent(prepared.Draft.ID), nil
}

// sentWith returns the id of a message that the user has sent, or "" if there is none.
// The message has the given id, which is a stamp's, or an id made for the token.
func (n *mailNow) sentWith(id, token string) string {
	for _, t := range n.Threads {
		for i := range t.Messages {
			at := &t.Messages[i]
			if (at.ID == id || mailbox.MadeFor(at.ID, token)) && n.own.File(at, mailbox.Sent) != nil {
				return at.ID
			}
		}
	}
	return ""
}

// sent returns the refs and the thread's name of a message that the user sent. A message
// that is not found is named by its id.
func (n *mailNow) sent(id string) Sent {
	out := Sent{ID: id, ThreadName: id, Ref: mail.ThreadRef(mail.AMP, n.ID, id), Thread: mail.ThreadRef(mail.AMP, n.ID, id)}
	for _, m := range n.ByID(id) {
		if m.Box != mailbox.Sent || !n.own.Has(m.Mailbox) {
			continue
		}
		out.Ref = ampMessageRef(n.ID, m.Key)
		if t, _ := n.Message(m.Key); t != nil {
			out.Thread, out.ThreadName = mail.ThreadRef(mail.AMP, n.ID, t.ID), ampTitle(t)
		}
	}
	return out
}

// ampFailure returns an error of the store as an [Error] with a kind for clients. A
// cancelled or timed-out context's error is returned as it is. what names the action
// that failed.
func ampFailure(err error, what string) error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		return &Error{Kind: Malformed, Message: what + ": " + safe(fault.Reason), Detail: fault.Rule, Err: err}
	}
	if errors.Is(err, mailbox.ErrChanged) || errors.Is(err, mailbox.ErrNoMailbox) {
		return &Error{Kind: Malformed, Message: what + ": " + safe(err.Error()), Err: err}
	}
	if file, ok := errors.AsType[*mailbox.FileError](err); ok && file.Rule != "" {
		return &Error{Kind: Malformed, Message: what + ": " + safe(err.Error()), Detail: file.Rule, Err: err}
	}
	return &Error{Kind: StoreUnavailable, Message: what + ": " + safe(err.Error()), Retryable: true, Err: err}
}

package source

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// letter returns a draft in the form that the store writes. For a reply it reads the
// message that the draft answers.
func (v *view) letter(d *panel.Draft) (ampstore.Letter, error) {
	l := ampstore.Letter{
		To: d.To, Subject: d.Subject, Priority: d.Priority, Type: d.Type, Text: d.Body, Files: d.Attachments,
	}
	if strings.TrimSpace(d.Context) != "" {
		l.Context = []byte(d.Context)
	}
	if d.ReplyTo == nil {
		return l, nil
	}
	m, err := v.answered(*d.ReplyTo)
	if err != nil {
		return l, err
	}
	msg, err := v.Read(m)
	if err != nil {
		return l, failure(err, "reply")
	}
	l.Reply = &msg
	return l, nil
}

// Preview returns what sending a draft of signed mail would sign and write, and
// every objection to it.
func (v *view) Preview(ctx context.Context, d panel.Draft) (panel.ComposePreview, error) {
	out := panel.ComposePreview{To: show.Line(d.To), Protocol: string(mail.AMP), Warnings: []panel.DraftWarning{}}
	if v.own.Mailbox != nil && len(v.own.Mailbox.Addresses) > 0 {
		out.From = v.own.Mailbox.Addresses[0].String()
	}
	if reason := v.cannotSign(); reason != "" {
		out.Object("error", "SIG-1", "from", show.Line(reason))
	}
	l, err := v.letter(&d)
	if err != nil {
		return out, err
	}
	if v.own.Mailbox == nil || len(v.own.Mailbox.Addresses) == 0 {
		return out, nil
	}
	prepared, err := v.prepare(ctx, l, &d)
	if err != nil {
		if !refuse(&out, err, d.Attachments) {
			return out, failure(err, "preview")
		}
		return out, nil
	}
	fill(&out, prepared)
	v.addWarnings(&out, &d, prepared)
	out.CanSend = !slices.ContainsFunc(out.Warnings, func(w panel.DraftWarning) bool { return w.Severity == "error" })
	return out, nil
}

func (v *view) prepare(ctx context.Context, l ampstore.Letter, d *panel.Draft) (*ampstore.Prepared, error) {
	st, err := v.stamp(d)
	if err != nil {
		return nil, err
	}
	return withBox(v.Path, v.own.Mailbox, func(b *ampstore.Box) (*Prepared, error) { return b.Prepare(ctx, v.Snapshot, l, st) })
}

func (v *view) addWarnings(c *panel.ComposePreview, d *panel.Draft, prepared *ampstore.Prepared) {
	if m := v.SentBefore(v.own.Mailbox, prepared); m != nil {
		c.Object("warning", "SIG-9", "body", "the same words were sent "+panel.When(show.Time(m.When()))+
			": the signature is the same too, so that the receiver is told that this was sent before")
	}
	if d.ReplyTo == nil {
		return
	}
	m, err := v.answered(*d.ReplyTo)
	if err != nil {
		return
	}
	if trust := v.trust(m); trust.Level() == panel.TrustWarn {
		c.Object("warning", "SIG-7", "to", "the message that this answers is not trusted: "+trust.Word()+": "+show.Line(trust.Why()))
	}
	if !v.own.Addressed(m.From) && !v.own.Addressed(m.To) {
		c.Object("warning", "SIG-7", "to", show.Line("the message that this answers was neither from you nor to you, but from "+m.From+" to "+m.To))
	}
}

func fill(c *panel.ComposePreview, prepared *ampstore.Prepared) {
	c.ID, c.Thread = prepared.Draft.ID, prepared.Draft.ThreadID
	c.From, c.To = prepared.Draft.From, prepared.Draft.To
	c.Record, c.Signed = string(prepared.Letter.Payload()), string(prepared.Letter.Signed())
	c.Stamp = prepared.Stamp.String()
	for i := range prepared.Draft.Attachments {
		a := &prepared.Draft.Attachments[i]
		c.Attachments = append(c.Attachments, panel.AttachmentItem{
			ID: a.ID, Name: show.Line(a.Filename), Type: show.Line(a.ContentType), Size: a.Size, Scan: a.ScanStatus, Expires: show.Time(a.Expires.Millis), Present: true,
		})
	}
	for _, f := range prepared.Portability {
		c.Object("warning", f.Rule, draftField(f.Field), show.Line(f.Reason))
	}
	if prepared.To == nil {
		c.Object("error", "STO-1", "to", show.Line("there is not one mailbox of "+prepared.Draft.To+" on this machine; "+
			"signalbox amp send --out FILE writes the signed message for somebody else to carry"))
		return
	}
	if len(prepared.To.Addresses) > 0 {
		c.Log = show.Line(prepared.To.Dir)
	}
}

// refuse adds an objection for an error that is a fault of the draft or of one of its
// files, and reports whether it was such an error. The objection names a file by its
// index in files.
func refuse(c *panel.ComposePreview, err error, files []string) bool {
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		c.Object("error", fault.Rule, draftField(fault.Field), show.Line(fault.Reason))
		return true
	}
	if file, ok := errors.AsType[*ampstore.FileError](err); ok {
		field := "attachments"
		if i := slices.Index(files, file.Path); i >= 0 {
			field += "[" + strconv.Itoa(i) + "]"
		}
		c.Object("error", file.Rule, field, show.Line(file.Error()))
		return true
	}
	return false
}

// draftField returns the name of the draft field that a member of a message comes from.
// An attachment keeps its index, as in "attachments[0]". A member without a field of its
// own belongs to "body".
func draftField(member string) string {
	member = strings.TrimPrefix(strings.TrimPrefix(member, "envelope."), "payload.")
	member, _, _ = strings.Cut(member, ".")
	switch name, _, _ := strings.Cut(member, "["); name {
	case "attachments":
		return member
	case "to", "from", "subject", "priority", "type", "context":
		return name
	}
	return "body"
}

func (v *view) stamp(d *panel.Draft) (ampstore.Stamp, error) {
	if d.Stamp == "" {
		return ampstore.NewStamp(v.source.host.Options.Now()), nil
	}
	s, err := ampstore.ParseStamp(d.Stamp)
	if err != nil {
		return s, &panel.Error{Kind: panel.Malformed, Message: "the stamp is not one that a preview gave", Detail: "stamp", Err: err}
	}
	return s, nil
}

// Send signs and delivers a draft, once for each client token. The stamp of the
// preview decides the message's id; without a stamp, the token does. A second try
// therefore finds what the first one sent.
func (v *view) Send(ctx context.Context, q panel.SendParams) (panel.Sent, error) {
	if err := panel.CheckClientToken(q.ClientToken); err != nil {
		return panel.Sent{}, err
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
	prepared, err := withBox(v.Path, v.own.Mailbox, func(b *ampstore.Box) (*Prepared, error) {
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
			if (at.ID == id || ampstore.MadeFor(at.ID, token)) && v.own.File(at, ampstore.Sent) != nil {
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
		if m.Box != ampstore.Sent || !v.own.Has(m.Mailbox) {
			continue
		}
		out.Ref = messageRef(v.ID, m.Key)
		if t, _ := v.Message(m.Key); t != nil {
			out.Thread, out.ThreadName = mail.ThreadRef(mail.AMP, v.ID, t.ID), title(t)
		}
	}
	return out
}

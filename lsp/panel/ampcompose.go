package panel

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// isAmp reports whether a draft is signed mail.
func (d *Draft) isAmp() bool {
	if d.ReplyTo != nil {
		return d.ReplyTo.Protocol == mail.AMP
	}
	return strings.Contains(d.To, "@")
}

// identity returns who signs what the user sends, or nil if there are no mailboxes.
func (n *mailNow) identity(readOnly bool) *Identity {
	if len(n.Mailboxes) == 0 {
		return nil
	}
	id := &Identity{Origin: n.own.Origin, Reason: safe(n.cannotSign(readOnly)), Recipients: []Recipient{}}
	id.CanSend = id.Reason == ""
	if b := n.own.Mailbox; b != nil {
		id.Name, id.Fingerprint = safe(b.Name), b.Key.Fingerprint()
		if len(b.Addresses) > 0 {
			id.Address = b.Addresses[0].String()
		}
	}
	id.Recipients = n.recipients()
	return id
}

// cannotSign returns why the user cannot sign, or "" if they can.
func (n *mailNow) cannotSign(readOnly bool) string {
	if readOnly {
		return "read-only: the workspace is not trusted"
	}
	return n.own.Why
}

// recipients returns at most recipientsShown addresses to write to, without the user's
// own. The addresses of mailboxes on this machine come first, then the senders and
// receivers of known messages, newest message first.
func (n *mailNow) recipients() []Recipient {
	last := make(map[string]int64)
	for _, t := range n.Threads {
		for i := range t.Messages {
			m := &t.Messages[i]
			for _, a := range []string{m.From, m.To} {
				last[strings.ToLower(a)] = max(last[strings.ToLower(a)], m.When())
			}
		}
	}
	list := []Recipient{}
	add := func(a string) {
		known := slices.ContainsFunc(list, func(r Recipient) bool { return r.Alias == a })
		if _, ok := amp.ParseAddress(a); ok && !known && !n.own.Addressed(a) && len(list) < recipientsShown {
			list = append(list, Recipient{Alias: a, LastTime: clampTime(last[a])})
		}
	}
	for _, b := range n.Mailboxes {
		for _, a := range b.Addresses {
			add(strings.ToLower(a.String()))
		}
	}
	rest := make([]string, 0, len(last))
	for a := range last {
		rest = append(rest, a)
	}
	slices.SortFunc(rest, func(a, b string) int { return cmp.Or(cmp.Compare(last[b], last[a]), cmp.Compare(a, b)) })
	for _, a := range rest {
		add(a)
	}
	return list
}

// ampContext returns what a compose panel offers for a reply to signed mail.
func (p *Panels) ampContext(n *mailNow, ref Ref, c ComposeContext) (ComposeContext, error) {
	reason := n.cannotSign(p.readOnly())
	c.From, c.CanSend, c.Reason = "", reason == "", safe(reason)
	m, err := n.answered(ref, p.now())
	if err != nil {
		return c, err
	}
	msg, err := n.Read(m)
	if err != nil {
		return c, ampFailure(err, "reply")
	}
	reply := amp.Reply(&msg)
	if n.own.Mailbox != nil && len(n.own.Mailbox.Addresses) > 0 {
		reply = mailbox.Answer(n.own.Mailbox, &msg)
		c.From = reply.From
	}
	to := ampMessageRef(n.ID, m.Key)
	c.Draft = &Draft{To: reply.To, Subject: reply.Subject, ReplyTo: &to}
	return c, nil
}

// judgedMost is how many messages of a thread [mailNow.answered] checks, newest first,
// to find one that can be trusted.
const judgedMost = 50

// answered returns the message that a reply to a ref answers. If the ref names a
// message, that is the message. If the ref names a thread, it is the newest trusted
// message by somebody else, or the newest message by somebody else if none of the
// judgedMost newest is trusted. Messages that cannot be read do not count. If nobody
// else wrote in the thread, it is the newest message.
func (n *mailNow) answered(r Ref, now int64) (*mailbox.Message, error) {
	t, at, err := n.conversationOf(r)
	if err != nil {
		return nil, err
	}
	if at >= 0 {
		return n.own.Shown(&t.Messages[at]), nil
	}
	var others []*mailbox.Message
	for i := range t.Messages {
		if m := n.own.Shown(&t.Messages[i]); m.Err == nil && !n.own.Addressed(m.From) {
			others = append(others, m)
		}
	}
	slices.SortStableFunc(others, func(a, b *mailbox.Message) int { return cmp.Compare(b.When(), a.When()) })
	for _, m := range others[:min(len(others), judgedMost)] {
		if _, trust := n.judge(m, now); trust.Level != "warn" {
			return m, nil
		}
	}
	if len(others) > 0 {
		return others[0], nil
	}
	return n.own.Shown(newest(t)), nil
}

// letter returns a draft in the form that the store writes. For a reply it reads the
// message that the draft answers.
func (n *mailNow) letter(d *Draft, now int64) (mailbox.Letter, error) {
	l := mailbox.Letter{
		To: d.To, Subject: d.Subject, Priority: d.Priority, Type: d.Type, Text: d.Body, Files: d.Attachments,
	}
	if strings.TrimSpace(d.Context) != "" {
		l.Context = []byte(d.Context)
	}
	if d.ReplyTo == nil {
		return l, nil
	}
	m, err := n.answered(*d.ReplyTo, now)
	if err != nil {
		return l, err
	}
	msg, err := n.Read(m)
	if err != nil {
		return l, ampFailure(err, "reply")
	}
	l.Reply = &msg
	return l, nil
}

// ampPreview returns what sending a draft of signed mail would sign and write, and
// every objection to it.
func (p *Panels) ampPreview(ctx context.Context, d Draft) (ComposePreview, error) {
	n := p.mailNow(ctx)
	out := ComposePreview{To: safe(d.To), Protocol: string(mail.AMP), Warnings: []DraftWarning{}}
	if n.own.Mailbox != nil && len(n.own.Mailbox.Addresses) > 0 {
		out.From = n.own.Mailbox.Addresses[0].String()
	}
	if reason := n.cannotSign(p.readOnly()); reason != "" {
		out.object("error", "SIG-1", "from", safe(reason))
	}
	l, err := n.letter(&d, p.now())
	if err != nil {
		return out, err
	}
	if n.own.Mailbox == nil || len(n.own.Mailbox.Addresses) == 0 {
		return out, nil
	}
	prepared, err := p.prepare(ctx, &n, l, &d)
	if err != nil {
		if !out.refuse(err, d.Attachments) {
			return out, ampFailure(err, "preview")
		}
		return out, nil
	}
	out.fill(prepared)
	n.beware(&out, &d, prepared, p.now())
	out.CanSend = !slices.ContainsFunc(out.Warnings, func(w DraftWarning) bool { return w.Severity == "error" })
	return out, nil
}

// prepare builds the message of a draft without signing it.
func (p *Panels) prepare(ctx context.Context, n *mailNow, l mailbox.Letter, d *Draft) (*mailbox.Prepared, error) {
	st, err := p.stamp(d)
	if err != nil {
		return nil, err
	}
	box, err := mailbox.Open(n.Path, n.own.Mailbox.Dir)
	if err != nil {
		return nil, err
	}
	defer box.Close()
	return box.Prepare(ctx, n.Snapshot, l, st)
}

// beware adds warnings to a preview: the same words were sent before (SIG-9), the
// message that the draft answers is not trusted (SIG-7), or that message was neither
// from the user nor to them (SIG-7).
func (n *mailNow) beware(c *ComposePreview, d *Draft, prepared *mailbox.Prepared, now int64) {
	if m := n.SaidBefore(n.own.Mailbox, prepared); m != nil {
		c.object("warning", "SIG-9", "body", "the same words were sent "+When(clampTime(m.When()))+
			": the signature is the same too, so that the receiver is told that this was sent before")
	}
	if d.ReplyTo == nil {
		return
	}
	m, err := n.answered(*d.ReplyTo, now)
	if err != nil {
		return
	}
	if _, trust := n.judge(m, now); trust.Level == "warn" {
		c.object("warning", "SIG-7", "to", "the message that this answers is not trusted: "+trust.Label+": "+trust.Detail)
	}
	if !n.own.Addressed(m.From) && !n.own.Addressed(m.To) {
		c.object("warning", "SIG-7", "to", safe("the message that this answers was neither from you nor to you, but from "+m.From+" to "+m.To))
	}
}

// fill copies a prepared message into the preview. It adds a warning for each
// portability fault, and an error if no single mailbox on this machine belongs to the
// receiver (STO-1).
func (c *ComposePreview) fill(prepared *mailbox.Prepared) {
	c.ID, c.Thread = prepared.Draft.ID, prepared.Draft.ThreadID
	c.From, c.To = prepared.Draft.From, prepared.Draft.To
	c.Record, c.Signed = string(prepared.Letter.Payload()), string(prepared.Letter.Signed())
	c.Stamp = prepared.Stamp.String()
	for i := range prepared.Draft.Attachments {
		a := &prepared.Draft.Attachments[i]
		c.Attachments = append(c.Attachments, AttachmentItem{
			ID: a.ID, Name: safe(a.Filename), Type: safe(a.ContentType), Size: a.Size, Scan: a.ScanStatus, Expires: clampTime(a.Expires.Millis), Present: true,
		})
	}
	for _, f := range prepared.Portability {
		c.object("warning", f.Rule, draftField(f.Field), safe(f.Reason))
	}
	if prepared.To == nil {
		c.object("error", "STO-1", "to", safe("there is not one mailbox of "+prepared.Draft.To+" on this machine; "+
			"signalbox amp send --out FILE writes the signed message for somebody else to carry"))
		return
	}
	if len(prepared.To.Addresses) > 0 {
		c.Log = safe(prepared.To.Dir)
	}
}

// refuse adds an objection for an error that is a fault of the draft or of one of its
// files, and reports whether it was such an error. The objection names a file by its
// index in files.
func (c *ComposePreview) refuse(err error, files []string) bool {
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		c.object("error", fault.Rule, draftField(fault.Field), safe(fault.Reason))
		return true
	}
	if file, ok := errors.AsType[*mailbox.FileError](err); ok {
		field := "attachments"
		if i := slices.Index(files, file.Path); i >= 0 {
			field += "[" + strconv.Itoa(i) + "]"
		}
		c.object("error", file.Rule, field, safe(file.Error()))
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

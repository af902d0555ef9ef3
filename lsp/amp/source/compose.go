package source

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Takes reports whether a draft is a reply to signed mail, or goes to an address.
func (v *view) Takes(d *panel.Draft) bool {
	if d.ReplyTo != nil {
		return d.ReplyTo.Protocol == mail.AMP
	}
	return strings.Contains(d.To, "@")
}

// Compose adds the identity that signs. A reply to signed mail goes to an address, in a thread
// without a name, so recipients and threads of other formats are dropped.
func (v *view) Compose(_ context.Context, c *panel.ComposeContext, reply *panel.Ref) error {
	c.Amp = v.sender()
	if reply == nil {
		return nil
	}
	reason := v.cannotSign()
	c.From, c.CanSend, c.Reason = "", reason == "", show.Line(reason)
	c.Recipients, c.Threads = []panel.Recipient{}, []panel.ThreadName{}
	m, err := v.answered(*reply)
	if err != nil {
		return err
	}
	msg, err := v.Read(m)
	if err != nil {
		return failure(err, "reply")
	}
	answer := amp.Reply(&msg)
	if v.own.Mailbox != nil && len(v.own.Mailbox.Addresses) > 0 {
		answer = ampstore.Answer(v.own.Mailbox, &msg)
		c.From = answer.From
	}
	to := messageRef(v.ID, m.Key)
	c.Draft = &panel.Draft{To: answer.To, Subject: answer.Subject, ReplyTo: &to}
	return nil
}

func (v *view) sender() *panel.Identity {
	if len(v.Mailboxes) == 0 {
		return nil
	}
	id := &panel.Identity{Origin: v.own.Origin, Reason: show.Line(v.cannotSign()), Recipients: []panel.Recipient{}}
	id.CanSend = id.Reason == ""
	if b := v.own.Mailbox; b != nil {
		id.Name, id.Fingerprint = show.Line(b.Name), b.Key.Fingerprint()
		if len(b.Addresses) > 0 {
			id.Address = b.Addresses[0].String()
		}
	}
	id.Recipients = v.recipients()
	return id
}

func (v *view) cannotSign() string {
	if v.readOnly {
		return v.source.host.Options.ReadOnlyWords()
	}
	return v.own.Why
}

// recipients returns at most [panel.RecipientsMost] addresses to write to, without the user's
// own. The addresses of mailboxes on this machine come first, then the senders and
// receivers of known messages, newest message first.
func (v *view) recipients() []panel.Recipient {
	last := make(map[string]int64)
	for _, t := range v.Threads {
		for i := range t.Messages {
			m := &t.Messages[i]
			for _, a := range []string{m.From, m.To} {
				last[strings.ToLower(a)] = max(last[strings.ToLower(a)], m.When())
			}
		}
	}
	list := []panel.Recipient{}
	add := func(a string) {
		known := slices.ContainsFunc(list, func(r panel.Recipient) bool { return r.Alias == a })
		if _, ok := amp.ParseAddress(a); ok && !known && !v.own.Addressed(a) && len(list) < panel.RecipientsMost {
			list = append(list, panel.Recipient{Alias: a, LastTime: show.Time(last[a])})
		}
	}
	for _, b := range v.Mailboxes {
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

// judgedMost is how many messages of a thread [view.answered] checks, newest first,
// to find one that can be trusted.
const judgedMost = 50

// answered returns the message that a reply to a ref answers: the message that the ref names,
// or for a thread the first of these:
//
//  1. the newest trusted message from somebody else, among their newest judgedMost
//  2. the newest message from somebody else
//  3. the newest message
func (v *view) answered(r panel.Ref) (*ampstore.Message, error) {
	t, at, err := v.threadOf(r)
	if err != nil {
		return nil, err
	}
	if at >= 0 {
		return v.own.Shown(&t.Messages[at]), nil
	}
	var others []*ampstore.Message
	for i := range t.Messages {
		if m := v.own.Shown(&t.Messages[i]); m.Err == nil && !v.own.Addressed(m.From) {
			others = append(others, m)
		}
	}
	slices.SortStableFunc(others, func(a, b *ampstore.Message) int { return cmp.Compare(b.When(), a.When()) })
	for _, m := range others[:min(len(others), judgedMost)] {
		if j := v.trust(m); j.Level() != panel.TrustWarn {
			return m, nil
		}
	}
	if len(others) > 0 {
		return others[0], nil
	}
	return v.own.Shown(newest(t)), nil
}

// Complete adds the addresses that can be written to, and the ids of messages. Threads have no
// names to complete.
func (v *view) Complete(_ context.Context, c *panel.Completing) {
	switch {
	case c.Kind == panel.CompleteRecipient:
		for _, r := range v.recipients() {
			c.Add(panel.Completion{Text: r.Alias, Kind: panel.CompletionRecipient, Protocol: string(mail.AMP), Detail: "address", Time: r.LastTime})
		}
	case c.Kind == panel.CompleteID && (strings.HasPrefix(c.Prefix, "msg_") || strings.HasPrefix(c.Prefix, "msg-")):
		v.completeID(c)
	}
}

func (v *view) completeID(c *panel.Completing) {
	for _, t := range v.Threads {
		for i := range t.Messages {
			m := v.own.Shown(&t.Messages[i])
			if strings.HasPrefix(m.ID, c.Prefix) && !c.Full() {
				detail, _ := render.Line(m.From+": "+m.Subject, 120)
				c.Add(panel.Completion{Text: m.ID, Kind: panel.CompletionMessage, Protocol: string(mail.AMP), Detail: detail, Time: show.Time(m.When())})
			}
		}
	}
}

// Symbols returns the threads whose subject or id matches, each at its newest message.
func (v *view) Symbols(match func(names ...string) bool, limit int) (list []panel.Symbol) {
	for _, t := range v.Threads {
		first := v.own.Shown(&t.Messages[0])
		if len(list) >= limit || !match(first.Subject, t.ID) {
			continue
		}
		last := v.own.Shown(newest(t))
		detail, _ := render.Line(last.From+" → "+last.To+": "+last.Excerpt, 120)
		list = append(list, panel.Symbol{
			Name: cmp.Or(show.Line(first.Subject), show.Line(t.ID)), Detail: detail, Protocol: mail.AMP, Thread: mail.ThreadRef(mail.AMP, v.ID, t.ID),
			Time: show.Time(t.Last), Place: panel.Place{Path: place.Join(v.Path, last.Key)},
		})
	}
	return list
}

// Outline returns the name and time of the message in a file, and whether the text is a
// signed message.
func (s *source) Outline(text string) (name string, time int64, ok bool) {
	if !strings.Contains(text, `"envelope"`) {
		return "", 0, false
	}
	m, err := amp.ParseMessage([]byte(text))
	if err != nil || m.ID == "" {
		return "", 0, false
	}
	return m.From + " → " + m.To + ": " + m.Subject, show.Time(m.Time.Millis), true
}

package panel

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// findLetter returns the signed mail with an id, else the thread with that id, or nil.
// Ids are not signed, so several messages may have the same one.
func (p *Panels) findLetter(ctx context.Context, token string) *Target {
	if !isLetter(token) {
		return nil
	}
	n := p.mailNow(ctx)
	now := p.now()
	hits := n.lettersByID(token, now)
	if len(hits) == 0 {
		return n.findConversation(token)
	}
	found := &Target{Status: LinkFound, Kind: LinkMessage, Count: len(hits), Places: func() (list []Place) {
		for _, h := range hits[:min(len(hits), MaxPlaces)] {
			shown := n.own.Shown(&h.thread.Messages[h.at])
			list = append(list, filePlace(n.Path, shown.Key, shown.ID))
		}
		return list
	}}
	if len(hits) > 1 {
		found.Status, found.Preview = LinkAmbiguous, func(int) string {
			var b strings.Builder
			fmt.Fprintf(&b, "%s is the id of %d messages:\n\n", markup.Code(shorten(token)), len(hits))
			for _, h := range hits[:min(len(hits), previewMost)] {
				b.WriteString("- " + n.headline(h.thread, h.at) + "\n")
			}
			return b.String()
		}
		return found
	}
	t, at := hits[0].thread, hits[0].at
	m := n.own.Shown(&t.Messages[at])
	thread, message := mail.ThreadRef(mail.AMP, n.ID, t.ID), ampMessageRef(n.ID, m.Key)
	found.Thread, found.Message, found.Can = &thread, &message, []string{CanReply}
	if n.unreadAt(&t.Messages[at]) {
		found.Can = append(found.Can, CanMarkRead)
	}
	found.Title, _ = render.Line(m.From+" → "+m.To+": "+m.Subject, 80)
	found.Preview = func(most int) string { return n.letterPreview(t, at, most, now) }
	return found
}

// letterPreview returns Markdown with a message and the last other messages of its
// thread. most is the largest number of messages in all.
func (n *mailNow) letterPreview(t *mailbox.Thread, at, most int, now int64) string {
	msg, trust := n.judge(n.own.Shown(&t.Messages[at]), now)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s · %s\n\n", n.headline(t, at), trustWords(trust.Trust), markup.Escape(trust.Detail))
	b.WriteString(markup.Markdown(msg.Payload.Text, markup.Options{MaxBytes: previewBody, TopHeading: 4}))
	if others := n.lines(t, at, most-1); others != "" {
		b.WriteString("\n\n---\n\n" + others)
	}
	return b.String()
}

// findConversation returns the thread with an id, or nil. Such a thread has the id of
// its first message, which is not here.
func (n *mailNow) findConversation(id string) *Target {
	t := n.Thread(id)
	if t == nil || len(t.Messages) == 0 {
		return nil
	}
	ref, first := mail.ThreadRef(mail.AMP, n.ID, t.ID), n.own.Shown(&t.Messages[0])
	return &Target{
		Status: LinkFound, Kind: LinkThread, Thread: &ref, Title: safe(first.Subject),
		Preview: func(most int) string {
			return "**Thread** " + markup.Code(shorten(t.ID)) + ", whose first message is not here\n\n" + n.lines(t, -1, most)
		},
		Places: func() []Place { return []Place{filePlace(n.Path, first.Key, first.ID)} },
	}
}

// isLetter reports whether a token may name signed mail: a message by its id, or a
// thread whose id the store made from its file.
func isLetter(token string) bool {
	_, ok := amp.ParseID(token)
	return ok || strings.HasPrefix(token, "file-")
}

// letterAt is a message in its thread.
type letterAt struct {
	thread *mailbox.Thread
	at     int
}

// lettersByID returns the messages with an id, each once. If exactly one of the first
// judgedMost is trusted, it returns only that one, since anybody can write a message
// with another message's id.
func (n *mailNow) lettersByID(id string, now int64) (hits []letterAt) {
	for _, m := range n.ByID(id) {
		if t, at := n.Message(m.Key); t != nil && !slices.Contains(hits, letterAt{t, at}) {
			hits = append(hits, letterAt{t, at})
		}
	}
	var trusted []letterAt
	for _, h := range hits[:min(len(hits), judgedMost)] {
		if _, trust := n.judge(n.own.Shown(&h.thread.Messages[h.at]), now); trust.Level != "warn" {
			trusted = append(trusted, h)
		}
	}
	if len(trusted) == 1 {
		return trusted
	}
	return hits
}

// headline returns a line of Markdown with a message's sender, recipient, time,
// priority and subject.
func (n *mailNow) headline(t *mailbox.Thread, at int) string {
	m := n.own.Shown(&t.Messages[at])
	words := "**" + markup.Escape(shorten(m.From)) + " → " + markup.Escape(shorten(m.To)) + "** · " + When(clampTime(m.When()))
	if m.Priority != amp.Normal && m.Priority != "" {
		words += " · " + markup.Escape(shorten(m.Priority))
	}
	return words + " · " + markup.Escape(shorten(m.Subject))
}

// lines returns the last messages of a thread, one line each, without the message at
// index but. most is the largest number of messages.
func (n *mailNow) lines(t *mailbox.Thread, but, most int) string {
	var list []string
	for i := range t.Messages {
		if i == but {
			continue
		}
		line, _ := render.Line(n.own.Shown(&t.Messages[i]).Excerpt, 160)
		list = append(list, "- "+n.headline(t, i)+": "+markup.Escape(line))
	}
	return strings.Join(list[max(0, len(list)-max(most, 0)):], "\n")
}

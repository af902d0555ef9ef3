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

// findLetter finds signed mail by its id. Ids are not signed: two messages may have
// the same one.
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

// letterPreview shows a message and the last of its conversation.
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

// findConversation finds a thread whose first message is not here, by the id of that.
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

// isLetter tells whether a token may name signed mail: a message by its id, or a
// conversation whose id the store made of its file.
func isLetter(token string) bool {
	_, ok := amp.ParseID(token)
	return ok || strings.HasPrefix(token, "file-")
}

// letterAt is a message in its conversation.
type letterAt struct {
	thread *mailbox.Thread
	at     int
}

// lettersByID gives the messages of an id, each once: only one that is trusted, if
// there is one, since anybody can write a message with another one's id.
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

// headline says who wrote what to whom, and when.
func (n *mailNow) headline(t *mailbox.Thread, at int) string {
	m := n.own.Shown(&t.Messages[at])
	words := "**" + markup.Escape(shorten(m.From)) + " → " + markup.Escape(shorten(m.To)) + "** · " + When(clampTime(m.When()))
	if m.Priority != amp.Normal && m.Priority != "" {
		words += " · " + markup.Escape(shorten(m.Priority))
	}
	return words + " · " + markup.Escape(shorten(m.Subject))
}

// lines shows the last messages of a conversation but one, a line each.
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

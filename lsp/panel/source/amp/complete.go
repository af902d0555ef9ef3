package amp

import (
	"cmp"
	"context"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/place"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Complete adds the addresses that can be written to and the ids of messages. Threads
// have no names.
func (v *view) Complete(_ context.Context, c *panel.Completing) {
	switch {
	case c.Kind == panel.CompleteRecipient:
		v.completeRecipient(c)
	case c.Kind == panel.CompleteID && (strings.HasPrefix(c.Prefix, "msg_") || strings.HasPrefix(c.Prefix, "msg-")):
		v.completeID(c)
	}
}

// completeRecipient looks at the first messages of the first threads.
func (v *view) completeRecipient(c *panel.Completing) {
	const most = panel.RecipientsMost
	for _, t := range v.Threads[:min(len(v.Threads), most)] {
		for i := range t.Messages[:min(len(t.Messages), most)] {
			for _, a := range []string{t.Messages[i].From, t.Messages[i].To} {
				c.Add(panel.Completion{Text: a, Kind: panel.CompletionRecipient, Protocol: string(mail.AMP), Detail: "address", Time: show.Time(t.Last)})
			}
		}
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

// Symbols returns the threads whose subject or id matches, at the newest message.
func (v *view) Symbols(match func(names ...string) bool, limit int) (list []panel.Symbol) {
	for _, t := range v.Threads {
		first := v.own.Shown(&t.Messages[0])
		if len(list) >= limit || !match(first.Subject, t.ID) {
			continue
		}
		newest := first
		for i := range t.Messages {
			if m := v.own.Shown(&t.Messages[i]); m.When() > newest.When() {
				newest = m
			}
		}
		detail, _ := render.Line(newest.From+" → "+newest.To+": "+newest.Excerpt, 120)
		list = append(list, panel.Symbol{
			Name: cmp.Or(show.Line(first.Subject), show.Line(t.ID)), Detail: detail, Protocol: mail.AMP, Thread: mail.ThreadRef(mail.AMP, v.ID, t.ID),
			Time: show.Time(t.Last), Place: panel.Place{Path: place.Join(v.Path, newest.Key)},
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

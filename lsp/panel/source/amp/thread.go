package amp

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// contextShown is the most bytes of a message's context that are shown.
const contextShown = 32 << 10

// Thread returns one page of a thread, in the order in which a person reads a tree of
// replies.
func (v *view) Thread(_ context.Context, q panel.ThreadParams) (panel.Page, error) {
	t, _, err := v.conversationOf(q.Ref)
	if err != nil {
		return panel.Page{}, err
	}
	from, to, err := pageOf(t, q)
	if err != nil {
		return panel.Page{}, err
	}
	out := panel.ThreadPage{Thread: v.item(t), Messages: []panel.MessageItem{}, Warnings: []panel.Warning{}}
	list := make([]panel.MessageItem, to-from)
	first, last := show.Window(len(list), q.After != "", func(i int) int {
		list[i] = v.message(t, from+i)
		return 4096 + 3*len(list[i].Text) + 2*len(list[i].Amp.Context)
	})
	out.Messages = append(out.Messages, list[first:last]...)
	// A page that begins with the thread's first message has no cursor before it, and
	// one that ends with the last message has none after it.
	if from+first > 0 && first < last {
		out.Before = t.Messages[from+first].Key
	}
	if end := from + last; end < len(t.Messages) && first < last {
		out.After = t.Messages[end-1].Key
	}
	for i := range out.Messages {
		m := &out.Messages[i]
		if m.Trust.Level == "warn" {
			out.Warnings = append(out.Warnings, panel.Warning{Rule: "SIG-7", Message: m.From + ": " + m.Trust.Label + ": " + m.Trust.Detail})
		}
	}
	out.Warnings = panel.Some(out.Warnings, panel.Warning{Rule: "SIG-7", Message: "and more"})
	return panel.Page{ThreadPage: out}, nil
}

// pageOf returns the range of a thread's messages that a page asks for: those after
// or before a cursor, or the last ones if there is none. to is exclusive.
func pageOf(t *mailbox.Thread, q panel.ThreadParams) (from, to int, err error) {
	at := func(key string) int {
		return slices.IndexFunc(t.Messages, func(m mailbox.Placed) bool { return m.Key == key })
	}
	to = len(t.Messages)
	limit := panel.PageSize(q.Limit)
	if q.After != "" {
		if from = at(q.After) + 1; from == 0 {
			return 0, 0, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave"}
		}
		return from, min(to, from+limit), nil
	}
	if q.Before != "" {
		if to = at(q.Before); to < 0 {
			return 0, 0, &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave"}
		}
	}
	return max(0, to-limit), to, nil
}

// message returns the message at an index of a thread as the panel shows it. A long
// body is cut, with a note that says so.
func (v *view) message(t *mailbox.Thread, at int) panel.MessageItem {
	placed := &t.Messages[at]
	m := v.own.Shown(placed)
	msg, trust := v.judge(m)
	body, cut := show.Clip(msg.Payload.Text, show.BodyBytes(msg.Payload.Text))
	if m.Err != nil || msg.Raw == nil {
		body = "(this message cannot be read: " + trust.Detail + ")"
	}
	text, chars := render.Text(body), utf8.RuneCountInString(msg.Payload.Text)
	html := markup.HTML(body, markup.Options{TopHeading: 3, MaxBytes: 2 * show.BodyShown})
	if cut {
		const note = "(cut here: run signalbox amp read for all of it)"
		text, html = text+"\n\n"+note, html+"<p><em>"+note+"</em></p>\n"
	}
	own := v.received(placed)
	item := panel.MessageItem{
		Ref: messageRef(v.ID, m.Key), ID: show.Line(m.ID), From: show.Line(m.From), To: show.Line(m.To), Time: show.Time(m.When()),
		Mine: v.own.Addressed(m.From) && trust.Level != "warn", Unread: v.unreadAt(placed), HTML: html, Text: text, Chars: chars, Truncated: cut,
		Trust: trust.Trust, Marks: marks(m), Origin: panel.Origin{Log: show.Line(m.Key), Line: 1},
		Amp: &panel.AmpMessage{
			Subject: show.Line(m.Subject), Priority: panel.Priority(show.Line(m.Priority)), Type: show.Line(m.Type), State: trust.state,
			Expires: show.Time(m.Expires), Expired: v.expired(m), Status: panel.MailStatus(m.Status),
			Mailbox: show.Line(m.Mailbox.Name), Box: panel.MailFolder(m.Box), Depth: placed.Depth, Context: contextText(&msg),
			Attachments: v.attachments(m, &msg, trust.Level), Flags: []string{}, Faults: []panel.Warning{},
			Key: trust.key, Step: trust.step, Archivable: own != nil,
		},
	}
	item.Amp.Flags = append(item.Amp.Flags, trust.flags...)
	for i := range msg.Faults {
		f := &msg.Faults[i]
		item.Amp.Faults = append(item.Amp.Faults, panel.Warning{Rule: f.Rule, Message: show.Line(f.Field + ": " + f.Reason)})
	}
	v.ask(t, at, &msg, trust.Level, &item)
	if item.Mine {
		item.ReadBy = v.receipt(placed)
	}
	if placed.Parent >= 0 {
		ref := messageRef(v.ID, v.own.Shown(&t.Messages[placed.Parent]).Key)
		item.Amp.Parent = &ref
	} else if placed.Missing {
		item.Amp.Missing = show.Line(m.InReplyTo)
	}
	return item
}

// contextText returns the context of a message as indented text, at most contextShown
// bytes of it.
func contextText(msg *amp.Message) string {
	if len(msg.Payload.Context) == 0 {
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, msg.Payload.Context, "", "  ") != nil {
		b.Reset()
		b.Write(msg.Payload.Context)
	}
	text, cut := show.Clip(b.String(), contextShown)
	if cut {
		text += "\n… (cut here)"
	}
	return render.Text(text)
}

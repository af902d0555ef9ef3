package panel

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// contextShown is the most bytes of a message's context that are shown.
const contextShown = 32 << 10

// ampMessageMark starts the id of a ref to a message. The key of the message's file
// follows it.
const ampMessageMark = "m/"

func ampMessageRef(store, key string) Ref {
	return Ref{Protocol: mail.AMP, Store: store, ID: ampMessageMark + key}
}

// conversationOf returns the thread that a ref names or whose message it names. at is
// the message's index in the thread, or -1 if the ref names the thread.
func (n *mailNow) conversationOf(r Ref) (t *mailbox.Thread, at int, err error) {
	if r.Store != n.ID {
		return nil, -1, &Error{Kind: NotFound, Message: "the ref's directory is not open"}
	}
	if key, ok := strings.CutPrefix(r.ID, ampMessageMark); ok {
		t, at = n.Message(key)
	} else if id, ok := r.Thread(); ok {
		t, at = n.Thread(id), -1
	} else if digest, ok := r.ThreadDigest(); ok {
		i := slices.IndexFunc(n.Threads, func(t *mailbox.Thread) bool { return len(t.ID) > mail.MaxName && mail.Digest(t.ID) == digest })
		if i >= 0 {
			t, at = n.Threads[i], -1
		}
	}
	if t == nil {
		return nil, -1, &Error{Kind: NotFound, Message: "the message is not there any more"}
	}
	return t, at, nil
}

// ampThread returns one page of a thread of signed mail, in the order in which a person
// reads a tree of replies.
func (p *Panels) ampThread(ctx context.Context, q ThreadParams) (ThreadPage, error) {
	n := p.mailNow(ctx)
	t, _, err := n.conversationOf(q.Ref)
	if err != nil {
		return ThreadPage{}, err
	}
	now := p.now()
	from, to, err := ampWindow(t, q)
	if err != nil {
		return ThreadPage{}, err
	}
	out := ThreadPage{
		Thread: n.ampItem(t, now), Messages: []MessageItem{}, Related: []ThreadLink{}, Warnings: []Warning{}, Revision: p.revised(),
	}
	list := make([]MessageItem, to-from)
	first, last := window(len(list), q.After != "", func(i int) int {
		list[i] = n.ampMessage(t, from+i, now)
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
			out.Warnings = append(out.Warnings, Warning{Rule: "SIG-7", Message: m.From + ": " + m.Trust.Label + ": " + m.Trust.Detail})
		}
	}
	out.Warnings = Some(out.Warnings, Warning{Rule: "SIG-7", Message: "and more"})
	return out, nil
}

// ampWindow returns the range of a thread's messages that a page asks for: those after
// or before a cursor, or the last ones if there is none. to is exclusive.
func ampWindow(t *mailbox.Thread, q ThreadParams) (from, to int, err error) {
	at := func(key string) int {
		return slices.IndexFunc(t.Messages, func(m mailbox.Placed) bool { return m.Key == key })
	}
	to = len(t.Messages)
	limit := PageSize(q.Limit)
	if q.After != "" {
		if from = at(q.After) + 1; from == 0 {
			return 0, 0, &Error{Kind: Malformed, Message: "the cursor is not one that a page gave"}
		}
		return from, min(to, from+limit), nil
	}
	if q.Before != "" {
		if to = at(q.Before); to < 0 {
			return 0, 0, &Error{Kind: Malformed, Message: "the cursor is not one that a page gave"}
		}
	}
	return max(0, to-limit), to, nil
}

// ampMessage returns the message at an index of a thread as the panel shows it. A long
// body is cut, with a note that says so.
func (n *mailNow) ampMessage(t *mailbox.Thread, at int, now int64) MessageItem {
	placed := &t.Messages[at]
	m := n.own.Shown(placed)
	msg, trust := n.judge(m, now)
	body, cut := clip(msg.Payload.Text, shownBytes(msg.Payload.Text))
	if m.Err != nil || msg.Raw == nil {
		body = "(this message cannot be read: " + trust.Detail + ")"
	}
	text, chars := render.Text(body), utf8.RuneCountInString(msg.Payload.Text)
	html := markup.HTML(body, markup.Options{TopHeading: 3, MaxBytes: 2 * bodyShown})
	if cut {
		const note = "(cut here: run signalbox amp read for all of it)"
		text, html = text+"\n\n"+note, html+"<p><em>"+note+"</em></p>\n"
	}
	own := n.received(placed)
	item := MessageItem{
		Ref: ampMessageRef(n.ID, m.Key), ID: safe(m.ID), From: safe(m.From), To: safe(m.To), Time: clampTime(m.When()),
		Mine: n.own.Addressed(m.From) && trust.Level != "warn", Unread: n.unreadAt(placed), HTML: html, Text: text, Chars: chars, Truncated: cut,
		Trust: trust.Trust, Marks: ampMarks(m), Origin: Origin{Log: safe(m.Key), Line: 1},
		Amp: &AmpMessage{
			Subject: safe(m.Subject), Priority: Priority(safe(m.Priority)), Type: safe(m.Type), State: trust.state,
			Expires: clampTime(m.Expires), Expired: m.Expires != 0 && m.Expires < now, Status: MailStatus(m.Status),
			Mailbox: safe(m.Mailbox.Name), Box: MailFolder(m.Box), Depth: placed.Depth, Context: ampContext(&msg),
			Attachments: n.attachments(m, &msg, trust.Level), Flags: []string{}, Faults: []Warning{},
			Key: trust.key, Step: trust.step, Archivable: own != nil,
		},
	}
	item.Amp.Flags = append(item.Amp.Flags, trust.flags...)
	for i := range msg.Faults {
		f := &msg.Faults[i]
		item.Amp.Faults = append(item.Amp.Faults, Warning{Rule: f.Rule, Message: safe(f.Field + ": " + f.Reason)})
	}
	if placed.Parent >= 0 {
		ref := ampMessageRef(n.ID, n.own.Shown(&t.Messages[placed.Parent]).Key)
		item.Amp.Parent = &ref
	} else if placed.Missing {
		item.Amp.Missing = safe(m.InReplyTo)
	}
	return item
}

// ampContext returns the context of a message as indented text, at most contextShown
// bytes of it.
func ampContext(msg *amp.Message) string {
	if len(msg.Payload.Context) == 0 {
		return ""
	}
	var b bytes.Buffer
	if json.Indent(&b, msg.Payload.Context, "", "  ") != nil {
		b.Reset()
		b.Write(msg.Payload.Context)
	}
	text, cut := clip(b.String(), contextShown)
	if cut {
		text += "\n… (cut here)"
	}
	return render.Text(text)
}

package source

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	ampstore "github.com/signalbox-dev/signalbox/lsp/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

const contextShown = 32 << 10

// Thread returns one page of a thread, in the order in which a person reads a tree of
// replies.
func (v *view) Thread(_ context.Context, q panel.ThreadParams) (panel.Page, error) {
	t, _, err := v.threadOf(q.Ref)
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
func pageOf(t *ampstore.Thread, q panel.ThreadParams) (from, to int, err error) {
	at := func(key string) int {
		return slices.IndexFunc(t.Messages, func(m ampstore.Placed) bool { return m.Key == key })
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
func (v *view) message(t *ampstore.Thread, at int) panel.MessageItem {
	placed := &t.Messages[at]
	m := v.own.Shown(placed)
	msg, judged := v.judge(m)
	trust := judged.shown()
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
		Trust: trust, Marks: marks(m), Origin: panel.Origin{Log: show.Line(m.Key), Line: 1},
		Amp: &panel.AmpMessage{
			Subject: show.Line(m.Subject), Priority: panel.Priority(show.Line(m.Priority)), Type: show.Line(m.Type), State: judged.state(),
			Expires: show.Time(m.Expires), Expired: v.expired(m), Status: panel.MailStatus(m.Status),
			Mailbox: show.Line(m.Mailbox.Name), Box: panel.MailFolder(m.Box), Depth: placed.Depth, Context: contextText(&msg),
			Attachments: v.attachments(m, &msg, trust.Level), Flags: []string{}, Faults: []panel.Warning{},
			Key: judged.Key, Step: judged.Form(), Archivable: own != nil,
		},
	}
	item.Amp.Flags = append(item.Amp.Flags, judged.Flags...)
	for i := range msg.Faults {
		f := &msg.Faults[i]
		item.Amp.Faults = append(item.Amp.Faults, panel.Warning{Rule: f.Rule, Message: show.Line(f.Field + ": " + f.Reason)})
	}
	v.setAsked(t, at, &msg, trust.Level, &item)
	if item.Mine {
		item.Receipt = v.receipt(placed)
	}
	if placed.Parent >= 0 {
		ref := messageRef(v.ID, v.own.Shown(&t.Messages[placed.Parent]).Key)
		item.Amp.Parent = &ref
	} else if placed.Missing {
		item.Amp.Missing = show.Line(m.InReplyTo)
	}
	return item
}

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

func (v *view) attachments(m *ampstore.Message, msg *amp.Message, level panel.TrustLevel) []panel.AttachmentItem {
	list := []panel.AttachmentItem{}
	files, _ := v.Attachments(m, msg)
	for _, a := range files {
		item := panel.AttachmentItem{
			ID: show.Line(a.ID), Name: show.Line(a.Name), Type: show.Line(a.ContentType), Size: a.Size, Scan: show.Line(a.ScanStatus),
			Expires: show.Time(a.Expires.Millis), Present: a.File != "" && a.Err == nil,
		}
		item.Problem, item.Confirm = attachmentProblem(&a, level)
		list = append(list, item)
	}
	return list
}

// attachmentProblem returns what is wrong with a file, or "". If confirm is set, a person
// can still agree to open the file. Otherwise a file with a problem cannot be opened.
func attachmentProblem(a *ampstore.Attached, level panel.TrustLevel) (problem string, confirm bool) {
	switch {
	case a.Err != nil:
		return show.Line(a.Err.Error()), false
	case a.File == "":
		return "the file is not on this machine", false
	}
	problem = Doubt(a, level == panel.TrustWarn, "")
	return problem, problem != ""
}

// Doubt returns why a person has to agree before a file is opened or saved, or "". doubted is
// set if the file's message is not trusted. why is appended to that reason.
func Doubt(a *Attached, doubted bool, why string) string {
	switch {
	case a.ScanStatus == amp.Suspicious:
		return "the sender's provider found it suspicious"
	case a.ScanStatus == amp.Pending || a.ScanStatus == amp.Rejected:
		return "its scan is " + a.ScanStatus + " (ATT-6)"
	case doubted:
		return "the message that it came with is not trusted" + why
	}
	return ""
}

// Attachment saves an attachment of a message to the path that dest returns for its name, and checks
// that it is the file that the message describes. One that a person has to confirm is refused unless
// q.Confirmed is set.
func (v *view) Attachment(ctx context.Context, q panel.AttachmentParams, dest func(name string) string) (panel.AttachmentFile, error) {
	t, at, err := v.threadOf(q.Ref)
	if err != nil {
		return panel.AttachmentFile{}, err
	}
	if at < 0 {
		return panel.AttachmentFile{}, &panel.Error{Kind: panel.Malformed, Message: "the ref is of a thread, and a message's is needed"}
	}
	m := v.own.Shown(&t.Messages[at])
	msg, trust := v.judge(m)
	files, err := v.Attachments(m, &msg)
	if err != nil {
		return panel.AttachmentFile{}, failure(err, "attachment")
	}
	for _, a := range files {
		if a.ID != q.Attachment {
			continue
		}
		problem, confirm := attachmentProblem(&a, trust.Level())
		if problem != "" && !confirm {
			return panel.AttachmentFile{}, &panel.Error{Kind: panel.NotFound, Message: problem}
		}
		if confirm && !q.Confirmed {
			return panel.AttachmentFile{}, &panel.Error{Kind: panel.Untrusted, Message: problem, Detail: "confirm"}
		}
		path := dest(a.Name)
		if err := v.SaveAttachment(ctx, m, &msg, a.ID, path); err != nil {
			return panel.AttachmentFile{}, failure(err, "attachment")
		}
		return panel.AttachmentFile{Path: path, Name: a.Name, Type: show.Line(a.ContentType), Size: a.Size}, nil
	}
	return panel.AttachmentFile{}, &panel.Error{Kind: panel.NotFound, Message: "the message has no such attachment"}
}

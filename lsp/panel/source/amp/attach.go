package amp

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// attachments returns the files that came with a message. level is the trust in the
// message. The list is empty if the mailbox cannot be opened.
func (v *view) attachments(m *mailbox.Message, msg *amp.Message, level panel.TrustLevel) []panel.AttachmentItem {
	list := []panel.AttachmentItem{}
	files, _ := attachments(v.Path, m, msg)
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
func attachmentProblem(a *mailbox.Attached, level panel.TrustLevel) (problem string, confirm bool) {
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
// set if the message that it came with is not trusted, which why is put behind.
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

// Attachment copies a file to the path that dest returns for its name. It checks that
// the file is the one the message describes. A file that a person has to confirm is
// refused unless q.Confirmed is set.
func (v *view) Attachment(ctx context.Context, q panel.AttachmentParams, dest func(name string) string) (panel.AttachmentFile, error) {
	t, at, err := v.conversationOf(q.Ref)
	if err != nil {
		return panel.AttachmentFile{}, err
	}
	if at < 0 {
		return panel.AttachmentFile{}, &panel.Error{Kind: panel.Malformed, Message: "the ref is of a thread, and a message's is needed"}
	}
	m := v.own.Shown(&t.Messages[at])
	msg, trust := v.judge(m)
	files, err := attachments(v.Path, m, &msg)
	if err != nil {
		return panel.AttachmentFile{}, failure(err, "attachment")
	}
	for _, a := range files {
		if a.ID != q.Attachment {
			continue
		}
		problem, confirm := attachmentProblem(&a, trust.Level)
		if problem != "" && !confirm {
			return panel.AttachmentFile{}, &panel.Error{Kind: panel.NotFound, Message: problem}
		}
		if confirm && !q.Confirmed {
			return panel.AttachmentFile{}, &panel.Error{Kind: panel.Untrusted, Message: problem, Detail: "confirm"}
		}
		path := dest(a.Name)
		if err := saveAttachment(ctx, v.Path, m, &msg, a.ID, path); err != nil {
			return panel.AttachmentFile{}, failure(err, "attachment")
		}
		return panel.AttachmentFile{Path: path, Name: a.Name, Type: show.Line(a.ContentType), Size: a.Size}, nil
	}
	return panel.AttachmentFile{}, &panel.Error{Kind: panel.NotFound, Message: "the message has no such attachment"}
}

package panel

import (
	"context"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// attachments returns the files that came with a message. level is the trust in the
// message. The list is empty if the mailbox cannot be opened.
func (n *mailNow) attachments(m *mailbox.Message, msg *amp.Message, level TrustLevel) []AttachmentItem {
	list := []AttachmentItem{}
	if len(msg.Payload.Attachments) == 0 {
		return list
	}
	box, err := mailbox.Open(n.Path, m.Mailbox.Dir)
	if err != nil {
		return list
	}
	defer box.Close()
	for _, a := range box.Attachments(msg) {
		item := AttachmentItem{
			ID: safe(a.ID), Name: safe(a.Name), Type: safe(a.ContentType), Size: a.Size, Scan: safe(a.ScanStatus),
			Expires: clampTime(a.Expires.Millis), Present: a.File != "" && a.Err == nil,
		}
		item.Problem, item.Confirm = attachmentProblem(&a, level)
		list = append(list, item)
	}
	return list
}

// attachmentProblem returns what is wrong with a file, or "". If confirm is set, a person
// can still agree to open the file. Otherwise a file with a problem cannot be opened.
func attachmentProblem(a *mailbox.Attached, level TrustLevel) (problem string, confirm bool) {
	switch {
	case a.Err != nil:
		return safe(a.Err.Error()), false
	case a.File == "":
		return "the file is not on this machine", false
	case a.ScanStatus == amp.Suspicious:
		return "the sender's provider found it suspicious", true
	case a.ScanStatus == amp.Pending || a.ScanStatus == amp.Rejected:
		return "its scan is " + a.ScanStatus + " (ATT-6)", true
	case level == "warn":
		return "the message that it came with is not trusted", true
	}
	return "", false
}

// OpenAttachment checks a file that came with a message and returns a private copy of
// it for the editor to show.
func (p *Panels) OpenAttachment(ctx context.Context, q AttachmentParams) (AttachmentFile, error) {
	dir, err := openedFolder(filepath.Join(p.opt.Env.StateDir(), "amp", "opened"), p.opt.Now())
	if err != nil {
		return AttachmentFile{}, ampFailure(err, "open")
	}
	file, err := p.takeAttachment(ctx, q, func(name string) string { return filepath.Join(dir, name) })
	if err != nil {
		_ = os.RemoveAll(dir)
	}
	return file, err
}

// SaveAttachment checks a file that came with a message and writes it to the absolute
// path that the user chose. Nothing may exist at that path yet.
func (p *Panels) SaveAttachment(ctx context.Context, q SaveParams) (AttachmentFile, error) {
	if p.readOnly() {
		return AttachmentFile{}, &Error{Kind: Untrusted, Message: "read-only: the workspace is not trusted"}
	}
	if !filepath.IsAbs(q.Path) {
		return AttachmentFile{}, &Error{Kind: Malformed, Message: "the path is not absolute", Detail: "path"}
	}
	return p.takeAttachment(ctx, q.AttachmentParams, func(string) string { return filepath.Clean(q.Path) })
}

// takeAttachment copies a file to the path that dest returns for its name. It checks
// that the file is the one the message describes. A file that a person has to confirm
// is refused unless q.Confirmed is set.
func (p *Panels) takeAttachment(ctx context.Context, q AttachmentParams, dest func(name string) string) (AttachmentFile, error) {
	if q.Ref.Protocol != mail.AMP {
		return AttachmentFile{}, &Error{Kind: Unsupported, Message: "only signed mail has attachments"}
	}
	n := p.mailNow(ctx)
	t, at, err := n.conversationOf(q.Ref)
	if err != nil {
		return AttachmentFile{}, err
	}
	if at < 0 {
		return AttachmentFile{}, &Error{Kind: Malformed, Message: "the ref is of a thread, and a message's is needed"}
	}
	m := n.own.Shown(&t.Messages[at])
	msg, trust := n.judge(m, p.now())
	box, err := mailbox.Open(n.Path, m.Mailbox.Dir)
	if err != nil {
		return AttachmentFile{}, ampFailure(err, "attachment")
	}
	defer box.Close()
	for _, a := range box.Attachments(&msg) {
		if a.ID != q.Attachment {
			continue
		}
		problem, confirm := attachmentProblem(&a, trust.Level)
		if problem != "" && !confirm {
			return AttachmentFile{}, &Error{Kind: NotFound, Message: problem}
		}
		if confirm && !q.Confirmed {
			return AttachmentFile{}, &Error{Kind: Untrusted, Message: problem, Detail: "confirm"}
		}
		path := dest(a.Name)
		if err := box.SaveAttachment(ctx, &msg, a.ID, path); err != nil {
			return AttachmentFile{}, ampFailure(err, "attachment")
		}
		return AttachmentFile{Path: path, Name: a.Name, Type: safe(a.ContentType), Size: a.Size}, nil
	}
	return AttachmentFile{}, &Error{Kind: NotFound, Message: "the message has no such attachment"}
}

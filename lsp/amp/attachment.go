package amp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Attached is an attachment and the file that holds it.
type Attached struct {
	amp.Attachment
	Name string // safe as a file name, or empty
	// File is relative to the mailbox, with "/" between the names, or empty if there is none.
	// Its size and digest are checked when it is saved.
	File string
	// Err is why the attachment cannot be saved: a *[canon.Fault], or an error about its file.
	Err error
}

// Attachments calls [Box.Attachments] of a message's mailbox.
func (r *Root) Attachments(m *Message, msg *amp.Message) (list []Attached, err error) {
	if len(msg.Payload.Attachments) > 0 {
		err = r.with(m.Mailbox, func(b *Box) error { list = b.Attachments(msg); return nil })
	}
	return list, err
}

// SaveAttachment calls [Box.SaveAttachment] of a message's mailbox.
func (r *Root) SaveAttachment(ctx context.Context, m *Message, msg *amp.Message, id, dest string) error {
	return r.with(m.Mailbox, func(b *Box) error { return b.SaveAttachment(ctx, msg, id, dest) })
}

// Attachments returns a message's attachments with their files in the mailbox. A file is in
// attachments/<its id>, or in attachments/<the message's id>, where clients put downloads.
func (b *Box) Attachments(msg *amp.Message) []Attached {
	list := make([]Attached, 0, len(msg.Payload.Attachments))
	count := map[string]int{}
	for i := range msg.Payload.Attachments {
		count[msg.Payload.Attachments[i].ID]++
	}
	for i := range msg.Payload.Attachments {
		a := Attached{Attachment: msg.Payload.Attachments[i]}
		a.Name, a.Err = amp.SafeFilename(a.Filename)
		switch _, ok := amp.ParseAttachmentID(a.ID); {
		case a.Err != nil:
		case a.Ref != "" && a.ID == "":
			a.Err = fmt.Errorf("mailbox: the file lies in the agents' file storage at %q, which Signalbox does not fetch from", a.Ref)
		case !ok:
			a.Err = &canon.Fault{Rule: "ATT-15", Reason: fmt.Sprintf("%q is no id of an attachment", a.ID)}
		case count[a.ID] > 1:
			a.Err = &canon.Fault{Rule: "ATT-15", Reason: fmt.Sprintf("several attachments have the id %q", a.ID)}
		default:
			a.File, a.Err = b.findAttachment(msg, &a)
		}
		list = append(list, a)
	}
	return list
}

func (b *Box) findAttachment(msg *amp.Message, a *Attached) (string, error) {
	folders := []string{a.ID}
	if _, ok := amp.ParseID(msg.ID); ok {
		folders = append(folders, msg.ID)
	}
	var first error
	for _, folder := range folders {
		file := path.Join(inAttachments, folder, a.Name)
		f, _, err := b.home.OpenRegular(file)
		if err == nil {
			f.Close()
			return file, nil
		}
		if first == nil && !errors.Is(err, fs.ErrNotExist) {
			first = fmt.Errorf("mailbox: %s: %w", b.key(file), err)
		}
	}
	return "", first
}

// SaveAttachment copies an attachment of a message to dest, where no file may exist. It checks
// size and digest while it copies, and the name appears only if they match (rules ATT-18 and
// ATT-22).
func (b *Box) SaveAttachment(ctx context.Context, msg *amp.Message, id, dest string) error {
	for _, a := range b.Attachments(msg) {
		switch {
		case a.ID != id:
			continue
		case a.Err != nil:
			return a.Err
		case a.File == "":
			return fmt.Errorf("mailbox: the file of attachment %s: %w", id, fs.ErrNotExist)
		}
		return b.save(ctx, &a, dest)
	}
	return fmt.Errorf("mailbox: the attachment %q: %w", id, fs.ErrNotExist)
}

func (b *Box) save(ctx context.Context, a *Attached, dest string) error {
	from, info, err := b.home.OpenRegular(a.File)
	if err != nil {
		return fmt.Errorf("mailbox: %s: %w", b.key(a.File), err)
	}
	defer from.Close()
	// A wrong size is reported before anything is copied.
	if info.Size() != a.Size {
		return a.CheckSum(info.Size(), [32]byte{})
	}
	folder, err := b.root.Disk().OpenRoot(filepath.Dir(dest))
	if err != nil {
		return &FileError{Path: dest, Err: disk.Cause(err)}
	}
	defer folder.Close()
	for _, name := range folder.Names() {
		folder.Sweep(name, disk.Abandoned) // left by a killed process
	}
	w := disk.Whole{Root: folder, Private: true}
	err = w.AddFrom(filepath.Base(dest), func(to io.Writer) error { return copyChecked(ctx, to, from, &a.Attachment) })
	if bad, ok := errors.AsType[*canon.Fault](err); ok {
		return bad
	}
	if err != nil {
		return &FileError{Path: dest, Err: err}
	}
	return nil
}

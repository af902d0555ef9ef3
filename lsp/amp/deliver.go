package amp

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// A message is delivered in these steps, under the sender's lock:
//
//  1. The sender's copy is written to .signalbox/send-<id>.json: the intent.
//  2. The attachments are copied to the sender's mailbox, and from there to the
//     receiver's.
//  3. The message is written to the receiver's inbox, by a link that replaces
//     nothing. Now it is delivered.
//  4. The intent becomes the sent copy.
//
// A writer that finds an intent does step 4 if the receiver has the message, and otherwise
// undoes everything.

type delivery struct {
	// msg is the message as it was signed. core/amp checked its ids, so they are safe as file
	// names.
	msg         amp.Message
	sent, inbox []byte // the copies of the sender and of the receiver
	to          *Box   // the receiver's mailbox
	toSelf      bool   // the receiver's mailbox is also the sender's
}

func (b *Box) delivery(signed []byte, dir string, now time.Time) (*delivery, error) {
	msg, err := amp.ParseMessage(signed)
	if err != nil {
		return nil, err
	}
	inbox, err := amp.Receive(signed, now.UnixMilli(), "local")
	if err != nil {
		return nil, err
	}
	sent, err := amp.Sent(signed, now.UnixMilli(), dir)
	if err != nil {
		return nil, err
	}
	d := &delivery{msg: msg, inbox: inbox, sent: sent}
	return d, d.open(b, dir)
}

func (d *delivery) open(b *Box, dir string) error {
	home, err := openMailbox(b.root, dir)
	if err != nil {
		return fmt.Errorf("mailbox: the mailbox of %q: %w", d.msg.To, err)
	}
	d.to, d.toSelf = &Box{root: b.root, home: home, path: b.path, dir: dir}, dir == b.dir
	return nil
}

func (d *delivery) close() { _ = d.to.home.Close() }

// peerFolder returns the folder for messages from or to an address, as existing clients name
// it.
func peerFolder(address string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '@' || r == '.':
			return '_'
		case r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z':
			return r
		}
		return -1
	}, address)
}

func (d *delivery) intentName() string { return intentPrefix + d.msg.ID + ext }

func (d *delivery) sentFile() string { return path.Join(inSent, peerFolder(d.msg.To), d.msg.ID+ext) }

func (d *delivery) inboxFile() string {
	return path.Join(inInbox, peerFolder(d.msg.From), d.msg.ID+ext)
}

func (d *delivery) inboxKey() string { return d.to.key(d.inboxFile()) }

// tag returns the tag in the names of unfinished files in the receiver's mailbox.
func (d *delivery) tag() string { return d.msg.ID + "-" }

// isSame reports whether a stored message is this one. With the same signature the text may
// differ, since clients put a wrapper around it. With another signature the signed content must
// be equal: an ECDSA key signs differently each time.
func (d *delivery) isSame(data []byte) (bool, error) {
	msg, err := amp.ParseMessage(data)
	if err != nil || msg.ID != d.msg.ID {
		return false, err
	}
	if msg.Signature == d.msg.Signature {
		return true, nil
	}
	have, err := msg.Signed()
	want, e := d.msg.Signed()
	return err == nil && e == nil && msg.IdempotencyKey == d.msg.IdempotencyKey && string(have) == string(want), nil
}

// delivered reports whether the receiver has the message. It returns an error if the file is
// half written, by a client that writes in place.
func (d *delivery) delivered() (bool, error) {
	data, _, err := d.to.home.ReadRegular(d.inboxFile(), amp.MaxStored)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return d.isSame(data)
}

// send does the four steps. After a failure it finishes or undoes them as it does for a killed
// process.
func (s *writeSession) send(ctx context.Context, d *delivery, paths []string) error {
	err := s.Add(workFolder+"/"+d.intentName(), d.sent)
	if err == nil {
		err = s.copyFiles(ctx, d, paths)
	}
	done, unsettled := s.settleSend(d)
	switch {
	case done:
		// The message is delivered. If the sent copy is not in place, the next writer puts it
		// there.
		s.Left = s.Left || unsettled != nil
		return nil
	case err == nil:
		err = fmt.Errorf("the message is not in %s", d.inboxKey())
	}
	return errors.Join(err, unsettled)
}

// copyFiles does steps 2 and 3.
func (s *writeSession) copyFiles(ctx context.Context, d *delivery, paths []string) error {
	there := &disk.Whole{Root: d.to.home, Private: true, Tag: d.tag()}
	for i := range d.msg.Payload.Attachments {
		a := &d.msg.Payload.Attachments[i]
		file := path.Join(inAttachments, a.ID, a.Filename)
		if err := s.storeAttachment(ctx, s.Whole, file, a, func() (*os.File, error) { return openFile(paths[i]) }); err != nil {
			return changedFile(paths[i], err)
		}
		if d.toSelf {
			continue
		}
		openSent := func() (*os.File, error) {
			f, _, err := s.home.OpenRegular(file)
			return f, err
		}
		if err := s.storeAttachment(ctx, there, file, a, openSent); err != nil {
			return err
		}
	}
	return there.Add(d.inboxFile(), d.inbox)
}

// storeAttachment writes an attachment and checks its content on the way (rule ATT-18).
func (s *writeSession) storeAttachment(ctx context.Context, w *disk.Whole, file string, a *amp.Attachment, open func() (*os.File, error)) error {
	from, err := open()
	if err != nil {
		return err
	}
	defer from.Close()
	return w.AddFrom(file, func(to io.Writer) error { return copyChecked(ctx, to, from, a) })
}

// copyChecked copies the content of an attachment. It returns an error if size or digest
// differ.
func copyChecked(ctx context.Context, to io.Writer, from io.Reader, a *amp.Attachment) error {
	sum := sha256.New()
	n, err := copyFile(ctx, io.MultiWriter(to, sum), from, a.Size)
	if err != nil {
		return err
	}
	return a.CheckSum(n, [32]byte(sum.Sum(nil)))
}

// changedFile returns a wrong size or digest as [ErrChanged]: the file changed after the
// message was prepared. It returns other errors unchanged.
func changedFile(file string, err error) error {
	if bad, ok := errors.AsType[*canon.Fault](err); ok {
		return &FileError{file, bad.Rule, fmt.Errorf("%w: %s", ErrChanged, bad.Reason)}
	}
	return err
}

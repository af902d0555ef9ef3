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
// Who finds an intent goes on with step 4 if the receiver has the message, and
// takes back everything if not.

type delivery struct {
	// msg is the message as it was signed. Its ids were read by core/amp, so that
	// they can be names of files.
	msg         amp.Message
	sent, inbox []byte // the copies of the sender and of the receiver
	to          *Box   // the receiver's mailbox, and own is set where it is the sender's too
	own         bool
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
	d.to, d.own = &Box{root: b.root, home: home, path: b.path, dir: dir}, dir == b.dir
	return nil
}

func (d *delivery) close() { _ = d.to.home.Close() }

// peerFolder is the folder of somebody's messages, as existing clients name it.
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

// tag is in the names of unfinished files in the receiver's mailbox.
func (d *delivery) tag() string { return d.msg.ID + "-" }

// isIn reports whether a stored message is this one. What was signed may have been
// changed by a client that puts a wrapper around it, and the signature may be
// another one, as an ECDSA key makes each time.
func (d *delivery) isIn(data []byte) (bool, error) {
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

// delivered reports whether the receiver has the message. Where a client is writing
// the file in place, and half of it is there, there is an error.
func (d *delivery) delivered() (bool, error) {
	data, _, err := d.to.home.ReadRegular(d.inboxFile(), amp.MaxStored)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return d.isIn(data)
}

// send does the steps. A failure on the way is dealt with as a killed process is.
func (s *session) send(ctx context.Context, d *delivery, paths []string) error {
	err := s.Add(own+"/"+d.intentName(), d.sent)
	if err == nil {
		err = s.carry(ctx, d, paths)
	}
	done, again := s.settleSend(d)
	switch {
	case done:
		// It is delivered. If its copy is not where it belongs, the next one who
		// writes to the mailbox brings it there.
		s.Left = s.Left || again != nil
		return nil
	case err == nil:
		err = fmt.Errorf("the message is not in %s", d.inboxKey())
	}
	return errors.Join(err, again)
}

func (s *session) carry(ctx context.Context, d *delivery, paths []string) error {
	there := &disk.Whole{Root: d.to.home, Private: true, Tag: d.tag()}
	for i := range d.msg.Payload.Attachments {
		a := &d.msg.Payload.Attachments[i]
		file := path.Join(inAttachments, a.ID, a.Filename)
		if err := s.store(ctx, s.Whole, file, a, func() (*os.File, error) { return openFile(paths[i]) }); err != nil {
			return otherFile(paths[i], err)
		}
		if d.own {
			continue
		}
		mine := func() (*os.File, error) {
			f, _, err := s.home.OpenRegular(file)
			return f, err
		}
		if err := s.store(ctx, there, file, a, mine); err != nil {
			return err
		}
	}
	return there.Add(d.inboxFile(), d.inbox)
}

// store copies an attachment, whose content is checked on the way (rule ATT-18).
func (s *session) store(ctx context.Context, w *disk.Whole, file string, a *amp.Attachment, open func() (*os.File, error)) error {
	from, err := open()
	if err != nil {
		return err
	}
	defer from.Close()
	return w.AddFrom(file, func(to io.Writer) error { return checked(ctx, to, from, a) })
}

// checked copies the content of an attachment, and fails if it is other content.
func checked(ctx context.Context, to io.Writer, from io.Reader, a *amp.Attachment) error {
	sum := sha256.New()
	n, err := copyFile(ctx, io.MultiWriter(to, sum), from, a.Size)
	if err != nil {
		return err
	}
	return a.CheckSum(n, [32]byte(sum.Sum(nil)))
}

// otherFile words that a file is not what it was when the message was prepared.
func otherFile(file string, err error) error {
	if bad, ok := errors.AsType[*canon.Fault](err); ok {
		return &FileError{file, bad.Rule, fmt.Errorf("%w: %s", ErrChanged, bad.Reason)}
	}
	return err
}

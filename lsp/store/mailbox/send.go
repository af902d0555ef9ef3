package mailbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Delivered says where a message is now.
type Delivered struct {
	ID string
	// SentKey and InboxKey are the [Message.Key] of the sender's copy and of the
	// receiver's.
	SentKey, InboxKey string
}

// Sign returns the whole message, signed (rule SIG-1). The private key is opened for
// this alone, and must fit the public one in the mailbox. The error is [ErrChanged]
// if the stamp has the digest of something else.
func (b *Box) Sign(p *Prepared) ([]byte, error) {
	if p.Stamp.digest != p.digest {
		return nil, fmt.Errorf("mailbox: %w: the message, a file or the sender's address was changed", ErrChanged)
	}
	id, err := b.identity()
	if err != nil {
		return nil, err
	}
	signature, err := id.sign(p.Letter.Signed())
	if err != nil {
		return nil, fmt.Errorf("mailbox: sign: %w", err)
	}
	data, err := p.Letter.Finish(signature)
	if err != nil {
		return nil, err
	}
	msg, err := amp.ParseMessage(data)
	if err == nil {
		_, err = amp.Verify(&msg, id.public)
	}
	if err != nil {
		return nil, fmt.Errorf("mailbox: what was signed does not verify: %w", err)
	}
	return data, nil
}

// Send signs a message and delivers it with its attachments to the mailbox on this
// machine that it is for, as it was signed. Whatever happens meanwhile, the
// receiver and the sender have all of it in the end, or nothing. To send it again,
// with the same stamp, does no harm and returns the same answer (rule IDK-2).
//
// The error is [ErrNoMailbox] if there is no mailbox to deliver to, [ErrChanged] if
// the message or a file is not what was shown, [fs.ErrExist] if another message has
// its id, and an *[canon.Fault] of rule ENV-7 if it has expired meanwhile.
func (b *Box) Send(ctx context.Context, p *Prepared, now time.Time) (Delivered, error) {
	if p.To == nil {
		return Delivered{}, fmt.Errorf("mailbox: %q: %w", p.Draft.To, ErrNoMailbox)
	}
	if p.Draft.Expires != 0 && now.UnixMilli() > p.Draft.Expires {
		return Delivered{}, &canon.Fault{Rule: "ENV-7", Field: "envelope.expires_at", Reason: "the message expired at " + amp.FormatTime(p.Draft.Expires) + ", before it was sent"}
	}
	data, err := b.Sign(p)
	if err != nil {
		return Delivered{}, err
	}
	d, err := b.delivery(data, p.To.Dir, now)
	if err != nil {
		return Delivered{}, err
	}
	defer d.close()
	s, err := b.begin(ctx)
	if err != nil {
		return Delivered{}, err
	}
	defer s.end()
	sent, err := s.already(d)
	if err == nil && !sent {
		err = s.send(ctx, d, p.paths)
	}
	if err != nil {
		return Delivered{}, fmt.Errorf("mailbox: send: %w", err)
	}
	return Delivered{ID: d.msg.ID, SentKey: b.key(d.sentFile()), InboxKey: d.inboxKey()}, nil
}

// already reports whether the message was sent before, and fails if another message
// has its id, or one of its attachments an id that is taken.
func (s *session) already(d *delivery) (bool, error) {
	if _, err := s.own.Lstat(d.intentName()); err == nil {
		return false, fmt.Errorf("an earlier try has not ended: %w", errors.Join(s.unsettled, fs.ErrExist))
	}
	for _, place := range []struct {
		in   *Box
		file string
	}{{s.Box, d.sentFile()}, {d.to, d.inboxFile()}} {
		data, _, err := place.in.home.ReadRegular(place.file, amp.MaxStored)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, err
		}
		if same, err := d.isIn(data); !same || err != nil {
			return false, errors.Join(err, fmt.Errorf("another message has the id %s: %w", d.msg.ID, fs.ErrExist))
		}
		// That of the receiver's mailbox alone is one whose sent copy somebody
		// deleted. Whoever sent it may have been killed before it was on the disk.
		w := disk.Whole{Root: place.in.home}
		return true, w.Last(place.file)
	}
	for _, a := range d.msg.Payload.Attachments {
		for _, in := range []*Box{s.Box, d.to} {
			if taken, err := in.exists(inAttachments + "/" + a.ID); err != nil || taken {
				return false, errors.Join(err, fmt.Errorf("the attachment id %s is taken: %w", a.ID, fs.ErrExist))
			}
		}
	}
	return false, nil
}

// exists reports whether there is anything at a path.
func (b *Box) exists(file string) (bool, error) {
	at, err := b.home.OpenFolder(path.Dir(file))
	if err == nil {
		defer at.Close()
		_, err = at.Lstat(path.Base(file))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

package amp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Delivered is where a message is after sending.
type Delivered struct {
	ID string
	// SentKey and InboxKey are the [Message.Key] of the sender's copy and of the
	// receiver's.
	SentKey, InboxKey string
}

// Sign returns the complete, signed message (rule SIG-1). It opens the private key, which must
// match the public one in the mailbox. It returns [ErrChanged] if the stamp has another
// message's digest.
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

// Send signs a message and delivers it with its attachments to its receiver's mailbox on this
// machine. Receiver and sender get all of it or nothing. Sending it again with the same stamp
// returns the same result (rule IDK-2). The error is [ErrNoMailbox], [ErrChanged],
// [fs.ErrExist] if another message has its id, or a *[canon.Fault] of rule ENV-7 if it has
// expired.
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
	sent, err := s.sentBefore(d)
	if err == nil && !sent {
		err = s.send(ctx, d, p.paths)
	}
	if err != nil {
		return Delivered{}, fmt.Errorf("mailbox: send: %w", err)
	}
	return Delivered{ID: d.msg.ID, SentKey: b.key(d.sentFile()), InboxKey: d.inboxKey()}, nil
}

// sentBefore reports whether the message was sent before. It returns an error if another
// message has its id, or if the id of an attachment is taken.
func (s *writeSession) sentBefore(d *delivery) (bool, error) {
	if _, err := s.work.Lstat(d.intentName()); err == nil {
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
		if same, err := d.isSame(data); !same || err != nil {
			return false, errors.Join(err, fmt.Errorf("another message has the id %s: %w", d.msg.ID, fs.ErrExist))
		}
		// Only the receiver has it if somebody deleted the sent copy. The process that sent it
		// may have been killed before the file was synced.
		w := disk.Whole{Root: place.in.home}
		return true, w.SyncPath(place.file)
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

// Stamp is the part of a message that its writer does not choose: its time, a seed for its ids
// and its idempotency key, and, once it is prepared, the digest of what is to be signed. A
// client that keeps the stamp can sign exactly what was shown, and send again without sending
// twice (rule IDK-2).
type Stamp struct {
	millis int64
	seed   [16]byte
	digest string
}

// NewStamp returns the stamp of a message that is written now, with a random seed.
func NewStamp(now time.Time) Stamp {
	s := Stamp{millis: now.UnixMilli() / 1000 * 1000}
	_, _ = rand.Read(s.seed[:]) // it never fails
	return s
}

// random returns bytes for one use of the seed. Nobody can guess them without the seed.
func (s Stamp) random(use string) [sha256.Size]byte {
	return sha256.Sum256(append([]byte("signalbox amp "+use+"\x00"), s.seed[:]...))
}

// ID returns the message's id.
func (s Stamp) ID() string {
	sum := s.random("id")
	return amp.NewID(s.millis, [8]byte(sum[:8]))
}

func (s Stamp) key() string {
	sum := s.random("key")
	return amp.NewIdempotencyKey([16]byte(sum[:16]))
}

func (s Stamp) attachment(i int) string {
	sum := s.random("attachment " + strconv.Itoa(i))
	return amp.NewAttachmentID(s.millis, [8]byte(sum[:8]))
}

// String returns the stamp as text, which [ParseStamp] reads: letters, digits and ".".
func (s Stamp) String() string { return fmt.Sprintf("%d.%x.%s", s.millis, s.seed, s.digest) }

// lastMillis is the end of the year 9999, the last one that can be written.
const lastMillis = 253402300799_999

var errStamp = errors.New("mailbox: this is no stamp of a message")

// ParseStamp reads a stamp.
func ParseStamp(text string) (Stamp, error) {
	parts := strings.Split(text, ".")
	if len(text) > 256 || len(parts) != 3 {
		return Stamp{}, errStamp
	}
	millis, err := strconv.ParseInt(parts[0], 10, 64)
	seed, errSeed := hex.DecodeString(parts[1])
	sum, errSum := hex.DecodeString(parts[2])
	if errors.Join(err, errSeed, errSum) != nil || millis < 0 || millis > lastMillis || len(seed) != 16 || len(sum) != 0 && len(sum) != sha256.Size {
		return Stamp{}, errStamp
	}
	s := Stamp{millis, [16]byte(seed), parts[2]}
	if s.String() != text {
		return Stamp{}, errStamp // such as digits in capitals
	}
	return s, nil
}

// digest returns a digest of an unsigned message. It covers all of it, including members that
// are not signed, since they were shown too.
func digest(l *amp.Letter) (string, error) {
	data, err := l.Finish(make([]byte, 1))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// ForToken returns the stamp with a seed made from a client's token. A client that sends again
// with the same token finds the message that it sent before with [MadeFor], even after a crash
// and in another process.
func (s Stamp) ForToken(token string) Stamp {
	sum := sha256.Sum256([]byte("signalbox amp send\x00" + token))
	s.seed = [16]byte(sum[:16])
	return s
}

// MadeFor reports whether a message's id was made for a token at any time.
func MadeFor(id, token string) bool {
	have, ok := amp.ParseID(id)
	want, _ := amp.ParseID(Stamp{}.ForToken(token).ID())
	return ok && have.Suffix == want.Suffix
}

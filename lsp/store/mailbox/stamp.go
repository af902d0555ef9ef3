package mailbox

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// Stamp is what of a message does not come from its writer: its id, its time, its
// idempotency key, the ids of its attachments and, once it was prepared, the digest
// of what is to be signed. Who keeps it can prepare the same message again, to sign
// exactly what was shown, or to send it again without sending it twice (rule IDK-2).
type Stamp struct {
	id, key     string
	attachments []string
	digest      string
}

// NewStamp makes the stamp of a message that is written now, with a number of
// files. What is random in it comes from the system.
func NewStamp(now time.Time, files int) Stamp {
	var s Stamp
	var random [16]byte
	suffix := func() [8]byte {
		_, _ = rand.Read(random[:]) // it never fails
		return [8]byte(random[:8])
	}
	s.id = amp.NewID(now.UnixMilli(), suffix())
	_, _ = rand.Read(random[:])
	s.key = amp.NewIdempotencyKey(random)
	for range files {
		s.attachments = append(s.attachments, amp.NewAttachmentID(now.UnixMilli(), suffix()))
	}
	return s
}

// ID is the message's.
func (s Stamp) ID() string { return s.id }

// Millis is when the message is written, in Unix milliseconds.
func (s Stamp) Millis() int64 {
	id, _ := amp.ParseID(s.id)
	return id.Seconds * 1000
}

// Files is the number of files that the stamp covers.
func (s Stamp) Files() int { return len(s.attachments) }

// String returns the stamp as text, which [ParseStamp] reads: letters, digits, "_",
// "-" and ".".
func (s Stamp) String() string {
	return strings.Join(append([]string{s.id, s.key, s.digest}, s.attachments...), ".")
}

var errStamp = errors.New("mailbox: this is no stamp of a message")

// ParseStamp reads a stamp.
func ParseStamp(text string) (Stamp, error) {
	const most = 4096
	parts := strings.Split(text, ".")
	if len(text) > most || len(parts) < 3 || len(parts) > 3+amp.MaxAttachments {
		return Stamp{}, errStamp
	}
	s := Stamp{id: parts[0], key: parts[1], digest: parts[2]}
	if len(parts) > 3 {
		s.attachments = parts[3:]
	}
	id, ok := amp.ParseID(s.id)
	if !ok || id.Millis || id.Dashes || !amp.ValidIdempotencyKey(s.key) {
		return Stamp{}, errStamp
	}
	if sum, err := hex.DecodeString(s.digest); s.digest != "" && (err != nil || len(sum) != sha256.Size) {
		return Stamp{}, errStamp
	}
	seen := map[string]bool{}
	for _, a := range s.attachments {
		if id, ok := amp.ParseAttachmentID(a); !ok || id.Dashes || id.Millis || seen[a] {
			return Stamp{}, errStamp
		}
		seen[a] = true
	}
	return s, nil
}

// digest names a message that lacks its signature: all of it, also what is not
// signed, since that was shown too.
func digest(l *amp.Letter) (string, error) {
	data, err := l.Finish(make([]byte, 1))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// ForToken gives the stamp the id that stands for a client's token, whatever the
// time: who sends again with the same token finds what was sent before with
// [MadeFor], also after a crash and in another process. Nothing that is signed
// changes.
func (s Stamp) ForToken(token string) Stamp {
	s.id = amp.NewID(s.Millis(), tokenRandom(token))
	return s
}

// MadeFor reports whether a message's id was made for a token.
func MadeFor(id, token string) bool {
	have, ok := amp.ParseID(id)
	want, _ := amp.ParseID(amp.NewID(0, tokenRandom(token)))
	return ok && have.Suffix == want.Suffix
}

func tokenRandom(token string) [8]byte {
	sum := sha256.Sum256([]byte("signalbox amp send\x00" + token))
	return [8]byte(sum[:8])
}

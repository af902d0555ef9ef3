package mailbox

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// Stamp is what of a message does not come from its writer: its time, a seed of its id, of
// its idempotency key and of the ids of its attachments, and, once it was prepared, the
// digest of what is to be signed. Who keeps it can prepare the same message again, to sign
// exactly what was shown, or to send it again without sending it twice (rule IDK-2).
type Stamp struct {
	millis int64
	seed   [16]byte
	digest string
}

// NewStamp makes the stamp of a message that is written now. Its seed comes from the system.
func NewStamp(now time.Time) Stamp {
	s := Stamp{millis: now.UnixMilli() / 1000 * 1000}
	_, _ = rand.Read(s.seed[:]) // it never fails
	return s
}

// random returns bytes for one use of the seed, that nobody can guess who does not know it.
func (s Stamp) random(of string) [sha256.Size]byte {
	return sha256.Sum256(append([]byte("signalbox amp "+of+"\x00"), s.seed[:]...))
}

// ID is the message's.
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

// ForToken gives the stamp the seed that stands for a client's token: who sends again with
// the same token finds what was sent before with [MadeFor], also after a crash and in
// another process.
func (s Stamp) ForToken(token string) Stamp {
	sum := sha256.Sum256([]byte("signalbox amp send\x00" + token))
	s.seed = [16]byte(sum[:16])
	return s
}

// MadeFor reports whether a message's id was made for a token, whatever its time.
func MadeFor(id, token string) bool {
	have, ok := amp.ParseID(id)
	want, _ := amp.ParseID(Stamp{}.ForToken(token).ID())
	return ok && have.Suffix == want.Suffix
}

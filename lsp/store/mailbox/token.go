package mailbox

import (
	"crypto/sha256"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// ForToken gives the stamp the id that stands for a client's token, whatever the
// time: who sends again with the same token finds what was sent before with
// [MadeFor], also after a crash and in another process. Nothing that is signed
// changes.
func (s Stamp) ForToken(token string) Stamp {
	s.id = amp.NewID(s.Millis(), tokenRandom(token))
	return s
}

// MadeFor tells whether a message's id was made for a token.
func MadeFor(id, token string) bool {
	have, ok := amp.ParseID(id)
	want, _ := amp.ParseID(amp.NewID(0, tokenRandom(token)))
	return ok && have.Suffix == want.Suffix
}

func tokenRandom(token string) [8]byte {
	sum := sha256.Sum256([]byte("signalbox amp send\x00" + token))
	return [8]byte(sum[:8])
}

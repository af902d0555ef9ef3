package store

import (
	"crypto/rand"
	"encoding/binary"

	"github.com/dchest/siphash"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// secret is the key under which an index hashes what strangers wrote, so that
// nobody can make two messages of one hash.
type secret [2]uint64

func newSecret() secret {
	var b [16]byte
	_, _ = rand.Read(b[:]) // which never fails
	return readSecret(b[:])
}

// readSecret takes 16 bytes.
func readSecret(b []byte) secret {
	return secret{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

// append writes the 16 bytes.
func (s secret) append(b []byte) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, s[0]), s[1])
}

func (s secret) bytes(b []byte) uint64 { return siphash.Hash(s[0], s[1], b) }

func (s secret) text(text string) uint64 { return s.bytes([]byte(text)) }

// content stands for what a record says.
func (s secret) content(r *samp.Record) uint64 {
	c := r.Content()
	var room [1 << 10]byte
	b := binary.LittleEndian.AppendUint64(room[:0], uint64(c.TS))
	parts := [...]string{c.From, c.To, c.Thread, c.Lossy, c.Body}
	size := len(b)
	for _, p := range parts {
		// The lengths keep apart what would read alike one behind the other.
		b = binary.LittleEndian.AppendUint32(b, uint32(len(p)))
		size += 4 + len(p)
	}
	if size <= len(room) {
		for _, p := range parts {
			b = append(b, p...)
		}
		return s.bytes(b)
	}
	// A message may be as long as memory: it is not copied whole.
	h := siphash.New(s.append(nil))
	_, _ = h.Write(b)
	for _, p := range parts {
		for len(p) > 0 {
			n := copy(room[:], p)
			_, _ = h.Write(room[:n])
			p = p[n:]
		}
	}
	return h.Sum64()
}

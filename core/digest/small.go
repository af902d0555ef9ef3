package digest

import "encoding/binary"

// small is SHA-256 (FIPS 180-4 §6.2) in plain Go.
type small struct {
	state [8]uint32
	// rest holds the bytes of an incomplete block, and length counts all bytes
	// written.
	rest   [blockSize]byte
	length uint64
}

const blockSize = 64

// initial is the state before any block.
var initial = [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

func newSmall() small { return small{state: initial} }

// Write adds a piece.
func (s *small) Write(data []byte) {
	held := int(s.length % blockSize)
	s.length += uint64(len(data))
	if held > 0 {
		n := copy(s.rest[held:], data)
		if data = data[n:]; held+n < blockSize {
			return
		}
		blocks(&s.state, s.rest[:])
	}
	whole := len(data) &^ (blockSize - 1)
	blocks(&s.state, data[:whole])
	copy(s.rest[:], data[whole:])
}

// Sum returns the digest of all pieces. It may be called only once.
func (s *small) Sum() [Size]byte {
	return finish(&s.state, s.rest[:s.length%blockSize], int(s.length))
}

// finish returns the digest of length bytes, of which rest are those after the whole blocks.
func finish(state *[8]uint32, rest []byte, length int) (sum [Size]byte) {
	var last [2 * blockSize]byte
	n := copy(last[:], rest)
	last[n] = 0x80
	end := blockSize
	if n >= blockSize-8 {
		end = 2 * blockSize
	}
	binary.BigEndian.PutUint64(last[end-8:], uint64(length)*8)
	blocks(state, last[:end])
	for i, word := range state {
		binary.BigEndian.PutUint32(sum[4*i:], word)
	}
	return sum
}

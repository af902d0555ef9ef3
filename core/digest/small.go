package digest

import "encoding/binary"

// small is SHA-256 (FIPS 180-4 §6.2) in Go alone.
type small struct {
	state [8]uint32
	// rest are the bytes of a block that is not full yet, the last of length in
	// all.
	rest   [blockSize]byte
	length uint64
}

const blockSize = 64

func newSmall() small {
	return small{state: [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}}
}

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

// Sum gives the digest of what was written, and is called once.
func (s *small) Sum() (sum [Size]byte) {
	held := int(s.length % blockSize)
	s.rest[held] = 0x80
	clear(s.rest[held+1:])
	if held >= blockSize-8 {
		blocks(&s.state, s.rest[:])
		clear(s.rest[:])
	}
	binary.BigEndian.PutUint64(s.rest[blockSize-8:], s.length*8)
	blocks(&s.state, s.rest[:])
	for i, word := range s.state {
		binary.BigEndian.PutUint32(sum[4*i:], word)
	}
	return sum
}

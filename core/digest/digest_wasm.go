package digest

// Sum returns the digest of data.
func Sum(data []byte) [Size]byte {
	state := initial
	whole := len(data) &^ (blockSize - 1)
	blocks(&state, data[:whole])
	return finish(&state, data[whole:], len(data))
}

// Hash takes data in pieces. [New] makes one.
type Hash struct{ small }

// New returns an empty hash.
func New() Hash { return Hash{newSmall()} }

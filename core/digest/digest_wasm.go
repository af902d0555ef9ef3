package digest

// Sum returns the digest of data.
func Sum(data []byte) [Size]byte {
	state := first
	whole := len(data) &^ (blockSize - 1)
	blocks(&state, data[:whole])
	return finish(&state, data[whole:], len(data))
}

// Hash takes data in pieces. [New] makes one.
type Hash struct{ small }

// New returns the hash of no data yet.
func New() Hash { return Hash{newSmall()} }

package digest

// Sum gives the digest of data.
func Sum(data []byte) [Size]byte {
	h := newSmall()
	h.Write(data)
	return h.Sum()
}

// Hash takes data in pieces. [New] makes one.
type Hash struct{ small }

// New gives the hash of no data yet.
func New() Hash { return Hash{newSmall()} }

//go:build !wasm

package digest

import "crypto/sha256"

// Sum returns the digest of data.
func Sum(data []byte) [Size]byte { return sha256.Sum256(data) }

// Hash takes data in pieces. [New] makes one.
type Hash struct {
	std interface {
		Write(data []byte) (int, error)
		Sum(dst []byte) []byte
	}
}

// New returns an empty hash.
func New() Hash { return Hash{sha256.New()} }

// Write adds a piece.
func (h *Hash) Write(data []byte) { _, _ = h.std.Write(data) } // it never fails

// Sum returns the digest of all pieces. It may be called only once.
func (h *Hash) Sum() (sum [Size]byte) {
	h.std.Sum(sum[:0])
	return sum
}

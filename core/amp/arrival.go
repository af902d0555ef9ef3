package amp

import (
	"cmp"
	"math"
)

// Arrival decides which of two messages with the same signature came first, and which
// is a replay (rule SIG-9). None of it is signed.
type Arrival struct {
	// Received is by the word of whoever stored the message, Written by its
	// timestamp. Both are Unix milliseconds, 0 where nobody says.
	Received, Written int64
	ID                string
}

// Compare is negative if a came before b: by when they were received, those last of
// which nobody says it; then by when they were written; then by how well an id agrees
// with that, since a sender makes both at once.
func (a Arrival) Compare(b Arrival) int {
	if c := cmp.Or(cmp.Compare(late(a.Received), late(b.Received)), cmp.Compare(late(a.Written), late(b.Written))); c != 0 {
		return c
	}
	return cmp.Compare(a.doubt(), b.doubt())
}

// late puts a time that nobody says behind all others.
func late(millis int64) int64 {
	if millis == 0 {
		return math.MaxInt64
	}
	return millis
}

// doubt is by how many seconds the id disagrees with the time.
func (a Arrival) doubt() int64 {
	id, ok := ParseID(a.ID)
	if !ok || a.Written == 0 {
		return math.MaxInt64
	}
	return max(id.Seconds-a.Written/1000, a.Written/1000-id.Seconds)
}

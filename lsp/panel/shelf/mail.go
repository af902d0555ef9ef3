package shelf

import (
	"encoding/binary"
	"iter"
	"slices"
	"sort"
	"strings"
)

// Mail walks a thread's messages to the owner, the newest first, as digests: a digest stands
// for one message and stays the same for as long as the message does. Nil holds none.
type Mail iter.Seq[uint64]

// Any reports whether there is a message.
func (m Mail) Any() bool { return (Entry{}).Outgrown(m) }

// maxKnown is how many messages of a thread are remembered one by one: 80 KB. Of a longer
// thread the older ones are counted.
const maxKnown = 10_000

// digestSize is the length of a digest in [Entry.Known].
const digestSize = 8

// Keep records the messages that a thread holds now, so that any other brings it back.
func (e Entry) Keep(mail Mail) Entry {
	var all []uint64
	e.Mail = 0
	if mail != nil {
		for d := range mail {
			if e.Mail++; len(all) < maxKnown {
				all = append(all, d)
			}
		}
	}
	slices.Sort(all)
	packed := make([]byte, 0, digestSize*len(all))
	for _, d := range all {
		packed = binary.BigEndian.AppendUint64(packed, d)
	}
	e.Known = string(packed)
	return e
}

// Outgrown reports whether a thread holds a message to the owner that it did not hold when
// it was put away.
func (e Entry) Outgrown(mail Mail) bool {
	if mail == nil {
		return false
	}
	known := len(e.Known) / digestSize
	met, others := 0, 0
	for d := range mail {
		if e.knows(d) {
			met++
			continue
		}
		// The messages that are only counted are older than all that are known.
		if others++; met < known || others > e.Mail-known {
			return true
		}
	}
	return false
}

func (e Entry) knows(digest uint64) bool {
	var d [digestSize]byte
	binary.BigEndian.PutUint64(d[:], digest)
	n := len(e.Known) / digestSize
	at := func(i int) string { return e.Known[i*digestSize : (i+1)*digestSize] }
	i := sort.Search(n, func(i int) bool { return strings.Compare(at(i), string(d[:])) >= 0 })
	return i < n && at(i) == string(d[:])
}

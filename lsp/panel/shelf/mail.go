package shelf

import (
	"encoding/binary"
	"iter"
	"slices"
	"sort"
	"strings"
)

// Mail iterates over a thread's messages to the owner, newest first, as digests. A digest identifies
// one message and never changes while the message exists. Nil has no messages.
type Mail iter.Seq[uint64]

// Any reports whether there is a message.
func (m Mail) Any() bool { return (Entry{}).HasNew(m) }

// maxKnown is how many messages of a thread are stored by their digests, which take 80 KB. Older
// messages are only counted.
const maxKnown = 10_000

// digestSize is the length in bytes of a digest in [Entry.Known].
const digestSize = 8

// WithMail returns the entry with the thread's current messages, so that any other message brings
// the thread back.
func (e Entry) WithMail(mail Mail) Entry {
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

// HasNew reports whether a thread has a message to the owner that it did not have when it was put
// away.
func (e Entry) HasNew(mail Mail) bool {
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
		// Messages that are only counted are older than all known ones.
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

package samp

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Found is a record together with where it was found.
type Found struct {
	Record
	// Key is the effective id (rule I3).
	Key string
	// Stem is the log's name between "log-" and ".jsonl".
	Stem string
	// Rank is the position of the log among the directory's logs in byte order of their names,
	// and Offset the line's first byte in it. They order messages of one second (rule N3).
	Rank   int
	Offset int64
}

// Provenance reports whether the record belongs in its log.
func (f *Found) Provenance() Provenance { return ProvenanceOf(f.Stem, f.From) }

// Inbox is one reader's mail from all logs (§6, rule N3).
type Inbox struct {
	// Messages are deduplicated and sorted by time, then log, then line.
	Messages []Found
	// Suspicious are records in somebody else's log whose claimed sender has no such record in
	// the sender's own log. They are reported, not mixed in.
	Suspicious []Found
	// Replicas counts the copies that were left out (rule S1).
	Replicas int
}

// Content identifies a message independently of ids: two records with the same Content are one
// message. It has all of §2's fields except the id, and the body in NFC, since a message written
// under both profiles is one message. Contents are comparable.
type Content struct {
	TS                     int64
	From, To, Thread, Body string
	// Lossy is the stored id of a lossy record, and otherwise empty: halves of different
	// surrogate pairs look the same after reading.
	Lossy string
}

// Content returns the record's content.
func (r *Record) Content() Content {
	c := Content{TS: r.TS, From: r.From, To: r.To, Thread: r.Thread, Body: canon.NFC(r.Body)}
	if r.Lossy {
		c.Lossy = r.ID
	}
	return c
}

type identity struct{ from, key string }

// Gather returns the inbox of the found records, in any order, as [Choose] decides. The inbox
// uses the memory of found.
func Gather(found []Found) (box Inbox) {
	slices.SortStableFunc(found, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Offset, b.Offset))
	})
	n := numbered{found, make([]Position, len(found)), make(map[identity]uint64, len(found)), make(map[Content]uint64)}
	for i := range found {
		f := &found[i]
		n.at[i] = Position{f.TS, f.Offset, f.Rank, f.Provenance()}
	}
	shown, forged := Choose(&n, 0)
	for _, i := range forged {
		box.Suspicious = append(box.Suspicious, found[i])
	}
	box.Messages = found[:0]
	for i := range found {
		if shown[i] {
			box.Messages = append(box.Messages, found[i])
		}
	}
	clear(found[len(box.Messages):])
	box.Replicas = len(found) - len(box.Messages) - len(box.Suspicious)
	return box
}

// numbered implements [Copies] by numbering ids and contents in the order of first use.
type numbered struct {
	found []Found
	at    []Position
	ids   map[identity]uint64
	texts map[Content]uint64
}

func (n *numbered) Len() int             { return len(n.found) }
func (n *numbered) At(i int) Position    { return n.at[i] }
func (n *numbered) ID(i int) uint64      { return number(n.ids, identity{n.found[i].From, n.found[i].Key}) }
func (n *numbered) Content(i int) uint64 { return number(n.texts, n.found[i].Content()) }

func number[K comparable](known map[K]uint64, k K) uint64 {
	n, ok := known[k]
	if !ok {
		n = uint64(len(known))
		known[k] = n
	}
	return n
}

// Unread splits a sorted inbox by the watermark. fresh holds the messages that §6 step 6 shows.
// older holds those that it skips only because of their time, without their id being listed. Late
// mail is in older (rule N6): a caller that knows what was shown before must look for it there.
func Unread(messages []Found, w Watermark) (fresh, older []Found) {
	seen := w.Seen()
	for i := range messages {
		switch m := &messages[i]; {
		case seen.Listed(m):
		case seen.Before(m.TS):
			older = append(older, *m)
		default:
			fresh = append(fresh, *m)
		}
	}
	return fresh, older
}

// ClockError is how far a sender's clock may be ahead of ours, in seconds.
const ClockError = 300

// Ahead reports whether ts is later than now by more than [ClockError], both in Unix seconds.
func Ahead(ts, now int64) bool { return ts > now && uint64(ts)-uint64(now) > ClockError }

// ReplyTarget returns the message that a reply answers (§7): the newest of a sorted inbox, or the
// last one if one sender wrote several in that second. If several senders wrote in the newest
// second, target is nil and tied holds the last message of each, in order of their names (rule
// P2). Both are empty for an empty inbox.
//
// Messages dated further ahead of now than [ClockError] are ignored: one of them would be the
// newest for years.
func ReplyTarget(messages []Found, now int64) (target *Found, tied []Found) {
	for len(messages) > 0 && Ahead(messages[len(messages)-1].TS, now) {
		messages = messages[:len(messages)-1]
	}
	if len(messages) == 0 {
		return nil, nil
	}
	newest := messages[len(messages)-1].TS
	last := make(map[string]*Found)
	for i := len(messages) - 1; i >= 0 && messages[i].TS == newest; i-- {
		if m := &messages[i]; last[m.From] == nil {
			last[m.From] = m
		}
	}
	if len(last) == 1 {
		return &messages[len(messages)-1], nil
	}
	for _, m := range last {
		tied = append(tied, *m)
	}
	slices.SortStableFunc(tied, func(a, b Found) int { return cmp.Compare(a.From, b.From) })
	return nil, tied
}

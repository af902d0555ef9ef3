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
	// Rank is the place of the log among the directory's logs in byte order
	// of their names, and Offset the line's first byte in it: they order
	// messages of one second (rule N3).
	Rank   int
	Offset int64
}

// Filing says whether the record belongs in its log.
func (f *Found) Filing() Filing { return FilingOf(f.Stem, f.From) }

// Inbox is one reader's mail out of all logs (§6, rule N3).
type Inbox struct {
	// Messages are deduplicated and sorted by time, then log, then line.
	Messages []Found
	// Suspicious are records in somebody else's log that claim a sender who
	// never wrote them in his own. They are announced, not mixed in.
	Suspicious []Found
	// Replicas counts records that stood in several places (rule S1).
	Replicas int
}

// Content is what makes two records one message whatever their ids: all of
// §2's fields but the id, the body in NFC, since a message written under both
// profiles is one message. Contents can be compared and be keys of maps.
type Content struct {
	TS                     int64
	From, To, Thread, Body string
	// Lossy is the stored id of a lossy record and empty for others: halves
	// of different surrogate pairs read alike and are not the same.
	Lossy string
}

// Content returns what the record says.
func (r *Record) Content() Content {
	c := Content{TS: r.TS, From: r.From, To: r.To, Thread: r.Thread, Body: canon.NFC(r.Body)}
	if r.Lossy {
		c.Lossy = r.ID
	}
	return c
}

type identity struct{ from, key string }

// Gather makes an inbox of the records that were found, in any order. It takes over
// found, whose memory the inbox uses.
//
// A message is shown once per sender and id (§6 step 5) and once per content. Records
// in their sender's own log are taken first, so that no copy with a forged id can
// replace the original. Then the first one counts, by log and line, as in the scan of
// §6 step 5.
func Gather(found []Found) Inbox {
	slices.SortFunc(found, byTime)
	g := gatherer{found: found}
	inTime := g.gather(false)
	if !inTime {
		slices.SortFunc(found, byScan)
		g.gather(true)
	}
	box := g.inbox()
	if !inTime {
		slices.SortFunc(box.Messages, byTime)
		slices.SortFunc(box.Suspicious, byTime)
	}
	return box
}

// byTime does not call byScan, which would copy two records for each comparison.
func byTime(a, b Found) int {
	return cmp.Or(cmp.Compare(a.TS, b.TS), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Offset, b.Offset))
}

// byScan is the order of the scan of §6 step 5.
func byScan(a, b Found) int {
	return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Offset, b.Offset))
}

// gatherer chooses the records that are shown. scan is set if they are in the order of
// the scan; else they are ordered by time, which shows the same ones unless one id has
// two times.
type gatherer struct {
	found   []Found
	scan    bool
	foreign bool // some record is not in its sender's own log
	filing  []Filing
	ids     map[identity]int // to the place of the one taken
	texts   map[Content]struct{}
	take    []bool
}

// gather takes the records that are shown. It reports false if the order by time would
// show another record of an id than the scan.
func (g *gatherer) gather(scan bool) bool {
	n := len(g.found)
	*g = gatherer{found: g.found, scan: scan, filing: make([]Filing, n), ids: make(map[identity]int, n), texts: make(map[Content]struct{}), take: make([]bool, n)}
	for i := range g.found {
		g.filing[i] = g.found[i].Filing()
		g.foreign = g.foreign || g.filing[i] != Own
	}
	return g.pass(Own) && (!g.foreign || g.pass(Copied))
}

func (g *gatherer) pass(which Filing) bool {
	for i := range g.found {
		if g.filing[i] != which {
			continue
		}
		f := &g.found[i]
		id := identity{f.From, f.Key}
		if j, twice := g.ids[id]; twice {
			if g.filing[j] == which && byScan(*f, g.found[j]) < 0 {
				return false
			}
			continue
		}
		if g.scan || !alone(g.found, i) {
			text := f.Content()
			if _, twice := g.texts[text]; twice {
				continue
			}
			g.texts[text] = struct{}{}
		}
		g.ids[id], g.take[i] = i, true
	}
	return true
}

// inbox divides the records by what was taken.
func (g *gatherer) inbox() Inbox {
	var box Inbox
	if g.foreign {
		box.Suspicious = g.suspicious()
	}
	box.Messages = g.found[:0]
	for i := range g.found {
		if g.take[i] {
			box.Messages = append(box.Messages, g.found[i])
		}
	}
	clear(g.found[len(box.Messages):])
	box.Replicas = len(g.found) - len(box.Messages) - len(box.Suspicious)
	return box
}

// alone reports whether no other of the sorted records has the same second. Such a
// record cannot have a twin, since the content holds the time. Most records are alone
// and need no hash.
func alone(found []Found, i int) bool {
	ts := found[i].TS
	return (i == 0 || found[i-1].TS != ts) && (i+1 == len(found) || found[i+1].TS != ts)
}

// suspicious lists the misfiled records that are not replicas. Only the content counts,
// since an id is easily copied.
func (g *gatherer) suspicious() []Found {
	var list []Found
	for i := range g.found {
		if g.filing[i] != Misfiled {
			continue
		}
		if _, known := g.texts[g.found[i].Content()]; !known {
			list = append(list, g.found[i])
		}
	}
	return list
}

// Unread splits a sorted inbox by the watermark. fresh holds what §6 step 6 lets
// through, and older what it skips only because of the time, without listing its id.
// Late mail is among older (rule N6): a caller that knows what was shown before must
// look for it there.
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

// ClockError is how far, in seconds, a sender's clock may be ahead of ours.
const ClockError = 300

// Ahead reports whether a time lies later than now by more than a clock's error,
// both in Unix seconds.
func Ahead(ts, now int64) bool { return ts > now && uint64(ts)-uint64(now) > ClockError }

// ReplyTarget returns the message that a reply answers (§7): the newest of a
// sorted inbox, and of one sender's messages in that second the last. Where
// several senders tie at the newest second, target is nil and tied holds the
// last message of each, in order of their names (rule P2). Both are empty for
// an empty inbox.
//
// Messages dated further ahead of now than a clock's error are not answered:
// one of them would be the newest for years.
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
	slices.SortFunc(tied, func(a, b Found) int { return cmp.Compare(a.From, b.From) })
	return nil, tied
}

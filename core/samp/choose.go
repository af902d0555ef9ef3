package samp

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/core/hashtable"
)

// Copies are records in order of time, then log, then line. Some may have the same content or the
// same id.
type Copies interface {
	Len() int
	// At returns the position of a record.
	At(i int) Position
	// ID returns a number for the sender and the effective id, and Content a number for the
	// content. Equal numbers mean equal values.
	ID(i int) uint64
	Content(i int) uint64
}

// Position is a record's time, log and line, and whether it belongs there.
type Position struct {
	TS, Offset int64
	Rank       int
	Provenance Provenance
}

// scanned compares two positions in the order of the scan in §6 step 5.
func (s Position) scanned(o Position) int {
	return cmp.Or(cmp.Compare(s.Rank, o.Rank), cmp.Compare(s.Offset, o.Offset))
}

// Choose decides which of several records are shown, and which may be forged.
//
// A message is shown once per sender and id (§6 step 5) and once per content. Choose takes
// records in their sender's own log first, so that no copy with a forged id can replace the
// original, and then sync copies. The first copy by log and line is shown. A record in somebody
// else's log whose content is not shown may be forged. Only the content counts there, since an id
// is easily copied.
//
// key must be secret if strangers can influence the numbers; see [hashtable.Table].
func Choose(list Copies, key uint64) (shown []bool, forged []int) {
	c := newChoice(list, key)
	if !c.passes() {
		c = newChoice(list, key)
		c.order = make([]uint32, list.Len())
		for i := range c.order {
			c.order[i] = uint32(i)
		}
		slices.SortFunc(c.order, func(a, b uint32) int { return list.At(int(a)).scanned(list.At(int(b))) })
		c.passes()
	}
	for i := range list.Len() {
		if c.foreign && list.At(i).Provenance == Foreign && (c.alone(i) || !c.hasContent(list.Content(i))) {
			forged = append(forged, i)
		}
	}
	return c.shown, forged
}

// choice is the state of [Choose].
type choice struct {
	Copies
	shown      []bool
	foreign    bool // some record is not in its sender's own log
	ids, texts hashtable.Table
	// order is the order of the scan. Nil means the order by time, which has the same outcome
	// unless records of one id have different times.
	order []uint32
}

func newChoice(list Copies, key uint64) *choice {
	c := &choice{Copies: list, shown: make([]bool, list.Len())}
	c.ids.Key, c.texts.Key = key, key
	c.ids.Reserve(list.Len())
	return c
}

// passes chooses originals first, then copies. It returns false as soon as the order by time
// would choose a different record of an id than the scan.
func (c *choice) passes() bool { return c.pass(Own) && (!c.foreign || c.pass(Copied)) }

func (c *choice) pass(which Provenance) bool {
	for n := range c.Len() {
		i := n
		if c.order != nil {
			i = int(c.order[n])
		}
		at := c.At(i)
		if at.Provenance != which {
			c.foreign = true
			continue
		}
		id := c.ID(i)
		if first := c.known(id); first >= 0 {
			if was := c.At(first); c.order == nil && was.Provenance == which && at.scanned(was) < 0 {
				return false
			}
			continue
		}
		if !c.alone(i) {
			text := c.Content(i)
			if c.hasContent(text) {
				continue
			}
			c.texts.Add(text, uint32(i), func(n uint32) uint64 { return c.Content(int(n)) })
		}
		c.ids.Add(id, uint32(i), func(n uint32) uint64 { return c.ID(int(n)) })
		c.shown[i] = true
	}
	return true
}

// known returns the record that was chosen for an id, or -1.
func (c *choice) known(id uint64) int {
	for n := range c.ids.Find(id) {
		if c.ID(int(n)) == id {
			return int(n)
		}
	}
	return -1
}

// hasContent reports whether a chosen record that is not alone in its second has that
// content.
func (c *choice) hasContent(content uint64) bool {
	for n := range c.texts.Find(content) {
		if c.Content(int(n)) == content {
			return true
		}
	}
	return false
}

// alone reports whether no other record has the same second. Then no other record has the same
// content, since that includes the time. Most records are alone.
func (c *choice) alone(i int) bool {
	ts := c.At(i).TS
	return (i == 0 || c.At(i-1).TS != ts) && (i+1 == c.Len() || c.At(i+1).TS != ts)
}

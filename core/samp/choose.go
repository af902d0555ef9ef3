package samp

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/core/hashtable"
)

// Copies are records in order of time, then log, then line. Some may say the same, or have
// the id of another.
type Copies interface {
	Len() int
	// At returns where a record stands.
	At(i int) Standing
	// ID returns a number that stands for the sender and the effective id, and Content one
	// that stands for what the record says.
	ID(i int) uint64
	Content(i int) uint64
}

// Standing is where a record stands: when it was written, in which log and line, and whether
// it belongs there.
type Standing struct {
	TS, Offset int64
	Rank       int
	Filing     Filing
}

// scanned compares two records in the order of the scan of §6 step 5.
func (s Standing) scanned(o Standing) int {
	return cmp.Or(cmp.Compare(s.Rank, o.Rank), cmp.Compare(s.Offset, o.Offset))
}

// Choose decides which of several records are shown, and which may be forged.
//
// A message is shown once per sender and id (§6 step 5) and once per content. Records in
// their sender's own log are taken first, so that no copy with a forged id can replace the
// original, then sync copies. Of those the first one counts, by log and line. A record in
// somebody else's log whose content is not shown may be forged. Only the content counts
// there, since an id is easily copied.
//
// key is secret where strangers choose the numbers; see [hashtable.Table].
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
		if c.foreign && list.At(i).Filing == Misfiled && (c.alone(i) || !c.says(list.Content(i))) {
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
	// order is the order of the scan. Nil stands for the order by time, which has the
	// same outcome unless one id stands for two times.
	order []uint32
}

func newChoice(list Copies, key uint64) *choice {
	c := &choice{Copies: list, shown: make([]bool, list.Len())}
	c.ids.Key, c.texts.Key = key, key
	c.ids.Reserve(list.Len())
	return c
}

// passes chooses originals first, then copies. It gives up and returns false if the order
// by time would choose another record of an id than the scan does.
func (c *choice) passes() bool { return c.pass(Own) && (!c.foreign || c.pass(Copied)) }

func (c *choice) pass(which Filing) bool {
	for n := range c.Len() {
		i := n
		if c.order != nil {
			i = int(c.order[n])
		}
		at := c.At(i)
		if at.Filing != which {
			c.foreign = true
			continue
		}
		id := c.ID(i)
		if first := c.known(id); first >= 0 {
			if was := c.At(first); c.order == nil && was.Filing == which && at.scanned(was) < 0 {
				return false
			}
			continue
		}
		if !c.alone(i) {
			text := c.Content(i)
			if c.says(text) {
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

// says reports whether a record was chosen that has a content and is not alone in its
// second.
func (c *choice) says(content uint64) bool {
	for n := range c.texts.Find(content) {
		if c.Content(int(n)) == content {
			return true
		}
	}
	return false
}

// alone reports whether no other record has the same second. Then no other has the same
// content, which includes the time. Most records are alone.
func (c *choice) alone(i int) bool {
	ts := c.At(i).TS
	return (i == 0 || c.At(i-1).TS != ts) && (i+1 == c.Len() || c.At(i+1).TS != ts)
}

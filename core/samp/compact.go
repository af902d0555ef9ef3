package samp

import (
	"bytes"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Compaction is what [Compact] did to a log.
type Compaction struct {
	// Data is the log's new content. It is the input itself if nothing
	// changed.
	Data []byte
	// Before and After count the lines that are not blank.
	Before, After int
	// Filled counts records that got an id, Malformed the unreadable lines
	// that were kept, and Conflicts the records that were kept although
	// another with the same id stands before them, since they say something
	// else.
	Filled, Malformed, Conflicts int
}

// Changed reports whether the log has to be rewritten. It is false for the
// result of an earlier compaction (rule C2).
func (c *Compaction) Changed(data []byte) bool { return !bytes.Equal(c.Data, data) }

// Compact drops a log's duplicates, fills in missing ids in the profile's form
// and drops blank lines (rule C2). Every other line stays byte for byte,
// unreadable ones and unknown members included. A record is a duplicate only
// if it is an exact copy, or if the first one of its sender and id says the
// same and holds every member that it holds: nothing that was written is lost.
func Compact(data []byte, p Profile) Compaction {
	c := Compaction{Data: make([]byte, 0, len(data))}
	kept := keeper{first: make(map[identity]*line), more: make(map[string]struct{})}
	for rest := data; len(rest) > 0; {
		var raw []byte
		raw, rest = cutLine(rest)
		if len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		c.Before++
		c.add(raw, p, kept)
	}
	if bytes.Equal(c.Data, data) {
		c.Data = data
	}
	return c
}

// cutLine takes one line with its \n, if it has one.
func cutLine(data []byte) (raw, rest []byte) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return data[:i+1], data[i+1:]
	}
	return data, nil
}

// keeper holds what a compaction has kept so far.
type keeper struct {
	// first is the first record of each sender and id, and more the text of
	// those kept beside it, of which only an exact copy is a duplicate.
	first map[identity]*line
	more  map[string]struct{}
}

// line is a record that was kept, with the members that §2 does not know.
type line struct {
	rec    Record
	others map[string]string
}

func (c *Compaction) add(raw []byte, p Profile, kept keeper) {
	rec, err := Parse(raw)
	if err != nil {
		c.Malformed++
		c.keep(raw)
		return
	}
	l := &line{rec: rec, others: others(raw)}
	key := identity{rec.From, EffectiveID(&rec, p)}
	if rec.ID == "" {
		// The record may stand before under the other profile's id.
		if other := (identity{rec.From, ID(&rec, 1-p)}); kept.first[other].holds(l) {
			return
		}
		raw = withID(raw, key.key)
	}
	first := kept.first[key]
	if first.holds(l) {
		return
	}
	if first == nil {
		kept.first[key] = l
	}
	if first != nil || rec.Lossy {
		text := string(bytes.TrimSpace(raw))
		if _, twice := kept.more[text]; twice {
			return
		}
		kept.more[text] = struct{}{}
	}
	if first != nil {
		c.Conflicts++
	}
	if rec.ID == "" {
		c.Filled++
	}
	c.keep(raw)
}

func (c *Compaction) keep(raw []byte) {
	c.After++
	c.Data = append(c.Data, raw...)
}

func (l *line) holds(o *line) bool {
	if l == nil || l.rec.Content() != o.rec.Content() || l.rec.Lossy || o.rec.Lossy {
		return false
	}
	for name, value := range o.others {
		if l.others[name] != value {
			return false
		}
	}
	return true
}

// others gives a record's unknown members by name, as raw text.
func others(raw []byte) map[string]string {
	var m map[string]string
	_ = canon.Object(raw, func(key []byte, v canon.Value) error {
		switch string(key) {
		case "id", "ts", "from", "to", "thread", "body":
			return nil
		}
		if m == nil {
			m = make(map[string]string)
		}
		m[string(key)] = string(v.Raw)
		return nil
	})
	return m
}

// withID writes an id into a line that has none, or an empty or null one, and
// changes nothing else.
func withID(raw []byte, id string) []byte {
	at, end := -1, -1
	_ = canon.Object(raw, func(key []byte, v canon.Value) error {
		if string(key) == "id" {
			at, end = v.Offset, v.Offset+len(v.Raw)
		}
		return nil
	})
	out := make([]byte, 0, len(raw)+32)
	if at >= 0 {
		out = canon.AppendString(append(out, raw[:at]...), id)
		return append(out, raw[end:]...)
	}
	brace := bytes.IndexByte(raw, '{') + 1
	out = append(append(out, raw[:brace]...), `"id": `...)
	out = append(canon.AppendString(out, id), ", "...)
	return append(out, raw[brace:]...)
}

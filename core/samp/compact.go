package samp

import (
	"bytes"
	"unsafe"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/digest"
)

// Compactor decides line by line, in the order of the log, what a compaction
// keeps (rule C2). It drops duplicates and blank lines and fills in missing
// ids; every other line stays byte for byte, unreadable ones and unknown
// members included. A record is a duplicate only if it is an exact copy, or if
// the first one of its sender and id says the same and holds every member that
// it holds: nothing that was written is lost.
//
// It keeps hashes of what it has seen, so that a long line costs its length
// once.
type Compactor struct {
	// Before and After count the lines that are not blank.
	Before, After int
	// Filled counts the records that got an id, Malformed the unreadable lines that
	// were kept, and Conflicts the records that were kept because they differ from an
	// earlier record with the same id.
	Filled, Malformed, Conflicts int

	profile Profile
	// first is the first record of each sender and id, and more the texts of the other
	// records with that id: only an exact copy of one is a duplicate.
	first map[sum]*kept
	more  map[sum]struct{}
}

// NewCompactor makes a compactor that fills in ids in a profile's form.
func NewCompactor(p Profile) *Compactor {
	return &Compactor{profile: p, first: make(map[sum]*kept), more: make(map[sum]struct{})}
}

// Edit is what becomes of one line: it is dropped, or its bytes from At to End
// are replaced by Insert, which is empty where it stays as it is.
type Edit struct {
	Drop    bool
	At, End int
	Insert  string
}

// sum is the digest of a text.
type sum [digest.Size]byte

// kept is a record that was kept: what it says, and the members that §2 does
// not know.
type kept struct {
	content sum
	lossy   bool
	others  map[sum]struct{}
}

// Line decides about the next line, with its line end if it has one. Like
// [ParseInPlace] it overwrites raw.
func (c *Compactor) Line(raw []byte) Edit {
	if len(bytes.TrimSpace(raw)) == 0 {
		return Edit{Drop: true}
	}
	c.Before++
	s := surveyOf(raw)
	rec, err := ParseInPlace(raw)
	if err != nil {
		c.Malformed++
		c.After++
		return Edit{}
	}
	return c.record(&rec, s)
}

func (c *Compactor) record(rec *Record, s survey) Edit {
	k := &kept{content: contentSum(rec, required, style{compact: true, nfc: true}), lossy: rec.Lossy, others: s.others}
	id := EffectiveID(rec, c.profile)
	if rec.ID == "" {
		// The record may occur earlier under the other profile's id.
		if c.first[sumOf(bytesOf(rec.From), bytesOf(ID(rec, 1-c.profile)))].holds(k) {
			return Edit{Drop: true}
		}
		s.id = digest.Sum(canon.AppendString(nil, id))
	}
	key := sumOf(bytesOf(rec.From), bytesOf(id))
	first := c.first[key]
	if first.holds(k) {
		return Edit{Drop: true}
	}
	if first == nil {
		c.first[key] = k
	}
	if first != nil || rec.Lossy {
		text := sumOf(s.rest[:], s.id[:])
		if _, twice := c.more[text]; twice {
			return Edit{Drop: true}
		}
		c.more[text] = struct{}{}
	}
	if first != nil {
		c.Conflicts++
	}
	c.After++
	if rec.ID != "" {
		return Edit{}
	}
	c.Filled++
	return s.fill(id)
}

func (k *kept) holds(o *kept) bool {
	if k == nil || k.content != o.content || k.lossy || o.lossy {
		return false
	}
	for m := range o.others {
		if _, ok := k.others[m]; !ok {
			return false
		}
	}
	return true
}

// survey is what has to be known of a line before its strings are decoded in
// place.
type survey struct {
	others map[sum]struct{}
	// at and end are the place of the id's value, or where it will be inserted between
	// before and after.
	at, end       int
	before, after string
	// id is the hash of the id's value as written, rest the hash of everything else.
	id, rest sum
}

func surveyOf(raw []byte) survey {
	brace := bytes.IndexByte(raw, '{') + 1
	s := survey{at: brace, end: brace, before: `"id": `, after: ", "}
	_ = canon.Object(raw, func(key []byte, v canon.Value) error {
		switch string(key) {
		case "id":
			s.at, s.end = v.Offset, v.Offset+len(v.Raw)
			s.before, s.after = "", ""
			s.id = digest.Sum(v.Raw)
		case "ts", "from", "to", "thread", "body":
		default:
			if s.others == nil {
				s.others = make(map[sum]struct{})
			}
			s.others[sumOf(key, v.Raw)] = struct{}{}
		}
		return nil
	})
	hash := digest.New()
	hash.Write(raw[:s.at])
	hash.Write([]byte(s.before + s.after))
	hash.Write(bytes.TrimRight(raw[s.end:], " \t\r\n"))
	s.rest = hash.Sum()
	return s
}

func (s *survey) fill(id string) Edit {
	return Edit{At: s.at, End: s.end, Insert: s.before + string(canon.AppendString(nil, id)) + s.after}
}

// sumOf hashes two texts so that no other two can pass for them.
func sumOf(a, b []byte) sum {
	var both [2 * digest.Size]byte
	sumA, sumB := digest.Sum(a), digest.Sum(b)
	copy(both[:], sumA[:])
	copy(both[digest.Size:], sumB[:])
	return digest.Sum(both[:])
}

// bytesOf returns a string's own bytes, to be read only.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Compaction is what [Compact] did to a log.
type Compaction struct {
	// Data is the log's new content. It is the input itself if nothing
	// changed.
	Data []byte
	// The counts have the meaning they have in the compactor.
	Before, After, Filled, Malformed, Conflicts int
}

// Changed reports whether the log has to be rewritten. It is false for the
// result of an earlier compaction (rule C2).
func (c *Compaction) Changed(data []byte) bool { return !bytes.Equal(c.Data, data) }

// Compact runs a [Compactor] over a whole log.
func Compact(data []byte, p Profile) Compaction {
	c := NewCompactor(p)
	out := make([]byte, 0, len(data))
	Lines(data, func(_ int, raw []byte) {
		if e := c.Line(bytes.Clone(raw)); !e.Drop {
			out = append(append(append(out, raw[:e.At]...), e.Insert...), raw[e.End:]...)
		}
	})
	if bytes.Equal(out, data) {
		out = data
	}
	return Compaction{Data: out, Before: c.Before, After: c.After, Filled: c.Filled, Malformed: c.Malformed, Conflicts: c.Conflicts}
}

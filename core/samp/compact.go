package samp

import (
	"bytes"
	"unsafe"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/digest"
)

// Compactor decides line by line, in the order of the log, which lines a compaction keeps (rule
// C2). It drops duplicates and blank lines and fills in missing ids. Every other line stays byte
// for byte, including unreadable lines and unknown members. A record is a duplicate only if it is
// an exact copy, or if the first record with its sender and id has the same content and all of
// its members: nothing that was written is lost.
//
// It stores only hashes of earlier lines, so its memory does not grow with their length.
type Compactor struct {
	// Before and After count the lines that are not blank.
	Before, After int
	// Filled counts the records that got an id. Malformed counts the unreadable lines that were
	// kept. Conflicts counts the records that were kept although an earlier record has their id,
	// because they differ from it.
	Filled, Malformed, Conflicts int

	profile Profile
	// first holds the first record of each sender and id. more holds hashes of the other records
	// with that id: only an exact copy of one is a duplicate.
	first map[sum]*keptRecord
	more  map[sum]struct{}
}

// NewCompactor returns a compactor that fills in ids in a profile's form.
func NewCompactor(p Profile) *Compactor {
	return &Compactor{profile: p, first: make(map[sum]*keptRecord), more: make(map[sum]struct{})}
}

// Edit is the change to one line: drop it, or replace its bytes from At to End by Insert. The
// zero Edit leaves the line unchanged.
type Edit struct {
	Drop    bool
	At, End int
	Insert  string
}

// sum is the digest of a text.
type sum [digest.Size]byte

// kept is a record that was kept: what it says, and the members that §2 does
// not know.
type keptRecord struct {
	content sum
	lossy   bool
	others  map[sum]struct{}
}

// Line returns the edit of the next line. raw includes the line end, if there is one. Like
// [ParseInPlace] it overwrites raw.
func (c *Compactor) Line(raw []byte) Edit {
	if len(bytes.TrimSpace(raw)) == 0 {
		return Edit{Drop: true}
	}
	c.Before++
	s := scanLine(raw)
	rec, err := ParseInPlace(raw)
	if err != nil {
		c.Malformed++
		c.After++
		return Edit{}
	}
	return c.record(&rec, s)
}

func (c *Compactor) record(rec *Record, s scannedLine) Edit {
	k := &keptRecord{content: contentSum(rec, required, style{compact: true, nfc: true}), lossy: rec.Lossy, others: s.others}
	id := EffectiveID(rec, c.profile)
	if rec.ID == "" {
		// The record may occur earlier under the other profile's id.
		if c.first[sumOf(bytesOf(rec.From), bytesOf(ID(rec, 1-c.profile)))].covers(k) {
			return Edit{Drop: true}
		}
		s.id = digest.Sum(canon.AppendString(nil, id))
	}
	key := sumOf(bytesOf(rec.From), bytesOf(id))
	first := c.first[key]
	if first.covers(k) {
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

func (k *keptRecord) covers(o *keptRecord) bool {
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

// scannedLine is what has to be known of a line before its strings are decoded in
// place.
type scannedLine struct {
	others map[sum]struct{}
	// at and end delimit the id's value, or mark where it will be inserted between before and
	// after.
	at, end       int
	before, after string
	// id is the hash of the id's value as written. rest is the hash of everything else.
	id, rest sum
}

func scanLine(raw []byte) scannedLine {
	brace := bytes.IndexByte(raw, '{') + 1
	s := scannedLine{at: brace, end: brace, before: `"id": `, after: ", "}
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

func (s *scannedLine) fill(id string) Edit {
	return Edit{At: s.at, End: s.end, Insert: s.before + string(canon.AppendString(nil, id)) + s.after}
}

// sumOf hashes two texts. Moving bytes from one text to the other changes the result.
func sumOf(a, b []byte) sum {
	var both [2 * digest.Size]byte
	sumA, sumB := digest.Sum(a), digest.Sum(b)
	copy(both[:], sumA[:])
	copy(both[digest.Size:], sumB[:])
	return digest.Sum(both[:])
}

// bytesOf returns a string's own bytes, which must not be changed.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Compaction is the result of [Compact].
type Compaction struct {
	// Data is the log's new content. It is the input itself if nothing changed.
	Data []byte
	// The counts are those of [Compactor].
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

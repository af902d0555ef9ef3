package samp

import (
	"bytes"
	"context"
	"slices"
	"sort"

	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// Prefixes returns for each effective id how many of its first bytes no other id in the
// directory begins with, but the whole length at most. It reads the ids alone of all
// records that were written as writers do, and parses only the others.
func (d *Dir) Prefixes(ctx context.Context, p samp.Profile, ids []string) ([]int, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	logs, _, err := d.Logs()
	if err != nil {
		return nil, err
	}
	all := newPrefixes(ids)
	pieces := segments(logs)
	parts := make([]*prefixes, len(pieces))
	if _, err := d.scan(ctx, logs, pieces, func(part int, s segment) lineread.Visitor {
		out := &prefixes{sorted: all.sorted, begins: all.begins, need: make([]int, len(all.need))}
		parts[part] = out
		return lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
			if id, ok := leadingID(raw); ok {
				out.add(id)
			} else if f, verdict := samp.KeepAll().ReadInPlace(raw, logs[s.log].Stem, p); verdict == samp.ForMe {
				out.add([]byte(f.Key))
			}
		}}
	}); err != nil {
		return nil, err
	}
	for _, part := range parts {
		for i, n := range part.need {
			all.need[i] = max(all.need[i], n)
		}
	}
	needs := make([]int, len(ids))
	for i, id := range ids {
		at, _ := slices.BinarySearch(all.sorted, id)
		needs[i] = min(all.need[at]+1, len(id))
	}
	return needs, nil
}

// prefixes are ids and how many first bytes each has in common with another id.
type prefixes struct {
	sorted []string
	need   []int
	// begins has a bit for each two bytes that an id begins with. Nearly every id of a
	// large directory is passed over by it.
	begins *[1 << 10]uint64
}

func newPrefixes(ids []string) *prefixes {
	p := &prefixes{sorted: slices.Compact(slices.Sorted(slices.Values(ids))), begins: new([1 << 10]uint64)}
	p.need = make([]int, len(p.sorted))
	for i, id := range p.sorted {
		if len(id) >= 2 {
			n := uint16(id[0])<<8 | uint16(id[1])
			p.begins[n>>6] |= 1 << (n & 63)
		}
		if i > 0 {
			n := names.Common(p.sorted[i-1], id)
			p.need[i-1], p.need[i] = max(p.need[i-1], n), max(p.need[i], n)
		}
	}
	return p
}

// add takes in the id of a record. Only its neighbours can have more in common with it
// than they have with each other.
func (p *prefixes) add(id []byte) {
	if len(id) < 2 {
		return
	}
	if n := uint16(id[0])<<8 | uint16(id[1]); p.begins[n>>6]&(1<<(n&63)) == 0 {
		return
	}
	s := string(id)
	at := sort.SearchStrings(p.sorted, s)
	if at < len(p.sorted) && p.sorted[at] == s {
		return
	}
	for _, i := range []int{at - 1, at} {
		if i >= 0 && i < len(p.sorted) {
			p.need[i] = max(p.need[i], names.Common(p.sorted[i], s))
		}
	}
}

// leadingID returns the id of a record that begins with it, as most do.
func leadingID(raw []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(raw, []byte(`{"id": "`))
	if !ok {
		if rest, ok = bytes.CutPrefix(raw, []byte(`{"id":"`)); !ok {
			return nil, false
		}
	}
	end := bytes.IndexByte(rest, '"')
	if end <= 0 || bytes.IndexByte(rest[:end], '\\') >= 0 {
		return nil, false
	}
	return rest[:end], true
}

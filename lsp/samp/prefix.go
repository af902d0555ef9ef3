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

// Prefixes returns for each effective id the length of its shortest prefix that no other id
// in the directory has, at most the whole length. If a record begins with its id, as most do,
// Prefixes reads only the id. It parses all other records.
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
		out := &prefixes{sorted: all.sorted, starts: all.starts, shared: make([]int, len(all.shared))}
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
		for i, n := range part.shared {
			all.shared[i] = max(all.shared[i], n)
		}
	}
	lengths := make([]int, len(ids))
	for i, id := range ids {
		at, _ := slices.BinarySearch(all.sorted, id)
		lengths[i] = min(all.shared[at]+1, len(id))
	}
	return lengths, nil
}

// prefixes holds sorted ids. shared[i] is the length of the longest prefix that sorted[i] has
// in common with another id.
type prefixes struct {
	sorted []string
	shared []int
	// starts has a bit for each pair of bytes that an id begins with. By it, add skips nearly
	// every id of a large directory.
	starts *[1 << 10]uint64
}

func newPrefixes(ids []string) *prefixes {
	p := &prefixes{sorted: slices.Compact(slices.Sorted(slices.Values(ids))), starts: new([1 << 10]uint64)}
	p.shared = make([]int, len(p.sorted))
	for i, id := range p.sorted {
		if len(id) >= 2 {
			n := uint16(id[0])<<8 | uint16(id[1])
			p.starts[n>>6] |= 1 << (n & 63)
		}
		if i > 0 {
			n := names.Common(p.sorted[i-1], id)
			p.shared[i-1], p.shared[i] = max(p.shared[i-1], n), max(p.shared[i], n)
		}
	}
	return p
}

// add compares the id of a record with the ids. Only its two neighbours in sorted can have a
// longer prefix in common with it than with each other.
func (p *prefixes) add(id []byte) {
	if len(id) < 2 {
		return
	}
	if n := uint16(id[0])<<8 | uint16(id[1]); p.starts[n>>6]&(1<<(n&63)) == 0 {
		return
	}
	s := string(id)
	at := sort.SearchStrings(p.sorted, s)
	if at < len(p.sorted) && p.sorted[at] == s {
		return
	}
	for _, i := range []int{at - 1, at} {
		if i >= 0 && i < len(p.sorted) {
			p.shared[i] = max(p.shared[i], names.Common(p.sorted[i], s))
		}
	}
}

// leadingID returns the id of a record that begins with its id.
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

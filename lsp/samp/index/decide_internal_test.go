package index

import (
	"fmt"
	"hash/maphash"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// disputed returns an index in which each sender has used one id for two contents, in the
// sender's log and in a copy of it, beside other messages.
func disputed(senders, messages int) *index {
	x := newIndex(maphash.MakeSeed(), "me", func(sampstore.Key) bool { return false }, func() []sampstore.Key { return nil })
	x.order = []uint32{}
	add := func(log int, from, key, body string, ts int) {
		r := samp.Record{TS: int64(ts), From: from, To: "me", Thread: "t" + from, Body: body}
		x.add(&item{rec: r, key: key, content: sampstore.ContentHash(x.seed, &r), log: log, offset: int64(ts)})
	}
	for s := range senders {
		from := fmt.Sprint("agent", s)
		x.logs = append(x.logs, sampstore.Log{Name: samp.LogName(from), Stem: from}, sampstore.Log{Name: samp.LogName(from + " 2"), Stem: from + " 2"})
		add(2*s+1, from, "00000000000000aa", "in the copy", 1)
		add(2*s, from, "00000000000000aa", "in the log", 2)
		for i := range messages / senders {
			add(2*s, from, hexID(uint64(i+1000)), fmt.Sprint("message ", i), i+3)
		}
	}
	return x
}

// TestDecideAgain decides for many senders at once as for each alone: the records in the
// senders' own logs are shown, and so are all other messages.
func TestDecideAgain(t *testing.T) {
	x := disputed(50, 500)
	if len(x.ambiguous) != 50 {
		t.Fatalf("%d senders are ambiguous", len(x.ambiguous))
	}
	x.flush()
	if len(x.ambiguous) != 0 || len(x.order) != 50 || x.unread != 50+500 {
		t.Errorf("%d ambiguous, %d threads, %d unread", len(x.ambiguous), len(x.order), x.unread)
	}
}

// BenchmarkDecideAgain measures deciding again among 100,000 messages. It takes as long for
// 500 senders as for 5.
func BenchmarkDecideAgain(b *testing.B) {
	for _, senders := range []int{5, 50, 500} {
		b.Run(fmt.Sprint(senders), func(b *testing.B) {
			x := disputed(senders, 100_000)
			all := x.ambiguous
			x.flush()
			x.ambiguous = map[uint32]struct{}{}
			for s := range senders {
				n, _ := x.names.find(fmt.Sprint("agent", s))
				all[n] = struct{}{}
			}
			for b.Loop() {
				for from := range all {
					x.ambiguous[from] = struct{}{}
				}
				x.flush()
			}
		})
	}
}

package index

import (
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// Receipts returns what another reader has read by now, or nil if that is not known.
func (l *Live) Receipts(alias string, now time.Time) *store.Receipts {
	l.mu.RLock()
	dir := l.dir
	l.mu.RUnlock()
	if dir == nil {
		return nil
	}
	return dir.Receipts(alias, now)
}

// refreshReceipts reports the threads in which the reader wrote to somebody whose
// watermark is among the files that changed: the newest threads, and there the newest
// messages.
func (l *Live) refreshReceipts(names map[string]bool) {
	x := l.idx
	var readers, touched []uint32
	for name := range names {
		if alias, ok := strings.CutPrefix(name, samp.WatermarkName("")); ok && alias != l.cfg.Me {
			if n, known := x.names.find(alias); known {
				readers = append(readers, n)
			}
		}
	}
	if len(readers) == 0 {
		return
	}
	l.mu.RLock()
	for _, t := range x.order[max(0, len(x.order)-maxChanged):] {
		for n, i := x.threads[t].last, 0; n != none && i < participantsSeen; i++ {
			e := x.entries.at(n)
			if e.from == x.me && slices.Contains(readers, e.to) {
				touched = append(touched, t)
				break
			}
			n = e.prev
		}
	}
	l.mu.RUnlock()
	if len(touched) > 0 {
		l.changed(touched, Change{Read: true})
	}
}

package index

import (
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// Receipts returns what another reader has read by now, or nil if that is not known.
func (l *Live) Receipts(alias string, now time.Time) *sampstore.Receipts {
	l.mu.RLock()
	dir := l.dir
	l.mu.RUnlock()
	if dir == nil {
		return nil
	}
	return dir.Receipts(alias, now)
}

// Known reports whether somebody has written or read mail under a name.
func (l *Live) Known(alias string) bool {
	l.mu.RLock()
	dir := l.dir
	l.mu.RUnlock()
	return dir != nil && dir.Known(alias)
}

// maxReaders is how many readers' watermarks one call of refreshReceipts looks at.
const maxReaders = 100

// refreshReceipts reports a change of the threads in which the reader wrote to somebody whose
// watermark changed. It covers the newest messages of the newest threads. names are the files
// that changed. If it is nil, refreshReceipts compares all watermarks with the last look; the
// first look only stores them.
func (l *Live) refreshReceipts(names map[string]bool) {
	l.mu.RLock()
	written := l.written()
	l.mu.RUnlock()
	known, first := l.watermarks, l.watermarks == nil
	if names == nil || first {
		l.watermarks = make(map[string]sampstore.FileState)
	}
	changed := make(map[string]bool)
	for _, w := range written {
		name := samp.WatermarkName(w.to)
		if _, looked := changed[w.to]; looked || len(changed) == maxReaders || names != nil && !names[name] {
			continue
		}
		now := l.dir.WatermarkFile(w.to)
		changed[w.to] = names[name] || !first && now != known[w.to]
		l.watermarks[w.to] = now
	}
	var touched []uint32
	for _, w := range written {
		if changed[w.to] {
			touched = append(touched, w.thread)
		}
	}
	if touched = slices.Compact(touched); len(touched) > 0 {
		l.changed(touched, Change{Read: true})
	}
}

// writtenTo is a thread, and somebody to whom the reader wrote there.
type writtenTo struct {
	thread uint32
	to     string
}

// written returns to whom the reader wrote, newest thread first. The caller holds l.mu.
func (l *Live) written() (list []writtenTo) {
	x := l.idx
	for _, t := range slices.Backward(x.order[max(0, len(x.order)-maxChanged):]) {
		for n, i := x.threads[t].last, 0; n != none && i < participantsSeen; i++ {
			e := x.entries.at(n)
			if e.from == x.me && e.to != x.me {
				list = append(list, writtenTo{t, x.names.text(e.to)})
			}
			n = e.prev
		}
	}
	return list
}

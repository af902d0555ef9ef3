package index

import (
	"context"
	"hash/maphash"
	"sync"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// peekFrom is the number of bytes of logs from which the ends of the newest logs are shown
// before all logs are read.
const peekFrom = 16 << 20

// start fills the index for the first time. The ends of large logs are shown first.
func (l *Live) start(ctx context.Context, logs []sampstore.Log) {
	l.removeSaved()
	l.peek(ctx, logs)
	if !l.rebuild(ctx, nil) {
		l.mu.Lock()
		l.replace(l.emptyIndex())
		l.mu.Unlock()
	}
}

// removeSaved deletes the indexes that versions before this one saved in the state
// folder.
func (l *Live) removeSaved() {
	if root, err := (disk.Disk{}).OpenRoot(l.cfg.StateDir); err == nil {
		_ = root.RemoveAll("index")
		root.Close()
	}
}

// peek shows records from the ends of large logs until all logs are read: only records in
// their senders' own logs, and without line numbers. [Stats.Indexing] stays set until all logs
// are read, and then another change is reported.
func (l *Live) peek(ctx context.Context, logs []sampstore.Log) {
	size := int64(0)
	for _, log := range logs {
		size += log.Info.Size()
	}
	if size < peekFrom {
		return
	}
	logs = sampstore.NewestLogs(logs)
	x := newIndex(maphash.MakeSeed(), l.cfg.Me, l.idx.read, l.idx.readOdd)
	x.logs = logs
	nums := make(map[string]int, len(logs))
	for i := range logs {
		nums[logs[i].Name] = i
	}
	var mu sync.Mutex
	l.eachLog(ctx, logs, func(r *lineread.Reader, log sampstore.Log) {
		_ = l.readEnd(ctx, r, log, readAs{l.profile, x.seed}, func(it *item) {
			mu.Lock()
			defer mu.Unlock()
			it.log = nums[log.Name]
			x.add(it)
		})
	})
	x.flush()
	l.mu.Lock()
	l.replace(x)
	l.mu.Unlock()
	l.changed(nil, Change{Messages: true, Truncated: true})
	l.begin()
}

// readEnd adds the records at the end of a log that are from the log's writer.
func (l *Live) readEnd(ctx context.Context, r *lineread.Reader, log sampstore.Log, as readAs, add func(*item)) error {
	return l.dir.ReadEnd(ctx, r, log, func(rec *samp.Record, offset int64, length int) {
		add(&item{rec: *rec, key: samp.EffectiveID(rec, as.profile), content: sampstore.ContentHash(as.seed, rec), offset: offset, length: length})
	})
}

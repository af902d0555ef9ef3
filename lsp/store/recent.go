package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	"github.com/signalbox-dev/signalbox/lsp/disk/parallel"
)

const (
	// endSize is how many bytes at the end of a log [Dir.ReadEnd] reads.
	endSize = 64 << 10
	// endLogs is the largest number of logs whose ends are read.
	endLogs = 64
)

// NewestLogs returns the logs that were written to last, at most 64.
func NewestLogs(logs []Log) []Log {
	logs = slices.Clone(logs)
	slices.SortFunc(logs, func(a, b Log) int { return b.Info.ModTime().Compare(a.Info.ModTime()) })
	return logs[:min(endLogs, len(logs))]
}

// ReadEnd visits the records in the last 64 KB of a log that the log's writer wrote. A
// record is valid during the call.
func (d *Dir) ReadEnd(ctx context.Context, r *lineread.Reader, log Log, each func(rec *samp.Record, offset int64, length int)) error {
	size := log.Info.Size()
	return d.ReadLog(ctx, r, log, max(size-endSize, 0), size, lineread.Visitor{Line: func(offset int64, raw []byte, _ bool) {
		length := len(raw)
		rec, err := samp.ParseInPlace(raw)
		if err == nil && samp.FilingOf(log.Stem, rec.From) == samp.Own {
			each(&rec, offset, length)
		}
	}})
}

// Recent returns messages that keep accepts, the newest first, from the ends of the logs
// that were written to last. It takes the same time however long the logs are, and so
// leaves out older messages. keep is called from several goroutines.
func (d *Dir) Recent(ctx context.Context, p samp.Profile, keep func(*samp.Record) bool) ([]samp.Found, error) {
	logs, _, err := d.Logs()
	if err != nil {
		return nil, err
	}
	logs = NewestLogs(logs)
	var mu sync.Mutex
	var list []samp.Found
	err = parallel.Do(ctx, len(logs), func() func(int) error {
		r := lineread.New()
		return func(i int) error {
			// A log that cannot be read has no recent messages.
			_ = d.ReadEnd(ctx, r, logs[i], func(rec *samp.Record, offset int64, _ int) {
				if !keep(rec) {
					return
				}
				f := CloneFound(&samp.Found{Record: *rec, Key: samp.EffectiveID(rec, p), Stem: logs[i].Stem, Offset: offset})
				mu.Lock()
				defer mu.Unlock()
				list = append(list, f)
			})
			return nil
		}
	})
	slices.SortFunc(list, func(a, b samp.Found) int {
		return cmp.Or(cmp.Compare(b.TS, a.TS), strings.Compare(a.Stem, b.Stem), cmp.Compare(b.Offset, a.Offset))
	})
	return list, err
}

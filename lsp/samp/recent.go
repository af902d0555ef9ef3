package samp

import (
	"context"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

const (
	// endSize is how many bytes at the end of a log [Dir.ReadEnd] reads.
	endSize = 64 << 10
	// endLogs is the largest number of logs whose ends are read.
	endLogs = 64
)

// NewestLogs returns the logs that were written to last, at most 64, sorted by name.
func NewestLogs(logs []Log) []Log {
	logs = slices.Clone(logs)
	slices.SortStableFunc(logs, func(a, b Log) int { return b.Info.ModTime().Compare(a.Info.ModTime()) })
	logs = logs[:min(endLogs, len(logs))]
	slices.SortStableFunc(logs, func(a, b Log) int { return strings.Compare(a.Name, b.Name) })
	return logs
}

// ReadEnd calls each for the writer's records in the last 64 KB of a log. A record is valid
// only during the call.
func (d *Dir) ReadEnd(ctx context.Context, r *lineread.Reader, log Log, each func(rec *samp.Record, offset int64, length int)) error {
	size := log.Info.Size()
	return d.ReadLog(ctx, r, log, max(size-endSize, 0), size, lineread.Visitor{Line: func(offset int64, raw []byte, _ bool) {
		length := len(raw)
		rec, err := samp.ParseInPlace(raw)
		if err == nil && samp.ProvenanceOf(log.Stem, rec.From) == samp.Own {
			each(&rec, offset, length)
		}
	}})
}

// ends returns the end of each log.
func ends(logs []Log) (list []segment) {
	for i, l := range logs {
		size := l.Info.Size()
		list = append(list, segment{i, max(size-endSize, 0), size})
	}
	return list
}

// Recent returns messages that keep accepts, newest first, from the ends of the logs that
// were written to last. It leaves out older messages, and so takes the same time however long
// the logs are. keep is called from several goroutines.
func (d *Dir) Recent(ctx context.Context, p samp.Profile, keep func(*samp.Found) bool) ([]samp.Found, error) {
	m, err := d.selected(ctx, p, Lines{wants: keep, onlyEnds: true})
	slices.Reverse(m.Messages)
	return m.Messages, err
}

package samp

import (
	"context"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
	"github.com/signalbox-dev/signalbox/lsp/disk/parallel"
)

const (
	// segmentSize is how much of a log one worker takes at a time, so that
	// one large log is read by all of them.
	segmentSize = 8 << 20
	// maxSegments limits the parts of a log: a file with holes may have any size.
	maxSegments = 4096
)

// segment is a part of a log. A line belongs to the segment in which it begins.
type segment struct {
	log      int
	from, to int64
}

// segments cuts logs into parts, in order.
func segments(logs []Log) []segment {
	var list []segment
	for i, l := range logs {
		size := l.Info.Size()
		step := max(segmentSize, size/maxSegments+1)
		for from := int64(0); from < size; {
			to := from + min(step, size-from)
			list = append(list, segment{i, from, to})
			from = to
		}
	}
	return list
}

// scan reads parts of logs with as many workers as there are processors. visit returns the
// visitor of a segment, and visitors of different segments run at the same time. For a log
// that cannot be read, scan returns a problem, not an error.
func (d *Dir) scan(ctx context.Context, logs []Log, parts []segment, visit func(part int, s segment) lineread.Visitor) ([]Problem, error) {
	var mu sync.Mutex
	var problems []Problem
	err := parallel.Do(ctx, len(parts), func() func(int) error {
		r := lineread.New()
		return func(i int) error {
			s := parts[i]
			if err := d.ReadLog(ctx, r, logs[s.log], s.from, s.to, visit(i, s)); err != nil {
				mu.Lock()
				defer mu.Unlock()
				if p := unreadable(logs[s.log], err); !slices.ContainsFunc(problems, func(o Problem) bool { return o.File == p.File }) {
					problems = append(problems, p)
				}
			}
			return nil
		}
	})
	return problems, err
}

func unreadable(log Log, err error) Problem {
	return Problem{
		Rule: "R3", File: log.Name, Violation: true,
		Reason: "cannot be read: " + disk.Cause(err).Error(), Advice: "check the file's permissions and owner",
	}
}

// ReadLog opens a log and visits the lines that begin in [from, to).
func (d *Dir) ReadLog(ctx context.Context, r *lineread.Reader, log Log, from, to int64, visit lineread.Visitor) error {
	f, err := d.OpenRegular(log.Name)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.Read(ctx, f, from, to, visit)
}

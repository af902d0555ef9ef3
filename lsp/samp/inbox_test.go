package samp

import (
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// Inbox finds all mail for me (§6, modes all and raw) with its texts, by [samp.Gather].
func (d *Dir) Inbox(ctx context.Context, me string, p samp.Profile) (Mail, error) {
	logs, problems, err := d.Logs()
	if err != nil {
		return Mail{}, err
	}
	filter, pieces := samp.NewFilter(me), segments(logs)
	found, bad := make([][]samp.Found, len(pieces)), make([]BadLines, len(pieces))
	more, err := d.scan(ctx, logs, pieces, func(part int, s segment) lineread.Visitor {
		return lineread.Visitor{Line: func(offset int64, raw []byte, _ bool) {
			switch f, verdict := filter.Read(raw, logs[s.log].Stem, p); verdict {
			case samp.ForMe:
				f.Rank, f.Offset = s.log, offset
				found[part] = append(found[part], f)
			case samp.Malformed:
				bad[part].add(offset)
			}
		}, Skipped: bad[part].skipped}
	})
	m := Mail{Profile: p, Problems: append(problems, more...), Partial: len(more) > 0}
	for i := range bad {
		m.bad(logs[pieces[i].log].Name, bad[i])
	}
	m.Inbox = samp.Gather(slices.Concat(found...))
	return m, err
}

package store

import (
	"context"
	"strings"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// Select finds every record that keep wants, whoever it is addressed to, as
// [Dir.Inbox] finds those for one reader. Every line is parsed. keep is called
// from several goroutines; what it is given is valid during the call only, and
// its Rank and Offset are not set.
func (d *Dir) Select(ctx context.Context, p samp.Profile, keep func(*samp.Found) bool) (Mail, error) {
	logs, problems, err := d.Logs()
	if err != nil {
		return Mail{}, err
	}
	parts := make([]struct {
		found     []samp.Found
		malformed int
	}, len(segments(logs)))
	more, err := d.scan(ctx, logs, func(part int, s segment) visitor {
		out, stem := &parts[part], logs[s.log].Stem
		return visitor{line: func(offset int64, raw []byte, long bool) {
			if blank(raw) {
				return
			}
			rec, err := samp.ParseInPlace(raw)
			if err != nil {
				out.malformed++
				return
			}
			f := samp.Found{Record: rec, Key: samp.EffectiveID(&rec, p), Stem: stem}
			if !keep(&f) {
				return
			}
			if !long {
				f.Record = cloneRecord(&rec)
				f.Key = strings.Clone(f.Key)
			}
			f.Rank, f.Offset = s.log, offset
			out.found = append(out.found, f)
		}, passed: countMalformed(&out.malformed)}
	})
	if err != nil {
		return Mail{}, err
	}
	m := Mail{Profile: p, Problems: append(problems, more...)}
	var found []samp.Found
	for i := range parts {
		found = append(found, parts[i].found...)
		m.Malformed += parts[i].malformed
	}
	m.Inbox = samp.Gather(found)
	return m, nil
}

// blank reports whether a line holds white space alone.
func blank(raw []byte) bool {
	for _, c := range raw {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '\v' && c != '\f' {
			return false
		}
	}
	return true
}

// cloneRecord gives a record memory of its own.
func cloneRecord(r *samp.Record) samp.Record {
	c := *r
	c.ID, c.From, c.To = strings.Clone(r.ID), strings.Clone(r.From), strings.Clone(r.To)
	c.Thread, c.Body = strings.Clone(r.Thread), strings.Clone(r.Body)
	return c
}

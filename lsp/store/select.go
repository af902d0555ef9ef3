package store

import (
	"bytes"
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
	return d.collect(ctx, logs, problems, p, func(raw []byte, stem string, long bool) (samp.Found, samp.Verdict) {
		f, verdict := readAny(raw, stem, p)
		if verdict == samp.Mine && !keep(&f) {
			verdict = samp.Else
		}
		if verdict == samp.Mine && !long {
			f = cloneFound(&f)
		}
		return f, verdict
	})
}

// readAny parses a line, whoever it is addressed to, as [samp.Sieve.ReadInPlace]
// does for one recipient.
func readAny(raw []byte, stem string, p samp.Profile) (samp.Found, samp.Verdict) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return samp.Found{}, samp.Blank
	}
	rec, err := samp.ParseInPlace(raw)
	if err != nil {
		return samp.Found{}, samp.Malformed
	}
	return samp.Found{Record: rec, Key: samp.EffectiveID(&rec, p), Stem: stem}, samp.Mine
}

// cloneFound returns a record in memory of its own.
func cloneFound(f *samp.Found) samp.Found {
	c := *f
	c.Record, c.Key = cloneRecord(&f.Record), strings.Clone(f.Key)
	return c
}

// cloneRecord returns a record in memory of its own.
func cloneRecord(r *samp.Record) samp.Record {
	c := *r
	c.ID, c.From, c.To = strings.Clone(r.ID), strings.Clone(r.From), strings.Clone(r.To)
	c.Thread, c.Body = strings.Clone(r.Thread), strings.Clone(r.Body)
	return c
}

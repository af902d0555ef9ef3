package store

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// Inbox finds all mail for me (§6, modes all and raw) with its texts, as [samp.Gather] has it.
func (d *Dir) Inbox(ctx context.Context, me string, p samp.Profile) (Mail, error) {
	logs, problems, err := d.Logs()
	if err != nil {
		return Mail{}, err
	}
	sieve := samp.NewSieve(me)
	return d.collect(ctx, logs, problems, p, func(raw []byte, stem string, long bool) (samp.Found, samp.Verdict) {
		if long {
			return sieve.ReadInPlace(raw, stem, p)
		}
		return sieve.Read(raw, stem, p)
	})
}

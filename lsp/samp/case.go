package samp

import (
	"cmp"
	"context"
	"os"
	"strings"
	"sync/atomic"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// maxWriterScan is how many bytes of a log are searched for a record of its writer.
const maxWriterScan = 64 << 10

// takenBy returns an alias that differs only in case from the given one and prevents it from
// writing (rule L2). It does if both have the same log file on this disk, or if only the
// other has a log with a record of its writer. An empty or odd file prevents nothing.
func (d *Dir) takenBy(ctx context.Context, logs []Log, alias string) (other string, found bool) {
	own, err := d.root.Lstat(samp.LogName(alias))
	for _, l := range logs {
		switch {
		case l.Stem == alias || !strings.EqualFold(l.Stem, alias):
		case err == nil && os.SameFile(own, l.Info), err != nil && d.hasWriter(ctx, l):
			return l.Stem, true
		}
	}
	return "", false
}

// hasWriter reports whether the beginning of a log contains a record of its writer. A log that
// cannot be read has none.
func (d *Dir) hasWriter(ctx context.Context, l Log) (found bool) {
	_ = d.ReadLog(ctx, lineread.New(), l, 0, min(l.Info.Size(), maxWriterScan), lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
		r, err := samp.ParseInPlace(raw)
		found = found || err == nil && r.From == l.Stem
	}})
	return found
}

// maxRecent is how many bytes of the newest mail, in all logs together, are searched at every
// command under a name that is in use. This takes a quarter of a millisecond.
const maxRecent = 512 << 10

// OtherCase returns a name that differs from an alias only in case and has written or read
// mail here or is a receiver of mail, or "". It searches all mail for receivers as long as
// the alias itself has neither written nor read mail here, and later only the newest mail.
func (d *Dir) OtherCase(ctx context.Context, alias string) string {
	other, unused := d.otherSpelling(alias)
	if other != "" {
		return other
	}
	if !unused {
		return d.recentOtherCase(ctx, alias)
	}
	var found atomic.Pointer[string]
	logs, _, _ := d.Logs()
	_, _ = d.scan(ctx, logs, segments(logs), func(_ int, s segment) lineread.Visitor {
		return lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
			if other := otherCaseReceiver(raw, logs[s.log].Stem, alias); other != "" {
				found.Store(&other)
			}
		}}
	}) // the command itself reports logs that cannot be read
	if other := found.Load(); other != nil {
		return *other
	}
	return ""
}

// OtherCase returns [Dir.OtherCase] for the reader, without reading all mail again.
func (l *Lines) OtherCase(ctx context.Context) string {
	other, unused := l.dir.otherSpelling(l.me)
	switch {
	case other != "":
		return other
	case unused, l.otherCase == "":
		return l.otherCase
	}
	return l.dir.recentOtherCase(ctx, l.me)
}

// otherSpelling returns a name that has written or read mail here and differs from an alias
// only in case. unused is set if there is none and the alias itself has done neither.
func (d *Dir) otherSpelling(alias string) (other string, unused bool) {
	aliases, _ := d.Aliases() // the command itself reports a directory that cannot be listed
	unused = true
	for _, a := range aliases {
		if a == alias {
			unused = false
		} else if strings.EqualFold(a, alias) {
			return a, false
		}
	}
	return "", unused
}

// recentOtherCase returns a receiver in the newest mail that differs from an alias only in
// case, or "".
func (d *Dir) recentOtherCase(ctx context.Context, alias string) (other string) {
	logs, _, _ := d.Logs()
	r := lineread.Sized(maxWriterScan)
	for _, l := range logs {
		from := max(0, l.Info.Size()-maxRecent/int64(len(logs)))
		_ = d.ReadLog(ctx, r, l, from, l.Info.Size(), lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
			other = cmp.Or(other, otherCaseReceiver(raw, l.Stem, alias))
		}})
	}
	return other
}

// otherCaseReceiver returns the receiver of a record if it differs from an alias only in case,
// and "" for any other line of a log. It may change the line.
func otherCaseReceiver(raw []byte, stem, alias string) string {
	if to, plain := samp.Receiver(raw); plain && !differsInCase(to, alias) {
		return ""
	}
	m, err := samp.ParseInPlace(raw)
	if err == nil && m.To != alias && samp.ValidAlias(m.To) && strings.EqualFold(m.To, alias) && samp.ProvenanceOf(stem, m.From) != samp.Foreign {
		return strings.Clone(m.To)
	}
	return ""
}

func differsInCase(to []byte, alias string) bool {
	return len(to) == len(alias) && string(to) != alias && strings.EqualFold(string(to), alias)
}

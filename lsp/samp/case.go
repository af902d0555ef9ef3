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

// maxOwner is how many bytes of a log are looked at for a record of its writer.
const maxOwner = 64 << 10

// takenBy returns the alias that keeps another spelling of it from writing (rule L2): its
// log is the same file on this disk, or somebody writes there and nobody in the other
// spelling does yet. Whoever lays an empty or odd file there keeps nobody from writing.
func (d *Dir) takenBy(ctx context.Context, logs []Log, alias string) (other string, found bool) {
	own, err := d.root.Lstat(samp.LogName(alias))
	for _, l := range logs {
		switch {
		case l.Stem == alias || !strings.EqualFold(l.Stem, alias):
		case err == nil && os.SameFile(own, l.Info), err != nil && d.writes(ctx, l):
			return l.Stem, true
		}
	}
	return "", false
}

// writes reports whether the beginning of a log holds a record of its writer.
func (d *Dir) writes(ctx context.Context, l Log) (found bool) {
	_ = d.ReadLog(ctx, lineread.New(), l, 0, min(l.Info.Size(), maxOwner), lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
		r, err := samp.ParseInPlace(raw)
		found = found || err == nil && r.From == l.Stem
	}}) // one that cannot be read holds none
	return found
}

// maxRecent is how many bytes of the newest mail are looked at, in all logs together, at every
// command of a name that is in use. They take a quarter of a millisecond.
const maxRecent = 512 << 10

// OtherCase returns a name that differs from an alias only in case: somebody's who wrote or
// read here, or one that mail is addressed to. As long as the alias itself did neither all
// mail is looked at for that, and later the newest. It is "" if there is none.
func (d *Dir) OtherCase(ctx context.Context, alias string) string {
	other, first := d.otherSpelling(alias)
	if other != "" {
		return other
	}
	if !first {
		return d.recentOtherCase(ctx, alias)
	}
	var found atomic.Pointer[string]
	logs, _, _ := d.Logs()
	_, _ = d.scan(ctx, logs, segments(logs), func(_ int, s segment) lineread.Visitor {
		return lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
			if other := addressee(raw, logs[s.log].Stem, alias); other != "" {
				found.Store(&other)
			}
		}}
	}) // the command itself says what cannot be read
	if other := found.Load(); other != nil {
		return *other
	}
	return ""
}

// OtherCase is [Dir.OtherCase] of the reader, without a second look at all mail.
func (l *Lines) OtherCase(ctx context.Context) string {
	other, first := l.dir.otherSpelling(l.me)
	switch {
	case other != "":
		return other
	case first, l.other == "":
		return l.other
	}
	return l.dir.recentOtherCase(ctx, l.me)
}

// otherSpelling returns the name of somebody who wrote or read here that differs from an alias only
// in case, and whether nobody did so as the alias itself.
func (d *Dir) otherSpelling(alias string) (other string, first bool) {
	aliases, _ := d.Aliases() // where it cannot be listed the command itself says so
	first = true
	for _, a := range aliases {
		if a == alias {
			first = false
		} else if strings.EqualFold(a, alias) {
			return a, false
		}
	}
	return "", first
}

// recentOtherCase is [Dir.OtherCase] in the newest mail alone.
func (d *Dir) recentOtherCase(ctx context.Context, alias string) (other string) {
	logs, _, _ := d.Logs()
	r := lineread.Sized(maxOwner)
	for _, l := range logs {
		from := max(0, l.Info.Size()-maxRecent/int64(len(logs)))
		_ = d.ReadLog(ctx, r, l, from, l.Info.Size(), lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
			other = cmp.Or(other, addressee(raw, l.Stem, alias))
		}})
	}
	return other
}

// addressee returns the receiver of a record in a log whose name differs from an alias only in
// case, "" for any other line. It may change the line.
func addressee(raw []byte, stem, alias string) string {
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

package store

import (
	"context"
	"os"
	"strings"
	"sync/atomic"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/lineread"
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

// OtherCase returns a name that differs from an alias only in case: somebody's who wrote or
// read here, or, as long as the alias itself did neither, one that mail is addressed to. It
// is "" if there is none.
func (d *Dir) OtherCase(ctx context.Context, alias string) string {
	aliases, _ := d.Aliases() // where it cannot be listed the command itself says so
	first := true
	for _, a := range aliases {
		if a == alias {
			first = false
		} else if strings.EqualFold(a, alias) {
			return a
		}
	}
	if !first {
		return ""
	}
	var other atomic.Pointer[string]
	_, _ = d.Select(ctx, samp.V1, func(m *samp.Found) bool {
		if m.To != alias && samp.ValidAlias(m.To) && strings.EqualFold(m.To, alias) {
			to := strings.Clone(m.To)
			other.Store(&to)
		}
		return false
	})
	if to := other.Load(); to != nil {
		return *to
	}
	return ""
}

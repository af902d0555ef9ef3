package store

import (
	"bytes"
	"context"
	"os"
	"strings"

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

// maxRecent is how many bytes of the newest mail are looked at, in all logs together, at every
// command of a name that is in use. They take a millisecond.
const maxRecent = 2 << 20

// OtherCase returns a name that differs from an alias only in case: somebody's who wrote or
// read here, or one that mail is addressed to. As long as the alias itself did neither all
// mail is looked at for that, and later the newest. It is "" if there is none.
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
	logs, _, _ := d.Logs()
	r := lineread.Sized(maxOwner)
	for _, l := range logs {
		from := int64(0)
		if !first {
			from = max(0, l.Info.Size()-maxRecent/int64(len(logs)))
		}
		if other := d.addressee(ctx, r, l, from, alias); other != "" {
			return other
		}
	}
	return ""
}

// addressee returns a receiver of mail in a log, from a place on, whose name differs from an
// alias only in case, "" if there is none.
func (d *Dir) addressee(ctx context.Context, r *lineread.Reader, l Log, from int64, alias string) (other string) {
	_ = d.ReadLog(ctx, r, l, from, l.Info.Size(), lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
		if other != "" || !mayAddress(raw, alias) {
			return
		}
		m, err := samp.ParseInPlace(raw)
		if err == nil && m.To != alias && samp.ValidAlias(m.To) && strings.EqualFold(m.To, alias) && samp.FilingOf(l.Stem, m.From) != samp.Misfiled {
			other = strings.Clone(m.To)
		}
	}}) // the command itself says what cannot be read
	return other
}

// mayAddress reports whether a line may hold a record to an alias in any case. It is many
// times faster than to parse the line.
func mayAddress(raw []byte, alias string) bool {
	if bytes.Contains(raw, []byte(`\u00`)) {
		return true // a letter may be written so
	}
	key := []byte(`"to"`)
	for i := bytes.Index(raw, key); i >= 0; i = bytes.Index(raw, key) {
		raw = raw[i+len(key):]
		value := bytes.TrimLeft(raw, " \t:\"")
		if len(value) >= len(alias) && strings.EqualFold(string(value[:len(alias)]), alias) {
			return true
		}
	}
	return false
}

package transcript

import (
	"path/filepath"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// maxEndings is how many transcripts' endings are kept.
const maxEndings = 500

// Endings says what the ends of transcripts say, and reads each again when it has changed. The
// zero value is ready. Its methods may be called from everywhere.
type Endings struct {
	mu   sync.Mutex
	kept map[string]ending
}

type ending struct {
	stamp tree.Stamp
	facts session.Facts
}

// Of returns what the last records of a program's transcript say of its session: what it is
// at, above all. It is zero for a file that cannot be read, and for another program.
func (e *Endings) Of(client, file string) session.Facts {
	formats := Formats()
	at := slices.IndexFunc(formats, func(f *session.Format) bool { return f.Client == client })
	if at < 0 || !filepath.IsAbs(file) {
		return session.Facts{}
	}
	root, err := disk.OpenRoot(filepath.Dir(file))
	if err != nil {
		return session.Facts{}
	}
	defer root.Close()
	f, info, err := tree.In(root).File(filepath.Base(file))
	if err != nil {
		return session.Facts{}
	}
	text := asLines(formats[at], f, info.Size)
	defer text.Close()
	e.mu.Lock()
	defer e.mu.Unlock()
	if was, ok := e.kept[file]; ok && was.stamp == info.Stamp && !info.Young() {
		return was.facts
	}
	log := &session.Log{}
	if size, err := text.size(); err == nil {
		k := looker{format: formats[at]}
		_ = k.tail(log, text, 0, size) // what was read before it failed is true
	}
	if e.kept == nil || len(e.kept) >= maxEndings {
		e.kept = make(map[string]ending)
	}
	e.kept[file] = ending{info.Stamp, compact(log.Facts)}
	return e.kept[file].facts
}

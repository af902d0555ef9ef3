package session

import (
	"path/filepath"
	"sync"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// maxEndings is how many transcripts' endings are cached.
const maxEndings = 500

// Endings caches the endings of transcripts, and reads each again when it has changed. The
// zero value is ready. Its methods may be called from several goroutines.
type Endings struct {
	mu   sync.Mutex
	kept map[string]ending
}

type ending struct {
	stamp tree.Stamp
	Ending
}

// Ending is the content of a transcript's last records.
type Ending struct {
	session.Facts
	// Acted is when the agent last wrote or did something, or 0.
	Acted int64
	// Open is when the agent made the first of its last calls that has not ended, or 0. Asks is
	// what that call waits for if it needs permission.
	Open int64
	Asks string
}

// Of returns what the last records of a program's transcript show of its session, above all
// its state. It is zero for a file that cannot be read, and for another program.
func (e *Endings) Of(client, file string) Ending {
	format := FormatOf(client)
	if format == nil || !filepath.IsAbs(file) {
		return Ending{}
	}
	root, err := disk.OpenRoot(filepath.Dir(file))
	if err != nil {
		return Ending{}
	}
	defer root.Close()
	f, info, err := tree.In(root).File(filepath.Base(file))
	if err != nil {
		return Ending{}
	}
	text := asLines(format, f, info.Size)
	defer text.Close()
	e.mu.Lock()
	defer e.mu.Unlock()
	if was, ok := e.kept[file]; ok && was.stamp == info.Stamp && !info.Young() {
		return was.Ending
	}
	log := &session.Log{}
	if size, err := text.size(); err == nil {
		k := scanner{format: format}
		_ = k.tail(log, text, 0, size) // what was read before an error is valid
	}
	if e.kept == nil || len(e.kept) >= maxEndings {
		e.kept = make(map[string]ending)
	}
	is := Ending{Facts: compact(log.Facts)}
	is.last(log.Messages)
	e.kept[file] = ending{info.Stamp, is}
	return is
}

// last sets what the agent did last. Its last calls are in one message; the end of an earlier
// call may not have been read. A call that runs a subagent asks for nothing.
func (e *Ending) last(list []session.Message) {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Role == atsf.RoleAgent {
			e.Acted = max(e.Acted, list[i].Time.Millis)
		}
		for k := range list[i].Tools {
			if c := &list[i].Tools[k]; c.Kind != "think" && (c.State() == atsf.Running || c.State() == atsf.Pending) {
				e.Open, e.Asks = list[i].Time.Millis, session.Asked(c)
				return
			}
		}
		if len(list[i].Tools) > 0 {
			return
		}
	}
}

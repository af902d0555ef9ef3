package panel

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// surroundings is what the open directories know of documents.
func (p *Panels) surroundings() Around {
	return Around{
		Now: p.opt.Now().UnixMilli(), Others: p.taskOthers, Logs: p.logsAround, Trust: p.trustIn,
		Tally: tallyBeside, Disk: readDisk,
	}
}

// logsIn is a [LogDirectory] on a live one.
type logsIn struct {
	*store.Live
	alias string
}

func (d logsIn) Alias() string         { return d.alias }
func (d logsIn) Profile() samp.Profile { return d.Stats().Profile }

// Find leaves out what cannot be read any more.
func (d logsIn) Find(id string) (list []samp.Found) {
	for _, m := range d.Live.Find(id) {
		if m.Err == nil {
			list = append(list, m.Found)
		}
	}
	return list
}

func (p *Panels) logsAround(path string) LogDirectory {
	if path == "" {
		return nil
	}
	stores, _, alias := p.snapshot()
	for _, s := range stores {
		stats := s.live.Stats()
		if dir := filepath.Dir(path); stats.Exists && !stats.Indexing && (dir == s.path || dir == stats.Path) {
			return logsIn{s.live, alias.Value}
		}
	}
	return nil
}

// trustIn judges a message by the keys that are known here. It pins none: looking
// at a file is no meeting.
func (p *Panels) trustIn(path string, m *amp.Message) (amp.Trust, bool) {
	p.mu.RLock()
	root := p.mail
	p.mu.RUnlock()
	if root == nil {
		return amp.Trust{}, false
	}
	key := ""
	if rel, err := filepath.Rel(root.path, path); path != "" && err == nil && filepath.IsLocal(rel) {
		key = filepath.ToSlash(rel)
	}
	snap := root.live.Snapshot()
	if len(snap.Mailboxes) == 0 {
		return amp.Trust{}, false
	}
	return snap.Judge(key, m, root.pins, p.opt.Now().UnixMilli()), true
}

// maxDisk bounds a file that is read besides a document.
const maxDisk = maxLogText

// readDisk reads a regular file of bounded length.
func readDisk(path string) []byte {
	if path == "" {
		return nil
	}
	// A FIFO or device would block, or never end.
	f, err := disk.OpenNamed(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxDisk+1))
	if err != nil || len(data) > maxDisk {
		return nil
	}
	return data
}

// tallyBeside counts the messages of a thread.json's thread. A log too long to be
// read whole while somebody types is counted by "signalbox threads check".
func tallyBeside(path string) (t atsf.Tally, ok bool) {
	if path == "" {
		return t, false
	}
	log := filepath.Join(filepath.Dir(path), atsf.MessagesName)
	if _, err := os.Lstat(log); errors.Is(disk.Cause(err), os.ErrNotExist) {
		return t, true
	}
	data := readDisk(log)
	if data == nil {
		return t, false
	}
	t, _ = atsf.Count(data)
	return t, true
}

// Fixes is [FixesAround] with what is open.
func (p *Panels) Fixes(ctx context.Context, doc Document, start, end int) ([]Fix, error) {
	return FixesAround(ctx, doc, start, end, p.surroundings())
}

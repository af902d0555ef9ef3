package amp

import (
	"io/fs"
	"os"
	"sync"

	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// guard is a folder that counts the files that are opened, and denies some of them.
type guard struct {
	tree.Folder
	denied map[string]bool
	seen   *seen
}

// seen lists what was opened, and how much was read.
type seen struct {
	mu    sync.Mutex
	names []string
	bytes int
}

func (g *guard) Open(name string) (tree.Folder, error) {
	if g.denied[name] {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	f, err := g.Folder.Open(name)
	if err != nil {
		return nil, err
	}
	return &guard{f, g.denied, g.seen}, nil
}

func (g *guard) Read(name string, buf []byte, limit int) ([]byte, tree.Info, error) {
	if g.denied[name] {
		return nil, tree.Info{}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	data, i, err := g.Folder.Read(name, buf, limit)
	if g.seen != nil {
		g.seen.mu.Lock()
		defer g.seen.mu.Unlock()
		g.seen.names = append(g.seen.names, name)
		g.seen.bytes += len(data)
	}
	return data, i, err
}

func (g *guard) File(name string) (*os.File, tree.Info, error) {
	panic("nothing here opens a file to keep it")
}

// scanOpening scans once, and returns the names that were opened.
func (b *readFixture) scanOpening() (*Snapshot, []string) {
	b.t.Helper()
	return b.scanReading(1 << 30)
}

// scanReading is scanOpening with a limit: at most most bytes may be read.
func (b *readFixture) scanReading(most int) (*Snapshot, []string) {
	b.t.Helper()
	var saw seen
	s := newState(Config{Path: b.Root})
	s.dir.Open = func(path string) (tree.Folder, error) {
		f, err := tree.Open(path)
		return &guard{Folder: f, seen: &saw}, err
	}
	if _, err := s.look(b.t.Context(), nil); err != nil {
		b.t.Fatal(err)
	}
	if saw.bytes > most {
		b.t.Errorf("%d bytes were read", saw.bytes)
	}
	return s.snapshot(), saw.names
}

// Package atsf is the store of ATSF: agents' own conversations in .agent/threads of a
// project's folder and of each of its git worktrees.
//
// Start with [Open], which returns the threads of one folder, or with [OpenLive], which
// follows all folders of a project. The package opens files beneath an [os.Root] and never
// through a symbolic link; core/atsf decides what a file means.
package atsf

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// ErrNotFound is the error for a thread, message or asset that does not exist.
var ErrNotFound = errors.New("not found")

// Dir is the .agent directory of one project folder or worktree (Directory Layout, rule L1).
// Its methods may be called from several goroutines.
type Dir struct {
	path string // of the folder that holds .agent: absolute, links resolved
	root *disk.Root
	// flat is set if root itself holds the threads: a collection of threads outside an .agent.
	flat bool
}

// Open opens the .agent directory of a folder. The error is fs.ErrNotExist if there is none. A
// link in its place is refused.
func Open(folder string) (*Dir, error) { return openOn(disk.Disk{}, folder) }

func openOn(on disk.Disk, folder string) (*Dir, error) {
	real, err := resolve(folder)
	if err != nil {
		return nil, fmt.Errorf("threads: open %q: %w", folder, err)
	}
	at := filepath.Join(real, atsf.DirName)
	info, err := os.Lstat(at)
	if err != nil {
		return nil, fmt.Errorf("threads: open: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("threads: open %q: is no directory (L1)", at)
	}
	root, err := on.OpenRoot(at)
	if err != nil {
		return nil, fmt.Errorf("threads: open: %w", err)
	}
	return &Dir{path: real, root: root}, nil
}

// resolve returns a folder's absolute path without links, so that a link to a folder does not
// count as another folder.
func resolve(folder string) (string, error) {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// Folder returns the path of the project folder or worktree.
func (d *Dir) Folder() string { return d.path }

// ID returns the folder's id in refs and in the cache.
func (d *Dir) ID() string {
	return FolderID(d.path)
}

// FolderID returns the id of a folder whose path is absolute and free of links: 16 hexadecimal
// digits.
func FolderID(path string) string {
	sum := sha256.Sum256([]byte(filepath.ToSlash(path)))
	return hex.EncodeToString(sum[:8])
}

// threadsName returns the path of the threads below root.
func (d *Dir) threadsName() string {
	if d.flat {
		return "."
	}
	return atsf.ThreadsName
}

// Close releases the directory.
func (d *Dir) Close() error { return d.root.Close() }

// thread opens the directory of a thread by its name, which is its address (rule L2). It
// refuses links and names that could lead elsewhere.
func (d *Dir) thread(name string) (*disk.Root, error) {
	if !safeName(name) {
		return nil, fmt.Errorf("threads: %q is no name of a thread: %w (L3)", name, ErrNotFound)
	}
	at := path.Join(d.threadsName(), name)
	root, err := d.root.OpenFolder(at)
	if _, other := errors.AsType[*disk.KindError](err); other {
		return nil, fmt.Errorf("threads: %q is no directory (L1)", at)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("threads: %q: %w", name, ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("threads: %w", err)
	}
	return root, nil
}

// openThreads opens the threads directory. The error is [ErrNotFound] if there is none.
func (d *Dir) openThreads() (*disk.Root, error) {
	root, err := d.root.OpenFolder(d.threadsName())
	if err != nil {
		return nil, fault(path.Join(atsf.DirName, atsf.ThreadsName), errors.Unwrap(err)) // it begins with the name
	}
	return root, nil
}

// openTree opens the threads directory for listing.
func (d *Dir) openTree() (tree.Folder, error) {
	root, err := d.openThreads()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := tree.Beneath(root)
	if err != nil {
		return nil, fmt.Errorf("threads: list: %w", err)
	}
	return f, nil
}

// safeName reports whether a name is a single path element on every system, so that a thread
// with that name can be opened. Names of new threads are restricted further.
func safeName(name string) bool {
	return name != "" && name != "." && name != ".." && filepath.IsLocal(name) && path.Base(name) == name && filepath.Base(name) == name
}

// openFile opens a regular file of a thread for reading. It refuses a link, and a file that
// was replaced while it was opened.
func openFile(thread *disk.Root, name string) (f *os.File, info fs.FileInfo, err error) {
	// Writers replace thread.json by a rename, sometimes many times a second.
	const tries = 20
	for range tries {
		if f, info, err = thread.OpenRegular(name); !errors.Is(err, disk.ErrReplaced) {
			break
		}
	}
	if err != nil {
		return nil, nil, fault(name, err)
	}
	return f, info, nil
}

// fault returns the error for a file or folder that could not be opened: [ErrNotFound] if it
// does not exist.
func fault(name string, err error) error {
	if kind, ok := errors.AsType[*disk.KindError](err); ok {
		return fmt.Errorf("threads: %s is %s and is not read (L1)", name, disk.Kind(kind.Kind))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("threads: %s: %w", name, ErrNotFound)
	case errors.Is(err, disk.ErrReplaced):
		return fmt.Errorf("threads: %s changed while it was opened", name)
	}
	return fmt.Errorf("threads: %s: %w", name, disk.Cause(err))
}

// tooLong returns the error for a file that is too long to read.
func tooLong(name string, size int64) error {
	return fmt.Errorf("threads: %s is %d bytes long, and at most %d are read", name, size, atsf.MaxThreadFile)
}

// readDir lists a directory, ordered by name.
func readDir(root *disk.Root) ([]fs.DirEntry, error) {
	return fs.ReadDir(root.FS(), ".")
}

// cancelReader fails once its context is done.
type cancelReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *cancelReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// Package atsf is the store of ATSF: agents' own conversations in .agent/threads of a
// project's folder and of each of its git worktrees.
//
// Start with [Open], which returns the threads of one folder, or with [OpenLive],
// which follows all folders of a project. The package opens files beneath a
// [os.Root] and never through a symbolic link; what a file means is for
// core/atsf to say.
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

// ErrNotFound is the error of asking for a thread, message or asset that is not
// there.
var ErrNotFound = errors.New("not found")

// Dir is the .agent directory of one project folder or worktree (Directory
// Layout, rule L1). Its methods may be called from everywhere.
type Dir struct {
	path string // of the folder that holds .agent: absolute, links resolved
	root *disk.Root
	// flat is set where root itself holds the threads, as a collection of them
	// does that stands in no .agent.
	flat bool
}

// Open opens the .agent directory of a folder. The error is fs.ErrNotExist
// where there is none; a link in its place is refused.
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

// resolve returns the one path by which a folder is known, so that a link to it
// is no second folder.
func resolve(folder string) (string, error) {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// Folder is the path of the project folder or worktree.
func (d *Dir) Folder() string { return d.path }

// ID stands for the folder in refs and in the cache.
func (d *Dir) ID() string {
	return FolderID(d.path)
}

// FolderID is the ID of a folder whose path is absolute and free of links:
// 16 hexadecimal digits.
func FolderID(path string) string {
	sum := sha256.Sum256([]byte(filepath.ToSlash(path)))
	return hex.EncodeToString(sum[:8])
}

// threadsName is where the threads stand below root.
func (d *Dir) threadsName() string {
	if d.flat {
		return "."
	}
	return atsf.ThreadsName
}

// Close releases the directory.
func (d *Dir) Close() error { return d.root.Close() }

// thread opens the directory of a thread by its name, which is its address
// (rule L2). A name that could lead elsewhere, and a link, are refused.
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

// openThreads opens the threads directory. The error is [ErrNotFound] where
// there is none.
func (d *Dir) openThreads() (*disk.Root, error) {
	root, err := d.root.OpenFolder(d.threadsName())
	if err != nil {
		return nil, fault(path.Join(atsf.DirName, atsf.ThreadsName), errors.Unwrap(err)) // it begins with the name
	}
	return root, nil
}

// openTree opens the threads directory to look at what is in it.
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

// safeName reports whether a name is one element of a path on every system, so
// that a thread of that name can be opened. New threads get stricter names.
func safeName(name string) bool {
	return name != "" && name != "." && name != ".." && filepath.IsLocal(name) && path.Base(name) == name && filepath.Base(name) == name
}

// openFile opens a regular file of a thread for reading. A link is refused, and
// so is whatever took the file's place while it was looked at.
func openFile(thread *disk.Root, name string) (f *os.File, info fs.FileInfo, err error) {
	// Writers replace thread.json by a rename, some of them many times a second.
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

// fault says why a file or folder is not read. The error is [ErrNotFound] for one
// that is not there.
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

// tooLong says that a file of a thread is not read for its length.
func tooLong(name string, size int64) error {
	return fmt.Errorf("threads: %s is %d bytes long, and at most %d are read", name, size, atsf.MaxThreadFile)
}

// readDir lists a directory in the order of names.
func readDir(root *disk.Root) ([]fs.DirEntry, error) {
	return fs.ReadDir(root.FS(), ".")
}

// cancelReader ends a long copy with its context.
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

package threads

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// maxDepth is how deep directories within a thread may be nested.
const maxDepth = 16

// Below lists the folders that have threads in their .agent, a folder itself and all
// beneath it, by their path in it; the folder itself is ".". Links are not followed.
func Below(ctx context.Context, folder string) (list []string, err error) {
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			if path != folder && errors.Is(err, fs.ErrNotExist) {
				return nil // somebody works there
			}
			return err
		}
		switch {
		case !e.IsDir() || path == folder:
			return nil
		case e.Name() == ".git":
			return fs.SkipDir
		case e.Name() != atsf.DirName:
			return nil
		}
		info, err := os.Lstat(filepath.Join(path, atsf.ThreadsName))
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
			return fs.SkipDir // nobody reads a thread there
		}
		rel, relErr := filepath.Rel(folder, filepath.Dir(path))
		if err = errors.Join(err, relErr); err != nil {
			return err
		}
		list = append(list, rel)
		return fs.SkipDir
	})
	if err != nil {
		return nil, fmt.Errorf("threads: look for %s: %w", atsf.DirName, err)
	}
	return list, nil
}

// Archive copies the threads of a worktree into the cache, whole, and what a list
// shows of them: it is called when a worktree is removed, so that its threads
// can be read afterwards (rule X3). Every .agent in it counts. The
// worktree stands at a path of its own by then, and f is the folder that it was.
// One without threads is no error.
//
// Every regular file of a thread is copied, synced, and only then given its
// name. A thread that was archived before with other content is kept beside.
// Links, FIFOs and devices are left out. Whoever still writes to a thread fails
// (see [ErrGone]): of a line in the making the beginning is copied.
func Archive(ctx context.Context, stateDir string, f Folder, at string) error {
	if stateDir == "" {
		return errors.New("threads: archive: there is no state directory")
	}
	folders, err := Below(ctx, at)
	if err != nil {
		return err
	}
	for _, rel := range folders {
		one := f
		one.Path, one.Git = filepath.Join(f.Path, rel), f.Git && rel == "."
		one.ID = FolderID(one.Path)
		if err := archiveFolder(ctx, stateDir, &one, filepath.Join(at, rel)); err != nil {
			return fmt.Errorf("threads: archive %q: %w", one.Path, trimmed(err))
		}
	}
	return nil
}

// archiveFolder copies the threads of a folder that stands at another path.
func archiveFolder(ctx context.Context, stateDir string, f *Folder, at string) error {
	d, err := Open(at)
	if err != nil {
		return err
	}
	defer d.Close()
	threads, err := d.openThreads()
	if err != nil {
		return err
	}
	defer threads.Close()
	if err := archive(ctx, stateDir, f, threads); err != nil {
		return err
	}
	items, _, err := d.List(ctx)
	if err != nil || len(items) == 0 {
		return err
	}
	data, err := encodeCache(f, items, 0)
	if err != nil {
		return err
	}
	// Without it nobody finds the copy again.
	return writeCache(archivePath(stateDir, f)+".json", data, true)
}

// Archives reports whether [Archive] copies a regular file, by its path in .agent
// with "/" between names: one of a thread, and not what stands beside threads.
func Archives(file string) bool {
	in, ok := strings.CutPrefix(file, atsf.ThreadsName+"/")
	thread, _, within := strings.Cut(in, "/")
	return ok && within && !hidden(thread)
}

// archivePath is the folder that holds the copy of a folder's .agent.
func archivePath(stateDir string, f *Folder) string {
	return filepath.Join(stateDir, cacheDir, cacheKey(f), f.ID)
}

// openArchive opens the copy of a folder's threads under the folder's ID.
func openArchive(stateDir string, f *Folder) (*Dir, error) {
	d, err := Open(archivePath(stateDir, f))
	if err != nil {
		return nil, err
	}
	d.id = f.ID
	return d, nil
}

func archive(ctx context.Context, stateDir string, f *Folder, threads *disk.Root) error {
	dir, err := threads.Open(".")
	if err != nil {
		return err
	}
	entries, err := dir.ReadDir(-1)
	if err = errors.Join(err, dir.Close()); err != nil {
		return err
	}
	at := filepath.Join(archivePath(stateDir, f), atsf.DirName, atsf.ThreadsName)
	var to *disk.Root
	for _, e := range entries {
		if !e.IsDir() || hidden(e.Name()) {
			continue
		}
		if to == nil {
			if to, err = threads.Disk().MakeRoot(at, 0o700); err != nil {
				return err
			}
			defer to.Close()
			sweep(to)
		}
		if err := archiveThread(ctx, threads, to, e.Name()); err != nil {
			return err
		}
	}
	if to == nil {
		return nil
	}
	return to.Sync()
}

// archiveThread copies one thread beside its place and renames it there.
func archiveThread(ctx context.Context, from, to *disk.Root, name string) error {
	tmp := newPrefix + NewID()
	src, err := from.OpenRoot(name)
	if err != nil {
		return err
	}
	defer src.Close()
	if err := copyTree(ctx, src, to, tmp, 0); err != nil {
		return errors.Join(err, to.RemoveAll(tmp))
	}
	if _, err := to.Lstat(name); err == nil {
		same, err := sameTree(ctx, to, tmp, name)
		if err != nil || same {
			return errors.Join(err, to.RemoveAll(tmp))
		}
		if err := to.Rename(name, freeName(to, name)); err != nil {
			return errors.Join(err, to.RemoveAll(tmp))
		}
	}
	return to.Rename(tmp, name)
}

// freeName is under which an earlier copy of a thread is kept.
func freeName(to *disk.Root, name string) string {
	for i := 1; ; i++ {
		free := name + "." + strconv.Itoa(i)
		if _, err := to.Lstat(free); errors.Is(err, fs.ErrNotExist) {
			return free
		}
	}
}

// copyTree copies the files of a directory into a new one.
func copyTree(ctx context.Context, from, to *disk.Root, name string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("directories are nested more than %d deep", maxDepth)
	}
	if err := to.Mkdir(name, 0o700); err != nil {
		return err
	}
	into, err := to.OpenRoot(name)
	if err != nil {
		return err
	}
	defer into.Close()
	entries, err := readDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case e.IsDir():
			sub, err := from.OpenRoot(e.Name())
			if err != nil {
				return err
			}
			err = copyTree(ctx, sub, into, e.Name(), depth+1)
			if err = errors.Join(err, sub.Close()); err != nil {
				return err
			}
		case e.Name() == LockName:
			// It says who writes, which is nothing to keep.
		case e.Type().IsRegular():
			if err := copyFile(ctx, from, into, e.Name()); err != nil {
				return err
			}
		}
	}
	return into.Sync()
}

func copyFile(ctx context.Context, from, to *disk.Root, name string) error {
	src, info, err := openFile(from, name)
	if errors.Is(err, ErrNotFound) {
		// What a writer puts together for a moment.
		return nil
	}
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := to.OpenWrite(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, &cancelReader{ctx, src})
	if err == nil {
		err = dst.Sync()
	}
	if err = errors.Join(err, dst.Close()); err != nil {
		return err
	}
	return to.Chtimes(name, info.ModTime(), info.ModTime())
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

// sameTree compares two directories of the archive.
func sameTree(ctx context.Context, root *disk.Root, a, b string) (bool, error) {
	x, err := treeDigest(ctx, root, a)
	if err != nil {
		return false, err
	}
	y, err := treeDigest(ctx, root, b)
	return x == y, err
}

// treeDigest returns a digest of the names and bytes in a directory. io/fs would refuse
// names that are not UTF-8, so that the walk is ours.
func treeDigest(ctx context.Context, root *disk.Root, dir string) (string, error) {
	sub, err := root.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer sub.Close()
	entries, err := readDir(sub)
	if err != nil {
		return "", err
	}
	names := sha256.New()
	for _, e := range entries {
		inside := ""
		switch {
		case e.IsDir():
			inside, err = treeDigest(ctx, sub, e.Name())
		case e.Type().IsRegular():
			inside, err = fileDigest(ctx, sub, e.Name())
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(names, "%q %v %x\n", e.Name(), e.Type(), inside)
	}
	return string(names.Sum(nil)), nil
}

func fileDigest(ctx context.Context, root *disk.Root, name string) (string, error) {
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, &cancelReader{ctx, f})
	return string(sum.Sum(nil)), err
}

// readDir lists a directory in the order of names.
func readDir(root *disk.Root) ([]fs.DirEntry, error) {
	return fs.ReadDir(root.FS(), ".")
}

// Package conflict finds the copies that sync tools make of a file that two machines
// changed at once, compares a copy with its original, and puts a copy away that holds
// nothing more.
//
// Start with [Find] or [Of]. The stores of the formats decide what may be merged.
package conflict

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// Of recognises the name of a copy and returns the name of its original: Syncthing's
// "log-a.sync-conflict-20260101-120000-ABCDEFG.jsonl", and what Dropbox, Nextcloud and
// others write, "log-a (bob's conflicted copy 2026-01-01).jsonl". The original of a copy of
// a copy is the first original.
func Of(name string) (original string, ok bool) {
	var stem string
	ext := path.Ext(name)
	if i := strings.Index(name, syncthing); i >= 0 {
		// The mark stands before the last extension, and what it adds has none.
		if strings.Contains(ext, syncthing) {
			ext = ""
		}
		stem = name[:i]
	} else if stem, ok = bracketed(strings.TrimSuffix(name, ext)); !ok {
		return "", false
	}
	if stem == "" {
		return "", false
	}
	return stem + ext, true
}

const syncthing = ".sync-conflict-"

// bracketed returns the name in "name (… conflict…)".
func bracketed(stem string) (string, bool) {
	for _, sign := range []string{" (", "_conflict-"} {
		if i := strings.Index(stem, sign); i > 0 && strings.Contains(strings.ToLower(stem[i:]), "conflict") {
			return stem[:i], true
		}
	}
	return "", false
}

// Copy is a conflict copy. Both paths are relative, with "/" between the names.
type Copy struct{ Path, Original string }

// maxEntries bounds how much is walked.
const maxEntries = 500_000

// Find lists the copies below some folders of root, in order. "." is all of root. It
// follows no links and does not look into .git and node_modules. A folder that is missing
// or cannot be read has no copies: whoever reads the directory reports it. The error is
// from ctx, or says that there were too many files.
func Find(ctx context.Context, root *disk.Root, under ...string) (list []Copy, err error) {
	entries := 0
	for _, at := range under {
		err := fs.WalkDir(root.FS(), at, func(p string, e fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if entries++; entries > maxEntries {
				return fmt.Errorf("conflict: more than %d files, the rest was not looked at", maxEntries)
			}
			if err != nil {
				return fs.SkipDir
			}
			if e.IsDir() {
				// Tools keep their own files there.
				if name := e.Name(); name == ".git" || name == "node_modules" || name == ".stversions" || name == ".stfolder" {
					return fs.SkipDir
				}
				return nil
			}
			if name, ok := Of(e.Name()); ok && e.Type().IsRegular() {
				list = append(list, Copy{p, path.Join(path.Dir(p), name)})
			}
			return nil
		})
		if err != nil {
			return list, err
		}
	}
	return list, nil
}

// MaxLine is the longest line that is merged from a copy into its original.
const MaxLine = 64 << 20

// Missing passes to emit each line of a copy that is not in the original, once, byte for
// byte and with its line end. Blank lines are left out. torn is what follows the copy's
// last line end: somebody was writing it, or the tool copied half of it, and the caller
// has to decide what it is. Both files are read up to their present ends. A line longer
// than [MaxLine] is an error.
func Missing(ctx context.Context, original, copied io.Reader, emit func(line []byte) error) (torn []byte, err error) {
	known := make(map[[sha256.Size]byte]struct{})
	rest, err := lines(ctx, original, func(line []byte) error {
		known[sha256.Sum256(line)] = struct{}{}
		return nil
	})
	if err != nil {
		return nil, err
	}
	torn, err = lines(ctx, copied, func(line []byte) error {
		sum := sha256.Sum256(line)
		if _, ok := known[sum]; ok || len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		known[sum] = struct{}{}
		return emit(line)
	})
	if bytes.Equal(torn, rest) {
		torn = nil
	}
	return torn, err
}

func lines(ctx context.Context, r io.Reader, each func(line []byte) error) (rest []byte, err error) {
	in := bufio.NewReaderSize(r, 256<<10)
	var long []byte
	for ctx.Err() == nil {
		part, err := in.ReadSlice('\n')
		switch {
		case err == nil:
			line := part
			if len(long) > 0 {
				line = append(long, part...)
			}
			if err := each(line); err != nil {
				return nil, err
			}
			long = long[:0]
		case errors.Is(err, io.EOF):
			return append(bytes.Clone(long), part...), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, disk.Cause(err)
		default:
			if long = append(long, part...); len(long) > MaxLine {
				return nil, fmt.Errorf("a line is longer than %d bytes", MaxLine)
			}
		}
	}
	return nil, ctx.Err()
}

// Folder is where copies are put away, below the state directory.
const Folder = "conflicts"

// ErrChanged is the error of putting away a copy that changed since it was read. The copy
// stays where it is.
var ErrChanged = errors.New("changed meanwhile; run it again")

// PutAway moves a copy out of a synced directory to Folder of the state directory, and
// returns its path there. Nothing is deleted, so that a person can look at it later. f is
// the copy as it was read, and before its size and time then.
func PutAway(root *disk.Root, name string, f *os.File, before fs.FileInfo, state string) (where string, err error) {
	home, err := root.Disk().MakeRoot(state, disk.PrivateDir)
	if err != nil {
		return "", fmt.Errorf("put away %s: %w", name, err)
	}
	defer home.Close()
	w := disk.Whole{Root: home, Private: true}
	to := ""
	for i := 1; ; i++ {
		to = path.Join(Folder, path.Base(name))
		if i > 1 {
			to += fmt.Sprintf(".%d", i)
		}
		err = w.AddFrom(to, func(out io.Writer) error {
			if _, err := f.Seek(0, io.SeekStart); err != nil {
				return err
			}
			_, err := io.Copy(out, f)
			return err
		})
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return "", fmt.Errorf("put away %s: %w", name, err)
	}
	if err = still(root, name, before); err == nil {
		err = disk.Cause(root.Remove(name))
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("put away %s: %w", name, err), home.Remove(to))
	}
	return filepath.Join(state, filepath.FromSlash(to)), nil
}

// still returns [ErrChanged] unless a file is the one that was read.
func still(root *disk.Root, name string, before fs.FileInfo) error {
	now, err := root.Lstat(name)
	if err != nil {
		return disk.Cause(err)
	}
	if !os.SameFile(now, before) || now.Size() != before.Size() || !now.ModTime().Equal(before.ModTime()) {
		return ErrChanged
	}
	return nil
}

// Same reports whether a copy has the bytes of its original.
func Same(root *disk.Root, c Copy) (bool, error) {
	a, ai, err := root.OpenRegular(c.Path)
	if err != nil {
		return false, err
	}
	defer a.Close()
	b, bi, err := root.OpenRegular(c.Original)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer b.Close()
	if ai.Size() != bi.Size() {
		return false, nil
	}
	x, err := digest(a)
	if err != nil {
		return false, err
	}
	y, err := digest(b)
	return x == y, err
}

func digest(f *os.File) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	if _, err = io.Copy(h, f); err != nil {
		return sum, disk.Cause(err)
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// Resolve puts a copy away if may, which is passed both open files, returns true. It
// returns where the copy is now, and "" if it stays.
func Resolve(root *disk.Root, c Copy, state string, may func(original, copied *os.File) (bool, error)) (where string, err error) {
	copied, info, err := root.OpenRegular(c.Path)
	if err != nil {
		return "", err
	}
	defer copied.Close()
	original, _, err := root.OpenRegular(c.Original)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer original.Close()
	if ok, err := may(original, copied); err != nil || !ok {
		return "", err
	}
	at, err := root.OpenFolder(path.Dir(c.Path))
	if err != nil {
		return "", err
	}
	defer at.Close()
	return PutAway(at, path.Base(c.Path), copied, info, state)
}

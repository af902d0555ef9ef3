package session

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// linked is a folder of transcripts that treats links to folders as folders. People move a
// project's folder to a larger disk or a synced folder. A link counts only if it has the same
// owner as the folder it is in: that owner could have put the files there as well.
type linked struct {
	tree.Folder
	// path is the folder's path. root is the path of the outermost folder, free of links.
	path, root string
}

// openLinked opens the outermost folder, whose path may be a link.
func openLinked(path string) (tree.Folder, error) {
	f, err := tree.Open(path)
	if err != nil {
		return nil, err
	}
	return &linked{f, path, disk.Resolve(path)}, nil
}

func (l *linked) Entries(limit int) ([]fs.DirEntry, bool, error) {
	list, more, err := l.Folder.Entries(limit)
	for i, e := range list {
		if e.Type()&fs.ModeSymlink != 0 && l.isFolderLink(e.Name()) {
			list[i] = linkedEntry{e}
		}
	}
	return list, more, err
}

// linkedEntry is a link that is treated as a folder.
type linkedEntry struct{ fs.DirEntry }

func (linkedEntry) IsDir() bool       { return true }
func (linkedEntry) Type() fs.FileMode { return fs.ModeDir }

func (l *linked) Stat(name string) (tree.Info, error) {
	i, err := l.Folder.Stat(name)
	if err == nil && i.Kind&fs.ModeSymlink != 0 && l.isFolderLink(name) {
		i.Kind = fs.ModeDir
	}
	return i, err
}

func (l *linked) Open(name string) (tree.Folder, error) {
	at := filepath.Join(l.path, name)
	f, err := l.Folder.Open(name)
	if i, _ := l.Folder.Stat(name); err != nil && i.Kind&fs.ModeSymlink != 0 && l.isFolderLink(name) {
		f, err = tree.Open(at)
	}
	if err != nil {
		return nil, err
	}
	return &linked{f, at, l.root}, nil
}

// isFolderLink reports whether a link is treated as a folder. A link into the root folder, or
// to one of its parents, is not.
func (l *linked) isFolderLink(name string) bool {
	at := filepath.Join(l.path, name)
	link, err := os.Lstat(at)
	in, failed := os.Stat(l.path)
	if err != nil || failed != nil || !sameOwner(link, in) {
		return false
	}
	target, err := os.Stat(at)
	if err != nil || !target.IsDir() {
		return false
	}
	real := disk.Resolve(at)
	return !within(real, l.root) && !within(l.root, real)
}

// within reports whether a path is the folder or is in it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

package tree

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// File is what a format knows about one file. It is a pointer type. The zero value is no
// file.
type File interface {
	comparable
	// At returns the file's path relative to the directory, with "/" between the names.
	At() string
}

// Sort is what to do with a name.
type Sort uint8

// The sorts: skip the name, look at a file, look into a folder.
const (
	Skipped Sort = iota
	Wanted
	Entered
)

// Limits bound the work, since a stranger may have made the directory.
type Limits struct {
	// Depth is the number of levels of folders. Files and Folders are the numbers of files
	// and of folders, and Entries is the number of names in one folder.
	Depth, Files, Folders, Entries int
}

// Rules tell a tree what to do with names and files.
type Rules[F File] struct {
	// Sort returns what to do with a path, given the type bits of its file. A Wanted file
	// that is not regular is also given to the scanner, which reports it.
	Sort func(path string, kind fs.FileMode) Sort
	// Rank orders the folders in one folder before the limits apply, lowest first. If it is
	// nil, they stay in the order of their paths.
	Rank func(folder string) int
	// NewScanner returns the function that looks at files. Each goroutine has its own. The
	// function gets the folder, the path of the file, the known file, and whether it was just
	// listed as a regular file. It returns the known file if the content is the same, and the
	// zero value if the file does not exist.
	NewScanner func() func(f Folder, path string, old F, plain bool) F
	Limits     Limits
}

// Tree holds the known files of a directory. Only one goroutine at a time may use it. It
// calls the rules from several goroutines.
type Tree[F File] struct {
	// Root is nil if the directory does not exist.
	Root *Node[F]
	// Bounds maps the limits that were reached at the last look at everything, in words, to
	// the path where each was reached first.
	Bounds map[string]string
	Rules  Rules[F]

	files, folders int
}

// New returns an empty tree.
func New[F File](rules Rules[F]) *Tree[F] { return &Tree[F]{Rules: rules} }

// Delta is the difference between two looks.
type Delta[F File] struct {
	// Removed and Added are files. A file whose content has changed is in both.
	Removed, Added []F
	// Faults is set if the unreadable folders or the reached limits have changed. Folders is
	// set if the folders to be watched have changed. Status is set at the first look of a
	// [Dir], and if the directory appeared, disappeared, or became readable or unreadable.
	Faults, Folders, Status bool
}

// Refresh looks at everything in the open directory, and closes it. The error is from ctx.
// The tree is then unchanged.
func (t *Tree[F]) Refresh(ctx context.Context, f Folder) (d Delta[F], err error) {
	w := &walk[F]{Rules: &t.Rules}
	now, err := w.walkFolder(ctx, f, "", t.Root)
	if err != nil {
		return d, err
	}
	if now == nil {
		return t.Forget(), nil
	}
	d.Faults = !maps.Equal(t.Bounds, w.bounds)
	t.Bounds, t.files, t.folders = w.bounds, w.files, w.folders
	d.compare(t.Root, now)
	t.Root = now
	return d, nil
}

// Forget drops all files and folders, as for a directory that no longer exists or cannot be
// opened.
func (t *Tree[F]) Forget() (d Delta[F]) {
	d.Faults = len(t.Bounds) > 0
	d.compare(t.Root, nil)
	t.Root, t.Bounds, t.files, t.folders = nil, nil, 0, 0
	return d
}

// File returns a known file, or the zero value.
func (t *Tree[F]) File(p string) (file F) {
	n := t.Root
	for at := 0; n != nil; {
		next := strings.IndexByte(p[at:], '/')
		if next < 0 {
			if i, ok := n.find(p); ok {
				return n.Files[i]
			}
			return file
		}
		n = n.sub(p[:at+next])
		at += next + 1
	}
	return file
}

// Folder returns a known folder in the directory, or nil. The path "" is the directory
// itself.
func (t *Tree[F]) Folder(p string) *Node[F] {
	n := t.Root
	for at := 0; n != nil && p != ""; {
		next := strings.IndexByte(p[at:], '/')
		if next < 0 {
			return n.sub(p)
		}
		n = n.sub(p[:at+next])
		at += next + 1
	}
	return n
}

// Each calls folder for each folder, before the folders in it, with its depth. The directory
// itself has depth 0.
func (t *Tree[F]) Each(folder func(n *Node[F], depth int)) {
	if t.Root != nil {
		t.Root.each(folder, 0)
	}
}

func (n *Node[F]) each(folder func(n *Node[F], depth int), depth int) {
	folder(n, depth)
	for _, sub := range n.Folders {
		sub.each(folder, depth+1)
	}
}

// ToWatch lists the folders that can be watched, by their paths: lowest rank first, and
// newest first within a rank. depth is as for [Tree.Each]. The list is nil if the directory
// does not exist.
func (t *Tree[F]) ToWatch(rank func(folder string, depth int) int) []string {
	if t.Root == nil {
		return nil
	}
	type target struct {
		at   string
		rank int
		last int64
	}
	var all []target
	t.Each(func(n *Node[F], depth int) {
		if n.Err == nil {
			all = append(all, target{n.Path, rank(n.Path, depth), n.Mtime})
		}
	})
	slices.SortStableFunc(all, func(a, b target) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.last, a.last), cmp.Compare(a.at, b.at))
	})
	paths := make([]string, len(all))
	for i, t := range all {
		paths[i] = t.at
	}
	return paths
}

// compare adds the differences between two looks at a folder. Either may be nil.
func (d *Delta[F]) compare(old, now *Node[F]) {
	if old == now {
		return
	}
	if (old == nil) != (now == nil) {
		d.Folders = true
	}
	var a, b Node[F]
	if old != nil {
		a = *old
	}
	if now != nil {
		b = *now
	}
	if !SameError(a.Err, b.Err) {
		d.Faults = true
	}
	var none F
	pair(a.Files, b.Files, F.At, func(x, y F) {
		if x == y {
			return
		}
		if x != none {
			d.Removed = append(d.Removed, x)
		}
		if y != none {
			d.Added = append(d.Added, y)
		}
	})
	pair(a.Folders, b.Folders, func(n *Node[F]) string { return n.Path }, d.compare)
}

// SameError reports whether two errors are the same or have the same text. Either may be nil.
func SameError(a, b error) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return errors.Is(a, b) || a.Error() == b.Error()
}

// pair walks two lists that are sorted by a key, and calls each for every key with the
// elements that have it.
func pair[T any](a, b []T, key func(T) string, each func(x, y T)) {
	var none T
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && key(a[0]) < key(b[0]):
			each(a[0], none)
			a = a[1:]
		case len(a) == 0 || key(b[0]) < key(a[0]):
			each(none, b[0])
			b = b[1:]
		default:
			each(a[0], b[0])
			a, b = a[1:], b[1:]
		}
	}
}

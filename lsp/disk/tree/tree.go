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

// File is what is known of one file. It is a pointer type. The zero value is no file.
type File interface {
	comparable
	// At is its path relative to the directory, with "/" between the names.
	At() string
}

// Sort is what to do with a name.
type Sort uint8

// The sorts: passed over, looked at as a file, looked into as a folder.
const (
	Passed Sort = iota
	Wanted
	Entered
)

// Limits bound what is looked at, since anybody may have made the directory.
type Limits struct {
	// Depth is how many folders deep. Files and Folders are numbers of files and of
	// folders, and Entries is the number of names in one folder.
	Depth, Files, Folders, Entries int
}

// Rules say what files mean.
type Rules[F File] struct {
	// Sort tells of a path and the type bits of what is there what is done with
	// it. What is Wanted and is not a regular file is given to the looker too, which
	// says so.
	Sort func(path string, kind fs.FileMode) Sort
	// Rank orders the folders of one folder before the limits are met, the lowest
	// first; nil leaves them in order of their paths.
	Rank func(folder string) int
	// Looker makes what looks at files; each goroutine has its own. It is given the
	// folder, the file's path, what is known of it, and whether it was listed as a
	// regular file just now. It returns back what was known if the file says the same,
	// and the zero value for one that is not there.
	Looker func() func(f Folder, path string, old F, plain bool) F
	Limits Limits
}

// Tree is what is known of a directory. One goroutine at a time may use it. It calls the
// rules from several.
type Tree[F File] struct {
	// Root is nil as long as the directory is not there.
	Root *Node[F]
	// Bounds are the limits that were met at the last look at everything, in words, and
	// where each was met first.
	Bounds map[string]string
	Rules  Rules[F]

	files, folders int
}

// New returns a tree that knows nothing yet.
func New[F File](rules Rules[F]) *Tree[F] { return &Tree[F]{Rules: rules} }

// Delta is what differs between two looks.
type Delta[F File] struct {
	// Removed and Added are files; one that says something else is in both.
	Removed, Added []F
	// Faults is set if other folders cannot be looked into, or other limits were
	// met. Folders tells that there are other folders to be watched. Status is set by
	// a [Dir] that came, went or can be read no more or again, and at its first look.
	Faults, Folders, Status bool
}

// Refresh looks at everything in the open directory, and closes it. The error is from ctx.
// Nothing is changed then.
func (t *Tree[F]) Refresh(ctx context.Context, f Folder) (d Delta[F], err error) {
	w := &walk[F]{Rules: &t.Rules}
	now, err := w.walkFolder(ctx, f, "", t.Root)
	if err != nil {
		return d, err
	}
	if now == nil {
		return t.Lose(), nil
	}
	d.Faults = !maps.Equal(t.Bounds, w.bounds)
	t.Bounds, t.files, t.folders = w.bounds, w.files, w.folders
	d.compare(t.Root, now)
	t.Root = now
	return d, nil
}

// Lose forgets a directory that is no longer there or cannot be opened.
func (t *Tree[F]) Lose() (d Delta[F]) {
	d.Faults = len(t.Bounds) > 0
	d.compare(t.Root, nil)
	t.Root, t.Bounds, t.files, t.folders = nil, nil, 0, 0
	return d
}

// File returns what is known of a file, or the zero value.
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

// Folder returns what is known of a folder in the directory, or nil.
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

// ToWatch lists the folders that can be watched, by their paths: the lowest rank
// first, and within one rank the newest. depth is as for [Tree.Each]. The list is nil
// where the directory is not there.
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

// compare notes what is not the same. Either folder may be nil.
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

// SameError reports whether two errors say the same. Either may be nil.
func SameError(a, b error) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return errors.Is(a, b) || a.Error() == b.Error()
}

// pair walks two lists that are sorted by a key.
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

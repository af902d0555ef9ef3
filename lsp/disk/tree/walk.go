package tree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// chunk is the largest number of files in one [job].
const chunk = 128

// Node is a folder that was looked at. Only its [Tree] changes it.
type Node[F File] struct {
	// Path is relative to the directory. It is "" for the directory itself.
	Path string
	Stamp
	// Files and Folders are in order of their paths. Files are the Wanted files, even those
	// that are not regular.
	Files   []F
	Folders []*Node[F]
	// Err is why it could not be listed: a *[disk.KindError] or an error of the system.
	Err error

	again bool
}

// Fault returns why a folder with an Err cannot be looked into, and what to do.
func (n *Node[F]) Fault() (reason, advice string) {
	if kind, ok := errors.AsType[*disk.KindError](n.Err); ok {
		return kind.Error(), "put the folder itself in its place, or remove it"
	}
	return "the folder cannot be looked into: " + disk.Cause(n.Err).Error(), "check its permissions"
}

// walk is one look at a folder and everything in it.
type walk[F File] struct {
	*Rules[F]
	ctx  context.Context
	jobs chan job[F]
	// files and folders are the numbers so far. bounds is as in [Tree.Bounds].
	files, folders int
	bounds         map[string]string
}

// job is a part of the files of one folder.
type job[F File] struct {
	at    *sharedFolder
	paths []string
	out   []F
	old   []F
	// odd are the files that were not listed as regular.
	odd map[string]bool
}

// sharedFolder is an open folder that several goroutines use.
type sharedFolder struct {
	Folder
	users atomic.Int32
}

func (h *sharedFolder) release() {
	if h.users.Add(-1) == 0 {
		h.Close()
	}
}

// walkFolder looks at an open folder and everything in it, and closes it. old is the folder
// as known so far, or nil. It returns nil for a folder that was removed meanwhile.
func (w *walk[F]) walkFolder(ctx context.Context, f Folder, at string, old *Node[F]) (*Node[F], error) {
	w.ctx = ctx
	w.jobs = make(chan job[F], 16)
	if w.bounds == nil {
		w.bounds = make(map[string]string)
	}
	var workers sync.WaitGroup
	for range min(max(runtime.GOMAXPROCS(0), 2), 4) {
		workers.Go(func() {
			look := w.NewScanner()
			for j := range w.jobs {
				for i, p := range j.paths {
					if ctx.Err() == nil {
						j.out[i] = look(j.at, p, j.old[i], !j.odd[p])
					}
				}
				j.at.release()
			}
		})
	}
	depth := 0
	if at != "" {
		depth = 1 + strings.Count(at, "/")
	}
	n := w.folder(f, at, old, depth)
	close(w.jobs)
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if n != nil {
		n.tidy()
	}
	return n, nil
}

// tidy drops files that disappeared while they were looked at.
func (n *Node[F]) tidy() {
	var none F
	n.Files = slices.DeleteFunc(n.Files, func(f F) bool { return f == none })
	for _, sub := range n.Folders {
		sub.tidy()
	}
}

// folder looks at one folder. When it returns, the workers may still be looking at its files.
// It returns nil for a folder that no longer exists.
func (w *walk[F]) folder(f Folder, at string, old *Node[F], depth int) *Node[F] {
	h := &sharedFolder{Folder: f}
	h.users.Store(1)
	defer h.release()
	n := &Node[F]{Path: at}
	if old == nil {
		old = &Node[F]{Path: at, again: true}
	}
	w.folders++
	i, err := f.Stat(".")
	if err == nil {
		n.Stamp, n.again = i.Stamp, i.Young()
		var l listing
		if !old.again && old.Stamp == n.Stamp {
			l = old.listing()
		} else {
			l, err = w.list(f, at)
		}
		if err == nil {
			w.read(h, n, old, &l)
			w.open(h, n, old, l.folders, depth)
			return n
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	n.Err, n.again = err, true
	return n
}

// listing holds the paths in a folder, in order.
type listing struct {
	files, folders []string
	// odd are the files that were not listed as regular.
	odd map[string]bool
}

// listing returns the known files and folders, for a folder that has not changed.
func (n *Node[F]) listing() (l listing) {
	for _, f := range n.Files {
		l.files = append(l.files, f.At())
	}
	for _, sub := range n.Folders {
		l.folders = append(l.folders, sub.Path)
	}
	return l
}

// list lists the Wanted files and Entered folders in a folder.
func (w *walk[F]) list(f Folder, at string) (l listing, err error) {
	all, more, err := f.Entries(w.Limits.Entries)
	if err != nil {
		return l, err
	}
	if more {
		w.bound(at, "more than %d names are in the folder, and the others are not looked at", w.Limits.Entries)
	}
	for _, e := range all {
		switch p := Join(at, e.Name()); w.Sort(p, e.Type()) {
		case Wanted:
			l.files = append(l.files, p)
			if !e.Type().IsRegular() {
				if l.odd == nil {
					l.odd = make(map[string]bool)
				}
				l.odd[p] = true
			}
		case Entered:
			l.folders = append(l.folders, p)
		case Skipped:
		}
	}
	slices.Sort(l.files)
	slices.Sort(l.folders)
	return l, nil
}

// Join joins names to a path with "/" between them.
func Join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "/" + name
}

// Base returns the last name of a path.
func Base(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

// read gives the files of a folder to the workers.
func (w *walk[F]) read(h *sharedFolder, n, old *Node[F], l *listing) {
	files := l.files
	if left := w.Limits.Files - w.files; len(files) > left {
		files = files[:max(left, 0)]
		w.bound(n.Path, "the directory holds more than %d files, and the others are not looked at", w.Limits.Files)
	}
	w.files += len(files)
	n.Files = make([]F, len(files))
	before := make([]F, len(files))
	k := 0
	for i, p := range files {
		for k < len(old.Files) && old.Files[k].At() < p {
			k++
		}
		if k < len(old.Files) && old.Files[k].At() == p {
			before[i] = old.Files[k]
		}
	}
	for i := 0; i < len(files); i += chunk {
		end := min(i+chunk, len(files))
		h.users.Add(1)
		select {
		case w.jobs <- job[F]{h, files[i:end], n.Files[i:end], before[i:end], l.odd}:
		case <-w.ctx.Done():
			h.release()
			return
		}
	}
}

// open looks at the folders in a folder. Lower ranks come first, so that they do not lose the
// room within the limits to less important folders.
func (w *walk[F]) open(h *sharedFolder, n, old *Node[F], folders []string, depth int) {
	if w.Rank != nil {
		slices.SortStableFunc(folders, func(a, b string) int { return cmp.Compare(w.Rank(a), w.Rank(b)) })
	}
	for _, p := range folders {
		if w.ctx.Err() != nil {
			return
		}
		if depth >= w.Limits.Depth {
			w.bound(p, "the folder lies more than %d folders deep, and is not looked into", w.Limits.Depth)
			break
		}
		if w.folders >= w.Limits.Folders {
			w.bound(p, "the directory holds more than %d folders, and the others are not looked into", w.Limits.Folders)
			break
		}
		sub, err := h.Open(Base(p))
		switch {
		case err == nil:
			if got := w.folder(sub, p, old.sub(p), depth+1); got != nil {
				n.Folders = append(n.Folders, got)
			}
		case errors.Is(err, fs.ErrNotExist):
		default:
			n.Folders = append(n.Folders, &Node[F]{Path: p, Err: err, again: true})
		}
	}
	slices.SortStableFunc(n.Folders, byPath)
}

func byPath[F File](a, b *Node[F]) int { return cmp.Compare(a.Path, b.Path) }

// bound records that a limit was reached, and where first.
func (w *walk[F]) bound(at, format string, limit int) {
	reason := fmt.Sprintf(format, limit)
	if _, ok := w.bounds[reason]; !ok {
		w.bounds[reason] = at
	}
}

// sub returns the folder with a path in a folder, or nil.
func (n *Node[F]) sub(p string) *Node[F] {
	if i, ok := slices.BinarySearchFunc(n.Folders, p, func(s *Node[F], p string) int { return cmp.Compare(s.Path, p) }); ok {
		return n.Folders[i]
	}
	return nil
}

// find returns the index of a file in a folder, and whether it is there.
func (n *Node[F]) find(p string) (int, bool) {
	return slices.BinarySearchFunc(n.Files, p, func(f F, p string) int { return cmp.Compare(f.At(), p) })
}

// count returns the number of files and folders below a folder, which counts itself.
func (n *Node[F]) count() (files, folders int) {
	if n == nil {
		return 0, 0
	}
	files, folders = len(n.Files), 1
	for _, sub := range n.Folders {
		a, b := sub.count()
		files, folders = files+a, folders+b
	}
	return files, folders
}

package ssot

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

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// limits bound what is looked at: the directory may be anybody's.
type limits struct {
	// depth is how many folders deep, files the number of .json files, folders
	// that of folders, and entries that of names in one folder.
	depth, files, folders, entries int
	// texts is how much is kept of one message's texts, 0 for all.
	texts int
}

// maxEntries is how many names of one folder are listed.
const maxEntries = 1_000_000

func usualLimits() limits {
	return limits{depth: 12, files: 200_000, folders: 20_000, entries: maxEntries}
}

// chunk is the number of files that are looked at in one go.
const chunk = 128

// node is a folder that was looked at. It is not changed but by [state], while
// nobody else has it.
type node struct {
	path string // relative to the directory, "" for itself
	stamp
	again bool
	// files and folders are in order of their paths. files are those that may
	// hold a fact, and other things of that name.
	files   []*record
	folders []*node
	// fault is why it could not be listed.
	fault *Problem
}

// walk is one look at a folder and all in it.
type walk struct {
	ctx  context.Context
	jobs chan job
	max  limits
	// files and folders count what was met, bounds says which limits were.
	files, folders int
	bounds         map[string]Problem
}

// job is a part of the files of one folder.
type job struct {
	at  *held
	out []*record // paths in, results out
	old []*record
	// odd are the files that are not known to be regular ones.
	odd map[string]bool
}

// held is an open folder that several goroutines use.
type held struct {
	folder
	users atomic.Int32
}

func (h *held) release() {
	if h.users.Add(-1) == 0 {
		h.close()
	}
}

// walkFolder looks at an open folder, which it closes, and everything in it.
// old is what was there before, or nil. It gives nil for a folder that was
// removed meanwhile.
func walkFolder(ctx context.Context, f folder, at string, old *node, w *walk) (*node, error) {
	w.ctx = ctx
	w.jobs = make(chan job, 16)
	if w.bounds == nil {
		w.bounds = make(map[string]Problem)
	}
	var workers sync.WaitGroup
	for range min(max(runtime.GOMAXPROCS(0), 2), 4) {
		workers.Go(func() {
			l := looker{texts: w.max.texts}
			for j := range w.jobs {
				for i, r := range j.out {
					if ctx.Err() == nil {
						j.out[i] = l.look(j.at, r.path, j.old[i], !j.odd[r.path])
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

// tidy drops files that went while they were looked at.
func (n *node) tidy() {
	n.files = slices.DeleteFunc(n.files, func(r *record) bool { return r == nil })
	for _, sub := range n.folders {
		sub.tidy()
	}
}

// folder looks at one folder. The files are being looked at when it returns. It
// gives nil for a folder that is not there any more.
func (w *walk) folder(f folder, at string, old *node, depth int) *node {
	h := &held{folder: f}
	h.users.Store(1)
	defer h.release()
	n := &node{path: at}
	if old == nil {
		old = &node{path: at, again: true}
	}
	w.folders++
	i, err := f.stat(".")
	if err == nil {
		n.stamp, n.again = i.stamp, i.young()
		var l listing
		if !old.again && old.stamp == n.stamp {
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
	n.fail(err)
	return n
}

func (n *node) fail(err error) {
	n.again = true
	n.fault = &Problem{Path: n.path, Rule: "E13", Reason: "the folder cannot be looked into: " + disk.Cause(err).Error(), Advice: "check its permissions"}
	if e, ok := errors.AsType[*errKind](err); ok {
		n.fault.Reason, n.fault.Advice = e.Error(), "put the folder itself in its place, or remove it"
	}
}

// listing is what a folder holds, by paths in their order.
type listing struct {
	files, folders []string
	// odd are the files that are not listed as regular ones.
	odd map[string]bool
}

// listing gives what a folder held, whose files are all known.
func (n *node) listing() (l listing) {
	for _, r := range n.files {
		l.files = append(l.files, r.path)
	}
	for _, sub := range n.folders {
		l.folders = append(l.folders, sub.path)
	}
	return l
}

// list gives what may hold facts in a folder.
func (w *walk) list(f folder, at string) (l listing, err error) {
	all, more, err := f.entries(w.max.entries)
	if err != nil {
		return l, err
	}
	if more {
		w.bound("entries", at, fmt.Sprintf("more than %d names are in the folder, and the others are not looked at", w.max.entries))
	}
	for _, e := range all {
		switch p := join(at, e.Name()); sortOf(p, e.Type()) {
		case sortFile:
			l.files = append(l.files, p)
			if !e.Type().IsRegular() {
				if l.odd == nil {
					l.odd = make(map[string]bool)
				}
				l.odd[p] = true
			}
		case sortFolder:
			l.folders = append(l.folders, p)
		}
	}
	slices.Sort(l.files)
	slices.Sort(l.folders)
	return l, nil
}

// join makes a path of "/" between names.
func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "/" + name
}

// base is the last name of a path.
func base(p string) string { return p[strings.LastIndexByte(p, '/')+1:] }

type sort uint8

const (
	sortNone sort = iota
	sortFile
	sortFolder
)

// sortOf tells what may hold facts by its name: folders but those that tools
// keep for themselves, and .json files. Names that begin with a dot are those of
// files that are being written. Something else in the place of a folder of the
// layout is listed as a file, whose problem is said.
func sortOf(p string, kind fs.FileMode) sort {
	name := base(p)
	switch {
	case strings.HasPrefix(name, ".") || name == "node_modules":
		return sortNone
	case kind.IsDir():
		return sortFolder
	case strings.HasSuffix(name, ".json"):
		return sortFile
	case kind.IsRegular():
		return sortNone
	case p == inMessages || p == inAcks || p == inResumes || p == inTasks:
		return sortFile
	}
	if top, rest, _ := strings.Cut(p, "/"); top == inMessages && agn.ValidTaskID(rest) {
		return sortFile
	}
	return sortNone
}

// read has the files of a folder looked at.
func (w *walk) read(h *held, n, old *node, l *listing) {
	files := l.files
	if left := w.max.files - w.files; len(files) > left {
		files = files[:max(left, 0)]
		w.bound("files", n.path, fmt.Sprintf("the directory holds more than %d .json files, and the others are not looked at", w.max.files))
	}
	w.files += len(files)
	n.files = make([]*record, len(files))
	before := make([]*record, len(files))
	k := 0
	for i, p := range files {
		for k < len(old.files) && old.files[k].path < p {
			k++
		}
		if k < len(old.files) && old.files[k].path == p {
			before[i] = old.files[k]
			n.files[i] = before[i]
		} else {
			n.files[i] = &record{path: p}
		}
	}
	for i := 0; i < len(files); i += chunk {
		end := min(i+chunk, len(files))
		h.users.Add(1)
		select {
		case w.jobs <- job{h, n.files[i:end], before[i:end], l.odd}:
		case <-w.ctx.Done():
			h.release()
			return
		}
	}
}

// open looks at the folders in a folder. Those of the layout come first, so that
// a bound is not used up by what lies beside them.
func (w *walk) open(h *held, n, old *node, folders []string, depth int) {
	if n.path == "" {
		slices.SortStableFunc(folders, func(a, b string) int { return cmp.Compare(precedence(a), precedence(b)) })
	}
	for _, p := range folders {
		if w.ctx.Err() != nil {
			return
		}
		if depth >= w.max.depth {
			w.bound("depth", p, fmt.Sprintf("the folder lies more than %d folders deep, and is not looked into", w.max.depth))
			break
		}
		if w.folders >= w.max.folders {
			w.bound("folders", p, fmt.Sprintf("the directory holds more than %d folders, and the others are not looked into", w.max.folders))
			break
		}
		sub, err := h.open(base(p))
		switch {
		case err == nil:
			if got := w.folder(sub, p, old.sub(p), depth+1); got != nil {
				n.folders = append(n.folders, got)
			}
		case errors.Is(err, fs.ErrNotExist):
		default:
			bad := &node{path: p}
			bad.fail(err)
			n.folders = append(n.folders, bad)
		}
	}
	slices.SortFunc(n.folders, func(a, b *node) int { return cmp.Compare(a.path, b.path) })
}

func precedence(folder string) int {
	switch folder {
	case inMessages, inAcks, inResumes, inTasks:
		return 0
	}
	return 1
}

// bound notes that a bound was reached, once for each kind.
func (w *walk) bound(kind, at, reason string) {
	if _, ok := w.bounds[kind]; !ok {
		w.bounds[kind] = Problem{Path: at, Reason: reason, Advice: "keep the directory for tasks, or archive old ones elsewhere"}
	}
}

// sub gives the folder of a path in a folder, or nil.
func (n *node) sub(p string) *node {
	if i, ok := slices.BinarySearchFunc(n.folders, p, func(s *node, p string) int { return cmp.Compare(s.path, p) }); ok {
		return n.folders[i]
	}
	return nil
}

// file gives what is known of a file in a folder or beneath it, or nil.
func (n *node) file(p string) *record {
	for at := 0; n != nil; {
		next := strings.IndexByte(p[at:], '/')
		if next < 0 {
			if i, ok := n.find(p); ok {
				return n.files[i]
			}
			return nil
		}
		n = n.sub(p[:at+next])
		at += next + 1
	}
	return nil
}

// find gives the place of a file in a folder, and whether it is there.
func (n *node) find(p string) (int, bool) {
	return slices.BinarySearchFunc(n.files, p, func(r *record, p string) int { return cmp.Compare(r.path, p) })
}

// count gives the number of files and folders from a folder on.
func (n *node) count() (files, folders int) {
	if n == nil {
		return 0, 0
	}
	files, folders = len(n.files), 1
	for _, sub := range n.folders {
		a, b := sub.count()
		files, folders = files+a, folders+b
	}
	return files, folders
}

// delta is what differs between two looks.
type delta struct {
	removed, added []*record
	// faults tells that other folders cannot be looked into.
	faults bool
	// watch tells that there are other folders to be watched.
	watch bool
}

// compare notes the records that are not the same. Either folder may be nil.
func (d *delta) compare(old, now *node) {
	if old == now {
		return
	}
	var a, b node
	if old != nil {
		a = *old
	}
	if now != nil {
		b = *now
	}
	if (a.fault == nil) != (b.fault == nil) || a.fault != nil && *a.fault != *b.fault {
		d.faults = true
	}
	pair(a.files, b.files, func(r *record) string { return r.path }, func(x, y *record) {
		if x == y {
			return
		}
		if x != nil {
			d.removed = append(d.removed, x)
		}
		if y != nil {
			d.added = append(d.added, y)
		}
	})
	pair(a.folders, b.folders, func(n *node) string { return n.path }, d.compare)
}

// pair walks two lists that are sorted by a key.
func pair[T any](a, b []*T, key func(*T) string, each func(x, y *T)) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && key(a[0]) < key(b[0]):
			each(a[0], nil)
			a = a[1:]
		case len(a) == 0 || key(b[0]) < key(a[0]):
			each(nil, b[0])
			b = b[1:]
		default:
			each(a[0], b[0])
			a, b = a[1:], b[1:]
		}
	}
}

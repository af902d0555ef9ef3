package threads

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
	"unicode/utf8"
	"unique"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// MaxThreadFile is the size in bytes of the longest thread.json or config.json
// that is read. metadata may be large; a gigabyte is no metadata.
const MaxThreadFile = 4 << 20

// What an item keeps of one thread.json, in bytes and findings: a list of
// thousands has to stay small whatever strangers write.
const (
	maxTitle    = 512
	maxField    = 256
	maxFindings = 4
)

// unsettled is how young a file is whose time may not tell the next change: the
// clock of file systems is coarse, and two writes may carry the same time.
const unsettled = 2 * time.Second

// stamp tells one state of a file from the next without reading it. The zero
// stamp is that of a file that is not there.
type stamp struct {
	size, mtime int64
	inode       uint64
}

func stampOf(info fs.FileInfo) stamp {
	return stamp{info.Size(), info.ModTime().UnixNano(), inode(info)}
}

// record is a thread that was looked at, with what tells whether to look again.
type record struct {
	item      *Item
	meta, log stamp
	// young is set while the stamps may not tell the next change.
	young bool
}

// look reads the item of one thread directory, or gives the old record back if
// nothing changed. It gives nil for a directory that is no thread: one that
// holds neither of the two files, as while a thread is being made. dir is the
// threads directory once more, or nil.
func look(folder string, threads *disk.Root, dir *os.File, name string, old *record) *record {
	if old != nil && old.item.Gone {
		old = nil
	}
	if old.unchanged(dir, name) {
		return old
	}
	if dir != nil {
		if r, ok := quickLook(folder, dir, name); ok {
			return r.after(old)
		}
	}
	root, err := threads.OpenRoot(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return &record{item: &Item{Folder: folder, Name: name, Fault: fmt.Errorf("threads: %w", disk.Cause(err))}, young: true}
	}
	defer root.Close()
	r := &record{}
	log, err := root.Lstat(atsf.MessagesName)
	if err == nil {
		r.log = stampOf(log)
	}
	meta, metaErr := root.Lstat(atsf.ThreadName)
	switch {
	case metaErr == nil:
		r.meta = stampOf(meta)
	case errors.Is(metaErr, fs.ErrNotExist) && err != nil:
		return nil
	}
	if old != nil && !old.young && old.meta == r.meta && old.item.Fault == nil {
		if old.log == r.log {
			return old
		}
		r.item, r.young = old.item, old.young
		return r
	}
	r.item, r.young = readItem(folder, name, root, meta)
	return r.after(old)
}

// after keeps the item of the record before if it shows the same.
func (r *record) after(old *record) *record {
	if old != nil && sameItem(old.item, r.item) {
		r.item = old.item
	}
	return r
}

// unchanged reports whether nothing can have changed since the record was made.
func (r *record) unchanged(dir *os.File, name string) bool {
	if r == nil || dir == nil || r.young || r.item.Fault != nil {
		return false
	}
	meta, ok := stampAt(dir, name+"/"+atsf.ThreadName)
	if !ok || meta != r.meta {
		return false
	}
	log, ok := stampAt(dir, name+"/"+atsf.MessagesName)
	return ok && log == r.log
}

// readItem reads thread.json. meta is what its directory says of it, nil if it
// has none. young tells that the file was changed just now.
func readItem(folder, name string, root *disk.Root, meta fs.FileInfo) (item *Item, young bool) {
	item = &Item{Folder: folder, Name: name}
	data, info, err := readSmall(root, atsf.ThreadName, meta)
	if info != nil {
		item.Updated = info.ModTime().UnixMilli()
		young = time.Since(info.ModTime()) < unsettled
	}
	if err != nil {
		item.Fault = err
		if item.Updated == 0 {
			if log, err := root.Lstat(atsf.MessagesName); err == nil {
				item.Updated = log.ModTime().UnixMilli()
			}
		}
		return item, young
	}
	return parseItem(folder, name, data, info.ModTime()), young
}

// parseItem makes an item of a thread.json that was changed at a time.
func parseItem(folder, name string, data []byte, changed time.Time) *Item {
	item := &Item{Folder: folder, Name: name, Updated: changed.UnixMilli()}
	t, err := atsf.ParseThread(data)
	if err != nil {
		item.Fault = err
		return item
	}
	item.Thread = small(&t)
	if err := t.CheckDir(name); err != nil {
		errors.As(err, &item.Odd)
	}
	switch {
	case t.Updated.OK:
		item.Updated = t.Updated.Millis
	case t.Created.OK:
		item.Updated = t.Created.Millis
	}
	return item
}

// readSmall reads a file of a thread whole, if it is a regular one and not
// larger than it can mean to be. before is what Lstat says of it, if known.
func readSmall(root *disk.Root, name string, before fs.FileInfo) ([]byte, fs.FileInfo, error) {
	f, info, err := openKnown(root, name, before)
	if err != nil {
		return nil, before, err
	}
	defer f.Close()
	if info.Size() > MaxThreadFile {
		return nil, info, fmt.Errorf("threads: %s is %d bytes long, and at most %d are read", name, info.Size(), MaxThreadFile)
	}
	data := make([]byte, info.Size())
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, info, fmt.Errorf("threads: %s: %w", name, disk.Cause(err))
	}
	return data[:n], info, nil
}

// small cuts a thread to what a list keeps, in memory of its own. Texts that
// many threads share are held once.
func small(t *atsf.Thread) atsf.Thread {
	s := *t
	s.Raw, s.Metadata = nil, nil
	s.ID, s.ParentID = clip(t.ID, maxField), clip(t.ParentID, maxField)
	s.Title = clip(t.Title, maxTitle)
	s.Created.Text, s.Updated.Text = clip(t.Created.Text, 64), clip(t.Updated.Text, 64)
	a, c := &s.Agent, &s.Context
	for _, p := range []*string{&a.ID, &a.Name, &a.Version, &a.Protocol, &c.GitBranch, &c.GitCommit} {
		*p = share(*p, maxField)
	}
	c.WorkingDir, c.RelativeDir = share(c.WorkingDir, 4*maxField), share(c.RelativeDir, 4*maxField)
	if w := c.Worktree; w != nil {
		c.Worktree = &atsf.Worktree{Path: share(w.Path, 4*maxField), Branch: share(w.Branch, maxField)}
	}
	s.Faults, s.Notes = few(t.Faults), few(t.Notes)
	return s
}

func few(list []canon.Fault) []canon.Fault {
	if len(list) == 0 {
		return nil
	}
	out := make([]canon.Fault, min(len(list), maxFindings))
	for i := range out {
		f := list[i]
		out[i] = canon.Fault{Rule: f.Rule, Field: clip(f.Field, maxField), Offset: f.Offset, Reason: clip(f.Reason, maxTitle)}
	}
	return out
}

// clip cuts a text to n bytes, between characters, and copies it.
func clip(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n] + "…"
	}
	return strings.Clone(s)
}

func share(s string, n int) string {
	if s == "" {
		return ""
	}
	return unique.Make(clip(s, n)).Value()
}

// sameItem reports whether two readings of a thread show the same.
func sameItem(a, b *Item) bool {
	if a.Updated != b.Updated || a.Gone != b.Gone || a.Folder != b.Folder || a.Name != b.Name || text(a.Fault) != text(b.Fault) {
		return false
	}
	x, y := &a.Thread, &b.Thread
	same := x.Version == y.Version && x.ID == y.ID && x.Title == y.Title && x.Created == y.Created && x.Updated == y.Updated &&
		x.Agent == y.Agent && x.Stats == y.Stats && x.ParentID == y.ParentID &&
		len(x.Faults) == len(y.Faults) && len(x.Notes) == len(y.Notes)
	if !same {
		return false
	}
	p, q := x.Context, y.Context
	if (p.Worktree == nil) != (q.Worktree == nil) || p.Worktree != nil && *p.Worktree != *q.Worktree {
		return false
	}
	p.Worktree, q.Worktree = nil, nil
	return p == q
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// newest is the order of items: by Updated, the newest first, then by Name and
// Folder, the last first, as a list of all formats sorts its threads.
func newest(a, b *Item) int {
	return cmp.Or(cmp.Compare(b.Updated, a.Updated), cmp.Compare(b.Name, a.Name), cmp.Compare(b.Folder, a.Folder))
}

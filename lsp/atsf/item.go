package atsf

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"reflect"
	"strings"
	"unicode/utf8"
	"unique"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// What an item keeps of one thread.json, in bytes and findings: a list of
// thousands has to stay small whatever strangers write.
const (
	maxTitle    = 512
	maxField    = 256
	maxFindings = 4
)

// record is a thread that was looked at, with the stamps that say whether to look again.
type record struct {
	item      *Item
	meta, log tree.Stamp
	// young is set while the stamps may not tell the next change.
	young bool
}

// look reads the item of one thread directory, or returns the old record if
// nothing changed. It returns nil for a directory that is not a thread: one that
// holds neither of the two files, as while a thread is being made.
func look(folder string, threads tree.Folder, name string, old *record) *record {
	if old != nil && old.item.Gone {
		old = nil
	}
	if old.unchanged(threads, name) {
		return old
	}
	at, err := threads.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &record{item: &Item{Folder: folder, Name: name, Fault: fmt.Errorf("threads: %w", disk.Cause(err))}, young: true}
	}
	defer at.Close()
	log, noLog := at.Stat(atsf.MessagesName)
	if old.sameMeta(at) {
		if old.log == log.Stamp {
			return old
		}
		return &record{item: old.item, meta: old.meta, log: log.Stamp}
	}
	data, meta, err := at.Read(atsf.ThreadName, nil, atsf.MaxThreadFile)
	if errors.Is(err, fs.ErrNotExist) && noLog != nil {
		return nil
	}
	r := &record{meta: meta.Stamp, log: log.Stamp, young: meta.Young()}
	switch {
	case err != nil:
		r.item = &Item{Folder: folder, Name: name, Updated: cmp.Or(meta.Millis(), log.Millis()), Fault: fault(atsf.ThreadName, err)}
	case meta.Size > atsf.MaxThreadFile:
		r.item = &Item{Folder: folder, Name: name, Updated: meta.Millis(), Fault: tooLong(atsf.ThreadName, meta.Size)}
	default:
		r.item = parseItem(folder, name, data, meta.Millis())
	}
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
func (r *record) unchanged(threads tree.Folder, name string) bool {
	if r == nil || r.young || r.item.Fault != nil {
		return false
	}
	meta, ok := threads.Glance(name + "/" + atsf.ThreadName)
	if !ok || meta != r.meta {
		return false
	}
	log, ok := threads.Glance(name + "/" + atsf.MessagesName)
	return ok && log == r.log
}

// sameMeta reports whether a thread has the thread.json that the record was made of.
func (r *record) sameMeta(thread tree.Folder) bool {
	if r == nil || r.young || r.item.Fault != nil {
		return false
	}
	meta, err := thread.Stat(atsf.ThreadName)
	return err == nil && meta.Stamp == r.meta
}

// parseItem makes an item of a thread.json that was changed at a time.
func parseItem(folder, name string, data []byte, changed int64) *Item {
	item := &Item{Folder: folder, Name: name, Updated: changed}
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
// larger than it can mean to be.
func readSmall(root *disk.Root, name string) ([]byte, fs.FileInfo, error) {
	f, info, err := openFile(root, name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info.Size() > atsf.MaxThreadFile {
		return nil, info, tooLong(name, info.Size())
	}
	data, err := io.ReadAll(io.LimitReader(f, info.Size()))
	if err != nil {
		return nil, info, fmt.Errorf("threads: %s: %w", name, disk.Cause(err))
	}
	return data, info, nil
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
	x, y := *a, *b
	x.Fault, y.Fault = nil, nil
	return text(a.Fault) == text(b.Fault) && reflect.DeepEqual(x, y)
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

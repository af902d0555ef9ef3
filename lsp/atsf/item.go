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

// Limits of what an item keeps of one thread.json, in bytes and findings: a list of thousands
// must stay small whatever other programs write.
const (
	maxTitle    = 512
	maxField    = 256
	maxFindings = 4
)

// record is a thread as it was read, with the stamps that show whether it must be read again.
type record struct {
	item      *Item
	meta, log tree.Stamp
	// young is set while the next change may leave the stamps as they are.
	young bool
}

// look reads a thread directory, or returns the old record if nothing changed. It returns nil
// if the directory has neither of the two files, as while a thread is being created.
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
	return r.reuseItem(old)
}

// reuseItem keeps the old record's item if the new one shows the same.
func (r *record) reuseItem(old *record) *record {
	if old != nil && sameItem(old.item, r.item) {
		r.item = old.item
	}
	return r
}

// unchanged reports whether the thread is certainly as it was when the record was made.
func (r *record) unchanged(threads tree.Folder, name string) bool {
	if r == nil || r.young || r.item.Fault != nil {
		return false
	}
	meta, ok := threads.Peek(name + "/" + atsf.ThreadName)
	if !ok || meta != r.meta {
		return false
	}
	log, ok := threads.Peek(name + "/" + atsf.MessagesName)
	return ok && log == r.log
}

// sameMeta reports whether a thread's thread.json is the one that the record was made from.
func (r *record) sameMeta(thread tree.Folder) bool {
	if r == nil || r.young || r.item.Fault != nil {
		return false
	}
	meta, err := thread.Stat(atsf.ThreadName)
	return err == nil && meta.Stamp == r.meta
}

// parseItem returns the item for a thread.json that was changed at the given time.
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

// readSmall reads a regular file of a thread completely, if it is not larger than
// [atsf.MaxThreadFile].
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

// small returns a copy of a thread cut to what a list needs. It aliases nothing, and texts
// that many threads share are stored once.
func small(t *atsf.Thread) atsf.Thread {
	s := *t
	s.Raw, s.Metadata = nil, nil
	s.ID, s.ParentID = clip(t.ID, maxField), clip(t.ParentID, maxField)
	s.Title = clip(t.Title, maxTitle)
	s.Created.Text, s.Updated.Text = clip(t.Created.Text, 64), clip(t.Updated.Text, 64)
	a, c := &s.Agent, &s.Context
	for _, p := range []*string{&a.ID, &a.Name, &a.Version, &a.Protocol, &c.GitBranch, &c.GitCommit} {
		*p = intern(*p, maxField)
	}
	c.WorkingDir, c.RelativeDir = intern(c.WorkingDir, 4*maxField), intern(c.RelativeDir, 4*maxField)
	if w := c.Worktree; w != nil {
		c.Worktree = &atsf.Worktree{Path: intern(w.Path, 4*maxField), Branch: intern(w.Branch, maxField)}
	}
	s.Faults, s.Notes = clipFaults(t.Faults), clipFaults(t.Notes)
	return s
}

func clipFaults(list []canon.Fault) []canon.Fault {
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

// clip returns a copy of a text cut to n bytes, between characters.
func clip(s string, n int) string {
	if len(s) > n {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n] + "…"
	}
	return strings.Clone(s)
}

func intern(s string, n int) string {
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

// newest orders items by Updated, Name and Folder, all descending, like a list of all formats.
func newest(a, b *Item) int {
	return cmp.Or(cmp.Compare(b.Updated, a.Updated), cmp.Compare(b.Name, a.Name), cmp.Compare(b.Folder, a.Folder))
}

package shelf

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/filelock"
)

const (
	// maxEntries is how many threads can be away at once. maxFile is the longest file that
	// is read, in bytes. It has room for more entries than that.
	maxEntries = 50_000
	maxFile    = 32 << 20
)

// file is the form of the file. A change that older readers would misread needs a new
// version.
type file struct {
	Version int    `json:"version"`
	Threads []line `json:"threads"`
}

type line struct {
	Protocol mail.Protocol `json:"protocol"`
	Store    string        `json:"store"`
	ID       string        `json:"id"`
	Owner    string        `json:"owner,omitempty"`
	Archived int64         `json:"archived,omitempty"`
	Until    int64         `json:"until,omitempty"`
	Mail     int           `json:"mail"`
}

// look reads the file if it changed. s.mu is held.
func (s *Shelf) look() {
	info, err := os.Lstat(s.cfg.Path)
	// A file that was replaced is another one, whatever its length and time.
	if err == nil && s.file != nil && os.SameFile(info, s.file) && info.Size() == s.file.Size() && info.ModTime().Equal(s.file.ModTime()) {
		return
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.fail(err)
		return
	}
	if err != nil {
		s.take(map[Key]Entry{}, nil)
		return
	}
	root, err := s.cfg.disk.OpenRoot(s.dir)
	if err != nil {
		s.fail(err)
		return
	}
	defer root.Close()
	_ = s.read(root)
}

// read reads the file whether it changed or not. s.mu is held.
func (s *Shelf) read(root *disk.Root) error {
	data, info, err := root.ReadRegular(s.name, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		s.take(map[Key]Entry{}, nil)
		return nil
	}
	var entries map[Key]Entry
	if err == nil {
		entries, err = parse(data)
	}
	if err != nil {
		s.fail(err)
		// A broken file is read again only when it changes.
		s.file = info
		return s.now.Err
	}
	s.take(entries, info)
	return nil
}

func (s *Shelf) take(entries map[Key]Entry, info fs.FileInfo) {
	s.file = info
	if s.now.Err == nil && maps.Equal(s.now.Entries, entries) {
		return
	}
	s.now = &Snapshot{Entries: entries, Revision: s.now.Revision + 1}
}

// fail keeps what was known, and notes why the file cannot be read.
func (s *Shelf) fail(err error) {
	err = fmt.Errorf("shelf: %q: %w", s.cfg.Path, disk.Cause(err))
	if s.now.Err != nil && s.now.Err.Error() == err.Error() {
		return
	}
	s.cfg.Logger.Warn("archived and snoozed threads cannot be read", "error", err)
	s.file = nil
	s.now = &Snapshot{Entries: s.now.Entries, Revision: s.now.Revision + 1, Err: err}
}

// change changes the entries under the lock, after reading what other processes wrote.
func (s *Shelf) change(ctx context.Context, do func(map[Key]Entry) error) error {
	root, err := s.cfg.disk.MakeRoot(s.dir, disk.PrivateDir)
	if err != nil {
		return fmt.Errorf("shelf: %q: %w", s.cfg.Path, disk.Cause(err))
	}
	defer root.Close()
	lock, err := filelock.Take(ctx, root, s.name+".lock", disk.PrivateFile)
	if err != nil {
		return fmt.Errorf("shelf: %w", err)
	}
	defer lock.Release()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep(root)
	known := s.now.Revision
	if err := s.read(root); err != nil {
		return err
	}
	news := s.now.Revision != known || s.told != known
	entries := maps.Clone(s.now.Entries)
	if err := do(entries); err != nil {
		return fmt.Errorf("shelf: %q: %w", s.cfg.Path, err)
	}
	if maps.Equal(entries, s.now.Entries) {
		// The process that wrote them may have been killed before its sync.
		if err := root.Sync(); err != nil {
			return fmt.Errorf("shelf: %q: %w", s.cfg.Path, disk.Cause(err))
		}
		return nil
	}
	w := disk.Whole{Root: root, Private: true, Tag: s.name + "-", Hook: s.hook}
	if err := w.Replace(s.name, format(entries)); err != nil {
		return errors.Join(fmt.Errorf("shelf: %q: %w", s.cfg.Path, err), s.read(root))
	}
	err = s.read(root)
	if !news {
		// Whoever asked for the change knows of it.
		s.told = s.now.Revision
	}
	return err
}

// sweep removes what a killed writer left. The lock is held.
func (s *Shelf) sweep(root *disk.Root) {
	dir, err := root.Open(".")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if disk.IsTemp(name, s.name+"-") {
			_ = root.Remove(name)
		}
	}
}

func format(entries map[Key]Entry) []byte {
	f := file{Version: 1, Threads: make([]line, 0, len(entries))}
	for k, e := range entries {
		f.Threads = append(f.Threads, line{k.Ref.Protocol, k.Ref.Store, k.Ref.ID, k.Owner, e.Archived, e.Until, e.Mail})
	}
	slices.SortFunc(f.Threads, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.Store, b.Store), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Owner, b.Owner))
	})
	data, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return nil // strings and numbers can always be written
	}
	return append(data, '\n')
}

// maxTime is the last time that a file may name, in Unix milliseconds: the end of the year
// 9999.
var maxTime = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).UnixMilli()

func parse(data []byte) (map[Key]Entry, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("is longer than %d bytes", maxFile)
	}
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("is no list of threads: %w", err)
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("has version %d, and this program reads version 1", f.Version)
	}
	if len(f.Threads) > maxEntries {
		return nil, fmt.Errorf("holds %d threads, and %d is the limit", len(f.Threads), maxEntries)
	}
	entries := make(map[Key]Entry, len(f.Threads))
	for i, l := range f.Threads {
		k := Key{mail.Ref{Protocol: l.Protocol, Store: l.Store, ID: l.ID}, l.Owner}
		e := Entry{l.Archived, l.Until, l.Mail}
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("thread %d: %w", i+1, err)
		}
		if _, twice := entries[k]; twice {
			return nil, fmt.Errorf("thread %d: is in it twice", i+1)
		}
		entries[k] = e
	}
	return entries, nil
}

func (e Entry) check() error {
	switch {
	case (e.Archived == 0) == (e.Until == 0):
		return errors.New("is to be either archived or snoozed")
	case e.Archived < 0 || e.Archived > maxTime || e.Until < 0 || e.Until > maxTime:
		return errors.New("has a time of no calendar")
	case e.Mail < 0:
		return errors.New("has less than no mail")
	}
	return nil
}

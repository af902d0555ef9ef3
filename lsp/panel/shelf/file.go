package shelf

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
)

const (
	// maxEntries is how many threads can be put away at once. maxFile is the length in bytes of
	// the longest file that is read. It has room for more than maxEntries.
	maxEntries = 50_000
	maxFile    = 32 << 20
)

// file is the format of the file. A change that older readers would misread needs a new
// version. Version 2 can contain threads that need no reply.
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
	NoReply  int64         `json:"noReply,omitempty"`
	Mail     int           `json:"mail"`
	Known    []byte        `json:"known,omitempty"`
}

// refresh reads the file if it changed. If it cannot be read, the entries stay as they were.
func (s *Shelf) refresh() {
	s.file.Lock()
	before := s.now
	s.file.Unlock()
	err := s.file.Look()
	s.file.Lock()
	defer s.file.Unlock()
	if s.now != before { // another goroutine has read a newer file since
		return
	}
	if err == nil || s.now.Err != nil && s.now.Err.Error() == err.Error() {
		return
	}
	s.cfg.Logger.Warn("archived and snoozed threads cannot be read", "error", err)
	s.now = &Snapshot{Entries: s.now.Entries, Revision: s.now.Revision + 1, Err: err}
}

// load sets the entries to the file's content. Nil data is a missing file.
func (s *Shelf) load(data []byte) error {
	entries := map[Key]Entry{}
	if data != nil {
		var err error
		if entries, err = parse(data); err != nil {
			return err
		}
	}
	if s.now.Err != nil || !maps.Equal(s.now.Entries, entries) {
		s.now = &Snapshot{Entries: entries, Revision: s.now.Revision + 1}
	}
	return nil
}

// change changes the entries as they are in the file, including changes by other processes. It does
// not announce its own change.
func (s *Shelf) change(ctx context.Context, do func(map[Key]Entry) error) error {
	return s.file.Change(ctx, func(replace func([]byte) error) error {
		announced := s.announced == s.now.Revision
		entries := maps.Clone(s.now.Entries)
		if err := do(entries); err != nil {
			return fmt.Errorf("shelf: %q: %w", s.cfg.Path, err)
		}
		if maps.Equal(entries, s.now.Entries) {
			return nil
		}
		err := replace(format(entries))
		if err == nil && announced {
			s.announced = s.now.Revision
		}
		return err
	})
}

func format(entries map[Key]Entry) []byte {
	f := file{Version: 1, Threads: make([]line, 0, len(entries))}
	for k, e := range entries {
		f.Threads = append(f.Threads, line{k.Ref.Protocol, k.Ref.Store, k.Ref.ID, k.Owner, e.Archived, e.Until, e.NoReply, e.Mail, []byte(e.Known)})
		if e.NoReply != 0 {
			f.Version = 2
		}
	}
	slices.SortStableFunc(f.Threads, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.Store, b.Store), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Owner, b.Owner))
	})
	data, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return nil // cannot happen: strings and numbers can always be written
	}
	return append(data, '\n')
}

// maxTime is the latest time in a file, in Unix milliseconds: the last day of the year 9999.
var maxTime = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC).UnixMilli()

func parse(data []byte) (map[Key]Entry, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("is no list of threads: %w", err)
	}
	if f.Version != 1 && f.Version != 2 {
		return nil, fmt.Errorf("has version %d, and this program reads versions 1 and 2", f.Version)
	}
	if len(f.Threads) > maxEntries {
		return nil, fmt.Errorf("holds %d threads, and %d is the limit", len(f.Threads), maxEntries)
	}
	entries := make(map[Key]Entry, len(f.Threads))
	for i, l := range f.Threads {
		k := Key{mail.Ref{Protocol: l.Protocol, Store: l.Store, ID: l.ID}, l.Owner}
		e := Entry{l.Archived, l.Until, l.NoReply, l.Mail, string(l.Known)}
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
	case e.Archived != 0 && e.Until != 0, e.Archived == 0 && e.Until == 0 && e.NoReply == 0:
		return errors.New("is to be archived, snoozed or marked as needing no reply, and not both archived and snoozed")
	case min(e.Archived, e.Until, e.NoReply) < 0, max(e.Archived, e.Until, e.NoReply) > maxTime:
		return errors.New("has a time of no calendar")
	case e.Mail < 0:
		return errors.New("has less than no mail")
	case len(e.Known)%digestSize != 0, len(e.Known) > digestSize*min(e.Mail, maxKnown):
		return errors.New("knows other mail than it has")
	}
	return nil
}

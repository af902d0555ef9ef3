package atsf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// What one page holds at most.
const (
	// DefaultLimit is the number of entries of a page if none was asked for.
	DefaultLimit = 50
	// MaxLimit is the number of entries that can be asked for.
	MaxLimit = 1000
	// MaxPage is the number of bytes of lines, so that a page fits a frame of
	// 16 MiB. One line is shown in any case, which is at most [MaxLine] long.
	MaxPage = 4 << 20
	// maxParts is the number of blocks and tool calls: a line of many empty
	// ones takes many times its length in memory.
	maxParts = 16384
	// maxBlank is the number of blank lines that are walked over.
	maxBlank = 1 << 20
)

// Query says which part of a thread is wanted. At most one of Before, After, At
// and Around is set; with none of them it is the newest page.
type Query struct {
	// Before and After are cursors: the page ends before that line, or begins
	// after it.
	Before, After string
	// At is a cursor too: the page holds that line.
	At string
	// Around is the id of a message that the page is to hold, its newest line
	// if there are several.
	Around string
	// Limit is the number of entries; 0 stands for [DefaultLimit].
	Limit int
}

// Page is a part of a thread.
type Page struct {
	Item *Item
	// Entries are in the order of the file: the oldest first.
	Entries []Entry
	// Before is the cursor that leads to older entries and After the one to
	// newer ones; empty where there are none.
	Before, After string
	// Torn is set where an unfinished line stands at the end: somebody is
	// writing it, or was interrupted (rule M5). It is not an entry.
	Torn bool
}

// Entry is one line of messages.jsonl that is not blank.
type Entry struct {
	// Number counts lines from 1; it is 0 in a log that is too long for it.
	Number int64
	// Offset and Size are in bytes, without the \n.
	Offset, Size int64
	// Message is set unless Fault is: a bad line is a gap, and the others are
	// read (rules M1 and M5). So is a line longer than [MaxLine].
	Message atsf.Message
	Fault   *canon.Fault
	// Cursor names the line in a [Query].
	Cursor string
}

// Place names the line in words: by its number or, in a log that is too long for
// that, by where it stands.
func (e *Entry) Place() string {
	if e.Number > 0 {
		return "line " + strconv.FormatInt(e.Number, 10)
	}
	return "the line at byte " + strconv.FormatInt(e.Offset, 10)
}

// Page reads a part of a thread's messages, as few bytes as it takes: the
// newest page is read from the end of the log.
//
// The error is [ErrNotFound] for a thread, or a message that Around names,
// that is not there, [ErrCursor] and [ErrRewritten] for cursors, and the
// *[canon.Fault] of rule V2 for a thread of a higher major version, whose
// messages may mean anything. Item is set in the last case too.
func (d *Dir) Page(ctx context.Context, name string, q Query) (Page, error) {
	page, err := d.page(ctx, name, q)
	if errors.Is(err, ErrRewritten) && q.Before+q.After+q.At == "" {
		// Some programs write a log anew in its place, and this was in the
		// middle of it.
		return d.page(ctx, name, q)
	}
	return page, err
}

func (d *Dir) page(ctx context.Context, name string, q Query) (Page, error) {
	item, log, err := d.openLog(name)
	page := Page{Item: item}
	if err != nil {
		return page, err
	}
	if log == nil {
		if q.Around+q.Before+q.After+q.At != "" {
			return page, fmt.Errorf("threads: %s: %w", atsf.MessagesName, ErrNotFound)
		}
		return page, nil
	}
	defer log.Close()
	info, err := log.Stat()
	if err != nil {
		return page, fmt.Errorf("threads: %w", err)
	}
	return page, page.read(ctx, log, info.Size(), q)
}

// openLog opens the messages of a thread that may be read. log is nil where
// there are none yet.
func (d *Dir) openLog(name string) (item *Item, log *os.File, err error) {
	if item, err = d.Item(name); err != nil {
		return nil, nil, err
	}
	if refused(item.Fault) {
		return item, nil, fmt.Errorf("threads: %q: %w", name, item.Fault)
	}
	root, err := d.thread(name)
	if err != nil {
		return item, nil, err
	}
	defer root.Close()
	log, _, err = openFile(root, atsf.MessagesName)
	if errors.Is(err, ErrNotFound) {
		return item, nil, nil
	}
	return item, log, err
}

// refused reports whether a thread is of a higher major version (rule V2).
func refused(fault error) bool {
	var f *canon.Fault
	return errors.As(fault, &f) && f.Rule == "V2"
}

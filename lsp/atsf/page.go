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

// Limits of one page.
const (
	// DefaultLimit is the number of entries if the query sets none.
	DefaultLimit = 50
	// MaxLimit is the largest number of entries of a page.
	MaxLimit = 1000
	// MaxPage is the largest size of a page's lines in bytes, so that a page fits a frame of 16
	// MiB. One line, which is at most [MaxLine] long, is always shown.
	MaxPage = 4 << 20
	// maxParts is the largest number of blocks and tool calls: a line with many empty ones takes
	// many times its length in memory.
	maxParts = 16384
	// maxBlank is the largest number of blank lines that are skipped.
	maxBlank = 1 << 20
)

// Query selects a part of a thread. At most one of Before, After, At and Around is set. If
// none is set, it selects the newest page.
type Query struct {
	// Before and After are cursors: the page ends before that line, or begins after it.
	Before, After string
	// At is a cursor: the page holds that line.
	At string
	// Around is the id of a message: the page holds its newest line.
	Around string
	// Limit is the number of entries; 0 means [DefaultLimit].
	Limit int
}

// Page is a part of a thread.
type Page struct {
	Item *Item
	// Entries are in the order of the file, oldest first.
	Entries []Entry
	// Before and After are the cursors of the older and the newer page, or empty if there is none.
	Before, After string
	// Torn is set if the log ends with an unfinished line: a program is writing it, or was
	// interrupted (rule M5). It is not an entry.
	Torn bool
}

// Entry is a line of messages.jsonl that is not blank.
type Entry struct {
	// Number counts lines from 1. It is 0 if the log is too long to count lines.
	Number int64
	// Offset and Size are in bytes, without the \n.
	Offset, Size int64
	// Fault is set instead of Message if the line is bad or longer than [MaxLine]. It is shown as
	// a gap, and the other lines are read (rules M1 and M5).
	Message atsf.Message
	Fault   *canon.Fault
	// Cursor identifies the line in a [Query].
	Cursor string
}

// Place returns the line's place in words: its number, or its offset if the log is too long to
// count lines.
func (e *Entry) Place() string {
	if e.Number > 0 {
		return "line " + strconv.FormatInt(e.Number, 10)
	}
	return "the line at byte " + strconv.FormatInt(e.Offset, 10)
}

// Page reads a part of a thread's messages, and no more of the file than necessary: the newest
// page is read from the end of the log.
//
// The error is [ErrNotFound] if the thread or the message in Around does not exist,
// [ErrCursor] or [ErrRewritten] for a cursor, and an *[canon.Fault] of rule V2 if the thread
// has a higher major version, so that its messages may mean anything. In the last case Item is
// set too.
func (d *Dir) Page(ctx context.Context, name string, q Query) (Page, error) {
	page, err := d.page(ctx, name, q)
	if errors.Is(err, ErrRewritten) && q.Before+q.After+q.At == "" {
		// Some programs rewrite a log in place, and this read was in the middle of that.
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

// openLog opens a thread's messages. log is nil if there are none yet. The fault of rule V2 is
// an error.
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

// refused reports whether a thread has a higher major version (rule V2).
func refused(fault error) bool {
	var f *canon.Fault
	return errors.As(fault, &f) && f.Rule == "V2"
}

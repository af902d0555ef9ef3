package threads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/signalbox-dev/signalbox/core/atsf"
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

// maxCounted is how much of a log is counted through for line numbers.
const maxCounted = 256 << 20

// Query says which part of a thread is wanted. At most one of Before, After and
// Around is set; with none of them it is the newest page.
type Query struct {
	// Before and After are cursors: the page ends before that line, or begins
	// after it.
	Before, After string
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
	// Torn tells that an unfinished line stands at the end: somebody is
	// writing it, or was interrupted (rule M5). It is no entry.
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
	Fault   *atsf.Fault
	// Cursor names the line in a [Query].
	Cursor string
}

// Page reads a part of a thread's messages, as few bytes as it takes: the
// newest page is read from the end of the log.
//
// The error is [ErrNotFound] for a thread, or a message that Around names,
// that is not there, [ErrCursor] and [ErrRewritten] for cursors, and the
// *[atsf.Fault] of rule V2 for a thread of a higher major version, whose
// messages may mean anything. Item is set in the last case too.
func (d *Dir) Page(ctx context.Context, name string, q Query) (Page, error) {
	page, err := d.page(ctx, name, q)
	if errors.Is(err, ErrRewritten) && q.Before == "" && q.After == "" {
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
		if q.Around != "" || q.Before != "" || q.After != "" {
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

// Message gives the message of a thread with an id: its newest line, if several
// have it. The error is [ErrNotFound] if none does.
func (d *Dir) Message(ctx context.Context, name, id string) (Entry, error) {
	if id == "" {
		return Entry{}, fmt.Errorf("threads: a message without an id: %w", ErrNotFound)
	}
	page, err := d.Page(ctx, name, Query{Around: id, Limit: 1})
	if err != nil {
		return Entry{}, err
	}
	return page.Entries[0], nil
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
	var f *atsf.Fault
	return errors.As(fault, &f) && f.Rule == "V2"
}

// read fills the page from a log of a size.
func (p *Page) read(ctx context.Context, r io.ReaderAt, size int64, q Query) error {
	end, err := endOf(ctx, r, size)
	if err != nil {
		return err
	}
	p.Torn = end < size
	b := pageBuilder{r: r, end: end, limit: q.Limit}
	if b.limit <= 0 {
		b.limit = DefaultLimit
	}
	b.limit = min(b.limit, MaxLimit)
	var c cursor
	var l line
	switch {
	case q.Before != "":
		if c, err = parseCursor(q.Before); err != nil {
			return err
		}
		if l, err = c.find(ctx, r, end); err != nil {
			return err
		}
		err = b.back(ctx, l.offset, b.limit)
	case q.After != "":
		if c, err = parseCursor(q.After); err != nil {
			return err
		}
		if l, err = c.find(ctx, r, end); err != nil {
			return err
		}
		b.from, b.to = l.next(), l.next()
		err = b.on(ctx, b.limit)
	case q.Around != "":
		if l, err = findID(ctx, r, end, q.Around); err != nil {
			return err
		}
		if err = b.back(ctx, l.next(), b.limit/2+1); err == nil {
			err = b.on(ctx, b.limit)
		}
	default:
		err = b.back(ctx, end, b.limit)
	}
	if err != nil {
		return err
	}
	return b.finish(ctx, p)
}

// pageBuilder gathers lines that follow each other in a log.
type pageBuilder struct {
	r     io.ReaderAt
	end   int64
	limit int
	// entries stand between from and to.
	entries      []Entry
	from, to     int64
	bytes        int64
	parts, blank int
}

// full reports whether no further line fits.
func (b *pageBuilder) full(limit int) bool {
	return len(b.entries) >= limit || b.bytes >= MaxPage || b.parts >= maxParts || b.blank >= maxBlank
}

// take makes an entry of a line. It reports false for one that does not fit.
func (b *pageBuilder) take(l *line) (e Entry, ok bool) {
	size := int64(len(l.raw))
	if len(b.entries) > 0 && b.bytes+size > MaxPage {
		b.bytes = MaxPage
		return Entry{}, false
	}
	e = Entry{Offset: l.offset, Size: l.size, Cursor: l.cursor().String()}
	if l.long {
		e.Fault = &atsf.Fault{Rule: "M1", Reason: fmt.Sprintf("the line is %d bytes long, too long to be shown", l.size)}
		return e, true
	}
	var err error
	if e.Message, err = atsf.ParseMessage(l.raw); err != nil {
		errors.As(err, &e.Fault)
	}
	parts := 1 + len(e.Message.Content) + len(e.Message.Tools)
	if len(b.entries) > 0 && b.parts+parts > maxParts {
		b.parts = maxParts
		return Entry{}, false
	}
	b.bytes += size
	b.parts += parts
	return e, true
}

// back gathers the lines before an offset, the nearest first, up to limit
// entries.
func (b *pageBuilder) back(ctx context.Context, at int64, limit int) error {
	b.from, b.to = at, at
	lines := backward{r: b.r, at: at}
	for !b.full(limit) {
		l, err := lines.prev(ctx)
		if errors.Is(err, errEnd) {
			break
		}
		if err != nil {
			return err
		}
		if l.blank() {
			b.blank++
			b.from = l.offset
			continue
		}
		e, ok := b.take(&l)
		if !ok {
			break
		}
		b.entries = append(b.entries, e)
		b.from = l.offset
	}
	slices.Reverse(b.entries)
	return nil
}

// on gathers the lines from b.to on, up to limit entries.
func (b *pageBuilder) on(ctx context.Context, limit int) error {
	lines := forward{r: b.r, at: b.to, end: b.end}
	for !b.full(limit) {
		l, err := lines.next(ctx)
		if errors.Is(err, errEnd) {
			break
		}
		if err != nil {
			return err
		}
		if l.blank() {
			b.blank++
			b.to = l.next()
			continue
		}
		e, ok := b.take(&l)
		if !ok {
			break
		}
		b.entries = append(b.entries, e)
		b.to = l.next()
	}
	return nil
}

// finish numbers the lines and sets the cursors to what lies beside them.
func (b *pageBuilder) finish(ctx context.Context, p *Page) error {
	if b.from > 0 {
		f := forward{r: b.r, at: b.from, end: b.end}
		l, err := f.next(ctx)
		switch {
		case errors.Is(err, errEnd):
			// Nothing was taken from the end of the log.
		case err != nil:
			return err
		default:
			p.Before = l.cursor().String()
		}
	}
	if b.to < b.end {
		lines := backward{r: b.r, at: b.to}
		l, err := lines.prev(ctx)
		if err != nil && !errors.Is(err, errEnd) {
			return err
		}
		if err == nil {
			p.After = l.cursor().String()
		}
	}
	p.Entries = b.entries
	if len(b.entries) == 0 || b.entries[len(b.entries)-1].Offset > maxCounted {
		return nil
	}
	at, number := int64(0), int64(1)
	for i := range b.entries {
		e := &b.entries[i]
		n, err := breaks(ctx, b.r, at, e.Offset)
		if err != nil {
			return err
		}
		at, number = e.Offset, number+n
		e.Number = number
	}
	return nil
}

// findID gives the newest line with an id.
func findID(ctx context.Context, r io.ReaderAt, end int64, id string) (line, error) {
	lines := backward{r: r, at: end}
	plain := id != "" && !bytes.ContainsFunc([]byte(id), func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' || c == '/' })
	for {
		l, err := lines.prev(ctx)
		if errors.Is(err, errEnd) {
			return line{}, fmt.Errorf("threads: message %.80q: %w", id, ErrNotFound)
		}
		if err != nil {
			return line{}, err
		}
		// A line that holds neither the id nor an escape of a character need
		// not be read.
		if plain && !bytes.Contains(l.raw, []byte(id)) && !bytes.Contains(l.raw, []byte(`\u`)) {
			continue
		}
		if got, ok := lineID(l.raw); ok && got == id {
			return l, nil
		}
	}
}

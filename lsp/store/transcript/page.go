package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// What a part of a session holds at most.
const (
	// DefaultLimit is the number of messages of a page if none was asked for.
	DefaultLimit = 50
	// firstWindow is how many bytes are read at first for a page, and maxWindow how many
	// at most. A longer line is a gap.
	firstWindow = 256 << 10
	maxWindow   = 64 << 20
	// maxAhead is how far behind a page the ends of its tool calls are looked for.
	maxAhead = 8 << 20
)

// Query says which part of a session is wanted. At most one of Before, After and At is
// set; with none of them it is the newest page.
type Query struct {
	// Before, After and At are cursors: the page ends before that message, begins after
	// it, or begins with it.
	Before, After, At string
	// Limit is the number of messages; 0 stands for [DefaultLimit].
	Limit int
}

// Page is a part of a session, the oldest message first.
type Page struct {
	Item     *Item
	Messages []session.Message
	// Before and After are the cursors of older and newer messages, empty where there
	// are none.
	Before, After string
	// Torn is set where an unfinished line stands at the end. It is not shown.
	Torn bool
}

// Cursor names a message in a [Query].
func Cursor(m *session.Message) string { return strconv.FormatInt(m.Offset, 10) }

// Page reads a part of a session.
func (s *Snapshot) Page(ctx context.Context, k Key, q Query) (*Page, error) {
	it := s.Item(k)
	if it == nil {
		return nil, ErrNotFound
	}
	f, size, err := it.open()
	if err != nil {
		return nil, wrap(it, err)
	}
	defer f.Close()
	if q.Limit <= 0 {
		q.Limit = DefaultLimit
	}
	r := &reader{ctx: ctx, item: it, f: f, size: size}
	page, err := r.page(q)
	if err != nil {
		return nil, wrap(it, err)
	}
	page.Item = it
	return page, nil
}

func wrap(it *Item, err error) error {
	for _, known := range []error{ErrNotFound, ErrCursor, ErrRewritten, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			return err
		}
	}
	return fmt.Errorf("transcript: read %q: %w", it.File, disk.Cause(err))
}

// reader reads one transcript.
type reader struct {
	ctx  context.Context
	item *Item
	f    *os.File
	size int64
	end  int64 // of the last whole line
}

func (r *reader) page(q Query) (*Page, error) {
	if err := r.whole(); err != nil {
		return nil, err
	}
	page := &Page{Torn: r.end < r.size}
	switch cursor := q.After + q.At; {
	case cursor != "":
		from, err := r.cursor(cursor)
		if err != nil {
			return nil, err
		}
		return page, r.forward(page, from, q.At != "", q.Limit)
	case q.Before != "":
		end, err := r.cursor(q.Before)
		if err != nil {
			return nil, err
		}
		return page, r.back(page, end, q.Limit)
	}
	return page, r.back(page, r.end, q.Limit)
}

// whole sets where the last whole line ends.
func (r *reader) whole() error {
	for n := int64(firstWindow); ; n *= 8 {
		from := max(0, r.size-n)
		data, err := r.read(from, r.size)
		if err != nil {
			return err
		}
		if i := bytes.LastIndexByte(data, '\n'); i >= 0 {
			r.end = from + int64(i) + 1
			return nil
		}
		if from == 0 || n >= maxWindow {
			r.end = from
			return nil
		}
	}
}

// cursor returns the place of a line that a page gave.
func (r *reader) cursor(s string) (int64, error) {
	at, err := strconv.ParseInt(s, 10, 64)
	if err != nil || at < 0 || strconv.FormatInt(at, 10) != s {
		return 0, ErrCursor
	}
	if at > r.size {
		return 0, ErrRewritten
	}
	if at > 0 {
		if b, err := r.read(at-1, at); err != nil || string(b) != "\n" {
			return 0, ErrRewritten
		}
	}
	return at, nil
}

// read returns the bytes in [from, to), or less where the file was cut.
func (r *reader) read(from, to int64) ([]byte, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	buf := make([]byte, to-from)
	n, err := r.f.ReadAt(buf, from)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return buf[:n], err
}

// back reads the messages before end.
func (r *reader) back(page *Page, end int64, limit int) error {
	for n := int64(firstWindow); ; n *= 4 {
		from := max(0, end-n)
		data, err := r.read(from, end)
		if err != nil {
			return err
		}
		start, last := from, from == 0 || n >= maxWindow
		if from > 0 {
			// The line that was cut is part of an older page.
			skip := bytes.IndexByte(data, '\n') + 1
			if skip == 0 || skip == len(data) {
				skip = len(data)
			}
			start, data = from+int64(skip), data[skip:]
		}
		log := &session.Log{Agent: r.item.Agent}
		r.feed(log, data, start)
		if len(log.Messages) <= limit && !last {
			continue
		}
		if len(data) == 0 && from > 0 {
			log.Gap(from, "a line is longer than "+strconv.Itoa(maxWindow>>20)+" MB")
		}
		if err := r.ahead(log, end); err != nil {
			return err
		}
		r.cut(page, log, start, end, limit)
		return nil
	}
}

// cut sets the page to the last messages that begin before end. Of a log that does not
// begin with the file the first message may be the rest of one.
func (r *reader) cut(page *Page, log *session.Log, start, end int64, limit int) {
	list := log.Messages
	for len(list) > 0 && list[len(list)-1].Offset >= end {
		list = list[:len(list)-1]
	}
	if len(list) > limit {
		list = list[len(list)-limit:]
		start = list[0].Offset
	}
	page.Messages = list
	if start > 0 && len(list) > 0 {
		page.Before = Cursor(&list[0])
	}
	if end < r.end && len(list) > 0 {
		page.After = Cursor(&list[len(list)-1])
	}
}

// ahead reads on from a place as long as a tool call has no end, so far that what is
// written in a moment is found.
func (r *reader) ahead(log *session.Log, from int64) error {
	for read := int64(0); log.Open() && from < r.end && read < maxAhead; {
		data, err := r.read(from, min(r.end, from+firstWindow))
		if err != nil {
			return err
		}
		n := bytes.LastIndexByte(data, '\n') + 1
		if n == 0 {
			return nil
		}
		r.feed(log, data[:n], from)
		from, read = from+int64(n), read+int64(n)
	}
	return nil
}

// forward reads the messages after the one at from, or from it on.
func (r *reader) forward(page *Page, from int64, with bool, limit int) error {
	log := &session.Log{Agent: r.item.Agent}
	at, skip := from, 1
	if with {
		skip = 0
	}
	for window := int64(firstWindow); at < r.end && len(log.Messages) <= limit+skip; {
		data, err := r.read(at, min(r.end, at+window))
		if err != nil {
			return err
		}
		n := bytes.LastIndexByte(data, '\n') + 1
		if n == 0 && window < maxWindow {
			window *= 4
			continue
		}
		if n == 0 {
			log.Gap(at, "a line is longer than "+strconv.Itoa(maxWindow>>20)+" MB")
			return r.take(page, log, from, with, limit)
		}
		r.feed(log, data[:n], at)
		at += int64(n)
	}
	if err := r.ahead(log, at); err != nil {
		return err
	}
	return r.take(page, log, from, with, limit)
}

// take sets the page to the first messages of a log that begins at from.
func (r *reader) take(page *Page, log *session.Log, from int64, with bool, limit int) error {
	list := log.Messages
	if !with && len(list) > 0 && list[0].Offset == from {
		list = list[1:]
	}
	if len(list) > limit {
		list = list[:limit]
		page.After = Cursor(&list[limit-1])
	}
	page.Messages = list
	if from > 0 && len(list) > 0 {
		page.Before = Cursor(&list[0])
	}
	return nil
}

// feed gives whole lines to a log.
func (r *reader) feed(log *session.Log, data []byte, at int64) {
	for line := range bytes.Lines(data) {
		log.Line(r.item.Format, at, bytes.TrimSuffix(line, []byte("\n")))
		at += int64(len(line))
	}
}

// Message reads one message, by its cursor.
func (s *Snapshot) Message(ctx context.Context, k Key, cursor string) (*session.Message, error) {
	page, err := s.Page(ctx, k, Query{At: cursor, Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(page.Messages) == 0 || Cursor(&page.Messages[0]) != cursor {
		return nil, ErrNotFound
	}
	return &page.Messages[0], nil
}

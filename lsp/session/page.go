package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// Limits of one part of a session.
const (
	// DefaultLimit is the number of messages of a page if the query sets none.
	DefaultLimit = 50
	// firstWindow is how many bytes are read first for a page, and maxWindow how many at most. A
	// longer line is a gap.
	firstWindow = 256 << 10
	maxWindow   = 64 << 20
	// margin is how many bytes before and after a page are also read for parts of its messages: a
	// message may take several lines, with other lines in between.
	margin = 64 << 10
	// maxAhead is how far after a page the ends of its tool calls are searched for.
	maxAhead = 8 << 20
	// usualLine is longer than most lines.
	usualLine = 1 << 10
)

// tooLong is the text of the gap for a line that is too long.
var tooLong = "the line is longer than " + strconv.Itoa(maxWindow>>20) + " MB"

// Query selects a part of a session. At most one of Before, After and At is set. If none is
// set, it selects the newest page.
type Query struct {
	// Before, After and At are cursors: the page ends before that message, begins after it, or
	// begins with it.
	Before, After, At string
	// Limit is the number of messages; 0 means [DefaultLimit]. If lines are long, a page has
	// fewer.
	Limit int
}

// Page is a part of a session, oldest message first.
type Page struct {
	Item     *Item
	Messages []session.Message
	// Before and After are the cursors of older and newer messages, or empty if there are none.
	Before, After string
	// Torn is set if the transcript ends with an unfinished line. It is not shown.
	Torn bool
	// End is the offset of the next line. Recorded is [session.Facts]' Recorded for the lines that
	// were read.
	End, Recorded int64
}

// Cursor returns the cursor of a message, for a [Query].
func Cursor(m *session.Message) string {
	at := strconv.FormatInt(m.Offset, 10)
	if m.Part > 0 {
		at += "." + strconv.Itoa(m.Part)
	}
	return at
}

// place is where a message begins: its line, and its number in that line.
type place struct {
	line int64
	part int
}

// before returns how many of the messages begin before a place.
func before(list []session.Message, p place) int {
	return sort.Search(len(list), func(i int) bool {
		m := &list[i]
		return m.Offset > p.line || m.Offset == p.line && m.Part >= p.part
	})
}

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
	f    *lines
	size int64
	end  int64 // of the last complete line
	// copied are the ids of records that are copies of another session's.
	copied map[string]bool
}

func (r *reader) page(q Query) (page *Page, err error) {
	if r.end, err = r.lineStart(r.size); err != nil {
		return nil, err
	}
	if err = r.findCopies(); err != nil {
		return nil, err
	}
	page = &Page{Torn: r.end < r.size, End: r.end}
	at := place{line: r.end}
	if cursor := q.Before + q.After + q.At; cursor != "" {
		if at, err = r.cursor(cursor); err != nil {
			return nil, err
		}
	}
	switch {
	case q.At != "":
		err = r.forward(page, at, q.Limit)
	case q.After != "":
		at.part++
		err = r.forward(page, at, q.Limit)
	default:
		err = r.backward(page, at, q.Limit)
	}
	return page, err
}

// lineStart returns the beginning of the line that holds the byte before at, or at itself if a
// line ends there.
func (r *reader) lineStart(at int64) (int64, error) {
	n, buf := int64(usualLine), []byte(nil)
	for scanned := int64(0); at > 0; scanned += n {
		if scanned > jsonl.MaxScan {
			return 0, jsonl.ErrEndless
		}
		n = min(4*n, firstWindow)
		from := max(0, at-n)
		buf = slices.Grow(buf[:0], int(at-from))
		data, err := r.into(buf[:at-from], from)
		if err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(data, '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		at = disk.BeforeHole(r.f.ReaderAt, data, from)
	}
	return 0, nil
}

// lineEnd returns the end of the line that begins at from.
func (r *reader) lineEnd(from int64) (int64, error) {
	buf := make([]byte, firstWindow)
	for scanned := 0; from < r.end; scanned += firstWindow {
		if scanned > jsonl.MaxScan {
			return 0, jsonl.ErrEndless
		}
		data, err := r.into(buf[:min(r.end-from, firstWindow)], from)
		if err != nil {
			return 0, err
		}
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return from + int64(i) + 1, nil
		}
		if len(data) == 0 {
			break // it was cut in the meantime
		}
		from = disk.PastHole(r.f.ReaderAt, data, from+int64(len(data)))
	}
	return r.end, nil
}

// cursor returns the place of a page's cursor.
func (r *reader) cursor(s string) (p place, err error) {
	line, part, parted := strings.Cut(s, ".")
	p.line, err = strconv.ParseInt(line, 10, 64)
	if err == nil && parted {
		p.part, err = strconv.Atoi(part)
	}
	if err != nil || p.line < 0 || Cursor(&session.Message{Offset: p.line, Part: p.part}) != s {
		return p, ErrCursor
	}
	start, err := r.lineStart(min(p.line, r.size))
	if err == nil && start != p.line {
		err = ErrRewritten
	}
	return p, err
}

// read returns the bytes in [from, to), or fewer if the file was cut.
func (r *reader) read(from, to int64) ([]byte, error) {
	return r.into(make([]byte, to-from), from)
}

// into fills buf from an offset on.
func (r *reader) into(buf []byte, from int64) ([]byte, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	n, err := r.f.ReadAt(buf, from)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return buf[:n], err
}

// backward reads the messages before end.
func (r *reader) backward(page *Page, end place, limit int) error {
	stop := end.line
	if end.part > 0 {
		var err error
		if stop, err = r.lineEnd(stop); err != nil {
			return err
		}
	}
	for n := int64(firstWindow); ; n *= 4 {
		log, start, err := r.readRange(stop-n, stop)
		if err != nil {
			return err
		}
		wide := start == 0 || n >= maxWindow
		if wide && start == stop && stop > 0 {
			if start, err = r.lineStart(stop - 1); err != nil {
				return err
			}
			log.Gap(start, tooLong)
		}
		first := place{line: start} // messages from here on are complete
		if !wide {
			first.line += margin
		}
		switch count := len(log.Messages) - before(log.Messages, first); {
		case count < limit && !wide:
			continue
		case count == 0 && start > 0: // the whole range has no messages
			n, stop = firstWindow/4, start
			continue
		}
		if err := r.readAhead(log, stop); err != nil {
			return err
		}
		page.Recorded = log.Recorded
		list := log.Messages[:before(log.Messages, end)]
		from := max(before(list, first), len(list)-limit)
		page.set(list[from:], start > 0 || from > 0, end.line < r.end)
		return nil
	}
}

// readRange reads the lines that begin in a range of the transcript, and returns the offset of
// the first one, or the range's end if there is none.
func (r *reader) readRange(from, end int64) (log *session.Log, start int64, err error) {
	start = max(0, from)
	data, err := r.read(start, end)
	if err != nil {
		return nil, 0, err
	}
	if start > 0 {
		skip := bytes.IndexByte(data, '\n') + 1
		if skip == 0 {
			skip = len(data)
		}
		start, data = start+int64(skip), data[skip:]
	}
	log = r.log()
	r.feed(log, data, start)
	return log, start, nil
}

// log returns a log for a part of the transcript, which may not contain its session's name.
func (r *reader) log() *session.Log {
	return &session.Log{Agent: r.item.Agent, Facts: session.Facts{Alias: r.item.Alias}}
}

// set sets the page's messages, and its cursors if there are older and newer ones.
func (p *Page) set(list []session.Message, older, newer bool) {
	p.Messages = list
	if len(list) == 0 {
		return
	}
	if older {
		p.Before = Cursor(&list[0])
	}
	if newer {
		p.After = Cursor(&list[len(list)-1])
	}
}

// readAhead reads from an offset on, for parts of earlier messages, as long as a tool call has
// no end.
func (r *reader) readAhead(log *session.Log, from int64) error {
	n := int64(firstWindow)
	for read := int64(0); from < r.end && (read < margin || log.Open() && read < maxAhead); {
		data, err := r.read(from, min(r.end, from+n))
		if err != nil {
			return err
		}
		whole := bytes.LastIndexByte(data, '\n') + 1
		if whole == 0 {
			if n *= 4; n > maxAhead {
				return nil
			}
			continue
		}
		r.feed(log, data[:whole], from)
		from, read = from+int64(whole), read+int64(whole)
	}
	return nil
}

// forward reads the messages that begin at first or after it.
func (r *reader) forward(page *Page, first place, limit int) error {
	at := first.line
	log, _, err := r.readRange(at-margin, at)
	if err != nil {
		return err
	}
	for window := int64(firstWindow); at < r.end && len(log.Messages)-before(log.Messages, first) <= limit; {
		data, err := r.read(at, min(r.end, at+window))
		if err != nil {
			return err
		}
		switch n := bytes.LastIndexByte(data, '\n') + 1; {
		case n > 0:
			r.feed(log, data[:n], at)
			at, window = at+int64(n), firstWindow
		case window < maxWindow:
			window *= 4
		default:
			log.Gap(at, tooLong)
			if at, err = r.lineEnd(at); err != nil {
				return err
			}
		}
	}
	if err := r.readAhead(log, at); err != nil {
		return err
	}
	page.Recorded = log.Recorded
	list := log.Messages[before(log.Messages, first):]
	n := min(len(list), limit)
	page.set(list[:n], first != place{}, n < len(list))
	return nil
}

// feed adds complete lines to a log.
func (r *reader) feed(log *session.Log, data []byte, at int64) {
	for line := range bytes.Lines(data) {
		if !r.isCopy(line) {
			log.Line(r.item.Format, at, bytes.TrimSuffix(line, []byte("\n")))
		}
		at += int64(len(line))
	}
}

// Message reads one message by its cursor.
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

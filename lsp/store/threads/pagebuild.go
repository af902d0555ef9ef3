package threads

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

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
	if err := b.gather(ctx, q); err != nil {
		return err
	}
	return b.finish(ctx, p)
}

// gather takes the lines that a query asks for.
func (b *pageBuilder) gather(ctx context.Context, q Query) error {
	var l line
	var err error
	switch {
	case q.Around != "":
		l, err = findID(ctx, b.r, b.end, q.Around)
	case q.Before+q.After+q.At != "":
		var c cursor
		if c, err = parseCursor(cmp.Or(q.Before, q.After, q.At)); err == nil {
			l, err = c.find(ctx, b.r, b.end)
		}
	default:
		return b.back(ctx, b.end, b.limit)
	}
	if err != nil {
		return err
	}
	switch {
	case q.Before != "":
		return b.back(ctx, l.offset, b.limit)
	case q.After != "":
		b.from, b.to = l.next(), l.next()
		return b.on(ctx, b.limit)
	}
	if err := b.back(ctx, l.next(), b.limit/2+1); err != nil {
		return err
	}
	return b.on(ctx, b.limit)
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
		e.Fault = &canon.Fault{Rule: "M1", Reason: fmt.Sprintf("the line is %d bytes long, too long to be shown", l.size)}
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

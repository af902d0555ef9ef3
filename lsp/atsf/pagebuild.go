package atsf

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
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// read fills the page from a log of the given size.
func (p *Page) read(ctx context.Context, r io.ReaderAt, size int64, q Query) error {
	end, err := jsonl.End(ctx, r, size)
	if err != nil {
		return err
	}
	p.Torn = end < size
	b := pageBuilder{r: r, end: end, limit: q.Limit}
	if b.limit <= 0 {
		b.limit = DefaultLimit
	}
	b.limit = min(b.limit, MaxLimit)
	if err := b.collect(ctx, q); err != nil {
		return err
	}
	return b.finish(ctx, p)
}

// collect collects the lines that a query selects.
func (b *pageBuilder) collect(ctx context.Context, q Query) error {
	var l jsonl.Line
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
		return b.backward(ctx, b.end, b.limit)
	}
	if err != nil {
		return err
	}
	switch {
	case q.Before != "":
		return b.backward(ctx, l.Offset, b.limit)
	case q.After != "":
		b.from, b.to = l.After(), l.After()
		return b.forward(ctx, b.limit)
	}
	if err := b.backward(ctx, l.After(), b.limit/2+1); err != nil {
		return err
	}
	return b.forward(ctx, b.limit)
}

// pageBuilder collects consecutive lines of a log.
type pageBuilder struct {
	r     io.ReaderAt
	end   int64
	limit int
	// entries are the lines between from and to.
	entries      []Entry
	from, to     int64
	bytes        int64
	parts, blank int
}

// full reports whether no more lines fit.
func (b *pageBuilder) full(limit int) bool {
	return len(b.entries) >= limit || b.bytes >= MaxPage || b.parts >= maxParts || b.blank >= maxBlank
}

// take returns the entry for a line. ok is false if it does not fit.
func (b *pageBuilder) take(l *jsonl.Line) (e Entry, ok bool) {
	size := int64(len(l.Raw))
	if len(b.entries) > 0 && b.bytes+size > MaxPage {
		b.bytes = MaxPage
		return Entry{}, false
	}
	e = Entry{Offset: l.Offset, Size: l.Size, Cursor: cursorOf(l).String()}
	if l.Long {
		e.Fault = &canon.Fault{Rule: "M1", Reason: fmt.Sprintf("the line is %d bytes long, too long to be shown", l.Size)}
		return e, true
	}
	var err error
	if e.Message, err = atsf.ParseMessage(l.Raw); err != nil {
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

// backward collects up to limit entries before an offset, nearest first.
func (b *pageBuilder) backward(ctx context.Context, at int64, limit int) error {
	b.from, b.to = at, at
	lines := jsonl.Backward{R: b.r, At: at}
	err := b.walk(ctx, limit, lines.Prev, func(l *jsonl.Line) { b.from = l.Offset })
	slices.Reverse(b.entries)
	return err
}

// forward collects up to limit entries from b.to on.
func (b *pageBuilder) forward(ctx context.Context, limit int) error {
	lines := jsonl.Forward{R: b.r, At: b.to, End: b.end}
	return b.walk(ctx, limit, lines.Next, func(l *jsonl.Line) { b.to = l.After() })
}

// walk takes lines until the page is full, and calls passed for each.
func (b *pageBuilder) walk(ctx context.Context, limit int, next func(context.Context) (jsonl.Line, error), passed func(*jsonl.Line)) error {
	for !b.full(limit) {
		l, err := next(ctx)
		if errors.Is(err, jsonl.ErrEnd) {
			return nil
		}
		if err != nil {
			return err
		}
		if l.Blank() {
			b.blank++
		} else if e, ok := b.take(&l); ok {
			b.entries = append(b.entries, e)
		} else {
			return nil
		}
		passed(&l)
	}
	return nil
}

// finish numbers the lines and sets the cursors of the neighbouring pages.
func (b *pageBuilder) finish(ctx context.Context, p *Page) error {
	if b.from > 0 {
		f := jsonl.Forward{R: b.r, At: b.from, End: b.end}
		l, err := f.Next(ctx)
		switch {
		case errors.Is(err, jsonl.ErrEnd):
			// There is no line after b.from.
		case err != nil:
			return err
		default:
			p.Before = cursorOf(&l).String()
		}
	}
	if b.to < b.end {
		lines := jsonl.Backward{R: b.r, At: b.to}
		l, err := lines.Prev(ctx)
		if err != nil && !errors.Is(err, jsonl.ErrEnd) {
			return err
		}
		if err == nil {
			p.After = cursorOf(&l).String()
		}
	}
	p.Entries = b.entries
	offsets := make([]int64, len(b.entries))
	for i := range b.entries {
		offsets[i] = b.entries[i].Offset
	}
	numbers, err := lineNumbers(ctx, b.r, offsets)
	for i, n := range numbers {
		b.entries[i].Number = n
	}
	return err
}

// findID returns the newest line with an id.
func findID(ctx context.Context, r io.ReaderAt, end int64, id string) (jsonl.Line, error) {
	lines := jsonl.Backward{R: r, At: end}
	plain := id != "" && !bytes.ContainsFunc([]byte(id), func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' || c == '/' })
	for {
		l, err := lines.Prev(ctx)
		if errors.Is(err, jsonl.ErrEnd) {
			return jsonl.Line{}, fmt.Errorf("threads: message %.80q: %w", id, ErrNotFound)
		}
		if err != nil {
			return jsonl.Line{}, err
		}
		// A line that contains neither the id nor an escaped character need not be decoded.
		if plain && !bytes.Contains(l.Raw, []byte(id)) && !bytes.Contains(l.Raw, []byte(`\u`)) {
			continue
		}
		if got, ok := lineID(l.Raw); ok && got == id {
			return l, nil
		}
	}
}

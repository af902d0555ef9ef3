package talk

import (
	"context"
	"io"

	core "github.com/signalbox-dev/signalbox/core/session"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/conflict"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
)

type (
	// Entry is a line of a thread: a message, or a gap.
	Entry = atsfstore.Entry
	// Finding is a fault or note that a check reports.
	Finding = atsfstore.Finding
)

// Check checks a folder, its .agent or a single thread against every rule of the format. Paths
// in the findings are relative to it.
func Check(ctx context.Context, path string, report func(Finding)) error {
	return atsfstore.Check(ctx, path, report)
}

// Copies lists the conflict copies that sync tools left beside the threads of a folder.
func Copies(ctx context.Context, folder string) ([]conflict.Copy, error) {
	d, err := atsfstore.Open(folder)
	if err != nil {
		return nil, nil //nolint:nilerr // the list of threads reports it
	}
	defer d.Close()
	return d.Copies(ctx)
}

// Cursor returns the cursor of a session's message.
func Cursor(m *core.Message) string { return sessionstore.Cursor(m) }

// Each calls each with the lines of a thread in order, a page at a time, or only the newest if
// limit is above 0. It calls head with the thread before that. It reports whether an
// unfinished line follows (rule M5).
func (o *Open) Each(ctx context.Context, limit int, head func(*Thread), each func([]Entry)) (torn bool, err error) {
	last, before, err := o.pages(ctx, limit)
	if err != nil {
		return false, err
	}
	head(last.Item)
	for i := len(before) - 1; i >= 0; i-- {
		page, err := o.Page(ctx, o.Name, before[i])
		if err != nil {
			return last.Torn, err
		}
		each(page.Entries)
	}
	each(last.Entries)
	return last.Torn, nil
}

// Raw writes the complete lines of a thread as they are, or only the newest if limit is above
// 0.
func (o *Open) Raw(ctx context.Context, limit int, w io.Writer) (torn bool, err error) {
	last, before, err := o.pages(ctx, limit)
	if err == nil && limit > 0 && len(before) > 0 {
		last, err = o.Page(ctx, o.Name, before[len(before)-1])
	}
	if err != nil {
		return false, err
	}
	from := int64(0)
	if limit > 0 && len(last.Entries) > 0 {
		from = last.Entries[0].Offset
	}
	return o.CopyLog(ctx, o.Name, from, w)
}

// pages returns the newest page and the queries for the pages before it, newest first,
// for limit entries in all or for the whole thread. Those pages are read again when they
// are needed, so that a long conversation need not fit in memory.
func (o *Open) pages(ctx context.Context, limit int) (last atsfstore.Page, before []atsfstore.Query, err error) {
	size := func(had int) int {
		if limit > 0 {
			return min(limit-had, atsfstore.MaxLimit)
		}
		return atsfstore.MaxLimit
	}
	if last, err = o.Page(ctx, o.Name, atsfstore.Query{Limit: size(0)}); err != nil {
		return last, nil, err
	}
	had := len(last.Entries)
	for at := last.Before; at != "" && size(had) > 0; {
		q := atsfstore.Query{Before: at, Limit: size(had)}
		page, err := o.Page(ctx, o.Name, q)
		if err != nil {
			return last, nil, err
		}
		before = append(before, q)
		had += len(page.Entries)
		at = page.Before
	}
	return last, before, nil
}

// Each calls each with the messages of a session in order, secrets masked, or only the newest
// if limit is above 0. It reports whether an unfinished line follows.
func (l *List) Each(ctx context.Context, it *Session, limit int, each func(*core.Message) error) (torn bool, err error) {
	q := sessionstore.Query{At: "0", Limit: atsfstore.MaxLimit}
	if limit > 0 {
		page, err := l.sessions.Page(ctx, it.Key(), sessionstore.Query{Limit: limit})
		if err != nil {
			return false, err
		}
		if len(page.Messages) > 0 {
			q.At = Cursor(&page.Messages[0])
		}
	}
	for {
		page, err := l.sessions.Page(ctx, it.Key(), q)
		if err != nil {
			return false, err
		}
		l.sessions.Lost(ctx, it, page.Messages, func(it *Session) bool { return it.State == core.Ended })
		for i := range page.Messages {
			page.Messages[i].Mask()
			if err := each(&page.Messages[i]); err != nil {
				return false, err
			}
		}
		if page.After == "" {
			return page.Torn, nil
		}
		q = sessionstore.Query{After: page.After, Limit: atsfstore.MaxLimit}
	}
}

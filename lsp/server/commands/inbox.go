package commands

import (
	"context"
	"encoding/json"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
	"github.com/signalbox-dev/signalbox/lsp/server/limits"
)

// threads has the methods that the commands about threads need.
type threads interface {
	Status(ctx context.Context) (panel.Status, error)
	Inbox(ctx context.Context, p panel.InboxParams) (panel.InboxPage, error)
	Thread(ctx context.Context, p panel.ThreadParams) (panel.ThreadPage, error)
	SetRead(ctx context.Context, p panel.ReadParams) (panel.Counts, error)
	MarkMatching(ctx context.Context, p panel.MarkParams) (panel.Marked, error)
	Shelve(ctx context.Context, p panel.ShelveParams) (panel.Counts, error)
}

func (c *Set) threadCommands() map[string]*Command {
	archive := func(archived bool) Run {
		return c.mark(func(ctx context.Context, refs []panel.Ref) (panel.Counts, error) {
			return c.panel.Shelve(ctx, panel.ShelveParams{Refs: refs, Archived: &archived})
		})
	}
	return map[string]*Command{
		"signalbox.status": {c.statusCommand, "status.md"},
		"signalbox.inbox":  {c.inboxCommand, "inbox.md"},
		"signalbox.thread": {c.showRef(c.thread), "thread.md"},
		// signalbox.markAllRead [filter?]
		"signalbox.markAllRead": {Run: show(nil, c.markAll, markedText)},
		// The commands below take refs, names or ids.
		"signalbox.markRead": {Run: c.mark(func(ctx context.Context, refs []panel.Ref) (panel.Counts, error) {
			return c.panel.SetRead(ctx, panel.ReadParams{Refs: refs, Read: true})
		})},
		"signalbox.archive":   {Run: archive(true)},
		"signalbox.unarchive": {Run: archive(false)},
		"signalbox.snooze":    {Run: c.snoozeCommand},
	}
}

// inboxCommand is signalbox.inbox [filter?]. The filter is the filter of
// signalbox/inbox/list with a sort, or a text to search for.
func (c *Set) inboxCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	var p panel.InboxParams
	var err error
	if isString(args[0]) {
		p.Filter.Text, err = Argument[string](args[0])
	} else {
		var a sortedFilter
		a, err = Argument[sortedFilter](args[0])
		p.Filter, p.Sort = a.InboxFilter, a.Sort
	}
	if err == nil {
		err = limits.Params("", p)
	}
	if err != nil {
		return Answer{}, err
	}
	page, err := c.panel.Inbox(ctx, p)
	return Answer{inboxText(page), page}, err
}

// sortedFilter is the argument of signalbox.inbox.
type sortedFilter struct {
	panel.InboxFilter
	Sort panel.Sort `json:"sort"`
}

// thread is signalbox.thread [ref, thread name or id].
func (c *Set) thread(ctx context.Context, ref panel.Ref) (Answer, error) {
	if ref.Protocol == mail.AGN {
		return c.task(ctx, ref) // the messages of a task are shown as its timeline
	}
	page, err := c.panel.Thread(ctx, panel.ThreadParams{Ref: ref})
	return Answer{threadText(page), page}, err
}

// statusCommand is signalbox.status.
func (c *Set) statusCommand(ctx context.Context, _ []json.RawMessage) (Answer, error) {
	status, err := c.panel.Status(ctx)
	return Answer{statusText(status), status}, err
}

func (c *Set) markAll(ctx context.Context, f panel.InboxFilter) (panel.Marked, error) {
	return c.panel.MarkMatching(ctx, panel.MarkParams{Filter: f})
}

func markedText(_ panel.InboxFilter, m panel.Marked) string {
	return "Marked " + count(m.Threads, "thread") + " as read. " + countsText(m.Counts)
}

// snoozeCommand is signalbox.snooze [{until, refs}]. until is a time in RFC 3339 or in Unix
// milliseconds, and refs are refs, names or ids. Without until, the threads return at once.
func (c *Set) snoozeCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	a, err := Argument[struct {
		Until json.RawMessage   `json:"until"`
		Refs  []json.RawMessage `json:"refs"`
	}](args[0])
	if err != nil {
		return Answer{}, err
	}
	until, err := timeArgument(a.Until)
	if err != nil {
		return Answer{}, err
	}
	snooze := c.mark(func(ctx context.Context, refs []panel.Ref) (panel.Counts, error) {
		return c.panel.Shelve(ctx, panel.ShelveParams{Refs: refs, SnoozeUntil: &until})
	})
	return snooze(ctx, a.Refs)
}

// timeArgument returns a time in Unix milliseconds, or 0 if there is none.
func timeArgument(raw json.RawMessage) (int64, error) {
	if !isString(raw) {
		return Argument[int64](raw)
	}
	text, err := Argument[string](raw)
	if err != nil {
		return 0, err
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, codec.BadField("until", "%q is no time of RFC 3339, such as 2026-03-02T09:00:00Z", codec.Short(text))
	}
	return at.UnixMilli(), nil
}

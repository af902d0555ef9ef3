package commands

import (
	"context"
	"encoding/json"
	"time"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/check"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
)

// threads is what the commands about threads ask.
type threads interface {
	Status(ctx context.Context) (panel.Status, error)
	Inbox(ctx context.Context, p panel.InboxParams) (panel.InboxPage, error)
	Thread(ctx context.Context, p panel.ThreadParams) (panel.ThreadPage, error)
	SetRead(ctx context.Context, p panel.ReadParams) (panel.Counts, error)
	MarkMatching(ctx context.Context, p panel.MarkParams) (panel.Marked, error)
	Shelve(ctx context.Context, p panel.ShelveParams) (panel.Counts, error)
}

func (c *Set) threadCommands() map[string]*Command {
	return map[string]*Command{
		"signalbox.status":      {c.statusCommand, "status.md"},
		"signalbox.inbox":       {c.inboxCommand, "inbox.md"},
		"signalbox.thread":      {c.threadCommand, "thread.md"},
		"signalbox.markRead":    {Run: c.markReadCommand},
		"signalbox.markAllRead": {Run: show(markArgument, c.panel.MarkMatching, markedText)},
		"signalbox.archive":     {Run: c.archiveCommand},
		"signalbox.unarchive":   {Run: c.unarchiveCommand},
		"signalbox.snooze":      {Run: c.snoozeCommand},
	}
}

// inboxCommand is signalbox.inbox [filter?]. The filter is the one of
// signalbox/inbox/list with a sort, or a text to look for.
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
		err = check.Inbox(p)
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

// threadCommand is signalbox.thread [ref, thread name or id].
func (c *Set) threadCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	ref, err := c.refArgument(ctx, args[0])
	if err != nil {
		return Answer{}, err
	}
	if ref.Protocol == mail.AGN {
		return c.task(ctx, ref) // its messages are no conversation
	}
	page, err := c.panel.Thread(ctx, panel.ThreadParams{Ref: ref})
	return Answer{threadText(page), page}, err
}

// statusCommand is signalbox.status.
func (c *Set) statusCommand(ctx context.Context, _ []json.RawMessage) (Answer, error) {
	status, err := c.panel.Status(ctx)
	return Answer{statusText(status), status}, err
}

// markReadCommand is signalbox.markRead [refs, names or ids].
func (c *Set) markReadCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	refs, err := c.refArguments(ctx, args)
	if err != nil {
		return Answer{}, err
	}
	counts, err := c.panel.SetRead(ctx, panel.ReadParams{Refs: refs, Read: true})
	return Answer{countsText(counts), counts}, err
}

// markArgument reads the argument of signalbox.markAllRead [filter?].
func markArgument(raw json.RawMessage) (panel.MarkParams, error) {
	filter, err := checked(check.Filter)(raw)
	return panel.MarkParams{Filter: filter}, err
}

func markedText(_ panel.MarkParams, m panel.Marked) string {
	return "Marked " + count(m.Threads, "thread") + " as read. " + countsText(m.Counts)
}

// archiveCommand is signalbox.archive [refs, names or ids], and unarchiveCommand
// signalbox.unarchive.
func (c *Set) archiveCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	return c.archive(ctx, args, true)
}

func (c *Set) unarchiveCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	return c.archive(ctx, args, false)
}

func (c *Set) archive(ctx context.Context, args []json.RawMessage, archived bool) (Answer, error) {
	refs, err := c.refArguments(ctx, args)
	if err != nil {
		return Answer{}, err
	}
	counts, err := c.panel.Shelve(ctx, panel.ShelveParams{Refs: refs, Archived: &archived})
	return Answer{countsText(counts), counts}, err
}

// snoozeCommand is signalbox.snooze [{until, refs}]: until is a time of RFC 3339 or
// in Unix milliseconds, and refs are refs, names or ids. Without until the threads
// come back at once.
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
	refs, err := c.refArguments(ctx, a.Refs)
	if err != nil {
		return Answer{}, err
	}
	counts, err := c.panel.Shelve(ctx, panel.ShelveParams{Refs: refs, SnoozeUntil: &until})
	return Answer{countsText(counts), counts}, err
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

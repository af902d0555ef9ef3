package panel

import (
	"context"
	"encoding/base64"
	"errors"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// conversation gives the thread of an agent that a ref stands for, in what is
// known now, and the message's line if the ref is of one.
func (p *Panels) conversation(r Ref) (now *threads.Snapshot, key threads.Key, line string, err error) {
	if r.Protocol != mail.ATSF {
		return nil, key, "", unserved(r)
	}
	key.Folder = r.Store
	var ok bool
	if key.Name, ok = r.Thread(); !ok {
		key.Name, line, ok = r.Message()
	}
	if !ok {
		return nil, key, "", agentFailure(threads.ErrNotFound, "thread")
	}
	return p.agents(), key, line, nil
}

// agentOf gives the thread of an agent that a ref stands for.
func (p *Panels) agentOf(r Ref) (*threads.Item, error) {
	now, key, _, err := p.conversation(r)
	if err != nil {
		return nil, err
	}
	if it := now.Item(key); it != nil {
		return it, nil
	}
	return nil, agentFailure(threads.ErrNotFound, "thread")
}

// agentThread gives one page of an agent's own conversation.
func (p *Panels) agentThread(ctx context.Context, q ThreadParams) (ThreadPage, error) {
	now, key, _, err := p.conversation(q.Ref)
	if err != nil {
		return ThreadPage{}, err
	}
	page, err := now.Page(ctx, key, threads.Query{Before: q.Before, After: q.After, Limit: pageSize(q.Limit)})
	if it := now.Item(key); errors.Is(err, threads.ErrNotFound) && it != nil && it.Gone {
		return p.gone(it), nil
	}
	if err != nil {
		return ThreadPage{}, agentFailure(err, "thread")
	}
	out := ThreadPage{
		Thread: agentItem(page.Item), Messages: []MessageItem{}, Before: page.Before, After: page.After,
		Related: p.mailAbout(page.Item), Warnings: agentWarnings(page.Item), Revision: p.revised(),
	}
	away := p.shelfNow()
	out.Thread.putAway(away.agents(key.Folder).shelved(key.Name, 0, away.now))
	messages := make([]MessageItem, len(page.Entries))
	from, to := window(len(messages), q.After != "", func(i int) int {
		messages[i] = agentMessage(page.Item, &page.Entries[i])
		return size(&messages[i])
	})
	if from > 0 {
		out.Before = page.Entries[from].Cursor
	}
	if to < len(messages) {
		out.After = page.Entries[to-1].Cursor
	}
	out.Messages = append(out.Messages, messages[from:to]...)
	for i := from; i < to; i++ {
		out.Warnings = append(out.Warnings, messageWarnings(&page.Entries[i])...)
	}
	if page.Torn {
		out.Warnings = append(out.Warnings, Warning{Rule: "M5", Message: "the last line is not finished and not shown: its writer is at work, or was interrupted"})
	}
	out.Warnings = some(out.Warnings, Warning{Rule: "M2", Message: "and more: run signalbox threads check"})
	return out, nil
}

// gone is the page of a thread of which nothing is left but what a list shows.
func (p *Panels) gone(it *threads.Item) ThreadPage {
	return ThreadPage{
		Thread: agentItem(it), Messages: []MessageItem{}, Related: p.mailAbout(it), Revision: p.revised(),
		Warnings: []Warning{{Rule: "X3", Message: "the worktree is gone, and the messages with it; \"signalbox worktree remove\" would have kept them"}},
	}
}

// size is about what an item takes in a frame.
func size(m *MessageItem) int {
	n := 2048 + 2*len(m.Text)
	for i := range m.Turn.Parts {
		n += partBytes + 2*len(m.Turn.Parts[i].HTML)
		if tool := m.Turn.Parts[i].Tool; tool != nil {
			n += partBytes + 2*len(tool.Input) + 2*len(tool.Output)
		}
	}
	return n
}

// agentMessage shows one line of messages.jsonl.
func agentMessage(it *threads.Item, e *threads.Entry) MessageItem {
	item := MessageItem{
		Ref:    lineRef(it, e),
		Origin: Origin{Log: atsf.MessagesName, Line: int(e.Number)}, Marks: []string{},
		Trust: Trust{"ok", "the agent's own log", "ATSF has no signatures: this is what stands in the project's folder, whoever wrote it."},
	}
	if e.Fault != nil {
		item.Turn = &Turn{Gap: safe(e.Fault.Error()), Parts: []Part{}}
		item.Text = "[" + e.Place() + " is no message: " + item.Turn.Gap + "]"
		item.Trust = Trust{"warn", "cannot be read", item.Turn.Gap}
		return item
	}
	m := &e.Message
	t := newTurn(m)
	item.ID, item.From, item.Time, item.Mine = safe(m.ID), speaker(it, m), clampTime(m.Time.Millis), m.Role == atsf.RoleUser
	item.Turn, item.Truncated = &t.Turn, t.cut
	text, cut := clip(t.text.b.String(), turnBytes)
	item.Text, item.Chars, item.Truncated = render.Text(text), utf8.RuneCountInString(text), item.Truncated || cut
	return item
}

// lineRef refers to a message by its line: an id may be missing or stand twice,
// and each message is to be seen.
func lineRef(it *threads.Item, e *threads.Entry) Ref {
	return mail.MessageRef(mail.ATSF, it.Folder, it.Name, e.Cursor)
}

// speaker names who a message is by.
func speaker(it *threads.Item, m *atsf.Message) string {
	if name := agentName(it); m.Role == atsf.RoleAgent && name != "" {
		return name
	}
	return safe(m.Role)
}

func agentWarnings(it *threads.Item) []Warning {
	list := []Warning{}
	if fault, ok := errors.AsType[*canon.Fault](it.Fault); ok {
		list = append(list, Warning{Rule: fault.Rule, Message: "thread.json: " + safe(fault.Reason)})
	} else if it.Fault != nil {
		list = append(list, Warning{Rule: "T1", Message: "thread.json: " + safe(it.Fault.Error())})
	}
	if it.Odd != nil {
		list = append(list, Warning{Rule: it.Odd.Rule, Message: safe(it.Odd.Reason)})
	}
	return list
}

func messageWarnings(e *threads.Entry) []Warning {
	var list []Warning
	add := func(f *canon.Fault) {
		list = append(list, Warning{Rule: f.Rule, Message: e.Place() + ": " + safe(f.Reason)})
	}
	if e.Fault != nil {
		add(e.Fault)
		return list
	}
	for i := range e.Message.Faults {
		add(&e.Message.Faults[i])
	}
	return list
}

// Diff gives both texts of a file that a tool call changed.
func (p *Panels) Diff(ctx context.Context, q DiffParams) (Diff, error) {
	now, key, line, err := p.conversation(q.Ref)
	if err != nil {
		return Diff{}, err
	}
	e, err := now.Line(ctx, key, line)
	if err != nil {
		return Diff{}, agentFailure(err, "message")
	}
	if q.Tool < 0 || q.Tool >= len(e.Message.Tools) || e.Message.Tools[q.Tool].Diff == nil {
		return Diff{}, &Error{Kind: NotFound, Message: "the message has no such change to a file"}
	}
	d := e.Message.Tools[q.Tool].Diff
	if len(d.Old)+len(d.New) > pageBytes {
		return Diff{}, &Error{Kind: TooLarge, Message: "the texts of the change are too long to be opened: " + count(len(d.Old)+len(d.New), "byte", "bytes")}
	}
	return Diff{Path: safe(d.Path), Created: d.Created, Old: d.Old, New: d.New}, nil
}

// Asset gives an image of a thread, once its name, digest and first bytes are
// those of one.
func (p *Panels) Asset(_ context.Context, q AssetParams) (Asset, error) {
	now, key, _, err := p.conversation(q.Ref)
	if err != nil {
		return Asset{}, err
	}
	a, err := now.Asset(key, q.Asset)
	if err != nil {
		if fault, ok := errors.AsType[*canon.Fault](err); ok {
			// The words stand in the image's place.
			return Asset{}, &Error{Kind: Malformed, Message: safe(fault.Reason), Detail: fault.Rule, Err: err}
		}
		if errors.Is(err, threads.ErrNotFound) {
			return Asset{}, &Error{Kind: NotFound, Message: "there is no " + safe(q.Asset) + " in assets/", Detail: "L4", Err: err}
		}
		return Asset{}, agentFailure(err, "the image")
	}
	return Asset{Asset: a.Name.String(), MimeType: ImageType(a.Mime), Base64: base64.StdEncoding.EncodeToString(a.Data)}, nil
}

// agentFailure is failure for the threads of agents.
func agentFailure(err error, what string) error {
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		return &Error{Kind: Malformed, Message: what + ": " + safe(fault.Reason), Detail: fault.Rule, Err: err}
	}
	switch {
	case errors.Is(err, threads.ErrCursor):
		return &Error{Kind: Malformed, Message: "the cursor is not one that a page gave", Err: err}
	case errors.Is(err, threads.ErrRewritten):
		return &Error{Kind: NotFound, Message: "the messages were written anew since this page was made: load the thread again", Retryable: true, Err: err}
	case errors.Is(err, threads.ErrNotFound):
		return &Error{Kind: NotFound, Message: what + ": not found", Err: err}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &Error{Kind: StoreUnavailable, Message: what + ": " + safe(err.Error()), Retryable: true, Err: err}
}

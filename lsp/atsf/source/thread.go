package source

import (
	"context"
	"encoding/base64"
	"errors"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/atsf/turns"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

func (v *view) Thread(ctx context.Context, q panel.ThreadParams) (panel.Page, error) {
	k, _, err := key(q.Ref)
	if err != nil {
		return panel.Page{}, err
	}
	page, err := v.Page(ctx, k, atsfstore.Query{Before: q.Before, After: q.After, Limit: panel.PageSize(q.Limit)})
	if it := v.Item(k); errors.Is(err, atsfstore.ErrNotFound) && it != nil && it.Gone {
		return v.gone(it), nil
	}
	if err != nil {
		return panel.Page{}, turns.Threads.Failure(err, "thread")
	}
	out := v.emptyPage(page.Item)
	out.Before, out.After = page.Before, page.After
	from, to := turns.Fill(&out, len(page.Entries), &q, func(i int) panel.MessageItem { return message(page.Item, &page.Entries[i]) },
		func(i int) string { return page.Entries[i].Cursor })
	for i := from; i < to; i++ {
		out.Warnings = append(out.Warnings, messageWarnings(&page.Entries[i])...)
	}
	if page.Torn {
		out.Warnings = append(out.Warnings, panel.Warning{Rule: "M5", Message: "the last line is not finished and not shown: its writer is at work, or was interrupted"})
	}
	out.Warnings = panel.Some(out.Warnings, panel.Warning{Rule: "M2", Message: "and more: run signalbox threads check"})
	return out, nil
}

// emptyPage returns a page of a thread without messages.
func (v *view) emptyPage(it *atsfstore.Item) panel.Page {
	return panel.Page{
		ThreadPage: panel.ThreadPage{Thread: v.threadItem(it), Messages: []panel.MessageItem{}, Warnings: threadWarnings(it)},
		Names:      names(it),
	}
}

// gone returns the page of a thread whose messages are gone. Only its list item is left (X3).
func (v *view) gone(it *atsfstore.Item) panel.Page {
	out := v.emptyPage(it)
	out.Warnings = []panel.Warning{{Rule: "X3", Message: "the worktree is gone, and the messages with it"}}
	return out
}

// names returns the names that mail about a thread may have: the tokens in its title,
// its directory's name and its id.
func names(it *atsfstore.Item) []string {
	return append(panel.NamesIn(it.Thread.Title), it.Name, it.Thread.ID)
}

// ownLog is the trust of every message that can be read.
var ownLog = panel.Trust{
	Level: panel.TrustOK, Label: "the agent's own log",
	Detail: "ATSF has no signatures: this is what stands in the project's folder, whoever wrote it.",
}

// message returns one line of messages.jsonl as an item. A line with a fault becomes a
// gap.
func message(it *atsfstore.Item, e *atsfstore.Entry) panel.MessageItem {
	item := panel.MessageItem{
		Ref:    lineRef(it, e),
		Origin: panel.Origin{Log: atsf.MessagesName, Line: int(e.Number)}, Marks: []string{},
		Trust: ownLog,
	}
	if e.Fault != nil {
		turns.Gap(&item, e.Place()+" is no message", e.Fault.Error())
		return item
	}
	m := &e.Message
	item.ID, item.From, item.Time, item.Mine = show.Line(m.ID), speaker(it, m), show.Time(m.Time.Millis), m.Role == atsf.RoleUser
	turns.Format{Image: asset}.Set(&item, m)
	return item
}

// asset returns the name of an image in assets/, or the reason why it has none.
func asset(_ int, b *atsf.Block) (name, fault string) {
	if b.AssetRef == "" && b.Inline != nil {
		return "", "B3: the data stands in the line itself, not in assets/"
	}
	a, err := atsf.ParseAssetName(b.AssetRef)
	if err != nil {
		return "", show.Line(err.Error())
	}
	return a.String(), ""
}

// lineRef returns the ref of a message, by its line. Ids may be missing or occur twice,
// and every message must be shown.
func lineRef(it *atsfstore.Item, e *atsfstore.Entry) panel.Ref {
	return mail.MessageRef(mail.ATSF, it.Folder, it.Name, e.Cursor)
}

// speaker returns the author of a message: the agent's name, or the role.
func speaker(it *atsfstore.Item, m *atsf.Message) string {
	if name := agent(it); m.Role == atsf.RoleAgent && name != "" {
		return name
	}
	return show.Line(m.Role)
}

func threadWarnings(it *atsfstore.Item) []panel.Warning {
	list := []panel.Warning{}
	if fault, ok := errors.AsType[*canon.Fault](it.Fault); ok {
		list = append(list, panel.Warning{Rule: fault.Rule, Message: "thread.json: " + show.Line(fault.Reason)})
	} else if it.Fault != nil {
		list = append(list, panel.Warning{Rule: "T1", Message: "thread.json: " + show.Line(it.Fault.Error())})
	}
	if it.Odd != nil {
		list = append(list, panel.Warning{Rule: it.Odd.Rule, Message: show.Line(it.Odd.Reason)})
	}
	return list
}

func messageWarnings(e *atsfstore.Entry) []panel.Warning {
	var list []panel.Warning
	add := func(f *canon.Fault) {
		list = append(list, panel.Warning{Rule: f.Rule, Message: e.Place() + ": " + show.Line(f.Reason)})
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

// Diff returns both texts of a file that a tool call changed.
func (v *view) Diff(ctx context.Context, q panel.DiffParams) (panel.Diff, error) {
	k, line, err := key(q.Ref)
	if err != nil {
		return panel.Diff{}, err
	}
	e, err := v.Entry(ctx, k, atsfstore.Query{At: line})
	if err != nil {
		return panel.Diff{}, turns.Threads.Failure(err, "message")
	}
	return turns.Diff(&e.Message, q.Tool)
}

// Asset returns an image of a thread after checking its name, digest and first bytes.
func (v *view) Asset(_ context.Context, q panel.AssetParams) (panel.Asset, error) {
	k, _, err := key(q.Ref)
	if err != nil {
		return panel.Asset{}, err
	}
	a, err := v.Snapshot.Asset(k, q.Asset)
	if err != nil {
		if fault, ok := errors.AsType[*canon.Fault](err); ok {
			// The client shows the message in place of the image.
			return panel.Asset{}, &panel.Error{Kind: panel.Malformed, Message: show.Line(fault.Reason), Detail: fault.Rule, Err: err}
		}
		if errors.Is(err, atsfstore.ErrNotFound) {
			return panel.Asset{}, &panel.Error{Kind: panel.NotFound, Message: "there is no " + show.Line(q.Asset) + " in assets/", Detail: "L4", Err: err}
		}
		return panel.Asset{}, turns.Threads.Failure(err, "the image")
	}
	return panel.Asset{Asset: a.Name.String(), MimeType: panel.ImageType(a.Mime), Base64: base64.StdEncoding.EncodeToString(a.Data)}, nil
}

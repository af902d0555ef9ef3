package check

import (
	"path/filepath"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
)

// Inbox checks the params of signalbox/inbox/list.
func Inbox(p panel.InboxParams) error {
	return first(limit(p.Limit), Filter(p.Filter), texts("sort", string(p.Sort), "cursor", p.Cursor))
}

// Needs checks the params of signalbox/needs/list.
func Needs(p panel.NeedsParams) error { return limit(p.Limit) }

// Sessions checks the params of signalbox/sessions/all.
func Sessions(p panel.SessionsParams) error { return first(Text("text", p.Text), limit(p.Limit)) }

// InboxLists checks the params of signalbox/inbox/lists.
func InboxLists(p panel.InboxListsParams) error {
	if len(p.Lists) > panel.MaxLists {
		return codec.BadField("lists", "has %d lists, more than %d", len(p.Lists), panel.MaxLists)
	}
	for i, l := range p.Lists {
		if err := first(Text(at("lists", i)+".group", l.Group), limit(l.Limit)); err != nil {
			return err
		}
	}
	return first(Filter(p.Filter), Text("sort", string(p.Sort)))
}

// Filter checks what narrows an inbox.
func Filter(f panel.InboxFilter) error {
	return texts("filter.text", f.Text, "filter.protocol", f.Protocol, "filter.group", f.Group)
}

// Mark checks the params of signalbox/read/all.
func Mark(p panel.MarkParams) error { return Filter(p.Filter) }

// Read checks the params of signalbox/read/set.
func Read(p panel.ReadParams) error { return refs(p.Refs) }

// Archive checks the params of signalbox/mail/archive.
func Archive(p panel.ArchiveParams) error { return refs(p.Refs) }

// Undo checks the params of signalbox/undo.
func Undo(p panel.UndoParams) error {
	if p.Undo <= 0 {
		return codec.BadField("undo", "must be the number of what is to be undone")
	}
	return nil
}

// Shelve checks the params of signalbox/thread/shelve.
func Shelve(p panel.ShelveParams) error { return refs(p.Refs) }

// Attachment checks the params of signalbox/attachment/open.
func Attachment(p panel.AttachmentParams) error {
	return first(Ref("ref", p.Ref), given("attachment", p.Attachment))
}

// Save checks the params of signalbox/attachment/save.
func Save(p panel.SaveParams) error {
	return first(Attachment(p.AttachmentParams), given("path", p.Path))
}

// Thread checks the params of signalbox/thread/get.
func Thread(p panel.ThreadParams) error {
	if err := Ref("ref", p.Ref); err != nil {
		return err
	}
	if p.Before != "" && p.After != "" {
		return codec.BadField("after", "cannot go with before")
	}
	return first(texts("before", p.Before, "after", p.After), limit(p.Limit))
}

// Diff checks the params of signalbox/thread/diff.
func Diff(p panel.DiffParams) error {
	if err := Ref("ref", p.Ref); err != nil {
		return err
	}
	if p.Tool < 0 {
		return codec.BadField("tool", "%d is negative", p.Tool)
	}
	return nil
}

// Edits checks the params of signalbox/edit/list.
func Edits(p panel.EditsParams) error {
	if !filepath.IsAbs(p.Path) {
		return codec.BadField("path", "is not absolute")
	}
	return Text("path", p.Path)
}

// Asset checks the params of signalbox/thread/asset.
func Asset(p panel.AssetParams) error {
	return first(Ref("ref", p.Ref), Text("asset", p.Asset))
}

// Compose checks the params of signalbox/compose/context.
func Compose(p panel.ComposeParams) error {
	if p.Ref == nil {
		return nil
	}
	return Ref("ref", *p.Ref)
}

// Send checks the params of signalbox/message/send. The client token is required:
// without one a retry would send twice, as a SAMP id changes with the time.
func Send(p panel.SendParams) error {
	return first(given("clientToken", p.ClientToken), Draft("draft", p.Draft))
}

// Search checks the params of signalbox/search.
func Search(p panel.SearchParams) error {
	if err := Text("query", p.Query); err != nil {
		return err
	}
	if len(p.Cursor) > panel.MaxSearchCursor {
		return codec.BadField("cursor", "has %d bytes, more than %d", len(p.Cursor), panel.MaxSearchCursor)
	}
	if p.PartialResultToken != nil && !codec.ValidID(p.PartialResultToken) {
		return codec.BadField("partialResultToken", "is neither a string nor a whole number")
	}
	return limit(p.Limit)
}

// Complete checks the params of signalbox/link/complete.
func Complete(p panel.CompleteParams) error {
	return first(Text("prefix", p.Prefix), limit(p.Limit))
}

// References checks the params of signalbox/link/references.
func References(p panel.ReferenceParams) error {
	return first(given("token", p.Token), limit(p.Limit), Text("cursor", p.Cursor))
}

package turns

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Talk is a conversation in a list.
type Talk interface {
	Editing
	// Updated returns when it last changed, in Unix milliseconds.
	Updated() int64
	// Texts returns the texts that a list's filter matches.
	Texts() []string
	// Nested reports whether it belongs to a subagent.
	Nested() bool
	// Item returns it as a list shows it.
	Item() panel.ThreadItem
}

// View is what the views of agents' conversations have in common. I is the kind of their
// items. They embed it.
type View[I any] struct {
	Protocol mail.Protocol
	// List has all items, newest first.
	List []*I
	// Of returns the conversation of an item. By returns the item with a name in one of the
	// stores, or nil.
	Of      func(*I) Talk
	By      func(store, name string) *I
	Stores  []string
	Folders []atsfstore.Folder
	Shelf   *panel.Shelf
	// Keyed caches the heads of the state that Seen is.
	Keyed *panel.KeyedLists
	Seen  any
	Edits *Edits
}

// Key returns the store and name of a ref's conversation, and the cursor if the ref is of a
// message.
func Key(r panel.Ref) (store, name, cursor string, err error) {
	name, ok := r.Thread()
	if !ok {
		name, cursor, ok = r.Message()
	}
	if !ok {
		return "", "", "", Threads.Failure(atsfstore.ErrNotFound, "thread")
	}
	return r.Store, name, cursor, nil
}

// Talk returns the conversation of a ref.
func (v *View[I]) Talk(r panel.Ref) (Talk, error) {
	store, name, _, err := Key(r)
	if err != nil {
		return nil, err
	}
	if it := v.By(store, name); it != nil {
		return v.Of(it), nil
	}
	return nil, Threads.Failure(atsfstore.ErrNotFound, "thread")
}

// ShelfKey returns the key of a conversation. It has no mail.
func (v *View[I]) ShelfKey(r panel.Ref) (shelf.Key, shelf.Mail, error) {
	c, err := v.Talk(r)
	if err != nil {
		return shelf.Key{}, nil, err
	}
	return shelf.Key{Ref: c.Ref()}, nil, nil
}

// Shelved returns the state of a conversation on the shelf.
func (v *View[I]) Shelved(c Talk) panel.Shelved {
	at := c.Head()
	return v.Shelf.Part(v.Protocol, at.Store, "").At(at.Name, nil, v.Shelf.Now)
}

// Cursor returns the cursor of a message.
func (v *View[I]) Cursor(r panel.Ref) (string, bool) {
	_, cursor, ok := r.Message()
	return cursor, ok
}

// Checkouts returns the checkouts that the store's threads are from.
func (v *View[I]) Checkouts() (list []panel.Checkout) {
	for i := range v.Folders {
		f := &v.Folders[i]
		list = append(list, panel.Checkout{Path: f.Path, Repository: f.Repository, Branch: f.Branch, Gone: f.Gone})
	}
	return list
}

// Groups returns the folders in which agents worked, in the store's order.
func (v *View[I]) Groups(q *panel.InboxFilter) (list []panel.Group) {
	newest, tallies := make(map[string]int64), v.tallies()
	for _, it := range v.List {
		c := v.Of(it)
		newest[c.Group()] = max(newest[c.Group()], c.Updated())
	}
	for i := range v.Folders {
		f := &v.Folders[i]
		g := Worktree(f)
		g.Threads, g.LastTime, g.Bare = tallies[f.ID].Of(q).Threads, show.Time(newest[f.ID]), !f.Agent && newest[f.ID] == 0
		list = append(list, g)
	}
	return list
}

// tallies returns the counts of each folder.
func (v *View[I]) tallies() map[string]*panel.Tallies {
	all := make(map[string]*panel.Tallies)
	for i := range v.Folders {
		all[v.Folders[i].ID] = &panel.Tallies{}
	}
	for _, it := range v.List {
		all[v.Of(it).Group()].Inbox.Threads++
	}
	v.putAway(func(group string, at panel.Shelved) { all[group].Move(at, panel.Tally{Threads: 1}) })
	return all
}

// putAway calls each for every conversation that the user put away, with its group and state.
func (v *View[I]) putAway(each func(group string, at panel.Shelved)) {
	for _, store := range v.Stores {
		away := v.Shelf.Part(v.Protocol, store, "")
		for name := range away.All() {
			it := v.By(store, name)
			if it == nil {
				continue
			}
			group := v.Of(it).Group()
			if slices.ContainsFunc(v.Folders, func(f atsfstore.Folder) bool { return f.ID == group }) {
				each(group, away.At(name, nil, v.Shelf.Now))
			}
		}
	}
}

// Counts returns the number of snoozed conversations that came back. Nothing else here waits.
func (v *View[I]) Counts() (c panel.Counts) {
	v.putAway(func(_ string, at panel.Shelved) {
		if at.State == shelf.Due {
			c.NeedsReply, c.Questions = c.NeedsReply+1, c.Questions+1
		}
	})
	return c
}

// Heads implements [panel.View]. No conversation is unread; a snoozed one that came back
// waits.
func (v *View[I]) Heads(q *panel.HeadQuery) (heads []panel.Head, more bool) {
	f, text := q.Filter, needle.New(q.Filter.Text)
	if f.Mine {
		return nil, false // they are not mail
	}
	list := panel.HeadList{Len: len(v.List), Head: v.head, Keyed: v.Keyed, Of: v.Seen}
	return list.Page(q, func(h *panel.Head) (wanted, waits bool) {
		c := v.Of(h.Of.(*I))
		if f.Group != "" && f.Group != c.Group() {
			return false, false
		}
		at := v.Shelved(c).State
		waits = at == shelf.Due
		return f.Shown(at) && (waits || !f.Unread && !f.NeedsReply && f.Section == "") && f.Section != panel.SectionUnanswered && (text.Empty() || slices.ContainsFunc(c.Texts(), text.In)), waits
	})
}

func (v *View[I]) head(number int) panel.Head {
	c := v.Of(v.List[number])
	h := c.Head()
	h.From, h.Of = c.Speaker(nil)[0], v.List[number]
	return h
}

// Items implements [panel.View].
func (v *View[I]) Items(heads []panel.Head) []panel.ThreadItem {
	list := make([]panel.ThreadItem, 0, len(heads))
	for _, h := range heads {
		list = append(list, v.Of(h.Of.(*I)).Item())
	}
	return list
}

// Recent returns the conversations that changed within a day, newest first.
func (v *View[I]) Recent() (list []panel.ThreadItem) {
	for _, it := range v.List[:min(len(v.List), RecentMost)] {
		c := v.Of(it)
		if !Recent(c.Updated(), v.Shelf.Now) {
			break
		}
		if !c.Nested() {
			list = append(list, c.Item())
		}
	}
	return list
}

// Changes returns the changes to files in the newest messages of a conversation.
func (v *View[I]) Changes(ctx context.Context, r panel.Ref) panel.FileChanges {
	c, err := v.Talk(r)
	if err != nil {
		return panel.FileChanges{}
	}
	return v.Edits.Changes(ctx, c)
}

// FileEdits returns the changes to a file, by its absolute path.
func (v *View[I]) FileEdits(ctx context.Context, file string) []panel.FileEdit {
	all := make([]Editing, len(v.List))
	for i, it := range v.List {
		all[i] = v.Of(it)
	}
	return v.Edits.Of(ctx, file, all)
}

// Search returns a search of all conversations.
func (v *View[I]) Search(h Search) *Search {
	for _, it := range v.List {
		h.Conversations = append(h.Conversations, v.Of(it))
	}
	return &h
}

// Fill adds messages to a page, as many as fit. item returns a message, and cursor its cursor.
// from and to are the range that fitted.
func Fill(out *panel.Page, count int, q *panel.ThreadParams, item func(i int) panel.MessageItem, cursor func(i int) string) (from, to int) {
	messages := make([]panel.MessageItem, count)
	from, to = show.Window(count, q.After != "", func(i int) int {
		messages[i] = item(i)
		return messages[i].Size()
	})
	if from > 0 {
		out.Before = cursor(from)
	}
	if to < count {
		out.After = cursor(to - 1)
	}
	out.Messages = append(out.Messages, messages[from:to]...)
	return from, to
}

// Gap makes an item a gap for a line that cannot be read. what names the line, why is the
// reason.
func Gap(item *panel.MessageItem, what, why string) {
	item.Turn = &panel.Turn{Gap: show.Line(why), Parts: []panel.Part{}}
	item.Text = "[" + what + ": " + item.Turn.Gap + "]"
	item.Trust = panel.Trust{Level: panel.TrustWarn, Label: "cannot be read", Detail: item.Turn.Gap}
}

// Errors are the errors of a store that clients must distinguish.
type Errors struct{ Cursor, Rewritten, NotFound error }

// Threads are the errors of lsp/atsf.
var Threads = Errors{Cursor: atsfstore.ErrCursor, Rewritten: atsfstore.ErrRewritten, NotFound: atsfstore.ErrNotFound}

// Failure returns an error of the store as an [*panel.Error] with a kind. It returns
// context errors as they are.
func (e Errors) Failure(err error, what string) error {
	if fault, ok := errors.AsType[*canon.Fault](err); ok {
		return &panel.Error{Kind: panel.Malformed, Message: what + ": " + show.Line(fault.Reason), Detail: fault.Rule, Err: err}
	}
	switch {
	case errors.Is(err, e.Cursor):
		return &panel.Error{Kind: panel.Malformed, Message: "the cursor is not one that a page gave", Err: err}
	case errors.Is(err, e.Rewritten), errors.Is(err, jsonl.ErrRewritten):
		return &panel.Error{Kind: panel.NotFound, Message: "the messages were written anew since this page was made: load the thread again", Retryable: true, Err: err}
	case errors.Is(err, e.NotFound):
		return &panel.Error{Kind: panel.NotFound, Message: what + ": not found", Err: err}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return &panel.Error{Kind: panel.StoreUnavailable, Message: what + ": " + show.Line(err.Error()), Retryable: true, Err: err}
}

// Followed holds a live store, which is replaced when other folders are opened. The zero value
// holds none. Its methods may be called from several goroutines.
type Followed[L interface {
	comparable
	Close()
	Sync(context.Context) error
}] struct {
	mu      sync.Mutex // guards the fields below
	live    L
	folders []string
}

// Open replaces the store unless it already follows these folders.
func (f *Followed[L]) Open(folders []string, open func(folders []string) L) {
	var none L
	f.mu.Lock()
	left := f.live
	if left != none && slices.Equal(folders, f.folders) {
		left = none
	} else {
		f.folders = slices.Clone(folders)
		f.live = open(f.folders)
	}
	f.mu.Unlock()
	if left != none {
		left.Close()
	}
}

// Close closes the store, if there is one.
func (f *Followed[L]) Close() {
	var none L
	f.mu.Lock()
	left := f.live
	f.live = none
	f.mu.Unlock()
	if left != none {
		left.Close()
	}
}

// Live returns the store, or the zero value.
func (f *Followed[L]) Live() L {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.live
}

// Sync waits until the store has seen what is on the disk.
func (f *Followed[L]) Sync(ctx context.Context) error {
	var none L
	if live := f.Live(); live != none {
		return live.Sync(ctx)
	}
	return nil
}

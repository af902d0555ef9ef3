// Package view has the open sources of all formats. Start with [New]. Each request takes one [Look]
// at them, limited to what the reader may see.
package view

import (
	"context"
	"strconv"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Served is a source's view with its format.
type Served struct {
	panel.View
	panel.Format
}

// Views are the views of all sources, made for one request, as the reader may see them.
type Views []Served

// Views returns the current views of all sources.
func (s *Sources) Views(ctx context.Context, away *panel.Shelf) Views {
	list := make(Views, 0, len(s.list))
	for _, source := range s.list {
		list = append(list, Served{s.Options.Reader.Guard(source.View(ctx, away)), source.Format()})
	}
	return list
}

// ViewsNow returns the views of all sources with the current shelf.
func (s *Sources) ViewsNow(ctx context.Context) Views { return s.Views(ctx, s.Shelf()) }

// Having returns the views that implement an optional interface.
func Having[T any](views Views) (list []T) {
	for _, v := range views {
		if t, ok := v.View.(T); ok {
			list = append(list, t)
		}
	}
	return list
}

// Serving returns the current view that a ref belongs to, as an optional interface. It returns an
// error of kind Unsupported if the view does not implement it.
func Serving[T any](ctx context.Context, s *Sources, r panel.Ref) (T, error) {
	views := s.ViewsNow(ctx)
	t, ok := views.Of(r).(T)
	if !ok {
		return t, views.Unserved(r)
	}
	return t, nil
}

// Of returns the view that a ref belongs to, or nil.
func (views Views) Of(r panel.Ref) panel.View {
	for _, v := range views {
		if v.Protocol == r.Protocol {
			return v.View
		}
	}
	return nil
}

// Each calls do for every view that some of the refs belong to, with these refs.
func (views Views) Each(refs []panel.Ref, do func(v panel.View, own []panel.Ref) error) error {
	for _, v := range views {
		var own []panel.Ref
		for _, r := range refs {
			if r.Protocol == v.Protocol {
				own = append(own, r)
			}
		}
		if len(own) == 0 {
			continue
		}
		if err := do(v.View, own); err != nil {
			return err
		}
	}
	return nil
}

// Unserved returns the error of kind Unsupported for a ref whose format does not serve
// the request.
func (views Views) Unserved(r panel.Ref) error {
	for _, v := range views {
		if v.Protocol != r.Protocol {
			continue
		}
		if _, ok := v.View.(panel.Marker); ok {
			return &panel.Error{Kind: panel.Unsupported, Message: v.Format.Thread + " holds nothing of the kind"}
		}
		return &panel.Error{Kind: panel.Unsupported, Message: v.Format.Thread + " is read only here: it has no read marks and takes no mail"}
	}
	return &panel.Error{Kind: panel.Unsupported, Message: "protocol " + strconv.Quote(show.Line(string(r.Protocol))) + " is not served"}
}

// Newest returns the newest messages of a thread, at most limit, without related threads of other
// formats.
func (views Views) Newest(ctx context.Context, thread panel.Ref, limit int) (panel.Page, error) {
	v := views.Of(thread)
	if v == nil {
		return panel.Page{}, views.Unserved(thread)
	}
	return v.Thread(ctx, panel.ThreadParams{Ref: thread, Limit: limit})
}

// Changes returns the changes to files in the newest messages of a thread.
func (views Views) Changes(ctx context.Context, thread panel.Ref) panel.FileChanges {
	if b, ok := views.Of(thread).(panel.AgentThreads); ok {
		return b.Changes(ctx, thread)
	}
	return panel.FileChanges{}
}

// Checkouts returns the checkouts of repositories of all views.
func (views Views) Checkouts() (list []panel.Checkout) {
	for _, v := range Having[panel.CheckedOut](views) {
		list = append(list, v.Checkouts()...)
	}
	return list
}

// Counts returns the counts of unread messages, of threads that need a reply and of threads that
// ask, in the inbox of all formats.
func (views Views) Counts() (all panel.Counts) {
	for _, v := range views {
		c := v.Counts()
		all.Unread, all.NeedsReply, all.Asks, all.Questions = all.Unread+c.Unread, all.NeedsReply+c.NeedsReply, all.Asks+c.Asks, all.Questions+c.Questions
	}
	return all
}

// Alarms returns the sum of the alarms of all views.
func (views Views) Alarms() (all panel.Alarms) {
	for _, t := range Having[panel.Tasked](views) {
		a := t.Alarming()
		all.Open, all.Critical, all.Overdue = all.Open+a.Open, all.Critical+a.Critical, all.Overdue+a.Overdue
	}
	return all
}

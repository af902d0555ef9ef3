package view

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Look is what one request sees of the threads.
type Look struct {
	Revision int64
	Away     *panel.Shelf
	Views    Views
	// Opened are the opened folders, as groups show them.
	Opened []string
	// Recent returns the agents' threads that changed within a day, the newest first.
	Recent func() []panel.ThreadItem
}

// firstLook is how long the first list after a start waits at most for mail to be found.
const firstLook = time.Second

// LookNow returns what there is now. The revision comes first: the rest is as new, or newer.
func (s *Sources) LookNow(ctx context.Context) *Look {
	l := &Look{Revision: s.Revision(), Away: s.Shelf()}
	l.Views = s.Views(ctx, l.Away)
	for _, folder := range s.Configured().Folders {
		l.Opened = append(l.Opened, show.Line(folder))
	}
	l.Recent = sync.OnceValue(func() (list []panel.ThreadItem) {
		for _, b := range Having[panel.Busy](l.Views) {
			list = append(list, b.Recent()...)
		}
		slices.SortStableFunc(list, func(a, b panel.ThreadItem) int { return cmp.Compare(b.LastTime, a.LastTime) })
		return list
	})
	return l
}

// Look is LookNow, but right after a start it waits until the stores were looked at: an
// empty list would say that there is no mail.
func (s *Sources) Look(ctx context.Context) *Look {
	soon, cancel := context.WithTimeout(ctx, firstLook)
	defer cancel()
	starting := Having[panel.Starting](s.ViewsNow(ctx))
	if s.Options.Browser {
		return s.lookSome(ctx, soon, starting)
	}
	for _, v := range starting {
		v.Begun(soon)
	}
	return s.LookNow(ctx)
}

// lookSome is Look in a browser, where a look takes so long that it returns what the first
// store has to show. The others tell of theirs when they have looked.
func (s *Sources) lookSome(ctx, soon context.Context, starting []panel.Starting) *Look {
	begun := make(chan struct{}, len(starting))
	for _, v := range starting {
		go func() {
			v.Begun(soon)
			begun <- struct{}{}
		}()
	}
	l := s.LookNow(ctx)
	for range starting {
		if slices.ContainsFunc(l.Views, func(v Served) bool {
			return slices.ContainsFunc(v.Groups(&panel.InboxFilter{}), func(g panel.Group) bool { return g.Threads > 0 })
		}) {
			break
		}
		<-begun
		l = s.LookNow(ctx)
	}
	return l
}

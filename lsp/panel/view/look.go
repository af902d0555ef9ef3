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
	Shelf    *panel.Shelf
	Views    Views
	// Opened are the opened folders, as they are shown in groups.
	Opened []string
	// Recent returns the agents' threads that changed within a day, newest first.
	Recent func() []panel.ThreadItem
}

// firstLook is the longest time that the first list after a start waits for mail to be found.
const firstLook = time.Second

// LookNow returns a look at the current state. The revision is taken first, so that the rest is at
// least as new.
func (s *Sources) LookNow(ctx context.Context) *Look {
	l := &Look{Revision: s.Revision(), Shelf: s.Shelf()}
	l.Views = s.Views(ctx, l.Shelf)
	for _, folder := range s.Configured().Folders {
		l.Opened = append(l.Opened, show.Line(folder))
	}
	l.Recent = sync.OnceValue(func() (list []panel.ThreadItem) {
		for _, b := range Having[panel.AgentThreads](l.Views) {
			list = append(list, b.Recent()...)
		}
		slices.SortStableFunc(list, func(a, b panel.ThreadItem) int { return cmp.Compare(b.LastTime, a.LastTime) })
		return list
	})
	return l
}

// Look is LookNow, but right after a start it first waits until the stores were looked at, because
// an empty list would mean that there is no mail.
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

// lookSome is Look in a browser, where reading takes long. It returns as soon as one store has
// threads to show. The other stores announce theirs later.
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

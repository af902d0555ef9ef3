package thread

import (
	"context"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/panel/talk"
)

// offerThreads offers the ids of threads.
func (t *commands) offerThreads(ctx context.Context, f *cli.Offers) {
	offer(f)(t.peek().Threads(ctx))
}

// offerSessions offers the names of sessions that agents' programs recorded.
func (t *commands) offerSessions(ctx context.Context, f *cli.Offers) {
	offer(f)(t.peek().Sessions(ctx, false))
}

func (t *commands) peek() *talk.Project {
	p := t.at()
	p.Peek = true
	return p
}

func offer(f *cli.Offers) func(*talk.List, error) {
	return func(l *talk.List, err error) {
		if err != nil {
			return
		}
		for _, it := range l.Talks {
			f.Add(it.Name, it.Agent+": "+it.Title)
		}
	}
}

// offerBoth offers the ids of threads and sessions.
func (t *commands) offerBoth(ctx context.Context, f *cli.Offers) {
	t.offerThreads(ctx, f)
	if !f.Full() {
		t.offerSessions(ctx, f)
	}
}

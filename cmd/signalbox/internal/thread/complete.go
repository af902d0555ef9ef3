package thread

import (
	"context"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
)

// offer returns a function that offers the names of threads, of sessions, or of both.
func (t *commands) offer(threads, sessions bool) func(context.Context, *cli.Offers) {
	return func(ctx context.Context, f *cli.Offers) {
		add := func(l *talk.List, err error) {
			if err == nil {
				for _, it := range l.Talks {
					f.Add(it.Name, it.Agent+": "+it.Title)
				}
			}
		}
		p := t.at()
		p.Peek = true
		if threads {
			add(p.Threads(ctx))
		}
		if sessions && !f.Full() {
			add(p.Sessions(ctx, false))
		}
	}
}

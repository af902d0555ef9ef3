package thread

import (
	"cmp"
	"context"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/transcript"
)

// offerThreads offers the ids of threads.
func (t *commands) offerThreads(ctx context.Context, f *cli.Offers) {
	// Without a state folder, into which a scan writes what it saw.
	snap, err := threads.Scan(ctx, threads.Config{Folders: []string{t.folder()}})
	if err != nil {
		return
	}
	for _, item := range snap.Items {
		f.Add(item.Name, cmp.Or(item.Thread.Agent.Name, item.Thread.Agent.ID)+": "+item.Thread.Title)
	}
}

// offerSessions offers the names of sessions that agents' programs recorded.
func (t *commands) offerSessions(ctx context.Context, f *cli.Offers) {
	snap, err := transcript.Scan(ctx, transcript.Config{Env: t.Env, Folders: []string{t.folder()}})
	if err != nil {
		return
	}
	for _, it := range snap.Items {
		f.Add(it.Name, cmp.Or(it.Facts.Name, it.Format.Title)+": "+sessionTitle(it))
	}
}

// offerBoth offers the ids of threads and sessions.
func (t *commands) offerBoth(ctx context.Context, f *cli.Offers) {
	t.offerThreads(ctx, f)
	if !f.Full() {
		t.offerSessions(ctx, f)
	}
}

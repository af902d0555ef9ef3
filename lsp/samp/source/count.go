package source

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/shelf"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/index"
)

// countCache caches the counts for the newest snapshot of the shelf. They are valid until the
// directory changes or a snoozed thread comes back.
type countCache struct {
	sync.Mutex
	of      *shelf.Snapshot
	counted map[*panel.ShelfPart]counted
}

// counted holds how the threads put away in a directory change its counts. It is valid for
// one revision of the directory and one [index.Stats.Since], until a thread comes back at next.
type counted struct {
	revision, since, next int64
	panel.Tallies         // Inbox is negative: the threads put away are taken from it
}

// get returns the counts made with a part, and whether they are still valid.
func (c *countCache) get(away *panel.Shelf, part *panel.ShelfPart, stats *index.Stats) (n counted, ok bool) {
	c.Lock()
	defer c.Unlock()
	n, ok = c.counted[part]
	return n, ok && c.of == away.Snapshot && n.revision == stats.Revision && n.since == stats.Since && (n.next == 0 || n.next > away.Now)
}

func (c *countCache) put(of *shelf.Snapshot, part *panel.ShelfPart, n counted) {
	c.Lock()
	defer c.Unlock()
	if c.of != of {
		c.of, c.counted = of, make(map[*panel.ShelfPart]counted)
	}
	c.counted[part] = n
}

// tallies returns the counts of a directory's threads. It subtracts the threads put away from
// stats of the same moment, since other stats might be smaller.
func (v *view) tallies(live *index.Live) (panel.Tallies, index.Stats) {
	stats := live.Stats()
	part := v.shelfPart(stats.ID)
	if part == nil {
		return panel.Tallies{Inbox: inboxOf(&stats)}, stats
	}
	away := v.shelf
	n, known := v.source.counts.get(away, part, &stats)
	if !known {
		var putAway map[string]index.Tally
		putAway, stats = live.Tally(part.Names(live.LongName))
		n = counted{revision: stats.Revision, since: stats.Since, next: away.Next(away.Now)}
		for name, w := range putAway {
			one := panel.Tally{Threads: 1, Unread: w.Unread}
			if w.NeedsReply {
				one.Waiting = 1
			}
			if w.Asks {
				one.Asks, one.Questions = 1, 1
			}
			n.Move(part.At(name, shelf.Mail(slices.Values(w.Mail)), away.Now), one)
		}
		v.source.counts.put(away.Snapshot, part, n)
	}
	return panel.Tallies{Inbox: inboxOf(&stats).With(n.Inbox), Archived: n.Archived, Snoozed: n.Snoozed}, stats
}

// inboxOf returns the counts of all threads of a directory, including those put away.
func inboxOf(s *index.Stats) panel.Tally {
	return panel.Tally{Threads: s.Threads, Unread: s.Unread, Waiting: s.NeedReply, Asks: s.Asking, Questions: s.Asking}
}

func (v *view) Groups(q *panel.InboxFilter) []panel.Group {
	g := panel.Group{ID: panel.MailGroup, Kind: panel.GroupMail, Title: "Mail"}
	for _, s := range v.stores {
		tallies, stats := v.tallies(s.live)
		sum := tallies.Of(q)
		g.Threads, g.Unread = g.Threads+sum.Threads, g.Unread+sum.Unread
		if stats.Threads > 0 {
			g.LastTime = max(g.LastTime, show.Millis(stats.Newest))
		}
	}
	return []panel.Group{g}
}

func (v *view) Counts() (c panel.Counts) {
	for _, s := range v.stores {
		tallies, _ := v.tallies(s.live)
		inbox := tallies.Inbox
		c.Unread, c.NeedsReply, c.Asks, c.Questions = c.Unread+inbox.Unread, c.NeedsReply+inbox.Waiting, c.Asks+inbox.Asks, c.Questions+inbox.Questions
	}
	return c
}

// UnreadOf counts the unread messages to an alias in all directories. It opens them again,
// since the view's may be closed meanwhile.
func (v *view) UnreadOf(ctx context.Context, alias string) (all int, err error) {
	if !samp.ValidAlias(alias) {
		return 0, nil
	}
	for _, s := range v.stores {
		n, err := s.unreadOf(ctx, alias, v.source.host.Options.Now(), v.stateDir)
		if err != nil {
			return 0, err
		}
		all += n
	}
	return all, nil
}

func (o *opened) unreadOf(ctx context.Context, alias string, now time.Time, stateDir string) (int, error) {
	d, err := sampstore.Open(o.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer d.Close()
	return o.unread.Count(ctx, d, alias, o.live.Stats().Profile, now, stateDir)
}

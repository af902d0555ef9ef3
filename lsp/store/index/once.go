package index

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// openOnce opens the directory for searches alone.
func (l *Live) openOnce() {
	l.ready, l.scanned = true, make(map[string]*scanThread)
	l.begin()
	l.state = nil
	if l.dir, l.err = store.Open(l.cfg.Path); l.err != nil {
		return
	}
	if l.cfg.Auto {
		if form, err := l.dir.Form(context.Background()); err == nil {
			l.form, l.profile = form, form.Profile
		}
	}
}

// follow begins to follow the directory, unless that has begun.
func (l *Live) follow() {
	l.following.Do(func() {
		if l.cfg.Once {
			l.mu.Lock()
			if l.dir != nil {
				l.dir.Close()
			}
			l.dir, l.state, l.scanned, l.ready = nil, nil, nil, false
			l.mu.Unlock()
		}
		l.follower = follow.Start(follow.Config{What: "messages", Poll: l.cfg.Poll, Logger: l.cfg.Logger}, &source{Live: l})
	})
}

// Scan is a search in the logs as they are, without an index. It goes on from page to page:
// the first page is found first, and then all others at once.
type Scan struct {
	live  *Live
	query *query.Query
	seek  *seeker
	high  key
	// spots are messages that match, of which it is not known yet which are shown. whole is
	// set if there are no others below high.
	spots []found
	whole bool
	// settled is set once it is known that all spots are shown.
	settled bool
	// ready and shown are the next messages to show.
	ready []found
	shown []samp.Found
}

// Scan prepares a search in a directory that was opened for it, and otherwise returns nil:
// then there is an index. A search for what may be forged needs one and makes it.
func (l *Live) Scan(ctx context.Context, q *query.Query) (*Scan, error) {
	if l.cfg.Once && q.Suspicious() {
		return nil, l.Sync(ctx)
	}
	if l.scanned == nil {
		return nil, nil //nolint:nilnil // there is an index
	}
	return &Scan{live: l, query: q}, nil
}

// settledAtOnce is for how many messages it is found out at once whether they are shown.
const settledAtOnce = 16 << 10

// Page returns the newest messages that match, at most limit, and those after a place if one
// is given, which is not before that of an earlier call.
func (c *Scan) Page(ctx context.Context, after *SearchPlace, limit int) (page SearchPage, err error) {
	if c.live.dir == nil {
		return page, nil
	}
	if c.seek == nil {
		logs, _, err := c.live.dir.Logs()
		if err != nil {
			return page, err
		}
		c.seek = c.live.newScan(c.query, logs[:min(len(logs), maxLogs)])
		c.high = c.seek.span(after)
	}
	past := c.seek.span(after)
	for len(c.ready) > 0 && c.ready[0].compare(past) >= 0 {
		c.ready, c.shown = c.ready[1:], c.shown[1:]
	}
	for len(c.ready) <= limit {
		if more, err := c.more(ctx, limit+1); err != nil || !more {
			return c.page(limit), err
		}
	}
	return c.page(limit), nil
}

// page returns the messages that are ready, at most limit.
func (c *Scan) page(limit int) (page SearchPage) {
	n := min(limit, len(c.ready))
	for i := range c.shown[:n] {
		f := &c.shown[i]
		page.Messages = append(page.Messages, c.live.scannedMessage(c.seek.logs[f.Rank].Name, f))
		page.Places = append(page.Places, c.seek.place(c.ready[i].key))
	}
	if page.More = n < len(c.ready); page.More {
		page.Next = page.Places[n-1]
	}
	return page
}

// more finds more messages to show. It is false if there are none.
func (c *Scan) more(ctx context.Context, most int) (bool, error) {
	if len(c.spots) == 0 {
		if c.whole {
			return false, nil
		}
		if err := c.look(ctx, most); err != nil {
			return false, err
		}
	}
	n := min(settledAtOnce, len(c.spots))
	ready, shown, err := c.seek.show(ctx, c.spots[:n], c.settled)
	if err != nil {
		return false, err
	}
	c.spots = c.spots[n:]
	c.ready, c.shown = slices.Concat(c.ready, ready), slices.Concat(c.shown, shown)
	return true, nil
}

// look finds the newest messages that match, at most most.
func (c *Scan) look(ctx context.Context, most int) error {
	s := c.seek
	all := s.limit > 0
	if all {
		most = 1 << 40 // it is not read a third time
		if err := s.findTwins(ctx); err != nil {
			return err
		}
	}
	s.hits, s.least, s.limit = nil, bottom(), most
	if err := s.scan(ctx, s.low, c.high); err != nil {
		return err
	}
	if c.spots = s.newest(); all {
		s.twins, c.whole = nil, true
		return c.settle(ctx)
	}
	if c.whole = len(c.spots) <= most; !c.whole {
		c.spots = c.spots[:most]
		c.high = c.spots[most-1].key
	}
	return nil
}

// settle drops what is not shown of all that was found.
func (c *Scan) settle(ctx context.Context) error {
	var list []found
	hidden := make(map[uint64]bool)
	for i, h := range c.spots {
		if !h.alone {
			list, hidden[h.place] = append(list, h), true
		}
		if len(list) < settledAtOnce && i+1 < len(c.spots) {
			continue
		}
		shown, _, err := c.seek.show(ctx, list, false)
		if err != nil {
			return err
		}
		for _, h := range shown {
			delete(hidden, h.place)
		}
		list = list[:0]
	}
	c.spots = slices.DeleteFunc(c.spots, func(h found) bool { return hidden[h.place] })
	c.settled = true
	return nil
}

// maxScanned is of how many threads a scan remembers how they begin.
const maxScanned = 32 << 10

func (l *Live) keepScanned(threads map[string]*scanThread) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.scanned) > maxScanned {
		clear(l.scanned)
	}
	for name, t := range threads {
		l.scanned[strings.Clone(name)] = t
	}
}

func (l *Live) scannedThread(name string) *scanThread {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.scanned[name]
}

// scannedMessage describes a record that a scan found.
func (l *Live) scannedMessage(file string, f *samp.Found) Message {
	return Message{Found: *f, Form: samp.Identify(&f.Record), File: file, Unread: f.To == l.cfg.Me && !l.hasRead(f)}
}

// stateOf returns what a query asks of a record's state.
func (l *Live) stateOf(r *samp.Record) query.State {
	s := query.State{Mine: r.To == l.cfg.Me || r.From == l.cfg.Me}
	if r.To == l.cfg.Me {
		s.Read = l.hasRead(&samp.Found{Record: *r, Key: samp.EffectiveID(r, l.profile)})
		s.Unread = !s.Read
	}
	return s
}

// hasRead reports whether the reader has read a message to them. Where nothing was noted
// yet, what another tool's watermark covers counts as read, as [Live.adopt] has it.
func (l *Live) hasRead(f *samp.Found) bool {
	l.reads.Do(func() {
		var err error
		if l.state, err = store.OpenReadState(l.cfg.StateDir, l.dir, l.cfg.Me); err != nil {
			l.cfg.Logger.Warn("read state cannot be read", "error", err)
		}
		if l.state.Exists() {
			return
		}
		if mark, found, err := l.dir.Watermark(l.cfg.Me); err == nil && found {
			seen := mark.Capped(time.Now().Unix()).Seen()
			l.covered = &seen
		}
	})
	if l.covered != nil {
		return l.covered.Listed(f) || l.covered.Before(f.TS)
	}
	return l.state.Has(store.KeyOf(f))
}

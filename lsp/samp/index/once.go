package index

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/core/query"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// openOnce opens the directory only for searches.
func (l *Live) openOnce() {
	l.ready, l.scanned, l.partSize = true, make(map[string]*scanThread), partSize
	l.begin()
	l.state = nil
	if l.dir, l.err = sampstore.Open(l.cfg.Path); l.err != nil {
		return
	}
	if l.cfg.Auto {
		if form, err := l.dir.Form(context.Background()); err == nil {
			l.form, l.profile = form, form.Profile
		}
	}
}

// follow starts to follow the directory, unless it has started already.
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

// Scan is a search in the logs without an index. It finds one page first, and all other
// messages together once that page is used up.
type Scan struct {
	live  *Live
	query *query.Query
	seek  *seeker
	// rest holds the messages after ready. complete is set once there are no others.
	rest     []found
	complete bool
	// ready holds the next messages to return, and texts the records of some, by place.
	ready []found
	texts map[uint64]*samp.Found
}

// Scan prepares a search without an index. It returns nil if there is an index, or if the
// query is for suspicious messages: then Scan makes the index that the query needs.
func (l *Live) Scan(ctx context.Context, q *query.Query) (*Scan, error) {
	if l.cfg.Once && q.Suspicious() {
		return nil, l.Sync(ctx)
	}
	if l.scanned == nil {
		return nil, nil //nolint:nilnil // there is an index
	}
	return &Scan{live: l, query: q}, nil
}

// settledAtOnce is how many messages are checked together for whether they are shown.
const settledAtOnce = 16 << 10

// Page returns the newest messages that match, at most limit, beginning after a place if one is
// given. The place must not be before the place of an earlier call. Page may return fewer
// messages than there are.
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
		c.seek.high = c.seek.span(after)
		if err := c.findFirst(ctx, limit); err != nil {
			return page, err
		}
	}
	past := c.seek.span(after)
	for len(c.ready) > 0 && c.ready[0].compare(past) >= 0 {
		delete(c.texts, c.ready[0].place)
		c.ready = c.ready[1:]
	}
	for len(c.ready) == 0 {
		if more, err := c.makeReady(ctx); err != nil || !more {
			return page, err
		}
	}
	return c.page(ctx, limit)
}

// page returns the ready messages, at most limit.
func (c *Scan) page(ctx context.Context, limit int) (page SearchPage, err error) {
	n, size := 0, int64(0)
	var missing []found
	for n < min(limit, len(c.ready)) && (n == 0 || size+int64(c.ready[n].n) <= textBytes) {
		h := c.ready[n]
		if c.texts[h.place] == nil {
			missing = append(missing, h)
		}
		size += int64(h.n)
		n++
	}
	err = c.seek.readRecords(ctx, missing, func(at found, f *samp.Found) { c.texts[at.place] = f })
	for _, h := range c.ready[:n] {
		if f := c.texts[h.place]; f != nil { // nil if the log was rewritten meanwhile
			page.Messages = append(page.Messages, c.live.scannedMessage(c.seek.logs[f.Rank].Name, f))
			page.Places = append(page.Places, c.seek.place(h.key))
		}
	}
	page.Next = c.seek.place(c.ready[n-1].key)
	page.More = n < len(c.ready) || len(c.rest) > 0 || !c.complete
	return page, err
}

// findFirst finds the newest messages that match, at most most.
func (c *Scan) findFirst(ctx context.Context, most int) error {
	s := c.seek
	s.limit = most
	if err := s.scan(ctx, true); err != nil {
		return err
	}
	for {
		hits := slices.Clone(s.newest())
		n := min(most, len(hits))
		var err error
		if c.ready, c.texts, err = s.shown(ctx, hits[:n], false); err != nil {
			return err
		}
		s.skipped = nil
		// The skipped parts of the logs may hold newer messages.
		if now := s.newest(); slices.Equal(now[:n], hits[:n]) {
			if c.complete = len(now) == n; !c.complete {
				s.high = hits[n-1].key
			}
			return nil
		}
	}
}

// makeReady makes more messages ready. It returns false if there are none.
func (c *Scan) makeReady(ctx context.Context) (bool, error) {
	if !c.complete {
		if err := c.findRest(ctx); err != nil {
			return false, err
		}
	}
	n := min(settledAtOnce, len(c.rest))
	var err error
	c.ready, c.texts, err = c.seek.shown(ctx, c.rest[:n], true)
	c.rest = c.rest[n:]
	return n > 0, err
}

// findRest finds all other messages.
func (c *Scan) findRest(ctx context.Context) error {
	s := c.seek
	if err := s.findPairs(ctx); err != nil {
		return err
	}
	s.hits, s.least, s.limit = nil, bottom(), 1<<40
	if err := s.scan(ctx, false); err != nil {
		return err
	}
	c.rest, s.pairs, c.complete = s.newest(), nil, true
	return c.dropHidden(ctx)
}

// dropHidden drops the messages from rest that are not shown.
func (c *Scan) dropHidden(ctx context.Context) error {
	var list []found
	hidden := make(map[uint64]bool)
	for i, h := range c.rest {
		if !h.unique {
			list, hidden[h.place] = append(list, h), true
		}
		if len(list) < settledAtOnce && i+1 < len(c.rest) {
			continue
		}
		shown, _, err := c.seek.shown(ctx, list, false)
		if err != nil {
			return err
		}
		for _, h := range shown {
			delete(hidden, h.place)
		}
		list = list[:0]
	}
	c.rest = slices.DeleteFunc(c.rest, func(h found) bool { return hidden[h.place] })
	return nil
}

// maxScanned is about how many threads a scan remembers from page to page.
const maxScanned = 32 << 10

// forgetScanned forgets the scanned threads if there are too many.
func (l *Live) forgetScanned() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.scanned) > maxScanned {
		clear(l.scanned)
	}
}

func (l *Live) storeScanned(threads map[string]*scanThread) {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.Copy(l.scanned, threads)
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

// stateOf returns the state of a record for a query.
func (l *Live) stateOf(r *samp.Record) query.State {
	s := query.State{Mine: r.To == l.cfg.Me || r.From == l.cfg.Me}
	if r.To == l.cfg.Me {
		s.Read = l.hasRead(&samp.Found{Record: *r, Key: samp.EffectiveID(r, l.profile)})
		s.Unread = !s.Read
	}
	return s
}

// hasRead reports whether the reader has read a message to the reader. If there is no read
// state yet, messages that another tool's watermark covers count as read, as in [Live.adopt].
func (l *Live) hasRead(f *samp.Found) bool {
	l.openState.Do(func() {
		var err error
		if l.state, err = sampstore.OpenReadState(l.cfg.StateDir, l.dir, l.cfg.Me); err != nil {
			l.cfg.Logger.Warn("read state cannot be read", "error", err)
		}
		if l.state.Exists() {
			return
		}
		if mark, found, err := l.dir.Watermark(l.cfg.Me); err == nil && found {
			seen := mark.SeenAt(time.Now().Unix())
			l.covered = &seen
		}
	})
	if l.covered != nil {
		return l.covered.Listed(f) || l.covered.Before(f.TS)
	}
	return l.state.Has(sampstore.KeyOf(f))
}

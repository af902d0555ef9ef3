package thread

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/lsp/store/transcript"
)

// chosen are the threads and sessions that a list shows, by folder, and their number.
type chosen struct {
	threads  map[string][]*threads.Item
	sessions map[string][]*transcript.Item
	n        int
}

// choose returns what the flags of a list ask for, the newest if that is too much, and how
// many there are in all.
func choose(items []*threads.Item, recorded []*transcript.Item, f *cli.Filter) (c chosen, total int) {
	items = slices.DeleteFunc(slices.Clone(items), func(it *threads.Item) bool {
		th := &it.Thread
		return !f.Query.From(agentOf(it)) || !f.Query.Thread(it.Name, th.ID, th.Title) || !f.Query.Time(it.Updated)
	})
	recorded = slices.DeleteFunc(slices.Clone(recorded), func(it *transcript.Item) bool {
		return !f.Query.From(programOf(it)) || !f.Query.Thread(it.Name, it.ID, sessionTitle(it)) || !f.Query.Time(it.Updated)
	})
	total = len(items) + len(recorded)
	times := make([]int64, 0, total)
	for _, it := range items {
		times = append(times, it.Updated)
	}
	for _, it := range recorded {
		times = append(times, it.Updated)
	}
	slices.Sort(times)
	room := f.Most(total)
	oldest := int64(0) // that is shown, if not all are
	if room < total {
		oldest = times[total-room]
	}
	c = chosen{threads: make(map[string][]*threads.Item), sessions: make(map[string][]*transcript.Item)}
	fits := func(updated int64) bool {
		if room < total && (updated < oldest || c.n == room) {
			return false
		}
		c.n++
		return true
	}
	for _, it := range items {
		if fits(it.Updated) {
			c.threads[it.Folder] = append(c.threads[it.Folder], it)
		}
	}
	for _, it := range recorded {
		if fits(it.Updated) {
			c.sessions[it.Checkout] = append(c.sessions[it.Checkout], it)
		}
	}
	return c, total
}

// parts returns what a list shows, one after the other: of all repositories the sessions
// that wait for the person come before everything else.
func (c *chosen) parts(all bool) []chosen {
	if !all {
		return []chosen{*c}
	}
	first, rest := chosen{sessions: make(map[string][]*transcript.Item)}, chosen{threads: c.threads, sessions: make(map[string][]*transcript.Item)}
	for id, list := range c.sessions {
		for _, it := range list {
			to := rest.sessions
			if it.State == session.Waiting {
				to = first.sessions
			}
			to[id] = append(to[id], it)
		}
	}
	return []chosen{first, rest}
}

// order returns the folders of threads and sessions: as they stand in the project, or those
// of all repositories by what is newest in them.
func (c *chosen) order(stores, checkouts []threads.Folder, all bool) (list []*threads.Folder) {
	known := make(map[string]bool)
	for _, folders := range [][]threads.Folder{stores, checkouts} {
		for i := range folders {
			if f := &folders[i]; !known[f.ID] {
				known[f.ID] = true
				list = append(list, f)
			}
		}
	}
	newest := func(f *threads.Folder) (at int64) {
		for _, it := range c.threads[f.ID] {
			at = max(at, it.Updated)
		}
		for _, it := range c.sessions[f.ID] {
			at = max(at, it.Updated)
		}
		return at
	}
	if all {
		slices.SortStableFunc(list, func(a, b *threads.Folder) int { return cmp.Compare(newest(b), newest(a)) })
	}
	return list
}

// checkouts returns a folder of each repository that is there.
func checkouts(found *transcript.Snapshot) []string {
	list, known := []string{}, make(map[string]bool)
	for i := range found.Checkouts {
		if f := &found.Checkouts[i]; f.Git && !f.Gone && !known[f.Repository] {
			known[f.Repository] = true
			list = append(list, f.Path)
		}
	}
	return list
}

// agentOf returns the name of a thread's agent.
func agentOf(it *threads.Item) string { return cmp.Or(it.Thread.Agent.Name, it.Thread.Agent.ID) }

// programOf returns the name of the agent or program that recorded a session.
func programOf(it *transcript.Item) string { return cmp.Or(it.Facts.Name, it.Format.Title) }

// leastID is how many characters of an id are shown at least: of a UUID the first group.
const leastID = 8

// onScreen has the list written as a table.
func (l *talkList) onScreen(o *cli.Options, items []*threads.Item, recorded []*transcript.Item) {
	var names []string
	for _, it := range items {
		names = append(names, it.Name)
	}
	for _, it := range recorded {
		names = append(names, it.Name, it.ID)
	}
	l.short, l.when = cli.ShortNames(names, leastID), o.When
	l.table = o.Table(l.w, cli.Column{Title: "TITLE", Least: 20}, cli.Column{Title: "AGENT", Most: 16}, cli.Column{Title: "STATE", Least: 16},
		cli.Column{Title: "UPDATED"}, cli.Column{Title: "ID"})
}

// rows adds the threads and sessions of a folder, the newest first.
func (l *talkList) rows(list []*threads.Item, recorded []*transcript.Item) {
	type row struct {
		updated int64
		cells   []cli.Cell
	}
	var rows []row
	for _, it := range list {
		rows = append(rows, row{it.Updated, l.threadRow(it)})
	}
	for _, it := range recorded {
		title := cli.Cell{Text: cli.Line(sessionTitle(it))}
		if it.Err != nil {
			title = cli.Cell{Text: "cannot be read: " + cli.Line(it.Err.Error()), Style: cli.Red}
		}
		state := cli.Cell{Text: cli.Line(doing(it))}
		if it.State == "waiting" {
			state.Style = cli.Yellow
		}
		rows = append(rows, row{it.Updated, l.cells(title, programOf(it), state, it.Updated, it.Name)})
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.updated, a.updated) })
	for _, r := range rows {
		l.table.Row(r.cells...)
	}
}

func (l *talkList) threadRow(it *threads.Item) []cli.Cell {
	th := &it.Thread
	title := cli.Cell{Text: cli.Line(th.Title)}
	state := cli.Cell{Text: cli.Plural(int(th.Stats.Messages), "message")}
	switch {
	case it.Fault != nil:
		title, state = cli.Cell{Text: "cannot be read: " + cli.Line(faultText(it.Fault)), Style: cli.Red}, cli.Cell{}
	case it.Gone:
		state = cli.Cell{Text: "gone", Style: cli.Dim}
	case len(th.Faults) > 0:
		state = cli.Cell{Text: cli.Plural(len(th.Faults), "fault"), Style: cli.Red}
	}
	return l.cells(title, agentOf(it), state, it.Updated, it.Name)
}

func (l *talkList) cells(title cli.Cell, agent string, state cli.Cell, updated int64, name string) []cli.Cell {
	return []cli.Cell{title, {Text: cli.Line(agent), Style: cli.Dim}, state, {Text: l.when(updated)}, {Text: cli.WholeLine(l.short(name)), Style: cli.Yellow}}
}

package thread

import (
	"cmp"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
)

// chosen holds the threads and sessions that a list shows, by folder, and their number.
type chosen struct {
	talks map[string][]*talk.Talk
	n     int
}

// choose returns the threads and sessions that the flags ask for, the newest if there are
// more than the limit, and how many match without the limit.
func choose(talks []*talk.Talk, f *cli.Filter) (c chosen, total int) {
	talks = slices.DeleteFunc(slices.Clone(talks), func(it *talk.Talk) bool {
		return !f.Query.By(it.Agent, it.Alias) || !f.Query.Thread(it.Name, it.ID, it.Alias, it.Title) || !f.Query.Time(it.Updated)
	})
	total = len(talks)
	room := f.Most(total)
	oldest := int64(0) // the oldest time that is shown, if not all are
	if room < total {
		times := make([]int64, 0, total)
		for _, it := range talks {
			times = append(times, it.Updated)
		}
		slices.Sort(times)
		oldest = times[total-room]
	}
	c.talks = make(map[string][]*talk.Talk)
	for _, it := range talks {
		if room == total || it.Updated >= oldest && c.n < room {
			c.n++
			c.talks[it.Folder] = append(c.talks[it.Folder], it)
		}
	}
	return c, total
}

// parts splits what a list shows. In a list of all repositories, the first part is the
// sessions that wait for the person.
func (c *chosen) parts(all bool) []chosen {
	if !all {
		return []chosen{*c}
	}
	first, rest := chosen{talks: make(map[string][]*talk.Talk)}, chosen{talks: make(map[string][]*talk.Talk)}
	for id, list := range c.talks {
		for _, it := range list {
			to := rest.talks
			if it.Waits() {
				to = first.talks
			}
			to[id] = append(to[id], it)
		}
	}
	return []chosen{first, rest}
}

// order returns the folders of threads and sessions: in the project's order, or for all
// repositories by their newest item.
func (c *chosen) order(stores, checkouts []talk.Folder, all bool) (list []*talk.Folder) {
	known := make(map[string]bool)
	for _, folders := range [][]talk.Folder{stores, checkouts} {
		for i := range folders {
			if f := &folders[i]; !known[f.ID] {
				known[f.ID] = true
				list = append(list, f)
			}
		}
	}
	newest := func(f *talk.Folder) (at int64) {
		for _, it := range c.talks[f.ID] {
			at = max(at, it.Updated)
		}
		return at
	}
	if all {
		slices.SortStableFunc(list, func(a, b *talk.Folder) int { return cmp.Compare(newest(b), newest(a)) })
	}
	return list
}

// checkouts returns one existing folder of each repository.
func checkouts(found *talk.List) []string {
	list, known := []string{}, make(map[string]bool)
	for i := range found.Folders {
		if f := &found.Folders[i]; f.Git && !f.Gone && !known[f.Repository] {
			known[f.Repository] = true
			list = append(list, f.Path)
		}
	}
	return list
}

// leastID is the smallest number of characters of an id that are shown: the first group of a UUID.
const leastID = 8

// onScreen makes the list write a table.
func (l *talkList) onScreen(o *cli.Options, talks []*talk.Talk) {
	var names []string
	for _, it := range talks {
		names = append(names, it.Name)
		if it.Session != nil {
			names = append(names, it.ID)
		}
	}
	l.short, l.when = cli.ShortNames(names, leastID), o.When
	l.table = o.Table(l.w, cli.Column{Title: "TITLE", Least: 20}, cli.Column{Title: "AGENT", Most: 16}, cli.Column{Title: "STATE", Least: 16},
		cli.Column{Title: "UPDATED"}, cli.Column{Title: "ID"})
}

// rows adds the threads and sessions of a folder, newest first.
func (l *talkList) rows(list []*talk.Talk) {
	slices.SortStableFunc(list, func(a, b *talk.Talk) int { return cmp.Compare(b.Updated, a.Updated) })
	for _, it := range list {
		title, state := l.cells(it)
		l.table.Row(title, cli.Cell{Text: cli.Line(it.Agent), Style: cli.Dim}, state, cli.Cell{Text: l.when(it.Updated)},
			cli.Cell{Text: cli.WholeLine(l.short(it.Name)), Style: cli.Yellow})
	}
}

// cells returns a talk's title and its state, or why it cannot be read.
func (l *talkList) cells(it *talk.Talk) (title, state cli.Cell) {
	title = cli.Cell{Text: cli.Line(it.Title)}
	unread := func(why string) cli.Cell { return cli.Cell{Text: "cannot be read: " + cli.Line(why), Style: cli.Red} }
	if s := it.Session; s != nil {
		if s.Err != nil {
			title = unread(s.Err.Error())
		}
		state = cli.Cell{Text: cli.Line(it.Doing())}
		if it.Waits() {
			state.Style = cli.Yellow
		}
		return title, state
	}
	faults := len(it.Thread.Thread.Faults)
	switch {
	case it.Thread.Fault != nil:
		return unread(faultText(it.Thread.Fault)), state
	case it.Thread.Gone:
		return title, cli.Cell{Text: "gone", Style: cli.Dim}
	case faults > 0:
		return title, cli.Cell{Text: cli.Plural(faults, "fault"), Style: cli.Red}
	}
	return title, cli.Cell{Text: cli.Plural(int(it.Thread.Thread.Stats.Messages), "message")}
}

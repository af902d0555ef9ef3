package session

import (
	"cmp"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/source/turns"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
	"github.com/signalbox-dev/signalbox/lsp/store/transcript"
)

// Groups returns the checkouts in which sessions worked.
func (v *view) Groups(q *panel.InboxFilter) (list []panel.Group) {
	newest, tallies := make(map[string]int64), v.tallies()
	for _, it := range v.Snapshot.Items {
		newest[it.Checkout] = max(newest[it.Checkout], it.Updated) // items are the newest first
	}
	for i := range v.Snapshot.Checkouts {
		g := turns.Worktree(&v.Snapshot.Checkouts[i])
		g.Threads, g.LastTime, g.Bare = tallies[g.ID].Of(q).Threads, show.Time(newest[g.ID]), newest[g.ID] == 0
		list = append(list, g)
	}
	return list
}

// tallies returns the counts of each checkout.
func (v *view) tallies() map[string]*panel.Tallies {
	all := make(map[string]*panel.Tallies)
	for i := range v.Snapshot.Checkouts {
		all[v.Snapshot.Checkouts[i].ID] = &panel.Tallies{}
	}
	for _, it := range v.Snapshot.Items {
		all[it.Checkout].Inbox.Threads++
	}
	v.putAway(func(it *transcript.Item, at panel.Shelved) { all[it.Checkout].Move(at, panel.Tally{Threads: 1}) })
	return all
}

// putAway gives the sessions that the user put away.
func (v *view) putAway(each func(*transcript.Item, panel.Shelved)) {
	for _, f := range transcript.Formats() {
		away := v.away(f.Client)
		for name := range away.All() {
			if it := v.Item(transcript.Key{Client: f.Client, Name: name}); it != nil {
				each(it, away.At(name, nil, v.shelf.Now))
			}
		}
	}
}

// Counts returns how many snoozed sessions came back. Nothing else in them waits here.
func (v *view) Counts() (c panel.Counts) {
	v.putAway(func(_ *transcript.Item, at panel.Shelved) {
		if at.State == shelf.Due {
			c.NeedsReply++
		}
	})
	return c
}

func (v *view) Problems() (list []panel.Warning) {
	for _, p := range v.Snapshot.Problems {
		list = append(list, panel.Problem(p.Path, p.Rule, p.Reason, p.Advice))
	}
	return list
}

func (v *view) Status(s *panel.Status) {
	if v.open {
		s.Indexing = s.Indexing || !v.Ready
		s.Warnings = append(s.Warnings, v.Problems()...)
	}
}

func (v *view) Heads(q *panel.HeadQuery) (heads []panel.Head, more bool) {
	f, text := q.Filter, needle.New(q.Filter.Text)
	if f.Mine {
		return nil, false // sessions are nobody's mail
	}
	list := panel.HeadList{Len: len(v.Snapshot.Items), Head: v.head, Keyed: &v.source.keyed, Of: v.Snapshot}
	return list.Page(q, func(h *panel.Head) (wanted, waits bool) {
		it := h.Of.(*transcript.Item)
		if f.Group != "" && f.Group != it.Checkout {
			return false, false
		}
		at := v.shelved(it).State
		waits = at == shelf.Due
		return f.Shown(at) && (waits || !f.Unread && !f.NeedsReply) && (text.Empty() || v.holds(it, &text)), waits
	})
}

func (v *view) head(number int) panel.Head {
	it := v.Snapshot.Items[number]
	return panel.Head{At: panel.AtMillis(it.Updated), Name: it.Name, Store: it.Format.Client, From: agent(it), Of: it}
}

// holds reports whether a session's title, id, program, branch or agent's name holds a text,
// in any case.
func (v *view) holds(it *transcript.Item, text *needle.Needle) bool {
	return slices.ContainsFunc(append(v.aliases(it), title(it), it.Name, it.ID, agent(it), it.Branch), text.In)
}

func (v *view) Items(heads []panel.Head) []panel.ThreadItem {
	list := make([]panel.ThreadItem, 0, len(heads))
	for _, h := range heads {
		list = append(list, v.threadItem(h.Of.(*transcript.Item)))
	}
	return list
}

// threadItem returns a session as a list shows it.
func (v *view) threadItem(it *transcript.Item) panel.ThreadItem {
	name := agent(it)
	i := panel.ThreadItem{
		Ref: threadRef(it), Protocol: string(mail.Session), Title: title(it), Name: show.LinkName(it.Name), Participants: []string{name}, LastFrom: name,
		LastTime: show.Time(it.Updated), FirstTime: show.Time(it.Begun), Marks: []string{}, Preview: show.Line(it.Last),
		Group: it.Checkout,
		Agent: &panel.AgentThread{
			Name: name, Branch: show.Line(it.Branch), Dir: show.Line(it.Name), ThreadID: show.Line(it.ID), Parent: show.Line(it.Parent),
			Session: v.session(it),
		},
	}
	turns.Set(&i, panel.AgentState(it.State), show.Line(it.For), it.Updated, v.shelved(it), v.shelf.Now)
	if f, ok := v.of(it.Key()).Checkout(it.Checkout); ok && f.Gone && f.Repository != "" {
		i.Marks = append(i.Marks, "gone")
	}
	if it.Err != nil {
		i.Agent.Fault = show.Line(it.Err.Error())
		i.Marks = append(i.Marks, "faulty")
	}
	i.PutAway(v.shelved(it))
	return i
}

// Recent returns the sessions that changed within a day, the newest first.
func (v *view) Recent() (list []panel.ThreadItem) {
	for _, it := range v.Snapshot.Items[:min(len(v.Snapshot.Items), turns.RecentMost)] {
		if !turns.Recent(it.Updated, v.shelf.Now) {
			break
		}
		if it.Parent == "" && it.Agent == "" {
			list = append(list, v.threadItem(it))
		}
	}
	return list
}

// session returns what only sessions have. The panels add what hooks told.
func (v *view) session(it *transcript.Item) *panel.SessionThread {
	s := &panel.SessionThread{
		Client: it.Format.Client, ID: show.Line(it.ID),
		Model: show.Line(it.Model), Version: show.Line(it.Version), Folder: show.Line(it.Folder),
	}
	if it.Agent == "" && it.Parent == "" && plain(it.ID) {
		s.Resume = it.Format.Resume(it.ID)
	}
	return s
}

// plain reports whether an id can stand on a command line: it is what the programs make,
// and not what a stranger put into a file.
func plain(id string) bool {
	return len(id) >= 8 && len(id) <= 64 && id[0] != '-' && strings.Trim(id, "0123456789abcdefABCDEF-") == ""
}

// agent returns the name of a session's agent: what the subagent or teammate is called, or
// the program.
func agent(it *transcript.Item) string { return show.Line(cmp.Or(it.Facts.Name, it.Format.Title)) }

// aliases returns what a session's agent is called by others: as its program and as its hooks
// tell.
func (v *view) aliases(it *transcript.Item) (list []string) {
	s, _ := v.source.host.Hooked(it.Format.Client, it.ID)
	for _, name := range []string{it.Alias, s.Alias} {
		if name != "" {
			list = append(list, name)
		}
	}
	return list
}

// title returns a session's title, else the first words of what it was asked, else its
// name.
func title(it *transcript.Item) string {
	return cmp.Or(show.Plain(it.Title), show.Plain(it.Prompt), show.Title(it.Name))
}

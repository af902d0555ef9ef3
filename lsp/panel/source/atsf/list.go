package atsf

import (
	"cmp"
	"context"
	"slices"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/panel/source/turns"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// Groups returns the worktrees in which agents worked, in the store's order.
func (v *view) Groups(q *panel.InboxFilter) (list []panel.Group) {
	newest := make(map[string]int64)
	for _, it := range v.Snapshot.Items {
		// Items are newest first, so the first one of a folder is its newest.
		if newest[it.Folder] == 0 {
			newest[it.Folder] = it.Updated
		}
	}
	for i := range v.Folders {
		f := &v.Folders[i]
		g := turns.Worktree(f)
		g.Bare = !f.Agent && f.Threads == 0
		tallies := v.tallies(f.ID, f.Threads)
		g.Threads = tallies.Of(q).Threads
		g.LastTime = show.Time(newest[g.ID])
		list = append(list, g)
	}
	return list
}

// tallies returns the counts of a folder that holds count threads.
func (v *view) tallies(folder string, count int) panel.Tallies {
	all := panel.Tallies{Inbox: panel.Tally{Threads: count}}
	away := v.away(folder)
	for name := range away.All() {
		if v.Item(threads.Key{Folder: folder, Name: name}) != nil {
			all.Move(away.At(name, nil, v.shelf.Now), panel.Tally{Threads: 1})
		}
	}
	return all
}

// Counts returns how many snoozed threads came back. Nothing else in agents' threads
// waits for the user.
func (v *view) Counts() (c panel.Counts) {
	for i := range v.Folders {
		tallies := v.tallies(v.Folders[i].ID, 0)
		c.NeedsReply += tallies.Inbox.Waiting
	}
	return c
}

// Problems returns the warnings about worktrees and watching.
func (v *view) Problems() []panel.Warning {
	var list []panel.Warning
	for _, p := range v.Snapshot.Problems {
		list = append(list, panel.Problem(p.Path, p.Rule, p.Reason, p.Advice))
	}
	for i := range v.Folders {
		f := &v.Folders[i]
		if f.Err != nil && len(f.Problems) == 0 {
			list = append(list, panel.Warning{Rule: "L1", Message: show.Line(f.Err.Error())})
		}
		for _, p := range f.Problems {
			list = append(list, panel.Problem(p.Path, p.Rule, p.Reason, p.Advice))
		}
	}
	return panel.Some(list, panel.Warning{Rule: "L6", Message: "and more: run signalbox doctor"})
}

// Status adds the projects, each with all folders of one repository.
func (v *view) Status(s *panel.Status) {
	if v.live == nil {
		return
	}
	s.Indexing = s.Indexing || !v.Ready
	origin := "working directory"
	if v.workspace {
		origin = "workspace folder"
	}
	index := make(map[string]int)
	for i := range v.Folders {
		f := &v.Folders[i]
		repository := cmp.Or(f.Repository, f.Path)
		n, known := index[repository]
		if !known {
			n = len(s.Projects)
			index[repository] = n
			s.Projects = append(s.Projects, panel.Project{
				Path: show.Line(f.Path), Origin: origin, Watching: panel.Watching(v.Watching), Worktrees: []panel.Group{},
			})
		}
		s.Projects[n].Worktrees = append(s.Projects[n].Worktrees, turns.Worktree(f))
	}
	s.Warnings = append(s.Warnings, v.Problems()...)
}

func (v *view) Heads(q *panel.HeadQuery) (heads []panel.Head, more bool) {
	f, text := q.Filter, needle.New(q.Filter.Text)
	if f.Mine {
		return nil, false // agents' threads are nobody's mail
	}
	list := panel.HeadList{Len: len(v.Snapshot.Items), Head: v.head, Keyed: &v.source.keyed, Of: v.Snapshot}
	return list.Page(q, func(h *panel.Head) (wanted, waits bool) {
		it := h.Of.(*threads.Item)
		if f.Group != "" && f.Group != it.Folder {
			return false, false
		}
		at := v.shelved(it).State
		// No thread is unread here. A snoozed thread that came back waits.
		waits = at == shelf.Due
		return f.Shown(at) && (waits || !f.Unread && !f.NeedsReply) && (text.Empty() || holds(it, &text)), waits
	})
}

func (v *view) head(number int) panel.Head {
	it := v.Snapshot.Items[number]
	return panel.Head{At: panel.AtMillis(it.Updated), Name: it.Name, Store: it.Folder, From: agent(it), Of: it}
}

// holds reports whether a thread's title, ids, agent or branch hold a text, in any
// case.
func holds(it *threads.Item, text *needle.Needle) bool {
	t := &it.Thread
	return slices.ContainsFunc([]string{t.Title, it.Name, t.ID, t.Agent.Name, t.Agent.ID, t.Context.GitBranch}, text.In)
}

func (v *view) Items(heads []panel.Head) []panel.ThreadItem {
	list := make([]panel.ThreadItem, 0, len(heads))
	for _, h := range heads {
		list = append(list, v.threadItem(h.Of.(*threads.Item)))
	}
	return list
}

// Recent returns the threads that changed within a day, the newest first.
func (v *view) Recent() (list []panel.ThreadItem) {
	for _, it := range v.Snapshot.Items[:min(len(v.Snapshot.Items), turns.RecentMost)] {
		if !turns.Recent(it.Updated, v.shelf.Now) {
			break
		}
		list = append(list, v.threadItem(it))
	}
	return list
}

// threadItem returns a thread as a list shows it, from its thread.json and the end of its
// log, which may be further on.
func (v *view) threadItem(it *threads.Item) panel.ThreadItem {
	t := &it.Thread
	tail := v.source.tails.Of(context.Background(), conversation{v, it})
	updated := max(it.Updated, tail.Last)
	said, _ := render.Line(tail.Said, 200)
	name := agent(it)
	i := panel.ThreadItem{
		Ref: threadRef(it), Protocol: string(mail.ATSF), Title: title(it), Name: show.LinkName(it.Name), Participants: []string{}, LastFrom: name,
		LastTime: show.Time(updated), FirstTime: show.Time(t.Created.Millis), Count: max(show.Number(t.Stats.Messages), int(tail.Lines)),
		Preview: said, Marks: []string{},
		Group: it.Folder,
		Agent: &panel.AgentThread{
			Name: name, Branch: show.Line(t.Context.GitBranch), Dir: show.Line(it.Name), ThreadID: show.Line(t.ID), Parent: show.Line(t.ParentID),
			ToolCalls: show.Number(t.Stats.ToolCalls),
		},
	}
	turns.Set(&i, tail.State, tail.For, updated, v.shelved(it), v.shelf.Now)
	if name != "" {
		i.Participants = append(i.Participants, name)
	}
	if it.Fault != nil {
		i.Agent.Fault = show.Line(it.Fault.Error())
		i.Marks = append(i.Marks, "faulty")
	}
	if it.Odd != nil {
		i.Marks = append(i.Marks, "threadId is "+i.Agent.ThreadID)
	}
	if it.Gone {
		i.Marks = append(i.Marks, "gone")
	}
	i.PutAway(v.shelved(it))
	return i
}

// agent returns the name of a thread's agent, or the agent's id.
func agent(it *threads.Item) string {
	return show.Line(cmp.Or(it.Thread.Agent.Name, it.Thread.Agent.ID))
}

// title returns a thread's title, or its directory's name if it has no title to show.
func title(it *threads.Item) string {
	return cmp.Or(show.Plain(it.Thread.Title), show.Title(it.Name))
}

func threadRef(it *threads.Item) panel.Ref { return mail.ThreadRef(mail.ATSF, it.Folder, it.Name) }

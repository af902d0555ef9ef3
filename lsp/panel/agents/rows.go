package agents

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	core "github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/list"
)

// olderMost is the largest number of worktrees whose last thread is looked up although no agent
// was there in the last day.
const olderMost = 50

// linesTime is how long the lines that agents changed are counted. The list is then sent without
// the counts that are missing.
const linesTime = 100 * time.Millisecond

// agentRows returns one row for each agent, and for each worktree without one: the sessions
// that hooks report, the threads of agents without hooks, and the remaining worktrees. Rows in
// opened folders come first, then the order goes by name, so that a row never moves because its
// state changes.
func (a *Moment) agentRows(ctx context.Context) (rows []panel.AgentItem, more bool) {
	ctx, cancel := context.WithTimeout(ctx, linesTime)
	defer cancel()
	groups := list.Groups(a.Views, &panel.InboxFilter{})
	threads := a.ownThreads()
	for k := range a.Sessions {
		s := &a.Sessions[k]
		it := a.Running(s)
		it.Asks = s.Ask.Text != "" || a.formFrom(s)
		it.Needs = it.State == panel.AgentWaiting
		if at := slices.IndexFunc(threads, func(t panel.ThreadItem) bool { return t.IsOf(s.Client, s.ID) }); at >= 0 {
			setPlace(&it, groups, threads[at].Group)
			a.addThread(ctx, &it, &threads[at])
			threads = slices.Delete(threads, at, at+1)
		}
		rows = append(rows, it)
	}
	for k := range threads {
		if t := &threads[k]; !t.Archived {
			rows = append(rows, a.threadRow(ctx, t, groups))
		}
	}
	rows = withoutRepeats(rows)
	rows = append(rows, a.emptyRows(ctx, rows, groups)...)
	if len(rows) > panel.MaxPage {
		rows, more = rows[:panel.MaxPage], true
	}
	for k := range rows {
		it := &rows[k]
		it.Opened = slices.ContainsFunc(a.Opened, func(folder string) bool { return SamePlace(placeOf(it), folder) })
	}
	slices.SortStableFunc(rows, compareAgents)
	return rows, more
}

// formFrom reports whether a session shows the user a form with questions.
func (a *Moment) formFrom(s *activity.Session) bool {
	return slices.ContainsFunc(a.requests, func(r ask.Request) bool {
		return r.Of(s.Client, s.ID) && panel.RequestKind(r.Kind) == panel.RequestForAnswers
	})
}

// compareAgents orders agents in opened folders first, then by name, place and key.
func compareAgents(a, b panel.AgentItem) int {
	return cmp.Or(
		panel.Rank(!a.Opened)-panel.Rank(!b.Opened),
		strings.Compare(strings.ToLower(nameOf(&a)), strings.ToLower(nameOf(&b))),
		strings.Compare(placeOf(&a), placeOf(&b)), strings.Compare(a.Key, b.Key),
	)
}

// nameOf returns the name of a row: the agent's, its program's, its branch or its folder's. The
// first that is set wins.
func nameOf(a *panel.AgentItem) string {
	return cmp.Or(a.Alias, a.Client, a.Branch, filepath.Base(placeOf(a)))
}

// placeOf returns the worktree that an agent works in, or its folder if that is not known.
func placeOf(a *panel.AgentItem) string { return filepath.Clean(cmp.Or(a.Worktree, a.Folder)) }

// SamePlace reports whether two paths name the same folder.
func SamePlace(a, b string) bool {
	return a == b || runtime.GOOS == "windows" && strings.EqualFold(a, b)
}

// ownThreads returns the agents' threads of the last day. It leaves out threads that record the
// same session in another format.
func (a *Moment) ownThreads() []panel.ThreadItem {
	recorded := make(map[string]bool)
	recent := a.Recent()
	for _, t := range recent {
		if t.Agent.Session != nil {
			recorded[t.Agent.Session.ID] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(recent), func(t panel.ThreadItem) bool {
		return t.Agent.Session == nil && recorded[t.Agent.ThreadID]
	})
}

// addThread adds to a row what the agent's own thread shows. Hooks report best what the agent is
// doing, but not whether the user has seen how it ended. Lines are counted only for threads of the
// last day.
func (a *Moment) addThread(ctx context.Context, it *panel.AgentItem, t *panel.ThreadItem) {
	ref := t.Ref // the item may move in its list
	it.Thread, it.Said, it.Begun = &ref, t.Preview, t.FirstTime
	if t.Agent.State == panel.AgentDone && it.State != panel.AgentEnded {
		it.State = panel.AgentDone
	}
	if a.Shelf.Now-t.LastTime > activity.Silent.Milliseconds() {
		return // the logs of all worktrees would take too long
	}
	found := a.Views.Changes(ctx, t.Ref)
	a.uncounted = a.uncounted || found.Unread
	for _, c := range found.Changes {
		it.Added, it.Removed = it.Added+c.Added, it.Removed+c.Removed
	}
}

// threadRow returns the row of an agent that is known only by its thread.
func (a *Moment) threadRow(ctx context.Context, t *panel.ThreadItem, groups []panel.Group) panel.AgentItem {
	agent := t.Agent
	it := panel.AgentItem{
		Key: strings.Join([]string{"thread", string(t.Ref.Protocol), t.Ref.Store, t.Ref.ID}, " "), Client: agent.Name,
		State: cmp.Or(agent.State, panel.AgentEnded), For: agent.For, Permission: core.Permitted(agent.For), Since: t.LastTime, Branch: agent.Branch, Processes: []int{}, Needs: t.NeedsUser() != "",
	}
	if s := agent.Session; s != nil {
		// The key stays the same once a hook reports the session.
		it.Key = (&activity.Session{Client: s.Client, ID: s.ID}).Key()
		it.Alias, it.Client, it.Folder, it.Reach = s.Alias, s.Client, s.Folder, s.Reach
	}
	setPlace(&it, groups, t.Group)
	a.addThread(ctx, &it, t)
	return it
}

// setPlace sets the worktree of an agent from the group of its thread, unless hooks reported one.
func setPlace(a *panel.AgentItem, groups []panel.Group, id string) {
	at := slices.IndexFunc(groups, func(g panel.Group) bool { return g.ID == id })
	if at < 0 || a.Worktree != "" {
		return
	}
	g := &groups[at]
	a.Worktree, a.Branch, a.Gone = g.Path, cmp.Or(g.Branch, a.Branch), g.Gone
	a.Folder = cmp.Or(a.Folder, g.Path)
}

// withoutRepeats removes agents that have ended if another row has the same name and place. Each run
// of a program is a session of its own, and only the newest matters.
func withoutRepeats(list []panel.AgentItem) (kept []panel.AgentItem) {
	type agent struct{ name, place string }
	seen := make(map[agent]bool)
	slices.SortStableFunc(list, func(a, b panel.AgentItem) int {
		return cmp.Or(panel.Rank(a.State == panel.AgentEnded)-panel.Rank(b.State == panel.AgentEnded), cmp.Compare(b.Since, a.Since))
	})
	for _, it := range list {
		at := agent{nameOf(&it), placeOf(&it)}
		if it.State == panel.AgentEnded && seen[at] {
			continue
		}
		seen[at] = true
		kept = append(kept, it)
	}
	return kept
}

// emptyRows returns a row for each worktree without an agent. If an agent was there before the last
// day, it is the row of the newest thread.
func (a *Moment) emptyRows(ctx context.Context, listed []panel.AgentItem, groups []panel.Group) (rows []panel.AgentItem) {
	left := olderMost
	for k := range groups {
		g := &groups[k]
		if g.Kind == panel.GroupMail || slices.ContainsFunc(listed, func(it panel.AgentItem) bool { return SamePlace(placeOf(&it), g.Path) }) {
			continue
		}
		if g.LastTime > 0 && left > 0 {
			left--
			if last := list.Items(a.Views, &panel.HeadQuery{Filter: &panel.InboxFilter{Group: g.ID}, Order: panel.SortNewest, Limit: 1}); len(last) > 0 {
				rows = append(rows, a.threadRow(ctx, &last[0], groups))
				continue
			}
		}
		if g.Tree && !g.Gone {
			rows = append(rows, panel.AgentItem{
				Key: "worktree " + g.ID, State: panel.AgentNone, Since: g.LastTime, Folder: g.Path, Worktree: g.Path, Branch: g.Branch, Processes: []int{},
			})
		}
	}
	return rows
}

// addDetails adds what a list does not show: the agent's last text, and the files that it changed.
func (a *Moment) addDetails(ctx context.Context, it *panel.AgentItem) error {
	it.Files = []panel.ChangedFile{}
	if it.Thread == nil {
		return nil
	}
	found := a.Views.Changes(ctx, *it.Thread)
	it.Files = append(it.Files, panel.FilesOf(found.Changes, placeOf(it))...)
	page, err := a.Views.Newest(ctx, *it.Thread, lastMessages)
	if err != nil {
		return err
	}
	it.SaidHTML = lastText(page.Messages)
	return nil
}

// lastMessages is how many messages at the end of a thread are searched for the agent's last text.
const lastMessages = 8

// lastText returns the last text that an agent wrote, as safe HTML.
func lastText(list []panel.MessageItem) string {
	for _, m := range slices.Backward(list) {
		if m.Turn == nil || m.Turn.Role != "agent" {
			continue
		}
		for _, part := range slices.Backward(m.Turn.Parts) {
			if part.Kind == panel.PartText && part.HTML != "" {
				return part.HTML
			}
		}
	}
	return ""
}

package panel

import (
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/shelf"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
)

// mailGroup is the [Group.ID] of the message directories. Those of worktrees
// are longer.
const mailGroup = "mail"

// groups lists what threads stand under: the mail, then, as the store orders
// them, the worktrees that agents were at work in.
func groups(stores []opened, signed *mailNow, agents *threads.Snapshot, q *InboxFilter) []Group {
	post, away := Group{ID: mailGroup, Kind: GroupMail, Title: "Mail"}, signed.shelf
	total := q.of(signed.tallyMail())
	for _, s := range stores {
		stats := s.live.Stats()
		total = total.with(q.of(away.tallyStore(s.live, &stats)))
		if stats.Threads > 0 {
			post.LastTime = max(post.LastTime, millis(stats.Newest))
		}
	}
	post.Threads, post.Unread = total.threads, total.unread
	if len(signed.Threads) > 0 {
		post.LastTime = max(post.LastTime, clampTime(signed.Threads[0].Last))
	}
	list := []Group{post}
	newest := make(map[string]int64)
	for i := range agents.Items {
		// Newest first, so the first of a folder is its newest.
		if it := agents.Items[i]; newest[it.Folder] == 0 {
			newest[it.Folder] = it.Updated
		}
	}
	for i := range agents.Folders {
		f := &agents.Folders[i]
		if !f.Agent && f.Threads == 0 {
			continue // agents were never there
		}
		g := folderGroup(f)
		g.Threads = q.of(away.tallyAgents(agents, f.ID, f.Threads)).threads
		g.LastTime = clampTime(newest[g.ID])
		list = append(list, g)
	}
	return list
}

func folderGroup(f *threads.Folder) Group {
	g := Group{
		ID: f.ID, Kind: GroupWorktree, Title: safe(f.Branch), Path: safe(f.Path), Branch: safe(f.Branch),
		Main: f.Main, Gone: f.Gone, Threads: f.Threads,
	}
	if g.Title == "" {
		g.Title = safe(filepath.Base(f.Path))
	}
	var notes []string
	switch {
	case f.Gone && f.Archived:
		notes = append(notes, "worktree removed, its threads are archived")
	case f.Gone:
		notes = append(notes, "worktree gone, only the list of its threads is left")
	case f.Git && f.Branch == "" && f.Head != "":
		line, _ := render.Line(f.Head, 12)
		notes = append(notes, "detached at "+line)
	}
	if f.Err != nil {
		notes = append(notes, safe(f.Err.Error()))
	}
	g.Note = strings.Join(notes, "; ")
	return g
}

// agentRows gives the agents' own threads behind a place. They are nobody's mail:
// not the user's, and unread only where they came back after they were snoozed.
func (p *Panels) agentRows(s *threads.Snapshot, away *shelfNow, f *InboxFilter, o Sort, after *cursor, limit int) (rows []row, more bool) {
	if !f.shows(mail.ATSF) || f.Mine || f.Group == mailGroup {
		return nil, false
	}
	text := strings.ToLower(f.Text)
	place := func(it *threads.Item) cursor { return away.agentPlace(it, o) }
	sorted := func() []*threads.Item { return p.agentsBySender.sort(s, nil, s.Items, place) }
	for it := range ordered(s.Items, o, after, place, sorted) {
		at := away.agents(it.Folder).shelved(it.Name, 0, away.now)
		if !f.holds(it.Folder) || !f.shown(at.State) || f.Unread && at.State != shelf.Due || text != "" && !mentions(it, text) {
			continue
		}
		if len(rows) == limit {
			return rows, true
		}
		rows = append(rows, row{cursor: place(it), agent: it, away: at})
	}
	return rows, false
}

// agentPlace is where a thread stands in a list from the newest on.
func agentPlace(it *threads.Item) cursor {
	return cursor{at: atMillis(it.Updated), Name: it.Name, Store: it.Folder}
}

func (s *shelfNow) agentPlace(it *threads.Item, o Sort) cursor {
	c := agentPlace(it)
	c.Order = o
	switch o {
	case SortUnread:
		c.Rest = s.agents(it.Folder).shelved(it.Name, 0, s.now).State != shelf.Due
	case SortSender:
		c.From = store.SenderKey(agentName(it))
	}
	return c
}

func mentions(it *threads.Item, text string) bool {
	t := &it.Thread
	for _, s := range []string{t.Title, it.Name, t.ID, t.Agent.Name, t.Agent.ID, t.Context.GitBranch} {
		if strings.Contains(strings.ToLower(s), text) {
			return true
		}
	}
	return false
}

// agentItem describes an agent's own thread by what its thread.json says.
func agentItem(it *threads.Item) ThreadItem {
	t := &it.Thread
	name := agentName(it)
	i := ThreadItem{
		Ref: agentRef(it), Protocol: string(mail.ATSF), Title: agentTitle(it), Name: linkName(it.Name), Participants: []string{}, LastFrom: name,
		LastTime: clampTime(it.Updated), FirstTime: clampTime(t.Created.Millis), Count: clampCount(t.Stats.Messages), Marks: []string{},
		Group: it.Folder,
		Agent: &AgentThread{
			Name: name, Branch: safe(t.Context.GitBranch), Dir: safe(it.Name), ThreadID: safe(t.ID), Parent: safe(t.ParentID),
			ToolCalls: clampCount(t.Stats.ToolCalls),
		},
	}
	if name != "" {
		i.Participants = append(i.Participants, name)
	}
	if it.Fault != nil {
		i.Agent.Fault = safe(it.Fault.Error())
		i.Marks = append(i.Marks, "faulty")
	}
	if it.Odd != nil {
		i.Marks = append(i.Marks, "threadId is "+i.Agent.ThreadID)
	}
	if it.Gone {
		i.Marks = append(i.Marks, "gone")
	}
	return i
}

func agentName(it *threads.Item) string {
	if it.Thread.Agent.Name != "" {
		return safe(it.Thread.Agent.Name)
	}
	return safe(it.Thread.Agent.ID)
}

// agentTitle is the directory's name where the thread has no title to show.
func agentTitle(it *threads.Item) string {
	title, _ := render.Line(it.Thread.Title, titleChars)
	if title == "" {
		title, _ = render.Line(it.Name, titleChars)
	}
	return title
}

func agentRef(it *threads.Item) Ref { return mail.ThreadRef(mail.ATSF, it.Folder, it.Name) }

// agentProblems are the remarks about worktrees and watching.
func agentProblems(s *threads.Snapshot) []Warning {
	var list []Warning
	for _, p := range s.Problems {
		list = append(list, problem(p.Path, p.Rule, p.Reason, p.Advice))
	}
	for i := range s.Folders {
		f := &s.Folders[i]
		if f.Err != nil && len(f.Problems) == 0 {
			list = append(list, Warning{Rule: "L1", Message: safe(f.Err.Error())})
		}
		for _, p := range f.Problems {
			list = append(list, problem(p.Path, p.Rule, p.Reason, p.Advice))
		}
	}
	return some(list, Warning{Rule: "L6", Message: "and more: run signalbox doctor"})
}

// problem words something that is wrong with a file.
func problem(path, rule, reason, advice string) Warning {
	message := reason
	if path != "" {
		message = path + ": " + message
	}
	if advice != "" {
		message += "; " + advice
	}
	return Warning{Rule: rule, Message: safe(message)}
}

// clampCount keeps a count that a stranger wrote within what clients can add.
func clampCount(n int64) int { return int(max(0, min(n, 1<<53-1))) }

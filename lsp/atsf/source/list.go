package source

import (
	"cmp"
	"context"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/atsf/turns"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

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

// threadItem returns a thread as a list shows it, from its thread.json and the end of its log,
// which may be newer.
func (v *view) threadItem(it *atsfstore.Item) panel.ThreadItem {
	t := &it.Thread
	tail := v.source.tails.Of(context.Background(), conversation{v, it})
	updated := max(it.Updated, tail.Last)
	lastText, _ := render.Line(tail.LastText, 200)
	name := agent(it)
	i := panel.ThreadItem{
		Ref: threadRef(it), Protocol: string(mail.ATSF), Title: title(it), Name: show.LinkName(it.Name), Participants: []string{}, LastFrom: name,
		LastTime: show.Time(updated), FirstTime: show.Time(t.Created.Millis), Count: max(show.Number(t.Stats.Messages), int(tail.Lines)),
		Preview: lastText, Marks: []string{},
		Group: it.Folder,
		Agent: &panel.AgentThread{
			Name: name, Branch: show.Line(t.Context.GitBranch), Dir: show.Line(it.Name), ThreadID: show.Line(t.ID), Parent: show.Line(t.ParentID),
			ToolCalls: show.Number(t.Stats.ToolCalls),
		},
	}
	state := agents.Aged(activity.State(tail.State), updated, v.Shelf.Now)
	turns.SetState(&i, panel.AgentState(state), tail.For, updated, v.Shelved(conversation{v, it}), v.Shelf.Now)
	if tail.Times > 1 && i.Agent.State == panel.AgentFailed {
		i.Agent.Times = tail.Times
	}
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
	i.PutAway(v.Shelved(conversation{v, it}))
	return i
}

// agent returns the name of a thread's agent, or the agent's id.
func agent(it *atsfstore.Item) string {
	return show.Line(cmp.Or(it.Thread.Agent.Name, it.Thread.Agent.ID))
}

// title returns a thread's title, or its directory's name if it has no title to show.
func title(it *atsfstore.Item) string {
	return cmp.Or(show.Plain(it.Thread.Title), show.Title(it.Name))
}

func threadRef(it *atsfstore.Item) panel.Ref { return mail.ThreadRef(mail.ATSF, it.Folder, it.Name) }

package source

import (
	"cmp"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/atsf/turns"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
)

func (v *view) Problems() (list []panel.Warning) {
	for _, p := range v.files.Problems {
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

// threadItem returns a session as a list shows it.
func (v *view) threadItem(it *sessionstore.Item) panel.ThreadItem {
	name := agent(it)
	doing, sure := v.known.Of(it)
	i := panel.ThreadItem{
		Ref: threadRef(it), Protocol: string(mail.Session), Title: title(it), Name: show.LinkName(it.Name), Participants: []string{name}, LastFrom: name,
		LastTime: show.Time(it.Updated), FirstTime: show.Time(it.Begun), Marks: []string{}, Preview: show.Line(it.Last),
		Group: it.Checkout,
		Agent: &panel.AgentThread{
			Name: name, Branch: show.Line(it.Branch), Dir: show.Line(it.Name), ThreadID: show.Line(it.ID), Parent: show.Line(it.Parent),
			Session: v.recorded(it, &doing, sure),
		},
	}
	turns.SetState(&i, panel.AgentState(doing.State), show.Line(doing.For), it.Updated, v.Shelved(conversation{v, it}), v.Shelf.Now)
	if f, ok := v.of(it.Key()).Checkout(it.Checkout); ok && f.Gone && f.Repository != "" {
		i.Marks = append(i.Marks, "gone")
	}
	if it.Err != nil {
		i.Agent.Fault = show.Line(it.Err.Error())
		i.Marks = append(i.Marks, "faulty")
	}
	i.PutAway(v.Shelved(conversation{v, it}))
	return i
}

// recorded returns what only sessions have. A running session cannot be resumed.
func (v *view) recorded(it *sessionstore.Item, doing *activity.Session, sure bool) *panel.SessionThread {
	s := &panel.SessionThread{
		Client: it.Format.Client, ID: show.Line(it.ID),
		Model: show.Line(it.Model), Version: show.Line(it.Version), Folder: show.Line(it.Folder), Alias: show.Line(doing.Alias),
	}
	if it.Agent != "" || it.Parent != "" { // a subagent can be neither resumed nor written to
		return s
	}
	if !sure || doing.State == activity.Ended {
		s.Resume = agents.Resume(it.Format.Client, it.ID)
	}
	hooked := v.known.Hooked(it.Format.Client, it.ID) != nil
	s.Reach = panel.Reach(v.reach().OfRecorded(doing, hooked, s.Resume != nil))
	return s
}

// agent returns the name of a session's agent: the name of the subagent or teammate, or the
// program.
func agent(it *sessionstore.Item) string { return show.Line(cmp.Or(it.Facts.Name, it.Format.Title)) }

// aliases returns the names by which others call a session's agent, from its program and its
// hooks.
func (v *view) aliases(it *sessionstore.Item) (list []string) {
	if it.Alias != "" {
		list = append(list, it.Alias)
	}
	if s := v.known.Hooked(it.Format.Client, it.ID); s != nil && s.Alias != "" {
		list = append(list, s.Alias)
	}
	return list
}

// title returns the first that a session has: its title, the first words of its prompt, or its
// name.
func title(it *sessionstore.Item) string {
	return cmp.Or(show.Plain(it.Title), show.Plain(it.Prompt), show.Title(it.Name))
}

package hook

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

// name makes the hook read mail as the agent of a session: by the session's name, whatever
// folder it is in now, or, if it has none, by its folder.
func (h *hook) name(s *activity.Session, e *event) {
	known := *s
	h.Self = sync.OnceValue(func() who.Who {
		q := h.Query(who.Caller{Agent: true, Why: "a hook of " + string(e.client), Client: string(e.client), Session: known})
		q.Folders, q.Strict, q.Note = who.Projects(h.Env, string(e.client)), true, true
		if folder := cmp.Or(e.folder, known.Folder); folder != "" {
			q.Env.Work = folder
		}
		return who.Find(q)
	})
}

// keepName sets the session's name, and what determined it.
func (h *hook) keepName(s *activity.Session) {
	me := h.Who()
	if me.Err != nil || me.Value == s.Alias && !me.Given {
		return
	}
	s.Alias, s.Also, s.Project, s.Mail, s.Remark = me.Value, me.Also, me.Tree, "", ""
	if me.Tree != "" {
		s.Mail = who.Real(h.Locate().Value)
	}
	if me.TakenBy != "" {
		s.Remark = me.Remark()
	}
}

// remember records the worktrees of the repository in which a session starts, so that the session
// stays listed when its worktree is gone. A failure does not matter: the next session records them.
func (h *hook) remember(ctx context.Context, e *event) {
	if e.kind == started && e.folder != "" {
		_ = (&talk.Project{Env: h.Env, Folder: e.folder, Peek: true, Now: h.Now}).Note(ctx)
	}
}

// unnamed records what a session without a known name is doing, and notifies it of that
// when it starts.
func (h *hook) unnamed(ctx context.Context, folder activity.Folder, e *event, now int64) error {
	n := notice{}
	if e.kind == started {
		n.text = "Signalbox, the mail of this developer's agents, does not know which agent you are, so that you have no mail: " + agent.Shown(h.Who().Err.Error()) + ".\n"
	}
	return folder.ChangeThen(ctx, string(e.client), e.session, func(s *activity.Session) bool {
		if e.kind == started && s.State == activity.Idle && within(now, s.Heard, sameStart) {
			return false
		}
		h.describe(s, e)
		s.Become(states[e.kind], e.waitsFor, now)
		return true
	}, func() error { return h.send(&box.Waiting{}, &n, e) })
}

// companions returns what an agent should know about its name: that another worktree has
// the name it would have, which other sessions use it, and warnings about its mail.
func (h *hook) companions(m *box.Waiting, e *event) string {
	var b strings.Builder
	for _, w := range m.Warnings {
		fmt.Fprintf(&b, "Warning: %s.\n", agent.Shown(w))
	}
	me := h.Who()
	if text := me.Remark(); text != "" {
		fmt.Fprintf(&b, "Your name: %s.\n", agent.Shown(text))
	}
	self := activity.Session{Client: string(e.client), ID: e.session, Alias: me.Value, Mail: who.Real(h.Locate().Value)}
	for _, o := range who.Together(h.Env.StateDir(), &self, h.Now().UnixMilli()) {
		fmt.Fprintf(&b, "Another session of %s, since %s, works in this work tree under the same name and reads the same mail: what one of you reads is not new to the other.\n", agent.Name(o.Client), agent.Time(o.Since))
	}
	return b.String()
}

package turns

import (
	"context"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

const (
	// RecentMost is how many conversations of a format are looked at for what their agents
	// are at, the newest, and recent how old the last change of such a one may be: a
	// program that was killed writes nothing.
	RecentMost = 50
	recent     = 24 * time.Hour
	// tailPage is how many messages at the end of a log say what its agent is at.
	tailPage = 8
	// tailsKept is how many logs' tails are kept.
	tailsKept = 2_000
)

// Recent reports whether something that changed at a time changed within a day.
func Recent(updated, now int64) bool { return now-updated < recent.Milliseconds() }

// Set says in an item what its agent is at: state and what it waits for, of a log that was
// written last at a time, in Unix milliseconds. Of what ended long ago nothing is said.
func Set(i *panel.ThreadItem, state panel.AgentState, what string, updated int64, s panel.Shelved, now int64) {
	if state == panel.AgentEnded && !Recent(updated, now) {
		return
	}
	of := i.Agent
	of.Unseen = Recent(updated, now) && updated > s.Seen && !s.Hidden()
	if of.Unseen && (state == panel.AgentIdle || state == panel.AgentEnded) {
		state = panel.AgentDone
	}
	of.State, of.For = state, what
}

// Tail is what the end of a log says.
type Tail struct {
	State panel.AgentState
	// For is what the agent waits for, or why it failed, and Times how often it failed so, one
	// turn after the other.
	For   string
	Times int
	// Said is the agent's last sentence, as it wrote it.
	Said string
	// Last is the time of the newest message, in Unix milliseconds, and Lines the number of
	// its line, from 1; each is 0 if that is not known.
	Last, Lines int64
}

// Tails keeps the tails of logs until there is more in them. The zero value is empty.
type Tails struct {
	mu   sync.Mutex
	kept map[panel.Ref]keptTail
}

type keptTail struct {
	size int64
	Tail
}

// Of returns the tail of a conversation. It is zero for a log that cannot be read: its
// page says why.
func (t *Tails) Of(ctx context.Context, c Editing) Tail {
	size, ref := c.Size(), c.Ref()
	if size == 0 {
		return Tail{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if k, ok := t.kept[ref]; ok && k.size == size {
		return k.Tail
	}
	var list []*atsf.Message
	k := keptTail{size: size}
	if err := c.Newest(ctx, tailPage, func(_ string, line int64, m *atsf.Message) {
		list, k.Lines = append(list, m), line
	}); err == nil {
		k.read(list)
	}
	if t.kept == nil || len(t.kept) >= tailsKept {
		t.kept = make(map[panel.Ref]keptTail)
	}
	t.kept[ref] = k
	return k.Tail
}

// read sets what the last messages say, the oldest first.
func (t *Tail) read(list []*atsf.Message) {
	differs := false
	for i := len(list) - 1; i >= 0; i-- {
		m := list[i]
		if t.Last == 0 && m.Time.OK {
			t.Last = m.Time.Millis
		}
		if t.State == "" {
			t.State, t.For = stateAfter(m)
		}
		if m.Role == atsf.RoleAgent && t.State == panel.AgentFailed && !differs {
			state, why := stateAfter(m)
			if differs = state != t.State || why != t.For; !differs {
				t.Times++
			}
		}
		if t.Said == "" && m.Role == atsf.RoleAgent {
			t.Said = said(m)
		}
	}
}

// said returns the last text of a message.
func said(m *atsf.Message) string {
	for i := len(m.Content) - 1; i >= 0; i-- {
		if b := &m.Content[i]; b.Type == atsf.TypeText && b.Text != "" {
			text, _ := show.Clip(b.Text, show.HoverBody)
			return text
		}
	}
	return ""
}

// asked returns what a call waits for: its title, if it has one of its own.
func asked(c *atsf.ToolCall) string {
	if c.Title != "" && c.Title != c.Name {
		return c.Title
	}
	return session.Wants(c.Name, []byte(c.Input))
}

// stateAfter returns what an agent is at after a message, and what it waits for.
func stateAfter(m *atsf.Message) (panel.AgentState, string) {
	if m.Role == atsf.RoleUser {
		return panel.AgentWorking, ""
	}
	if m.Role != atsf.RoleAgent {
		return "", ""
	}
	state := panel.AgentIdle
	for i := range m.Tools {
		switch c := &m.Tools[i]; c.State() {
		case atsf.Pending:
			return panel.AgentWaiting, show.Line(asked(c))
		case atsf.Running, atsf.Completed, atsf.Failed:
			state = panel.AgentWorking
		case atsf.StateUnknown:
		}
	}
	switch m.StopReason {
	case "":
		return state, ""
	case "tool_use", "tool_calls", "pause_turn":
		return panel.AgentWorking, ""
	case "max_tokens", "length", "max_turn_requests", "refusal", "content_filter", "error":
		return panel.AgentFailed, m.StopReason
	default:
		return panel.AgentIdle, ""
	}
}

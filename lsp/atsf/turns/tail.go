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
	// RecentMost is how many of a format's newest conversations are read to find out what their
	// agents are doing. recent is the largest age of their last change: a program that was killed
	// writes nothing.
	RecentMost = 50
	recent     = 24 * time.Hour
	// tailPage is how many messages at the end of a log are read to find out what its agent is
	// doing.
	tailPage = 8
	// tailsKept is how many logs' tails are cached.
	tailsKept = 2_000
)

// Recent reports whether updated is less than a day before now.
func Recent(updated, now int64) bool { return now-updated < recent.Milliseconds() }

// SetState sets in an item what its agent is doing: state, and what the agent waits for.
// updated is when the log was last written, in Unix milliseconds. A session that ended long
// ago gets no state.
func SetState(i *panel.ThreadItem, state panel.AgentState, what string, updated int64, s panel.Shelved, now int64) {
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

// Tail is what the end of a log shows.
type Tail struct {
	State panel.AgentState
	// For is what the agent waits for, or why it failed. Times is how many turns in a row failed
	// that way.
	For   string
	Times int
	// LastText is the agent's last text, as it wrote it.
	LastText string
	// Last is the time of the newest message, in Unix milliseconds, and Lines the number of its
	// line, from 1. Each is 0 if it is not known.
	Last, Lines int64
}

// Tails caches the tails of logs until the logs grow. The zero value is empty.
type Tails struct {
	mu   sync.Mutex
	kept map[panel.Ref]keptTail
}

type keptTail struct {
	size int64
	Tail
}

// Of returns the tail of a conversation. It is zero for a log that cannot be read, since its
// page shows the error.
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

// read sets the tail from the last messages, which must be oldest first.
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
		if t.LastText == "" && m.Role == atsf.RoleAgent {
			t.LastText = lastText(m)
		}
	}
}

// lastText returns the last text of a message.
func lastText(m *atsf.Message) string {
	for i := len(m.Content) - 1; i >= 0; i-- {
		if b := &m.Content[i]; b.Type == atsf.TypeText && b.Text != "" {
			text, _ := show.Clip(b.Text, show.HoverBody)
			return text
		}
	}
	return ""
}

// waitsFor returns what a call waits for: its title, if it has its own.
func waitsFor(c *atsf.ToolCall) string {
	if c.Title != "" && c.Title != c.Name {
		return c.Title
	}
	return session.Wants(c.Name, []byte(c.Input))
}

// stateAfter returns what an agent does after a message, and what it waits for.
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
			return panel.AgentWaiting, show.Line(waitsFor(c))
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

package hook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/session"
	"github.com/signalbox-dev/signalbox/lsp/store/userconfig"
	"github.com/signalbox-dev/signalbox/lsp/store/worktree"
)

const (
	// maxHolds is how often an agent is kept from stopping in an hour.
	maxHolds = 6
	hour     = 60 * 60 * 1000
	// heardEvery is how often it is recorded that a session goes on, in milliseconds.
	heardEvery = 10 * 60 * 1000
	// sameStart is for how many milliseconds a second start of a session is the same event
	// again: a client that is set up for the user and for the project runs two hooks.
	sameStart = 1000
	// maxKnown is how many of the newest messages that wait a session is told of one by one.
	maxKnown = 1000
	// maxTold is how many messages one text tells of.
	maxTold = 5
)

// states is what a session does after an event.
var states = map[kind]session.State{
	started: session.Idle, prompted: session.Working, usingTool: session.Working, usedTool: session.Working,
	stopping: session.Idle, asking: session.Waiting, idle: session.Idle, ended: session.Ended,
}

// answer writes what the client is to be told, if anything, and records the event.
func (h *hook) answer(ctx context.Context, e *event) error {
	folder := session.At(h.Env.StateDir())
	s, err := folder.Read(string(e.client), e.session)
	if err != nil {
		return err
	}
	if e.kind == ended && s.State == "" {
		// Claude Code says so also at the end of "claude mcp list".
		return nil
	}
	if e.vague && e.kind == asking && s.State == session.Waiting {
		// Claude Code tells of the same question twice, and only the first names the tool.
		e.waitsFor = s.For
	}
	now := h.Now().UnixMilli()
	seen, look := "", false
	if tells(e.kind) {
		seen, look = h.look(&s, e.kind)
	}
	_, tools := underWay(s.Tools, e, now)
	if !look && !tools && s.State == states[e.kind] && s.For == e.waitsFor && now-s.Heard < heardEvery && e.kind != started {
		return nil
	}
	var m *agent.Mail
	if look {
		if m, err = h.Open(ctx); err != nil {
			return err
		}
		defer m.Close()
	}
	var shown []store.Unread
	var unsaid error
	err = folder.Change(ctx, string(e.client), e.session, func(s *session.Session) bool {
		if e.kind == started && s.State == session.Idle && now-s.Heard < sameStart {
			return false
		}
		h.describe(s, e)
		s.Tools, _ = underWay(s.Tools, e, now)
		state := states[e.kind]
		if m != nil {
			// The lock is held until the agent was told, so that of two hooks one tells, and
			// what could not be told is told the next time.
			before := *s
			before.Told, before.Held, before.Holds = slices.Clone(s.Told), slices.Clone(s.Held), slices.Clone(s.Holds)
			n := newsFor(s, e.kind, m.Waiting, now)
			if !n.later {
				s.Seen = seen
			}
			if shown, unsaid = h.write(ctx, e, m, &n); unsaid != nil {
				*s = before
			} else if n.hold {
				state = session.Working
			}
		}
		s.Become(state, e.waitsFor, now)
		return true
	})
	if unsaid == nil && len(shown) > 0 {
		err = errors.Join(err, m.Take(shown))
	}
	return errors.Join(unsaid, err)
}

// tells reports whether a client passes on what is said to an event.
func tells(k kind) bool { return k == started || k == prompted || k == usedTool || k == stopping }

// look returns what the message directory looks like, and whether to look into it: if it
// changed since the session was last told, or if the session stops with mail that it was
// told of.
func (h *hook) look(s *session.Session, k kind) (seen string, look bool) {
	sig, there, err := h.Look()
	if err != nil || !there {
		return "none", err != nil || k == started
	}
	seen = sig.Logs
	return seen, seen != s.Seen || k == started || k == stopping && len(s.Told) > 0
}

// describe records who and where a session is.
func (h *hook) describe(s *session.Session, e *event) {
	s.Alias = h.ChooseAlias().Value
	if e.transcript != "" {
		s.Transcript = e.transcript
	}
	if s.Process.PID == 0 || e.kind == started {
		s.Process = session.Caller()
	}
	if e.folder == "" || e.folder == s.Folder && e.kind != started && e.kind != prompted {
		return
	}
	s.Folder, s.Worktree, s.Branch = e.folder, "", ""
	if r, err := worktree.Find(e.folder); err == nil {
		if tree, ok := r.At(e.folder); ok {
			s.Worktree, s.Branch = tree.Path, tree.Branch
		}
	}
}

// news is what an agent is to be told.
type news struct {
	list []store.Unread
	hold bool
	// later is set if there is something to say that is left to the next event.
	later bool
}

// newsFor decides what a session is told, and records that it was. Every message is told
// of once, and holds a session up once.
func newsFor(s *session.Session, k kind, waiting []store.Unread, now int64) (n news) {
	recent := waiting[max(0, len(waiting)-maxKnown):]
	keys := make([]string, len(recent))
	for i := range recent {
		keys[i] = recent[i].From + ":" + recent[i].ID
	}
	before := s.Told
	if k == stopping {
		before = s.Held
	}
	if k == started {
		n.list = waiting
	} else {
		for i := range recent {
			if !slices.Contains(before, keys[i]) {
				n.list = append(n.list, recent[i])
			}
		}
	}
	if k == stopping {
		s.Holds = slices.DeleteFunc(s.Holds, func(at int64) bool { return now-at > hour })
		if len(n.list) > 0 && len(s.Holds) < maxHolds {
			n.hold = true
			s.Holds = append(s.Holds, now)
			s.Held = keys
		} else {
			n.later, n.list = len(n.list) > 0, nil
		}
	}
	if n.later {
		s.Told = slices.DeleteFunc(s.Told, func(k string) bool { return !slices.Contains(keys, k) })
	} else {
		s.Told = keys
	}
	s.Held = slices.DeleteFunc(s.Held, func(k string) bool { return !slices.Contains(keys, k) })
	return n
}

// write writes the news in the client's form. It returns the messages whose whole text the
// agent was told.
func (h *hook) write(ctx context.Context, e *event, m *agent.Mail, n *news) (shown []store.Unread, err error) {
	if len(n.list) == 0 && e.kind != started {
		return nil, nil
	}
	if h.Unseen {
		return nil, cli.ErrUnseen
	}
	text, shown, err := h.text(ctx, m, h.Config(), n, e.kind)
	if err != nil {
		return nil, err
	}
	if n.hold {
		return shown, hold(h.Stdout, text)
	}
	return shown, tell(h.Stdout, e, text)
}

// text says what waits. Messages whose whole text it holds are shown.
func (h *hook) text(ctx context.Context, m *agent.Mail, c userconfig.Config, n *news, k kind) (text string, shown []store.Unread, err error) {
	var b strings.Builder
	if k == started {
		fmt.Fprintf(&b, "You are `%s` in the mail of this developer's agents.", m.Me)
		if c.Person != "" {
			fmt.Fprintf(&b, " `%s` is the person: ask them with the tool ask when you need a decision.", c.Person)
		}
		b.WriteByte('\n')
	}
	if len(n.list) == 0 {
		return b.String(), nil, nil
	}
	if n.hold {
		b.WriteString("Before you stop: ")
	}
	fmt.Fprintf(&b, "%s for you (%s).", waits(len(n.list)), m.Me)
	frame := agent.NewFrame(h.value())
	b.WriteByte('\n')
	b.WriteString(frame.Notice())
	told := 0
	for f, err := range m.Texts(ctx, n.list[:min(len(n.list), maxTold)]) {
		if err != nil {
			return "", nil, err
		}
		b.WriteByte('\n')
		if c.Deliver == userconfig.Full {
			b.WriteString(frame.Message(f))
			shown = append(shown, n.list[told])
		} else {
			b.WriteString(frame.Announcement(f))
		}
		if told++; b.Len() > agent.MaxPage {
			break
		}
	}
	if more := len(n.list) - told; more > 0 {
		fmt.Fprintf(&b, "\n(%d more)\n", more)
	}
	if len(shown) < len(n.list) {
		b.WriteString("\nCall check_mail to read your mail.\n")
	} else {
		b.WriteString("\nAnswer with the tool reply and the message's id, if an answer is wanted.\n")
	}
	return b.String(), shown, nil
}

func waits(n int) string {
	if n == 1 {
		return "1 message waits"
	}
	return fmt.Sprintf("%d messages wait", n)
}

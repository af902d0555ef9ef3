package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/agent"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	transcript "github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/signalbox-dev/signalbox/lsp/who/userconfig"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

const (
	// heardEvery is how often a session that goes on is recorded, in milliseconds.
	heardEvery = 10 * 60 * 1000
	// sameStart is how many milliseconds a second start of a session counts as the same event:
	// a client that is set up for the user and for the project runs two hooks.
	sameStart = 1000
	// maxKnown is for how many of the newest unread messages it is tracked whether the session
	// was notified.
	maxKnown = 1000
	// maxGone is how many messages are remembered that are no longer unread.
	maxGone = 500
	// maxShown is how many messages one text shows.
	maxShown = 5
)

// states maps an event to the state of the session after it.
var states = map[kind]activity.State{
	started: activity.Idle, prompted: activity.Working, usingTool: activity.Working, usedTool: activity.Working,
	stopping: activity.Idle, asking: activity.Waiting, idle: activity.Idle, ended: activity.Ended, waking: activity.Idle,
}

// answer records the event, and writes a notice to the client, if there is one. It records
// first: a notice that cannot be recorded would come with every event, and keep the agent from
// ever stopping. Only a starting session, which is rare, is notified even if recording fails.
func (h *hook) answer(ctx context.Context, e *event) error {
	folder := activity.At(h.Env.StateDir())
	s, bad := folder.Read(string(e.client), e.session)
	if e.kind == ended && s.State == "" && bad == nil {
		// Claude Code sends this event also at the end of "claude mcp list".
		return nil
	}
	h.name(&s, e)
	if e.vague && e.kind == asking {
		e.waitsFor = known(&s, e)
	}
	h.remember(ctx, e)
	now := h.Now().UnixMilli()
	seen, look := "", false
	if takesNotice(e.kind) {
		seen, look = h.look(&s, e.kind)
	}
	_, tools := underWay(s.Tools, e, now)
	if !look && !tools && s.State == states[e.kind] && s.For == e.waitsFor && within(now, s.Heard, heardEvery) && e.kind != started && e.kind != prompted {
		return nil
	}
	var m *box.Waiting
	if look {
		if me := h.Who(); me.Err != nil {
			return errors.Join(bad, h.unnamed(ctx, folder, e, now))
		}
		var err error
		if m, err = h.Box().Waiting(ctx); err != nil {
			return errors.Join(bad, err)
		}
		defer m.Close()
	}
	return errors.Join(bad, h.record(ctx, folder, e, m, seen, now))
}

// known returns what a session waits for if its event does not say: Claude Code reports the
// same question twice, the second time without details, and Gemini CLI has reported the tool
// call before.
func known(s *activity.Session, e *event) string {
	if s.State == activity.Waiting {
		return s.For
	}
	for _, t := range slices.Backward(s.Tools) {
		if t.Ended == 0 {
			return transcript.Wants(t.Name, []byte(t.Input))
		}
	}
	return e.waitsFor
}

// record records the event and then writes the notice, if there is one. m is nil if no mail was
// read; seen is the signature of its directory.
func (h *hook) record(ctx context.Context, folder activity.Folder, e *event, m *box.Waiting, seen string, now int64) error {
	var out notice
	var failed error
	recorded := false
	err := folder.ChangeThen(ctx, string(e.client), e.session, func(s *activity.Session) bool {
		if e.kind == started && s.State == activity.Idle && within(now, s.Heard, sameStart) {
			recorded = true
			return false
		}
		if e.kind == waking && !s.IdleAs(&e.judged) {
			return false // it went on meanwhile
		}
		h.describe(s, e)
		s.Tools, _ = underWay(s.Tools, e, now)
		state := states[e.kind]
		if m != nil {
			before := *s
			n := newsFor(s, e.kind, m.Unread, now)
			if !n.later {
				s.Seen = seen
			}
			if out, failed = h.notice(ctx, m, &n, e); failed != nil {
				s.Notified, s.Held, s.Holds, s.Seen, s.Lost = before.Notified, before.Held, before.Holds, before.Seen, before.Lost
			} else if n.hold {
				state = activity.Working
			}
		}
		waitsFor := e.waitsFor
		if e.compacted && s.State != "" {
			state, waitsFor = s.State, s.For
		}
		s.Become(state, waitsFor, now)
		return true
	}, func() error {
		recorded = true
		return h.send(m, &out, e)
	})
	if err != nil && !recorded && e.kind == started && m != nil {
		n := newsFor(&activity.Session{}, started, m.Unread, now)
		if out, failed = h.notice(ctx, m, &n, e); failed == nil {
			failed = h.send(m, &out, e)
		}
	}
	return errors.Join(failed, err)
}

// within reports whether two times differ by less than span. Either may be later: the clock may
// have been set back, and two hooks may run at once.
func within(now, at, span int64) bool { return max(now-at, at-now) < span }

// takesNotice reports whether clients pass on a notice for an event of this kind.
func takesNotice(k kind) bool { return k == started || k == prompted || k == usedTool || k == stopping }

// look returns the signature of the message directory, and whether to read the mail: if it
// changed since the session was last notified, or if the session stops and was notified of mail
// that it may not have read.
func (h *hook) look(s *activity.Session, k kind) (seen string, look bool) {
	sig, there, err := h.Box().Signature()
	if err != nil || !there {
		return "none", err != nil || k == started
	}
	seen = sig.Logs
	return seen, seen != s.Seen || k == started || k == stopping && !holds(s.Held, s.Notified)
}

// holds reports whether a list has all of the keys.
func holds(list, keys []string) bool {
	has := setOf(list)
	return !slices.ContainsFunc(keys, func(k string) bool { return !has[k] })
}

// uuidLength is the length of Copilot's session ids, to check that an id isn't a path.
const uuidLength = 36

// describe records a session's name, process and place.
func (h *hook) describe(s *activity.Session, e *event) {
	h.keepName(s)
	s.Transcript = cmp.Or(e.transcript, s.Transcript)
	if s.Transcript == "" && e.client == copilot && len(e.session) == uuidLength && transcript.UUID(e.session) {
		// Copilot sends the path only when the session stops.
		home := cmp.Or(h.Env.Getenv("COPILOT_HOME"), filepath.Join(h.Env.Home, ".copilot"))
		s.Transcript = filepath.Join(home, "session-state", e.session, "events.jsonl")
	}
	if s.Process.PID == 0 || e.kind == started || e.kind == prompted { // Codex may have another server by now
		s.Process = activity.Caller()
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

// news is the mail that a session is to be notified of.
type news struct {
	list []box.Unread
	hold bool
	// later is set if the notice is left to the next event.
	later bool
}

// newsFor decides what a session is notified of, and records that. A session is notified of
// each message once, and kept from stopping by it once.
func newsFor(s *activity.Session, k kind, waiting []box.Unread, now int64) (n news) {
	recent := waiting[max(0, len(waiting)-maxKnown):]
	keys := make([]string, len(recent))
	for i := range recent {
		keys[i] = recent[i].From + ":" + recent[i].ID
	}
	if s.Lost {
		// The record was lost: the session may have been held for each of them.
		s.Lost, s.Held = false, with(s.Held, keys)
	}
	before := setOf(s.Notified)
	if k == stopping {
		before = setOf(s.Held)
	}
	if k == started {
		n.list = waiting
	} else {
		for i := range recent {
			if !before[keys[i]] {
				n.list = append(n.list, recent[i])
			}
		}
	}
	if k == stopping || k == waking {
		n.stop(s, keys, now)
	}
	if !n.later {
		s.Notified = with(s.Notified, keys)
	}
	return n
}

// stop decides whether the news keeps a session from stopping.
func (n *news) stop(s *activity.Session, keys []string, now int64) {
	if spare := s.MayHold(now); len(n.list) > 0 && !spare {
		n.later, n.list = true, nil
		return
	}
	if n.hold = len(n.list) > 0; n.hold {
		s.Holds = append(s.Holds, now)
	}
	s.Held = with(with(s.Held, s.Notified), keys)
}

// with adds keys to a list, and keeps the newest of the others: a message may be missing for a
// while, when a sync tool replaces its log.
func with(list, keys []string) []string {
	waits := setOf(keys)
	gone := slices.DeleteFunc(slices.Clone(list), func(k string) bool { return waits[k] })
	return append(gone[max(0, len(gone)-maxGone):], keys...)
}

func setOf(keys []string) map[string]bool {
	set := make(map[string]bool, len(keys))
	for _, k := range keys {
		set[k] = true
	}
	return set
}

// notice is the text that a client gets for an event.
type notice struct {
	text  string
	hold  bool
	shown []box.Unread // the messages whose full text it contains
}

// notice returns the notice of news. It has no text if there is no news.
func (h *hook) notice(ctx context.Context, m *box.Waiting, n *news, e *event) (notice, error) {
	if len(n.list) == 0 && e.kind != started {
		return notice{}, nil
	}
	if h.Unseen {
		return notice{}, cli.ErrUnseen
	}
	text, shown, err := h.text(ctx, m, h.Config(), n, e)
	return notice{text, n.hold, shown}, err
}

// send writes a notice in the client's form, and marks the messages that it contains in full as
// read.
func (h *hook) send(m *box.Waiting, s *notice, e *event) error {
	if s.text == "" {
		return nil
	}
	var err error
	switch {
	case e.kind == waking:
		err = h.wake(e, s.text)
	case s.hold:
		err = hold(h.Stdout, s.text)
	default:
		err = notify(h.Stdout, e, s.text)
	}
	if err != nil {
		return err
	}
	if err := m.Take(s.shown); err != nil {
		h.log([]string{string(e.client)}, err) // the notice was sent
	}
	return nil
}

// text returns the text of a notice, and the messages whose full text it contains.
func (h *hook) text(ctx context.Context, m *box.Waiting, c userconfig.Config, n *news, e *event) (text string, shown []box.Unread, err error) {
	var b strings.Builder
	if e.kind == started {
		fmt.Fprintf(&b, "You are `%s` in the mail of this developer's agents.", m.Me)
		if c.Person != "" {
			fmt.Fprintf(&b, " `%s` is the person: ask them with the tool ask when you need a decision.", c.Person)
		}
		b.WriteByte('\n')
		b.WriteString(h.companions(m, e))
	}
	if len(n.list) == 0 {
		return b.String(), nil, nil
	}
	if n.hold && e.kind == stopping {
		b.WriteString(transcript.StopTextStart)
	}
	fmt.Fprintf(&b, "%s%s%s).", waits(len(n.list)), transcript.StopTextEnd, m.Me)
	frame := agent.NewFrame(h.value())
	b.WriteByte('\n')
	b.WriteString(frame.Notice())
	count := 0
	for f, err := range m.Texts(ctx, n.list[:min(len(n.list), maxShown)]) {
		if err != nil {
			return "", nil, err
		}
		b.WriteByte('\n')
		if c.Deliver == userconfig.Full {
			b.WriteString(frame.Message(f))
			shown = append(shown, n.list[count])
		} else {
			b.WriteString(frame.Announcement(f))
		}
		if count++; b.Len() > agent.MaxPage {
			break
		}
	}
	if more := len(n.list) - count; more > 0 {
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

package hook

import (
	"cmp"
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/who/userconfig"
)

// asker is how a client's hook passes on the person's answer.
type asker struct {
	can Ability
	// hides is set if the client does not show its own dialog while the hook runs.
	hides bool
	// headless reports whether this run of the client shows nobody a dialog. It may be nil.
	headless func(getenv func(string) string, program activity.Process) bool
	// request returns the request of an event. ok is false if there is nothing that a hook
	// could answer.
	request func(e *event, w *wire) (r ask.Request, ok bool)
	// decision returns the answer in the client's form.
	decision func(r *ask.Request, a *ask.Answer) any
	// closed returns a function that reports whether the client's own dialog was closed. It may
	// be nil.
	closed func(s activity.Session) func() bool
	// beside starts another process that passes on the answer, if it can, so that the hook need
	// not wait. It may be nil.
	beside func(h *hook, e *event) bool
	// seconds is set if the hook waits only if the person configured for how long: it delays a
	// dialog before it is known whether there will be one.
	seconds bool
}

// askers are the clients whose hooks can answer.
var askers = map[client]asker{claude: claudeAsker, codex: codexAsker, gemini: geminiAsker, copilot: copilotAsker, opencode: opencodeAsker}

// ask waits for the person's answer to the request of an event, if the person wants that, and
// writes the decision to the client. Otherwise it writes nothing, and the client's own dialog
// stays as it is.
func (h *hook) ask(ctx context.Context, e *event) error {
	by, ok := askers[e.client]
	answers := h.Config().Answers
	if !ok || e.kind != asking && e.kind != questioning && !by.seconds || answers == userconfig.AnswersOff || h.Unseen {
		return nil
	}
	// A run that nobody watches is not delayed for longer than the person configured.
	hides := by.hides || by.headless != nil && by.headless(h.Env.Getenv, activity.Caller())
	wait := answers.Wait(hides)
	if by.beside != nil && by.beside(h, e) || wait == 0 || by.seconds && !answers.HasSeconds() {
		return nil
	}
	r, ok := by.request(e, e.wire)
	if !ok {
		return nil
	}
	s, _ := activity.At(h.Env.StateDir()).Read(string(e.client), e.session) // answer returns the error
	now := h.Now()
	r.Client, r.Session, r.Alias = string(e.client), e.session, s.Alias
	r.Folder, r.Worktree = cmp.Or(e.folder, s.Folder), s.Worktree
	r.Since, r.Until = now.UnixMilli(), now.Add(wait).UnixMilli()
	// A client that stops waiting ends its hook with a signal.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	soon, done := context.WithTimeout(ctx, limit)
	w, err := ask.At(h.Env.StateDir()).Put(soon, r)
	done()
	if errors.Is(err, ask.ErrTwice) {
		return nil // the other hook waits
	}
	if err != nil {
		return err
	}
	if by.closed != nil {
		w.Closed = by.closed(s)
	}
	e.wire, r = nil, ask.Request{}
	staySmall()
	a, ok := w.Wait(ctx)
	if !ok {
		return nil
	}
	err = write(h.Stdout, by.decision(&w.Request, &a))
	return errors.Join(err, h.goesOn(ctx, w))
}

// goesOn records that a session no longer waits for a request that was answered. The next event
// comes only after the tool has run, which may take an hour.
func (h *hook) goesOn(ctx context.Context, w *ask.Waiting) error {
	defer w.Done(ctx)
	return activity.At(h.Env.StateDir()).Change(ctx, w.Client, w.Session, func(s *activity.Session) bool {
		if s.State != activity.Waiting {
			return false
		}
		s.Become(activity.Working, "", h.Now().UnixMilli())
		return true
	})
}

// over ends the requests of a session that an event shows to be answered at the client's own
// dialog.
func (h *hook) over(ctx context.Context, e *event) error {
	agent := e.wire.agent()
	var is func(*ask.Request) bool
	switch e.kind {
	case usedTool:
		sum, one := "", false
		is = func(r *ask.Request) bool {
			if one || r.Agent != agent || r.Tool != e.wire.Tool {
				return false
			}
			if sum == "" {
				sum = ask.Sum(e.wire.Input)
			}
			// Clients add the answers to the input of a question, and remove the plan.
			one = r.Kind != ask.Permission || r.Sum == sum
			return one
		}
	case started, prompted, stopping, idle:
		is = func(r *ask.Request) bool { return r.Agent == agent }
	case ended:
		is = func(*ask.Request) bool { return true }
	default:
		return nil
	}
	return ask.At(h.Env.StateDir()).Over(ctx, string(e.client), e.session, is)
}

// agent returns the id of the subagent that the event is of, or "".
func (w *wire) agent() string {
	for _, v := range []any{w.Agent, w.ParentA} {
		if id, ok := v.(string); ok && id != "" {
			return id
		}
	}
	return ""
}

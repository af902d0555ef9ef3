package agents

import (
	"context"
	"os/exec"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// Nudge is the text that is typed at an agent's prompt, or queued for it, when mail has come. It
// contains only our own words, since the program takes them for the person's.
const Nudge = "You have mail: call check_mail."

// wakeTime limits how long a program may take to queue a message.
const wakeTime = 5 * time.Second

// Run runs a program and waits for its end. A nil Run wakes no agent.
type Run func(ctx context.Context, argv ...string) error

// Exec runs a program from the PATH.
func Exec(ctx context.Context, argv ...string) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.WaitDelay = time.Second
	return cmd.Run()
}

// Wake wakes a session that got mail and has no process of its own to wake it, by queueing a line
// with Codex. It returns how the agent was reached in fact: [Wait] if the session was woken too
// often lately or could not be woken.
func (r *Reaching) Wake(ctx context.Context, f activity.Folder, p Party, run Run) Way {
	if p.Way != Wake || p.Session.Wakeable() {
		return p.Way
	}
	if run == nil {
		return Wait
	}
	ctx, cancel := context.WithTimeout(ctx, wakeTime)
	defer cancel()
	spare := false
	err := f.Change(ctx, p.Session.Client, p.Session.ID, func(s *activity.Session) bool {
		if spare = s.IdleAs(p.Session) && s.MayHold(r.Now); spare {
			s.Holds = append(s.Holds, r.Now)
		}
		return spare
	})
	if err != nil || !spare || run(ctx, "codex", "queue", "--thread", p.Session.ID, "--message", Nudge) != nil {
		return Wait
	}
	return Wake
}

package agents

import (
	"context"
	"os/exec"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// Nudge is what is typed at an agent's prompt, and queued for it, when mail has come: our own
// words alone, since the program takes them for the person's.
const Nudge = "You have mail: call check_mail."

// wakeTime is how long a program may take to queue a message.
const wakeTime = 5 * time.Second

// Run runs a program and waits for its end. A nil one wakes nobody.
type Run func(ctx context.Context, argv ...string) error

// Exec runs a program of the PATH.
func Exec(ctx context.Context, argv ...string) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.WaitDelay = time.Second
	return cmd.Run()
}

// Woken has a session go on to which mail was sent and which nothing of its own wakes: Codex
// queues a line for it. It returns how the agent was reached after all. One that was woken too
// often of late reads its mail when somebody goes on with it.
func (r *Reaching) Woken(ctx context.Context, f activity.Folder, p Party, run Run) Way {
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
		if spare = s.IdleAs(p.Session) && s.Spare(r.Now); spare {
			s.Holds = append(s.Holds, r.Now)
		}
		return spare
	})
	if err != nil || !spare || run(ctx, "codex", "queue", "--thread", p.Session.ID, "--message", Nudge) != nil {
		return Wait
	}
	return Wake
}

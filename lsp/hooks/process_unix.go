//go:build unix

package hooks

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// shell runs a text as `shell: true` does elsewhere. The "--" keeps a text that begins
// with a dash from being an option of the shell.
func shell(ctx context.Context, text string) *exec.Cmd {
	return exec.CommandContext(ctx, "/bin/sh", "-c", "--", text)
}

// group is a command and everything it starts, except processes that leave the process
// group, as daemons do: only a container would hold those.
type group struct {
	cmd *exec.Cmd
	// asked is when the group was asked to end.
	asked time.Time
}

// newGroup puts a command that has not started into a process group of its own.
func newGroup(cmd *exec.Cmd) *group {
	g := &group{cmd: cmd}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		g.asked = time.Now()
		err := g.signal(unix.SIGTERM)
		if errors.Is(err, unix.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
	return g
}

func (g *group) started() {}

func (g *group) close() {}

// signal reaches every process of the group.
func (g *group) signal(s unix.Signal) error { return unix.Kill(-g.cmd.Process.Pid, s) }

// end ends the processes that are left of the group, and reports whether there were any. It
// asks them to end, and kills them after the grace period. It must be called after
// [exec.Cmd.Wait]. A group's number stays in use as long as the group has a member, so only
// the number of an empty group could belong to another group by now.
func (g *group) end(grace time.Duration) (left bool) {
	left = true
	if g.asked.IsZero() {
		g.asked = time.Now()
		left = !errors.Is(g.signal(unix.SIGTERM), unix.ESRCH)
	}
	if errors.Is(g.signal(0), unix.ESRCH) {
		return left
	}
	grace -= time.Since(g.asked)
	deadline := time.NewTimer(max(grace, 0))
	defer deadline.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if errors.Is(g.signal(0), unix.ESRCH) {
				return left
			}
		case <-deadline.C:
			_ = g.signal(unix.SIGKILL)
			return left
		}
	}
}

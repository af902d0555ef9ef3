package hooks

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// shell runs a text as `shell: true` does elsewhere. cmd.exe gets the text unchanged, since
// it has quoting rules of its own.
func shell(ctx context.Context, text string) *exec.Cmd {
	path := os.Getenv("ComSpec")
	if path == "" {
		path = filepath.Join(os.Getenv("SystemRoot"), "System32", "cmd.exe")
	}
	cmd := exec.CommandContext(ctx, path)
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd.exe /d /s /c "` + text + `"`, HideWindow: true}
	return cmd
}

// group is a command and everything that it starts, in a job object.
//
// This has been compiled and reviewed, and not been run on Windows yet. A child that the
// shell starts just before the shell is put into the job is not in the job.
type group struct {
	cmd *exec.Cmd
	job windows.Handle
}

func newGroup(cmd *exec.Cmd) *group {
	g := &group{cmd: cmd}
	cmd.Cancel = func() error {
		g.kill()
		return cmd.Process.Kill()
	}
	if job, err := windows.CreateJobObject(nil, nil); err == nil {
		g.job = job
	}
	return g
}

// started puts the process that has started into the job.
func (g *group) started() {
	if g.job == 0 {
		return
	}
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(g.cmd.Process.Pid))
	if err != nil {
		return
	}
	defer windows.CloseHandle(h)
	_ = windows.AssignProcessToJobObject(g.job, h)
}

func (g *group) kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
}

// end kills the processes that are left. Windows has no way to ask them first, and no process
// leaves a job by itself.
func (g *group) end(time.Duration) (left bool) {
	g.kill()
	return true
}

func (g *group) close() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
}

//go:build !unix && !windows

package hooks

import (
	"context"
	"os/exec"
	"time"
)

// group is a command on a system that cannot start programs, such as a browser. Starting it
// fails.
type group struct{}

func shell(ctx context.Context, text string) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", "-c", text)
}

func newGroup(*exec.Cmd) *group { return &group{} }

func (*group) started() {}

func (*group) close() {}

func (*group) end(time.Duration) (left bool) { return false }

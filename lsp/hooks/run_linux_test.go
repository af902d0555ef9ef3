package hooks_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/hooks"
)

// TestLeftGroup: what has left a command's process group outlives it, as
// docs/worktrees.md says, and is not reported as ended (ATSF H4).
func TestLeftGroup(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	const leave = `setsid sh -c 'echo $$ > pid; exec sleep 1000' & until test -s pid; do sleep 0.01; done; `
	for name, c := range map[string]struct {
		command, detail string
		status          hooks.Status
	}{
		"in time":   {leave + "exit 0", "what it left running was not ended: it has left the command's process group", hooks.Done},
		"timed out": {leave + "sleep 1000", "timed out after 2s", hooks.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			project, tree := place(t, fmt.Sprintf(`{"postSetupCommands":[{"command":%q,"timeout":2000}]}`, c.command))
			p := read(t, project, tree)
			r, _ := run(t, &p)
			pid, err := strconv.Atoi(strings.TrimSpace(readFile(t, filepath.Join(tree, "pid"))))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Errorf("it was ended: %v", err)
			}
			if got := r.Commands[0]; got.Status != c.status || got.Detail != c.detail {
				t.Errorf("%+v, want %s: %s", got, c.status, c.detail)
			}
		})
	}
}

package agents

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// unreachable reports whether no person can continue a session although its process runs. Codex
// runs the turns of all its terminals in one process, which outlives them and does not learn of
// their end.
func (j *judge) unreachable(s *activity.Session) bool {
	if s.Client != "codex" || s.Folder == "" {
		return false
	}
	if args := s.Process.Arguments(); !strings.Contains(args, "app-server") || !strings.Contains(args, "unix://") {
		return false
	}
	list, ok := j.terminals("codex")
	return ok && !slices.ContainsFunc(list, func(p activity.Program) bool { return shows(&p, s) })
}

// shows reports whether a terminal of Codex may show a session: the terminal runs in the session's
// folder or work tree, has the folder or the session in its arguments, or its own folder is
// unknown.
func shows(p *activity.Program, s *activity.Session) bool {
	if p.Folder == "" || strings.Contains(p.Args, s.ID) || slices.Contains(strings.Split(p.Args, "\x00"), s.Folder) {
		return true
	}
	return slices.ContainsFunc([]string{s.Folder, s.Worktree}, func(folder string) bool {
		return folder != "" && filepath.Clean(folder) == p.Folder
	})
}

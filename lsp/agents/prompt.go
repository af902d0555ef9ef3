package agents

import (
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// ReturnsToPrompt reports whether a session certainly returns to the person's prompt after its
// turn, so that a process may wait beside it for mail. A program that was started for one answer,
// such as "claude -p", would wait for that process before it ends.
func ReturnsToPrompt(s *activity.Session) bool {
	args := strings.Split(strings.TrimRight(s.Process.Arguments(), "\x00"), "\x00")
	if args[0] == "" || s.Process.Terminal == "" || !s.Process.Runs() {
		return false
	}
	switch s.Client {
	case "claude":
		// Versions without such a record may not support hooks that run beside a session: they
		// would wait for the hook.
		all := newClaudeFiles()
		record, ok := all.of(s)
		return ok && (record.Kind == "" || record.Kind == "interactive") && (record.Entry == "" || record.Entry == "cli") &&
			!slices.ContainsFunc(args[1:], prints)
	case "opencode":
		return !slices.Contains(args[1:], "run")
	}
	return false
}

// prints reports whether an argument may make Claude Code print one answer and end. A word of a
// prompt may look like such an argument; then nothing waits for mail.
func prints(arg string) bool {
	if letters, short := strings.CutPrefix(arg, "-"); short && !strings.HasPrefix(letters, "-") {
		return strings.Contains(letters, "p")
	}
	return slices.ContainsFunc([]string{"--print", "--output-format", "--input-format", "--sdk-url"}, func(flag string) bool {
		return strings.HasPrefix(arg, flag)
	})
}

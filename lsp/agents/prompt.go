package agents

import (
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// ReturnsToPrompt reports whether a session is sure to return to the person's prompt after its turn.
// Only then may a process wait beside it for mail: a program that was started for one answer, such as
// "claude -p", does not end before that process.
func ReturnsToPrompt(s *activity.Session) bool {
	args := strings.Split(strings.TrimRight(s.Process.Arguments(), "\x00"), "\x00")
	if args[0] == "" || s.Process.Terminal == "" || !s.Process.Runs() {
		return false
	}
	switch s.Client {
	case "claude":
		files := newClaudeFiles()
		record, ok := files.of(s)
		// A version that writes no record may wait for the end of its hooks.
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

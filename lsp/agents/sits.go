package agents

import (
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// Sits reports whether a session is certain to sit at a person's prompt once its turn is
// over, so that something may wait beside it for mail. A program that was started for one
// answer, as "claude -p" is, would wait for that before it ends.
func Sits(s *activity.Session) bool {
	args := strings.Split(strings.TrimRight(s.Process.Arguments(), "\x00"), "\x00")
	if args[0] == "" || s.Process.Terminal == "" || !s.Process.Runs() {
		return false
	}
	switch s.Client {
	case "claude":
		// Versions that keep no such record may not know hooks that run beside a session: they
		// would wait for one.
		all := newOwns()
		own, ok := all.of(s)
		return ok && (own.Kind == "" || own.Kind == "interactive") && (own.Entry == "" || own.Entry == "cli") &&
			!slices.ContainsFunc(args[1:], prints)
	case "opencode":
		return !slices.Contains(args[1:], "run")
	}
	return false
}

// prints reports whether an argument of Claude Code's may have it print one answer. A word of
// a prompt may look like one, and then nothing waits.
func prints(arg string) bool {
	if letters, short := strings.CutPrefix(arg, "-"); short && !strings.HasPrefix(letters, "-") {
		return strings.Contains(letters, "p")
	}
	return slices.ContainsFunc([]string{"--print", "--output-format", "--input-format", "--sdk-url"}, func(flag string) bool {
		return strings.HasPrefix(arg, flag)
	})
}

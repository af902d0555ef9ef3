package agents

import (
	"context"
	"slices"
	"strings"

	core "github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
)

// prompts has the words before a first prompt on the command line of each program that takes one.
var prompts = map[string][]string{"claude": nil, "codex": nil, "gemini": {"-i"}, "copilot": {"-i"}}

// Programs returns the clients that can be started in a terminal.
func Programs() []string { return []string{"claude", "codex", "gemini", "copilot", "opencode"} }

// Prompted returns a program's command line with a first prompt. ok is false for a program
// that takes none.
func Prompted(client string, argv []string, prompt string) (words []string, ok bool) {
	before, ok := prompts[client]
	if !ok {
		return argv, false
	}
	if strings.HasPrefix(prompt, "-") || !strings.ContainsAny(prompt, " \n\t") {
		// Otherwise the program would take it for an option or one of its commands.
		prompt = " " + prompt
	}
	return append(slices.Concat(argv, before), prompt), true
}

// Resume returns the command that resumes a session. It is nil if there is none, or if the id is
// not one that programs assign.
func Resume(client, id string) []string {
	if !core.UUID(id) || strings.Trim(id, "0123456789abcdefABCDEF-") != "" {
		return nil
	}
	if f := sessionstore.FormatOf(client); f != nil {
		return f.Resume(id)
	}
	return nil
}

// Called returns exactly what a call does according to the session's transcript: the command or
// the patch. It is "" if the call is not found.
func Called(ctx context.Context, s *activity.Session, id string) string {
	return sessionstore.Called(ctx, s.Client, s.Transcript, id)
}

// Line returns the command that resumes a session as a person types it.
func Line(client, id string) (line string, ok bool) {
	words := Resume(client, id)
	return strings.Join(words, " "), words != nil
}

package hook

import (
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

var geminiAsker = asker{
	can: Ability{
		Title: "Gemini CLI", Seen: "0.61.0",
		Permission: "no with a reason; yes in its terminal alone",
		Dialog:     "comes once the hook has waited",
	},
	hides: true, seconds: true, request: geminiRequest, decision: geminiDecision,
}

// geminiAsks are the tools for which Gemini CLI asks by default.
var geminiAsks = []string{"run_shell_command", "replace", "write_file", "web_fetch"}

// geminiRequest returns what Gemini CLI may ask for after its event BeforeTool. Unless the hook
// denies, the dialog comes after the hook, and no hook can close it.
func geminiRequest(e *event, w *wire) (r ask.Request, ok bool) {
	caller := activity.Caller()
	if e.kind != usingTool || !slices.Contains(geminiAsks, w.Tool) || w.Input == nil || !geminiMayAsk(caller.Terminal, caller.Arguments()) {
		return r, false
	}
	return ask.Request{Kind: ask.Permission, Agent: w.agent(), Tool: w.Tool, Input: w.Input, DenyOnly: true}, true
}

// geminiMayAsk reports whether this Gemini CLI can ask at all, which the event does not say. It
// does not without a terminal, or with an option that allows everything.
func geminiMayAsk(terminal, arguments string) bool {
	return terminal != "" && !slices.ContainsFunc(strings.Split(arguments, "\x00"), func(arg string) bool {
		return arg == "-y" || strings.HasSuffix(arg, "yolo") || strings.HasSuffix(arg, "auto_edit")
	})
}

func geminiDecision(_ *ask.Request, a *ask.Answer) any {
	return answer{Decision: "deny", Reason: reason(a)}
}

package hook

import "github.com/signalbox-dev/signalbox/lsp/agents/ask"

var copilotAsker = asker{
	can: Ability{
		Title: "Copilot CLI", Seen: "1.0.102",
		Permission: "yes, no with a reason", Dialog: "hidden while the hook waits",
	},
	hides: true, request: copilotRequest, decision: copilotDecision,
}

// copilotRequest returns the request of Copilot CLI's permissionRequest. The event comes
// before the dialog, which opens if the hook ends without an answer.
func copilotRequest(_ *event, w *wire) (r ask.Request, ok bool) {
	r = ask.Request{Kind: ask.Permission, Agent: w.agent(), Tool: w.ToolC, Input: w.InputB}
	return r, r.Tool != "" && r.Input != nil
}

func copilotDecision(_ *ask.Request, a *ask.Answer) any {
	return simpleDecision(a)
}

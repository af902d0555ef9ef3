package agents

import (
	"runtime"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/agents/risk"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Risks returns the effects of a request that are hard to undo or hard to see, worst first. home is
// the user's own folder, and marked is set if characters of the request are shown as numbers. A
// request without risks may still be dangerous.
func Risks(r *ask.Request, home string, marked bool) (list []panel.Risk) {
	request := risk.Request{
		Tool: r.Tool, Folder: r.Folder, Worktree: r.Worktree, Home: home, Windows: runtime.GOOS == "windows", Hidden: marked,
	}
	if r.Kind == ask.Permission {
		for _, part := range r.Parts() {
			request.Args = append(request.Args, risk.Arg(part))
		}
	}
	for _, k := range risk.Of(&request) {
		list = append(list, panel.Risk{Level: panel.RiskLevel(k.Level), Kind: string(k.Kind), Text: show.Exact(show.Line(k.Text)), Line: k.Line})
	}
	return list
}

package agents

import (
	"runtime"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/agents/risk"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Risks returns what a request would do that is hard to undo or hard to see, the worst first.
// home is the user's own folder, and marked is set if characters of it are shown as numbers.
// Nothing is safe because it has no risk.
func Risks(r *ask.Request, home string, marked bool) (list []panel.Risk) {
	of := risk.Request{
		Tool: r.Tool, Folder: r.Folder, Worktree: r.Worktree, Home: home, Windows: runtime.GOOS == "windows", Hidden: marked,
	}
	if r.Kind == ask.Permission {
		for _, part := range r.Parts() {
			of.Args = append(of.Args, risk.Arg(part))
		}
	}
	for _, k := range risk.Of(&of) {
		list = append(list, panel.Risk{Level: panel.RiskLevel(k.Level), Kind: string(k.Kind), Text: show.Exact(show.Line(k.Text)), Line: k.Line})
	}
	return list
}

package panel

import (
	"runtime"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/agents/risk"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// RiskLevel says how much a [Risk] can destroy.
type RiskLevel string

// The levels of a [Risk].
const (
	RiskRed    RiskLevel = "red"
	RiskYellow RiskLevel = "yellow"
)

// Risk is something that an [AgentRequest] would do, from a fixed list.
type Risk struct {
	Level RiskLevel `json:"level"`
	// Kind is forcePush, deletesOutside, deletes, drops, sudo, downloads, hidden or writesOutside.
	Kind string `json:"kind"`
	Text string `json:"text"`           // a sentence: "Force push: rewrites main on origin."
	Line int    `json:"line,omitempty"` // of a command with several lines, from 1
}

// Risks returns what a request would do that is hard to undo or hard to see, the worst first.
// home is the user's own folder, and marked is set if characters of it are shown as numbers.
// Nothing is safe because it has no risk.
func Risks(r *ask.Request, home string, marked bool) (list []Risk) {
	of := risk.Request{
		Tool: r.Tool, Folder: r.Folder, Worktree: r.Worktree, Home: home, Windows: runtime.GOOS == "windows", Hidden: marked,
	}
	if r.Kind == ask.Permission {
		for _, part := range r.Parts() {
			of.Args = append(of.Args, risk.Arg(part))
		}
	}
	for _, k := range risk.Of(&of) {
		list = append(list, Risk{RiskLevel(k.Level), string(k.Kind), show.Exact(show.Line(k.Text)), k.Line})
	}
	return list
}

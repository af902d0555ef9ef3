package door_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestRisks says with a request what it would do, in texts that hide nothing.
func TestRisks(t *testing.T) {
	d := requestFixture(t, func() error { return nil })
	d.asks("coder", ask.Request{
		Kind: ask.Permission, Tool: "Bash", Folder: "/w", Worktree: "/w",
		Input: json.RawMessage(`{"command":"ls\ngit push -f origin p\u0430ypal\u202e"}`),
	})
	want := []panel.Risk{
		{Level: panel.RiskRed, Kind: "forcePush", Text: "Force push: rewrites p⟨U+0430⟩ypal⟨U+202E⟩ on origin.", Line: 2},
		{Level: panel.RiskRed, Kind: "hidden", Text: "Has invisible or misleading characters, shown as their numbers."},
	}
	if diff := cmp.Diff(want, d.requests(1)[0].Request.Risks); diff != "" {
		t.Error(diff)
	}
}

package agent

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
)

// TestInRow: what a row shows whole can be allowed by its number alone.
func TestInRow(t *testing.T) {
	for _, c := range []struct {
		name, tool, input string
		want              bool
	}{
		{"a command", "Bash", `{"command":"touch made","description":"Make a file"}`, true},
		{"a file", "Read", `{"file_path":"/etc/hosts"}`, true},
		{"a file in the folder", "Read", `{"file_path":"/w/a.go"}`, false},
		{"another argument", "Bash", `{"command":"true","dangerouslyDisableSandbox":true}`, false},
		{"named twice", "Bash", `{"command":"ls","command":"rm x"}`, false},
		{"two lines", "Bash", `{"command":"ls\nrm x"}`, false},
		{"blanks", "Bash", `{"command":"ls  x"}`, false},
		{"a blank at the end", "Bash", `{"command":"ls "}`, false},
		{"hidden", "Bash", `{"command":"ls \u202ex"}`, false},
		{"alike", "Bash", `{"command":"ls p\u0430ypal"}`, false},
		{"a token", "Bash", `{"command":"curl -H 'Authorization: Bearer ` + strings.Repeat("a1", 20) + `'"}`, false},
		{"long", "Bash", `{"command":"` + strings.Repeat("x", 80) + `"}`, false},
		{"of no members", "x", `"text"`, false},
		{"nothing", "x", `{}`, false},
		{"an unknown tool", "mcp__x__y", `{"a":"ls","b":"rm"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := ask.Request{Kind: ask.Permission, Tool: c.tool, Input: json.RawMessage(c.input), Folder: "/w"}
			if got := inRow(&r); got != c.want {
				t.Errorf("%v: the row says %q", got, r.Wants())
			}
		})
	}
	if r := (ask.Request{Kind: ask.Plan, Tool: "ExitPlanMode", Input: json.RawMessage(`{"plan":"x"}`)}); inRow(&r) {
		t.Error("a plan")
	}
}

//go:build agents

package realagents

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// varies is what differs from run to run: the values of frames, ids and times.
var varies = regexp.MustCompile(`[0-9a-z]{16}|\d{4}-\d\d-\d\d( \d\d:\d\d)?`)

// ours finds where a text of ours begins in what a client makes of it.
var ours = regexp.MustCompile("You are `coder`|1 new message for|Sent to dev|Before you stop|dev chose")

// hookEnd ends what a hook tells.
const hookEnd = "Call check_mail to read your mail."

// checkDocs holds that the page for users shows what the model saw, word for word.
func checkDocs(t *testing.T, pieces []string) {
	t.Helper()
	page, err := os.ReadFile("../../../../docs/agents.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := varies.ReplaceAllString(string(page), "…")
	found := 0
	for _, piece := range pieces {
		at := ours.FindStringIndex(piece)
		if at == nil {
			continue
		}
		found++
		text := strings.TrimSpace(piece[at[0]:])
		// A hook's text may stand within one of the client's.
		if head, _, ok := strings.Cut(text, hookEnd); ok {
			text = head + hookEnd
		}
		if !strings.Contains(shown, varies.ReplaceAllString(text, "…")) {
			t.Errorf("docs/agents.md does not show what the agent sees:\n%s", text)
		}
	}
	if found < 6 {
		t.Errorf("only %d texts of ours reached the model", found)
	}
}

package source

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/sourcetest"
)

const strange = "ffffffff-0000-4000-8000-000000000000"

// TestSource runs the suite of all sources on this one.
func TestSource(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		New: New, Word: "word",
		Fill: func(t *testing.T, home string) {
			writeTalks(t, home, 3, 4)
			start := time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC).UnixMilli()
			writeThread(t, home, atsf.Thread{
				ID: strange, Title: sourcetest.Hostile, Created: atsf.At(start), Updated: atsf.At(start),
				Agent: atsf.Agent{ID: "b", Name: sourcetest.Hostile}, Context: atsf.Context{WorkingDir: home, GitBranch: sourcetest.Hostile},
			}, atsf.Message{
				ID: "hostile", Role: atsf.RoleAgent, Time: atsf.At(start), Model: sourcetest.Hostile,
				Content: []atsf.Block{{Type: atsf.TypeText, Text: sourcetest.Hostile}},
				Tools:   []atsf.ToolCall{{ID: "1", Status: "failed", Duration: -1, Name: sourcetest.Hostile, Title: sourcetest.Hostile, Input: sourcetest.Hostile, Output: sourcetest.Hostile}},
			})
			log := filepath.Join(home, ".agent", "threads", strange, atsf.MessagesName)
			data, err := os.ReadFile(log)
			text, bad := json.Marshal(sourcetest.Hostile)
			if err != nil || bad != nil {
				t.Fatal(err, bad)
			}
			for _, line := range []string{`{"role":TEXT,"id":TEXT,"content":[{"type":TEXT}]}`, "{broken " + sourcetest.Hostile, `{"id":7}`} {
				data = append(data, strings.ReplaceAll(line, "TEXT", string(text))+"\n"...)
			}
			writeFile(t, log, data)
		},
		Setting: func(home string) (panel.Settings, []string) { return panel.Settings{}, []string{home} },
		Grow: func(t *testing.T, home string) {
			at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).UnixMilli()
			line := buildMessage(t, atsf.Message{ID: "new", Role: atsf.RoleUser, Time: atsf.At(at), Content: []atsf.Block{{Type: atsf.TypeText, Text: "new"}}})
			dir := filepath.Join(home, ".agent", "threads", talkID(0))
			log, err := os.ReadFile(filepath.Join(dir, atsf.MessagesName))
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(dir, atsf.MessagesName), append(log, line...))
			writeFile(t, filepath.Join(dir, atsf.ThreadName), buildThread(t, atsf.Thread{
				ID: talkID(0), Title: "Talk 0", Created: atsf.At(at), Updated: atsf.At(at), Agent: atsf.Agent{ID: "a", Name: "A"},
				Context: atsf.Context{WorkingDir: home}, Stats: atsf.Stats{Messages: 5, User: 5},
			}))
		},
	})
}

package source

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/sourcetest"
)

var begun = time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC)

// TestSource runs the suite of all sources on this one.
func TestSource(t *testing.T) {
	sourcetest.Run(t, sourcetest.Case{
		New: New, Word: "word",
		Fill: func(t *testing.T, work string) {
			for i := range 3 {
				write(t, work, i, talk(work, fmt.Sprintf("Talk %d of a word", i), i))
			}
			strange := talk(work, sourcetest.Hostile, 9)
			meta := strange[0]["payload"].(record)
			meta["cli_version"], meta["git"] = sourcetest.Hostile, record{"branch": sourcetest.Hostile}
			strange = append(strange, record{"type": sourcetest.Hostile}, record{"type": "response_item", "payload": sourcetest.Hostile},
				entry(begun, "response_item", record{"type": "function_call", "name": sourcetest.Hostile, "arguments": sourcetest.Hostile, "call_id": sourcetest.Hostile}),
				entry(begun, "response_item", record{"type": sourcetest.Hostile}))
			write(t, work, 9, strange)
			add(t, work, 9, []byte("{broken "+sourcetest.Hostile+"\n"))
		},
		Setting: func(work string) (panel.Settings, []string) { return panel.Settings{}, []string{work} },
		Grow: func(t *testing.T, work string) {
			add(t, work, 0, lines(t, says("user", "new", time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))))
		},
	})
}

type record = map[string]any

// talk returns the records of a session with four messages.
func talk(work, prompt string, number int) []record {
	at := begun.Add(time.Duration(number) * time.Hour)
	list := []record{entry(at, "session_meta", record{
		"id": id(number), "cwd": work, "cli_version": "0.169.0", "originator": "codex_exec", "git": record{"branch": "main"},
	})}
	for i := range 4 {
		role, text := "user", prompt
		if i%2 == 1 {
			role, text = "assistant", prompt+": done"
		}
		list = append(list, says(role, text, at.Add(time.Duration(i)*time.Minute)))
	}
	return list
}

func says(role, text string, at time.Time) record {
	kind := "input_text"
	if role == "assistant" {
		kind = "output_text"
	}
	return entry(at, "response_item", record{
		"type": "message", "role": role, "id": "msg_" + at.Format("0102150405"), "content": []record{{"type": kind, "text": text}},
	})
}

func entry(at time.Time, kind string, payload record) record {
	return record{"timestamp": at.Format(time.RFC3339), "type": kind, "payload": payload}
}

func id(number int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", number) }

func file(work string, number int) string {
	return filepath.Join(filepath.Dir(work), ".codex", "sessions", "2026", "02", "01", "rollout-2026-02-01T09-00-00-"+id(number)+".jsonl")
}

func write(t *testing.T, work string, number int, list []record) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file(work, number)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file(work, number), lines(t, list...), 0o600); err != nil {
		t.Fatal(err)
	}
}

func lines(t *testing.T, list ...record) (data []byte) {
	t.Helper()
	for _, r := range list {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		data = append(append(data, line...), '\n')
	}
	return data
}

func add(t *testing.T, work string, number int, data []byte) {
	t.Helper()
	f, err := os.OpenFile(file(work, number), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
}

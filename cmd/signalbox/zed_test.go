//go:build editors

package main

import (
	"context"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// zedTask is a task of Zed, with all that the page may set of one:
// https://zed.dev/docs/tasks
type zedTask struct {
	Label   string   `json:"label"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Hide    string   `json:"hide"`
	Reveal  string   `json:"reveal"`
}

// TestEditorZed runs each task of docs/zed.md, and holds that its keys are those of
// tasks.
func TestEditorZed(t *testing.T) {
	blocks := docBlocks(t, "zed.md", "json")
	if len(blocks) != 2 {
		t.Fatalf("zed.md has %d blocks of JSON", len(blocks))
	}
	var tasks []zedTask
	decodeStrictly(t, blocks[0], &tasks)
	var keymap []struct {
		Context  string                        `json:"context"`
		Bindings map[string][2]json.RawMessage `json:"bindings"`
	}
	decodeStrictly(t, blocks[1], &keymap)
	for _, k := range keymap {
		for key, binding := range k.Bindings {
			var spawn struct {
				Task string `json:"task_name"`
			}
			decodeStrictly(t, string(binding[1]), &spawn)
			known := slices.ContainsFunc(tasks, func(task zedTask) bool { return task.Label == spawn.Task })
			if string(binding[0]) != `"task::Spawn"` || !known {
				t.Errorf("%s is bound to %s %q", key, binding[0], spawn.Task)
			}
		}
	}
	d := newEditorFixture(t)
	d.git(t) // threads are looked for in a repository
	selected := map[string]string{
		"Signalbox: the selected message": d.record.ID, "Signalbox: reply to the selected message": d.record.ID,
		"Signalbox: search for the selection": "login bug", "Signalbox: the selected task": editorTask,
	}
	says := map[string]string{
		"Signalbox: inbox": "The **login** bug is back.", "Signalbox: the selected message": "The **login** bug is back.",
		"Signalbox: search for the selection": "login", "Signalbox: escalations": editorEscalation, "Signalbox: the selected task": editorTask,
		"Signalbox: reply to the selected message": "alice", "Signalbox: new mail as it comes": "", "Signalbox: what agents said here": "",
	}
	for _, task := range tasks {
		t.Run(task.Label, func(t *testing.T) {
			want, known := says[task.Label]
			if !known {
				t.Fatal("nothing is known of what it should say")
			}
			for i, arg := range task.Args {
				if strings.Contains(arg, "$ZED_SELECTED_TEXT") {
					task.Args[i] = strings.ReplaceAll(arg, "$ZED_SELECTED_TEXT", selected[task.Label])
				}
			}
			if task.Args[0] == "tail" { // it goes on until it is ended
				task.Args = append(task.Args, "--help")
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			run := exec.CommandContext(ctx, d.program(task.Command), task.Args...)
			run.Dir, run.Env, run.Stdin = d.dir, d.environ(), strings.NewReader("Fixed, from Zed.\n")
			out, err := run.CombinedOutput()
			if err != nil || !strings.Contains(string(out), want) {
				t.Errorf("%q: %v, and does not say %q: %s", task.Args, err, want, out)
			}
		})
	}
	if sent := d.sent(t); len(sent) != 1 || sent[0].Body != "Fixed, from Zed." || sent[0].To != "alice" {
		t.Errorf("the log holds %+v", sent)
	}
}

// decodeStrictly decodes all of a JSON text.
func decodeStrictly(t *testing.T, text string, v any) {
	t.Helper()
	in := json.NewDecoder(strings.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/mail"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/panel/sourcetest"
)

var (
	tasks = []string{"T-2026-001", "T-2026-002", "T-2026-003", "T-2026-666"}
	begun = time.Date(2026, 2, 20, 9, 0, 0, 0, time.UTC).UnixMilli()
)

// TestSource runs the suite of all sources on this one.
func TestSource(t *testing.T) { sourcetest.Run(t, testCase()) }

func testCase() sourcetest.Case {
	return sourcetest.Case{
		New: New, Word: "word", Names: tasks,
		Fill: func(t *testing.T, home string) {
			for i, task := range tasks[:3] {
				at := begun + int64(i)*60_000
				writeMessage(t, home, built(t)(agn.BuildDispatch(agn.Head{TaskID: task, Millis: at}, dispatchOf("a word"))))
				writeMessage(t, home, built(t)(agn.BuildResult(agn.Head{TaskID: task, Millis: at + 1000}, agn.Result{
					SubtaskID: "S1", Status: "complete", Files: []string{"a.go"}, Notes: []string{"the word"}, CriteriaMet: []agn.Answer{agn.Yes},
				})))
				writeMessage(t, home, built(t)(agn.BuildEscalation(agn.Head{TaskID: task, Millis: at + 2000}, agn.Executor, alarmOf("the last word"))))
			}
			writeHostile(t, home)
		},
		Setting: func(home string) (panel.Settings, []string) { return panel.Settings{}, []string{home} },
		Grow: func(t *testing.T, home string) {
			at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).UnixMilli()
			writeMessage(t, home, built(t)(agn.BuildEscalation(agn.Head{TaskID: tasks[0], Millis: at}, agn.Executor, alarmOf("new"))))
		},
		Pages: func(t *testing.T, p *door.Panels) (pages []any, html []string) {
			list, err := p.Tasks(t.Context(), panel.TasksParams{})
			if err != nil || len(list.Tasks) != len(tasks) {
				t.Fatalf("%d tasks, %v", len(list.Tasks), err)
			}
			alarms, err := p.Escalations(t.Context(), panel.EscalationParams{})
			if err != nil || len(alarms.Items) != 5 || len(alarms.Rejected) != 3 {
				t.Fatalf("%d escalations, %d rejected, %v", len(alarms.Items), len(alarms.Rejected), err)
			}
			pages = append(pages, list, alarms)
			for i := range alarms.Items {
				html = append(html, alarms.Items[i].HTML)
			}
			for i := range list.Tasks {
				page, err := p.Task(t.Context(), panel.TaskParams{Ref: list.Tasks[i].Ref})
				if err != nil {
					t.Fatal(err)
				}
				pages = append(pages, page)
				for j := range page.Timeline {
					html = append(html, page.Timeline[j].HTML)
				}
			}
			return pages, html
		},
	}
}

func dispatchOf(text string) agn.Dispatch {
	return agn.Dispatch{
		Description: text, Repo: "/src/app", Branch: "feature/x", Risk: "low",
		Subtasks: []agn.Subtask{{ID: "S1", Description: text, EstimatedLines: 60}}, Criteria: []string{text}, Forbidden: []string{text},
	}
}

func alarmOf(text string) agn.Escalation {
	return agn.Escalation{
		Kind: agn.Conflict, Severity: agn.Critical, TriggeredBy: agn.Reviewer, Description: text, Suspended: true,
		Snapshot: agn.Snapshot{TaskStatus: "x"}, Suggested: []string{text},
	}
}

// writeHostile writes a stranger's task: valid messages, a refused one that must be
// shown, and files that hold no message.
func writeHostile(t *testing.T, home string) {
	t.Helper()
	const here = "HERE"
	quoted, err := json.Marshal(sourcetest.Hostile)
	if err != nil {
		t.Fatal(err)
	}
	text := bytes.Trim(quoted, `"`)
	hostile := func(data []byte) []byte { return bytes.ReplaceAll(data, []byte(here), text) }
	head := agn.Head{TaskID: tasks[3], Millis: begun - 60_000}
	writeMessage(t, home, hostile(built(t)(agn.BuildDispatch(head, dispatchOf(here)))))
	head.Millis += 1000
	writeMessage(t, home, hostile(built(t)(agn.BuildEscalation(head, agn.Executor, alarmOf(here)))))
	head.Millis += 1000
	refused := bytes.ReplaceAll(built(t)(agn.BuildEscalation(head, agn.Executor, alarmOf(here))), []byte(`"`+agn.Conflict+`"`), []byte(`"`+here+`"`))
	write(t, home, "messages/"+tasks[3]+"/refused.json", hostile(refused))
	write(t, home, "messages/raw.json", []byte(`{"protocol_version":"AMP/1.0","msg_id":"`+sourcetest.Hostile+`"}`))
	write(t, home, "messages/broken.json", []byte("{broken "+sourcetest.Hostile))
}

func built(t *testing.T) func([]byte, error) []byte {
	return func(data []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
}

// writeMessage writes a message as another program does.
func writeMessage(t *testing.T, home string, data []byte) {
	t.Helper()
	m, err := agn.ParseMessage(data)
	if err != nil {
		t.Fatal(err)
	}
	write(t, home, "messages/"+m.TaskID+"/"+m.ID+".json", data)
}

func write(t *testing.T, home, name string, data []byte) {
	t.Helper()
	file := filepath.Join(home, ".ssot", filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestRefsOfTasks checks that every request about tasks refuses a ref that names no
// task, with an error in words.
func TestRefsOfTasks(t *testing.T) {
	home := t.TempDir()
	c := testCase()
	c.Fill(t, home)
	snap, err := agnstore.Scan(t.Context(), filepath.Join(home, ".ssot"))
	if err != nil {
		t.Fatal(err)
	}
	v := &view{shown: []*agnstore.Snapshot{snap}, now: begun}
	for _, r := range []panel.Ref{
		{},
		{Store: snap.ID},
		{Store: "../..", ID: "t/" + tasks[0]},
		{Store: snap.ID, ID: "t/../../../../etc/passwd"},
		{Store: snap.ID, ID: "m/" + malformed + "/" + sourcetest.Hostile},
		{Store: snap.ID, ID: "t/" + tasks[0] + "\x00"},
	} {
		r.Protocol = mail.AGN
		_, page := v.Task(panel.TaskParams{Ref: r})
		_, preview := v.RespondPreview(panel.Response{Ref: r})
		_, answer := v.Respond(t.Context(), panel.RespondParams{Response: panel.Response{Ref: r}, ClientToken: "1"})
		_, ack := v.Ack(t.Context(), panel.AckParams{Ref: r, ClientToken: "1"})
		for i, err := range []error{page, preview, answer, ack} {
			if e, ok := errors.AsType[*panel.Error](err); !ok || e.Kind != panel.NotFound {
				t.Errorf("%+v, request %d: %v", r, i, err)
			}
		}
	}
}

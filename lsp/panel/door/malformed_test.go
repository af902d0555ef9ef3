package door_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestMalformedEscalation holds AGN X10 in the panel: an escalation that breaks a
// rule alarms like any other, is shown as malformed and leads to its file. It changes
// nothing in its task (AGN E0) and cannot be answered.
func TestMalformedEscalation(t *testing.T) {
	list := chain(t)
	b := newBoard(t, panel.Settings{}, list[:5]...)
	at := time.Now()
	cry := func(file, old, new string) {
		t.Helper()
		b.write(file, bytes.Replace(list[5], []byte(old), []byte(new), 1))
		// Of several that claim an id the newest one counts, and of equally new ones the first.
		if err := os.Chtimes(filepath.Join(b.ssot, filepath.FromSlash(file)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	b.ready()
	status, _ := b.Status(t.Context())
	if status.Critical != 0 {
		t.Fatalf("%d critical", status.Critical)
	}
	before := b.escalations(panel.EscalationParams{})
	cry("messages/T-2026-044/a.json", `"task_status": "locked"`, `"task_status": null`)
	cry("messages/T-2026-044/b.json", `"hallucination_lock"`, `"\u202edisk_full"`)
	cry("messages/c.json", `"task_id": "T-2026-044"`, `"task_id": 44, "mood": {}`)
	cry("messages/d.json", `"severity": "critical"`, `"severity": "Warning"`)
	b.write("messages/e.json", []byte(`{"type":"escalation"}`))

	page := b.escalations(panel.EscalationParams{})
	if page.Counts.Critical != 4 || page.Counts.Warning != 1 || page.Counts.Rejected != 5 || len(page.Items) != 5 || page.Counts.Overdue != before.Counts.Overdue {
		t.Fatalf("%+v", page.Counts)
	}
	seen := map[panel.Ref]bool{}
	rules := map[string]string{"a.json": "X7", "b.json": "X1", "c.json": "E6", "d.json": "X2", "e.json": "E1"}
	for i := range page.Items {
		e := &page.Items[i]
		name := filepath.Base(e.Path)
		if !e.Malformed || !e.Open || e.Answer != nil || seen[e.Ref] || e.Warnings[1].Rule != rules[name] || !strings.Contains(e.Warnings[0].Message, name) {
			t.Errorf("%s: %+v", name, e)
		}
		seen[e.Ref] = true
		switch name {
		case "e.json":
			if e.Title != "its description cannot be read" || e.Text != e.Title || e.Severity != agn.Critical || e.Label != "Escalation" {
				t.Errorf("%+v", e)
			}
		default:
			if !strings.HasPrefix(e.Title, "T-2026-044 Hallucination Lock") || strings.Contains(e.Kind, "\u202e") || e.Suspended[0] != agn.Coordinator {
				t.Errorf("%+v", e)
			}
		}
		if (e.Severity == agn.Warning) != (name == "d.json") || (e.Task.Phase != "") != (name != "c.json" && name != "e.json") {
			t.Errorf("%s: %s, %+v", name, e.Severity, e.Task)
		}
		// It still has a page, with its task as far as it is known.
		shown, err := b.Task(t.Context(), panel.TaskParams{Ref: e.Ref})
		if err != nil || shown.Task.Ref != e.Task.Ref || shown.Task.Phase != e.Task.Phase || len(shown.Rejected) == 0 {
			t.Errorf("%s: %+v %v", name, shown, err)
		}
		// AGN X9: what counts for nothing is not answered.
		_, err = b.Respond(t.Context(), panel.RespondParams{Response: panel.Response{Ref: e.Ref, Action: "approve"}, ClientToken: "1"})
		if !isKind(err, panel.Malformed) || !strings.Contains(err.Error(), "mended or removed") {
			t.Errorf("%v", err)
		}
	}
	if last := page.Items[4]; last.Severity != agn.Warning {
		t.Errorf("AGN X2: the last is %s", last.Severity)
	}
	if status, _ = b.Status(t.Context()); status.Critical != 4 {
		t.Errorf("the badge counts %d", status.Critical)
	}
	for want, q := range map[int]panel.EscalationParams{
		4: {Severity: agn.Critical}, 1: {Severity: agn.Warning}, 0: {Open: new(bool)}, 3: {Task: &page.Items[0].Task.Ref},
	} {
		if got := b.escalations(q); len(got.Items) != want {
			t.Errorf("%+v: %d, want %d", q, len(got.Items), want)
		}
	}
	if first := b.escalations(panel.EscalationParams{Limit: 2}); len(first.Items) != 2 || first.NextCursor == "" {
		t.Errorf("%+v", first)
	} else if rest := b.escalations(panel.EscalationParams{Cursor: first.NextCursor}); len(rest.Items) != 3 || rest.Items[0].Ref != page.Items[2].Ref {
		t.Errorf("%+v", rest.Items)
	}
	b.malformedIsMentioned()

	// AGN E13: mended, it is one of the task's messages, and locks it.
	b.put(list[5])
	page = b.escalations(panel.EscalationParams{Task: &page.Items[0].Task.Ref})
	if len(page.Items) != 1 || page.Items[0].Malformed || page.Items[0].Task.Phase != string(agn.PhaseLocked) {
		t.Errorf("%+v", page.Items)
	}
}

// malformedIsMentioned checks that the escalation's id leads to its text, and that its task lists
// it.
func (b *board) malformedIsMentioned() {
	b.t.Helper()
	links, err := b.Resolve(b.t.Context(), []string{chainAlarm})
	if err != nil || links[0].Status != "found" || links[0].Kind != "message" || links[0].Message != nil || links[0].Thread == nil ||
		!strings.Contains(links[0].Preview, "Malformed") || !strings.Contains(links[0].Preview, "Hallucination Lock") {
		b.t.Errorf("%+v %v", links, err)
		return
	}
	page, err := b.Task(b.t.Context(), panel.TaskParams{Ref: *links[0].Thread})
	if err != nil || len(page.Rejected) != 3 || !strings.Contains(page.Text, "MALFORMED ESCALATION, critical: T-2026-044 Hallucination") || page.Task.Phase == string(agn.PhaseLocked) {
		b.t.Errorf("%+v %v", page, err)
	}
}

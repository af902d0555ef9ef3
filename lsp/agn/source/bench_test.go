package source

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

const benchTask = "T-2026-044"

var benchNow = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// largeTask writes a task of n messages: rounds of a dispatch, a result, a
// request, an approval and an escalation for information.
func largeTask(b *testing.B, dir string, n int) {
	b.Helper()
	at := benchNow.UnixMilli() - int64(n)*1000
	head := func() agn.Head {
		at += 1000
		return agn.Head{TaskID: benchTask, Millis: at}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		b.Fatal(err)
	}
	var dispatch, result string
	for i := range n {
		h := head()
		var data []byte
		var err error
		switch i % 5 {
		case 0:
			dispatch = h.ID(agn.TypeDispatch)
			data, err = agn.BuildDispatch(h, agn.Dispatch{
				Description: "Reconstruct the timing", Repo: "/src/app", Branch: "feature/x", Risk: "low",
				Subtasks: []agn.Subtask{{ID: "S1", Description: "Replace the timer", EstimatedLines: 60}}, Criteria: []string{"it works", "no leak"},
			})
		case 1:
			result = h.ID(agn.TypeResult)
			data, err = agn.BuildResult(h, agn.Result{SubtaskID: "S1", Status: "complete", Files: []string{"a.go"}, CriteriaMet: []agn.Answer{agn.Yes, agn.Unknown}, Notes: []string{"a", "b"}})
		case 2:
			data, err = agn.BuildRequest(h, agn.Request{DispatchRef: dispatch, ResultRef: result, Scope: "full", DiffURL: "https://example.invalid/compare/a...b"})
		case 3:
			data, err = agn.BuildVerdict(h, agn.Verdict{Decision: agn.Approved, Confidence: 0.9, Criteria: []agn.Criterion{{Text: "it works", Passed: agn.Yes}, {Text: "no leak", Passed: agn.Yes}}})
		default:
			data, err = agn.BuildEscalation(h, agn.Coordinator, agn.Escalation{Kind: agn.UnknownTrouble, Severity: agn.Info, TriggeredBy: agn.Coordinator, Description: "for information", Snapshot: agn.Snapshot{TaskStatus: "approved"}})
		}
		if err != nil {
			b.Fatal(err)
		}
		m, err := agn.ParseMessage(data)
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, m.ID+".json"), data, 0o600); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTasks asks for the first pages of a task of 10,000 messages. It measures the
// panel without the store, first with a state that must be computed, then with one that
// is known.
func BenchmarkTasks(b *testing.B) {
	dir := filepath.Join(b.TempDir(), ".ssot")
	largeTask(b, filepath.Join(dir, "messages", benchTask), 10_000)
	look := func(b *testing.B) *agnstore.Snapshot {
		b.Helper()
		s, err := agnstore.Scan(b.Context(), dir)
		if err != nil || s.Messages != 10_000 {
			b.Fatalf("%d messages, %v", s.Messages, err)
		}
		return s
	}
	at := benchNow.UnixMilli()
	b.Run("escalations/new state", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			list := []*agnstore.Snapshot{look(b)}
			b.StartTimer()
			if page, err := escalationsOf(list, panel.EscalationParams{}, at); err != nil || len(page.Items) != 50 {
				b.Fatal(len(page.Items), err)
			}
		}
	})
	s := look(b)
	b.Run("escalations", func(b *testing.B) {
		for b.Loop() {
			if page, err := escalationsOf([]*agnstore.Snapshot{s}, panel.EscalationParams{}, at); err != nil || len(page.Items) != 50 {
				b.Fatal(len(page.Items), err)
			}
		}
	})
	b.Run("task", func(b *testing.B) {
		for b.Loop() {
			if page, err := taskPageOf(s, s.Task(benchTask), panel.TaskParams{}, at); err != nil || len(page.Timeline) != 50 {
				b.Fatal(len(page.Timeline), err)
			}
		}
	})
}

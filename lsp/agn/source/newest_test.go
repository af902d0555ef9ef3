package source

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestWaiting lists those of 10,000 open escalations that have waited longest.
func TestWaiting(t *testing.T) {
	task := &agnstore.Task{ID: benchTask}
	for i := range 10_000 {
		severity := []string{agn.Info, agn.Warning}[i%2]
		if i == 5000 || i == 6000 {
			severity = agn.Critical
		}
		data, err := agn.BuildEscalation(agn.Head{TaskID: benchTask, Millis: benchNow.UnixMilli() + int64(i)}, agn.Executor, agn.Escalation{
			Kind: agn.Conflict, Severity: severity, TriggeredBy: agn.Reviewer, Suspended: severity != agn.Info, Description: fmt.Sprint("number ", i), Snapshot: agn.Snapshot{TaskStatus: "x"},
		})
		if err != nil {
			t.Fatal(err)
		}
		m, err := agn.ParseMessage(data)
		if err != nil {
			t.Fatal(err)
		}
		task.History.Messages = append(task.History.Messages, m)
	}
	list := []*agnstore.Snapshot{{ID: "s", Tasks: []*agnstore.Task{task}}}
	at := benchNow.UnixMilli() + 20_000
	open := true
	page, err := escalationsOf(list, panel.EscalationParams{Open: &open, Limit: 4, Waiting: true}, at)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range page.Items {
		got = append(got, page.Items[i].Title)
	}
	if diff := cmp.Diff([]string{"number 0", "number 1", "number 2", "number 3"}, got); diff != "" || page.NextCursor != "" {
		t.Errorf("%q %s", page.NextCursor, diff)
	}
	v := &view{shown: list, now: at}
	if a := v.Alarming(); a.Open != 10_000 || a.Critical != 2 || a.Open != page.Counts.Critical+page.Counts.Warning+page.Counts.Info {
		t.Errorf("%+v and %+v", a, page.Counts)
	}
}

package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	agnstore "github.com/signalbox-dev/signalbox/lsp/agn"
)

// TestOncePerTask lists each task once, by its oldest missing ACK, what has waited longest first.
func TestOncePerTask(t *testing.T) {
	one, two := &agnstore.Task{ID: "one"}, &agnstore.Task{ID: "two"}
	at := int64(50)
	late := func(task *agnstore.Task, kind, who string) lateRow {
		at -= 10
		return lateRow{taskRow: taskRow{task: task}, Alarm: agn.Alarm{Kind: kind, Who: who, Since: at}}
	}
	type row struct {
		task, who string
		more      int
	}
	var got []row
	for _, r := range oncePerTask([]lateRow{
		late(one, agn.HeartbeatTimeout, "silent"), late(two, agn.AckTimeout, "newest"), late(one, agn.AckTimeout, "executor"),
		late(one, agn.AckTimeout, "reviewer"), late(two, agn.HeartbeatTimeout, "silent"),
	}) {
		got = append(got, row{r.task.ID, r.Who, r.more})
	}
	if diff := cmp.Diff([]row{{"one", "reviewer", 2}, {"two", "newest", 1}}, got, cmp.AllowUnexported(row{})); diff != "" {
		t.Error(diff)
	}
}

package panel_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestOptions offers the answers of questions to the user at the end of a thread, until
// the user answers.
func TestOptions(t *testing.T) {
	const question = "Which?\n\n- [ ] MIT\n- [ ] Apache 2.0"
	both := []string{"MIT", "Apache 2.0"}
	for _, c := range []struct {
		name    string
		records []samp.Record
		want    [][]string
	}{
		{"asked", []samp.Record{rec(1000, "alice", "bob", "q", question)}, [][]string{both}},
		{"two questions", []samp.Record{rec(1000, "alice", "bob", "q", question), rec(1001, "carol", "bob", "q", question)}, [][]string{both, both}},
		{"answered", []samp.Record{rec(1000, "alice", "bob", "q", question), rec(1001, "bob", "alice", "q", "MIT")}, [][]string{nil, nil}},
		{"asked again", []samp.Record{rec(1000, "alice", "bob", "q", question), rec(1001, "bob", "alice", "q", "why?"), rec(1002, "alice", "bob", "q", question)}, [][]string{nil, nil, both}},
		{"asked of another", []samp.Record{rec(1000, "alice", "carol", "q", question)}, [][]string{nil}},
		{"asked by the user", []samp.Record{rec(1000, "bob", "alice", "q", question)}, [][]string{nil}},
		{"options that hide text", []samp.Record{rec(1000, "alice", "bob", "q", "Which?\n- [ ] yes\u202e\n- [ ] no")}, [][]string{nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			logs := make(map[string][]samp.Record)
			for _, r := range c.records {
				logs[samp.LogName(r.From)] = append(logs[samp.LogName(r.From)], r)
			}
			d := newDesk(t, panel.Settings{Alias: "bob"}, logs)
			page := d.thread(panel.ThreadParams{Ref: d.inbox(panel.InboxFilter{}).Threads[0].Ref})
			var got [][]string
			for i := range page.Messages {
				got = append(got, page.Messages[i].Options)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

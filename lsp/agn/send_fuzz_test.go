package agn

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// FuzzSend sends anything: what is refused leaves one line in the error log and
// nothing else, and what is accepted is one file with these bytes: AGN E0 E13.
func FuzzSend(f *testing.F) {
	k := newWriteFixture(f)
	first := k.dispatch(task)
	for _, seed := range [][]byte{
		first, k.result(task), k.verdict(task, agn.Rejected), k.escalation(task, agn.Critical),
		{},
		[]byte("{}"), []byte("[]"), []byte("\xff\n\x00"),
		[]byte(`{"msg_id":"../../x","task_id":"../x","type":"escalation"}`),
		bytes.Replace(first, []byte(`"branch": "b"`), []byte(`"branch": "main"`), 1),
		bytes.Replace(first, []byte(task+"-1772"), []byte(task+"-0001"), 1),
		bytes.ReplaceAll(first, []byte(task), []byte("T-2026-1234567890")),
	} {
		f.Add(seed)
	}
	k.send(k.dispatch(task)) // for those that need one
	before := k.standing()
	record := k.has(TaskPath(task))
	f.Fuzz(func(t *testing.T, data []byte) {
		k.t = t
		m, err := k.d.Send(t.Context(), data, string(data), k.at())
		var want []string
		if err != nil {
			r := rejected(t, err)
			list := k.rejections()
			if len(list) != 1 || len(list[0].Faults) == 0 || len(list[0].Faults) != len(r.Findings.Faults) {
				t.Fatalf("E0: %+v: %v", list, err)
			}
			want = append(want, ErrorsName)
		} else {
			if k.has(MessagePath(m.TaskID, m.ID)) != string(data) {
				t.Fatal("E13: other bytes")
			}
			want = append(want, MessagePath(m.TaskID, m.ID), TaskPath(m.TaskID))
		}
		// As it was, so that the next one finds the same.
		for _, name := range want {
			if slices.Contains(before, name) {
				continue
			}
			if err := os.Remove(k.file(name)); err != nil {
				t.Fatalf("E0 E13: %v", err)
			}
		}
		k.put(TaskPath(task), record)
		if diff := cmp.Diff(before, k.standing()); diff != "" {
			t.Fatalf("E0 E13: written: %s", diff)
		}
	})
}

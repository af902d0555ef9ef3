package agn_test

import (
	"fmt"

	"github.com/signalbox-dev/signalbox/core/agn"
)

func Example() {
	const made = 1772116327001 // 2026-02-26T14:32:07.001Z
	data, err := agn.BuildDispatch(agn.Head{TaskID: "T-2026-044", Millis: made}, agn.Dispatch{
		Description: "Fix the timer",
		Repo:        "/src/rhylm",
		Branch:      "feature/timer",
		Subtasks:    []agn.Subtask{{ID: "S1", Description: "Replace it", EstimatedLines: 60}},
		Criteria:    []string{"All tests pass"},
		Risk:        "low",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := agn.ParseMessage(data)
	if err != nil || len(m.Faults) > 0 {
		fmt.Println(err, m.Faults)
		return
	}
	s := agn.State(m.TaskID, agn.History{Messages: []agn.Message{m}}, made+300_001)
	fmt.Println(s.Phase, s.Next.Who, s.Next.Do, s.Waits[0].Overdue)
	// Output: dispatched executor acknowledge true
}

func ExampleParseMessage() {
	m, _ := agn.ParseMessage([]byte(`{"protocol_version":"AMP/1.0","type":"ack"}`))
	for _, f := range m.Faults[:2] {
		fmt.Println(f.Rule, f.Field, f.Offset)
	}
	// Output:
	// E3 type 37
	// E1 msg_id 0
}

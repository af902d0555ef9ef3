package host_test

import (
	"context"
	"fmt"
	"log"

	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

// ExampleAGN sends a dispatch and asks later who owes what. The message is to be
// stored in the task's folder, never over another one.
func ExampleAGN() {
	module, cache := suite.Module, suite.CacheDir // the file signalbox.wasm, and a private directory
	const task, sent = "T-2026-007", 1772107200000

	ctx := context.Background()
	m, err := host.Open(ctx, module, host.Options{CacheDir: cache})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	dispatch, err := m.AGN().BuildDispatch(ctx, client.TaskHead{TaskID: task, Millis: sent}, client.Dispatch{
		Description: "Fix the login", Repo: "/src/app", Branch: "fix/login", Risk: "low",
		Subtasks: []client.Subtask{{ID: "S1", Description: "the form"}}, Criteria: []string{"the tests pass"},
	})
	if err != nil {
		log.Fatal(err)
	}
	history := client.TaskHistory{Messages: [][]byte{dispatch}}
	state, err := m.AGN().State(ctx, task, history, sent+300_001)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: the %s has to %s\n", state.Phase, state.Next.Who, state.Next.Do)
	alarms, err := m.AGN().Alarms(ctx, task, history, sent+300_001, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range alarms.Alarms {
		fmt.Println(a.Description)
	}
	// Output:
	// dispatched: the executor has to acknowledge
	// T-2026-007: the executor did not acknowledge task_dispatch-T-2026-007-1772107200000 by 2026-02-26T12:05:00.000+00:00.
}

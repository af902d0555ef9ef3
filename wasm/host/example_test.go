package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

// Example drafts an answer to the newest message in a directory's logs.
func Example() {
	module, cache := suite.Module, suite.CacheDir // the file signalbox.wasm, and a private directory
	alice := []byte(`{"id": "d7cd31b3b4663558", "ts": 1777075200, "from": "alice", "to": "bob", "thread": "release", "body": "ready to ship?"}` + "\n")

	ctx := context.Background()
	m, err := host.Open(ctx, module, host.Options{CacheDir: cache})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	params := fmt.Sprintf(`{"me":"bob","body":"ship it","ts":1777075260,"logs":[{"name":"log-alice.jsonl","length":%d}]}`, len(alice))
	answer, err := m.Call(ctx, abi.SAMPReply, []byte(params), alice)
	if err != nil {
		log.Fatal(err)
	}
	var draft struct {
		Target struct{ From, Body string }
		Line   string
	}
	if err := json.Unmarshal(answer, &draft); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %q\n%s", draft.Target.From, draft.Target.Body, draft.Line)
	// Output:
	// alice: "ready to ship?"
	// {"id": "e92769cda986dbca", "ts": 1777075260, "from": "bob", "to": "alice", "thread": "release", "body": "ship it"}
}

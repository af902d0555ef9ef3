package host_test

import (
	"context"
	"fmt"
	"log"

	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

// Example shows one reader's mail out of a directory's logs.
func Example() {
	module, cache := suite.Module, suite.CacheDir // the file signalbox.wasm, and a private directory
	logs := []client.Log{{
		Name: "log-alice.jsonl",
		Data: []byte(`{"id": "d7cd31b3b4663558", "ts": 1777075200, "from": "alice", "to": "bob", "thread": "release", "body": "ready to ship?"}` + "\n"),
	}}

	ctx := context.Background()
	m, err := host.Open(ctx, module, host.Options{CacheDir: cache})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	box, err := m.SAMP().Inbox(ctx, client.InboxQuery{Me: "bob", Mode: client.All(), Logs: logs})
	if err != nil {
		log.Fatal(err)
	}
	for _, msg := range box.Messages {
		fmt.Printf("%s: %q (id %s)\n", msg.From, msg.Body, msg.Form)
	}
	draft, err := m.SAMP().Reply(ctx, client.ReplyQuery{Me: "bob", Body: "ship it", TS: 1777075260, Logs: logs})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(draft.Line)
	// Output:
	// alice: "ready to ship?" (id spaced)
	// {"id": "e92769cda986dbca", "ts": 1777075260, "from": "bob", "to": "alice", "thread": "release", "body": "ship it"}
}

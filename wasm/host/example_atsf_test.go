package host_test

import (
	"context"
	"fmt"
	"log"

	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

// ExampleATSF reads a conversation and answers in it. The line is to be appended
// to messages.jsonl, and the repaired text to replace thread.json.
func ExampleATSF() {
	module, cache := suite.Module, suite.CacheDir // the file signalbox.wasm, and a private directory
	messages := []byte(`{"id":"m1","role":"user","timestamp":"2026-02-20T09:00:00.000Z","content":[{"type":"text","text":"fix it"},{"type":"video","x":1}]}` + "\n")

	ctx := context.Background()
	m, err := host.Open(ctx, module, host.Options{CacheDir: cache})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()
	turns, err := m.ATSF().Log(ctx, messages, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, entry := range turns.Entries {
		for _, block := range entry.Message.Content {
			fmt.Printf("%s: %s %q (known: %v)\n", entry.Message.Role, block.Type, block.Text, block.Known)
		}
	}
	line, err := m.ATSF().BuildMessage(ctx, client.AgentMessage{
		ID: "m2", Role: "agent", Time: client.ThreadTime{Millis: 1771578060000}, Content: []client.Block{{Type: "text", Text: "fixed"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	tally, err := m.ATSF().Count(ctx, append(messages, line...))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s%d messages\n", line, tally.Stats.Messages)
	// Output:
	// user: text "fix it" (known: true)
	// user: video "" (known: false)
	// {"id":"m2","role":"agent","timestamp":"2026-02-20T09:01:00.000Z","content":[{"type":"text","text":"fixed"}]}
	// 2 messages
}

// Command wazero prints an inbox with the core in WebAssembly, on wazero:
//
//	go run ./wasm/examples/wazero bin/signalbox.wasm testdata/samp/store-spaced bob
package main

import (
	"context"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

func main() {
	ctx, dir := context.Background(), os.DirFS(os.Args[2])
	cache := filepath.Join(must(os.UserCacheDir()), "signalbox-wasm")
	m := must(host.Open(ctx, must(os.ReadFile(os.Args[1])), host.Options{CacheDir: cache}))
	defer m.Close()
	var logs []client.Log
	for _, name := range must(fs.Glob(dir, "log-*.jsonl")) {
		logs = append(logs, client.Log{Name: name, Data: must(fs.ReadFile(dir, name))})
	}
	box := must(m.SAMP().Inbox(ctx, client.InboxQuery{Me: os.Args[3], Mode: client.All(), Logs: logs}))
	for _, msg := range box.Messages {
		fmt.Printf("%s %s: %q\n", msg.ID, msg.From, msg.Body) // quoted, as it is a stranger's
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

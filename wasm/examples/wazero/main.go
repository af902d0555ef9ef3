// Command wazero prints an inbox as JSON, with the core in WebAssembly, on wazero:
//
//	go run ./wasm/examples/wazero bin/signalbox.wasm testdata/samp/store-spaced bob
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

func main() {
	ctx, cache := context.Background(), filepath.Join(must(os.UserCacheDir()), "signalbox-wasm")
	m := must(host.Open(ctx, must(os.ReadFile(os.Args[1])), host.Options{CacheDir: cache}))
	defer m.Close()
	logs, data := []map[string]any{}, []byte{}
	for _, path := range must(filepath.Glob(filepath.Join(os.Args[2], "log-*.jsonl"))) {
		text := must(os.ReadFile(path))
		logs = append(logs, map[string]any{"name": filepath.Base(path), "length": len(text)})
		data = append(data, text...)
	}
	params := must(json.Marshal(map[string]any{"me": os.Args[3], "mode": "all", "logs": logs}))
	fmt.Printf("%s\n", must(m.Call(ctx, abi.SAMPInbox, params, data)))
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

package main

import (
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/enginetest"
)

func TestExample(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	enginetest.Example(t, "../../..", "wasm/examples/wazero/main.go", "go", "run", ".")
}

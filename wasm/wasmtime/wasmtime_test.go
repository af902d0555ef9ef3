package wasmtime_test

import (
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/enginetest"
	"github.com/signalbox-dev/signalbox/wasm/host"
	"github.com/signalbox-dev/signalbox/wasm/wasmtime"
)

// suite checks what every host must do, and holds the module under test.
var suite = enginetest.Suite{Name: "wasmtime", Open: wasmtime.Open}

func TestMain(m *testing.M) { suite.Main(m) }

func TestSuite(t *testing.T) { suite.Run(t) }

// Benchmark measures both engines next to each other.
func Benchmark(b *testing.B) {
	suite.Bench(b, &enginetest.Suite{Name: "wazero", Open: host.Open, Module: suite.Module, CacheDir: suite.CacheDir + "-wazero"})
}

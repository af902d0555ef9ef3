package host_test

import (
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/enginetest"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

// suite checks what every host must do, and holds the module under test.
var suite = enginetest.Suite{Name: "wazero", Open: host.Open}

func TestMain(m *testing.M) { suite.Main(m) }

func TestSuite(t *testing.T) { suite.Run(t) }

func Benchmark(b *testing.B) { suite.Bench(b) }

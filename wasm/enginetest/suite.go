// Package enginetest checks what every host of the core's WebAssembly module must do. [Suite.Run]
// makes the calls of wasm/conformance, over every vector and fixture in testdata and seeded random
// input, and compares the results with the native core's; it sends invalid input, uses up memory
// and time, and calls from several goroutines. [Suite.Bench] compares the speed of engines.
//
// Only the tests of wasm/host and wasm/wasmtime import it. Paths start at a folder two levels below
// the root, as theirs do.
package enginetest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// Opener is a host's function for opening a module.
type Opener func(ctx context.Context, module []byte, options engine.Options) (*engine.Module, error)

// Suite is a host under test, and the module that it runs. Main sets Module and CacheDir.
type Suite struct {
	// Name is the name of the engine.
	Name string
	Open Opener
	// Module is the module, built from ../guest, and CacheDir a compilation
	// cache, so that a second Open is quick.
	Module   []byte
	CacheDir string
}

// Main is for TestMain: it builds the module once, runs the tests, and checks that no
// goroutine is left.
func (suite *Suite) Main(m *testing.M) {
	dir, err := os.MkdirTemp("", "signalbox-wasm-")
	if err == nil {
		suite.CacheDir = filepath.Join(dir, "cache")
		suite.Module, err = BuildGuest("../guest", dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "these tests build the module with the go command, and that failed:", err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
		os.Exit(code)
	}))
}

// BuildGuest builds the module as the Makefile does.
func BuildGuest(source, dir string) ([]byte, error) {
	out := filepath.Join(dir, "guest.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out, ".")
	build.Dir = source
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	return os.ReadFile(out)
}

// Run runs all of the suite.
func (suite *Suite) Run(t *testing.T) {
	for _, c := range []struct {
		name string
		test func(*testing.T)
	}{
		{"Imports", suite.testImports},
		{"Info", suite.testInfo},
		{"BadCalls", suite.testBadCalls},
		{"InputLimits", suite.testInputLimits},
		{"InputLimit", suite.testInputLimit},
		{"BadModules", suite.testBadModules},
		{"HostileModules", suite.testHostileModules},
		{"HostileCalls", suite.testHostileCalls},
		{"TooLittleMemory", suite.testTooLittleMemory},
		{"InitTwice", suite.testInitTwice},
		{"CacheDir", suite.testCacheDir},
		{"Trap", suite.testTrap},
		{"TrapInsideOp", suite.testTrapInsideOp},
		{"Timeout", suite.testTimeout},
		{"LargeInstanceIsReplaced", suite.testLargeInstanceIsReplaced},
		{"Waiting", suite.testWaiting},
		{"Goroutines", suite.testGoroutines},
		{"MemoryIsFlat", suite.testMemoryIsFlat},

		{"Fixtures", suite.testFixtures},
		{"RandomInput", suite.testRandomInput},
	} {
		t.Run(c.name, c.test)
	}
}

// open returns a Module that is closed when the test ends.
func (suite *Suite) open(t testing.TB, options engine.Options) *engine.Module {
	t.Helper()
	options.CacheDir = suite.CacheDir
	m, err := suite.Open(context.Background(), suite.Module, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

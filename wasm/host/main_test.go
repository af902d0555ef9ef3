package host_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/wasm/host"
)

// wasm is the module under test, built once per test binary.
var wasm struct {
	bytes []byte
	// cache is a compilation cache, so that a second Open is quick.
	cache string
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "signalbox-wasm-")
	if err == nil {
		wasm.cache = filepath.Join(dir, "cache")
		wasm.bytes, err = buildGuest("../guest", dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the tests of wasm/host build the module with the go command, and that failed:", err)
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

// buildGuest builds the module as the Makefile does.
func buildGuest(source, dir string) ([]byte, error) {
	out := filepath.Join(dir, "guest.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out, ".")
	build.Dir = source
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	return os.ReadFile(out)
}

// open gives a Module that is closed with the test.
func open(t testing.TB, options host.Options) *host.Module {
	t.Helper()
	options.CacheDir = wasm.cache
	m, err := host.Open(context.Background(), wasm.bytes, options)
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

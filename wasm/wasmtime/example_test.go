package wasmtime_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/enginetest"
)

// TestExampleInGo runs example as its comment says.
func TestExampleInGo(t *testing.T) {
	enginetest.Example(t, "../..", "wasm/wasmtime/example/main.go", "go", "run", "./example")
}

// TestExampleInC compiles the example in C, as README.md says, with the headers
// and the library that the bindings carry.
func TestExampleInC(t *testing.T) {
	const list = `{{join .CgoCFLAGS "\n"}}` + "\n" + `{{join .CgoLDFLAGS "\n"}}`
	flags, err := exec.Command("go", "list", "-f", list, "github.com/bytecodealliance/wasmtime-go/v44").Output()
	if err != nil {
		t.Fatal(err)
	}
	compiler, err := exec.Command("go", "env", "CC").Output()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "inbox")
	args := append([]string{"-Wall", "-Wextra", "-Werror", "-o", program, "../examples/c/inbox.c"}, strings.Fields(string(flags))...)
	if text, err := exec.Command(strings.TrimSpace(string(compiler)), args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	enginetest.Example(t, "../..", "wasm/examples/c/inbox.c", program)
}

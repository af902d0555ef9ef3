package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"github.com/signalbox-dev/signalbox/wasm/enginetest"
)

// TestWasmVerify compares the module with this program over a sample of every format,
// finds one changed word of the module, and refuses what is no module.
func TestWasmVerify(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	dir := t.TempDir()
	module, err := enginetest.BuildGuest("../../wasm/guest", dir)
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (out string, code int) {
		t.Helper()
		env := map[string]string{"HOME": dir, "SIGNALBOX_STATE_DIR": filepath.Join(dir, "state"), "AGENT_MESSAGE_DIR": filepath.Join(dir, "msgs"), "AMP_DIR": filepath.Join(dir, "amp")}
		var output bytes.Buffer
		p := &cli.Program{
			Env: environ.Env{Getenv: func(name string) string { return env[name] }, Home: dir, Work: filepath.Join(dir, "project")},
			Now: time.Now, In: os.Stdin, Stdout: &output, Stderr: &output,
		}
		code = run(p, append([]string{"signalbox"}, args...))
		return output.String(), code
	}
	file := filepath.Join(dir, "guest.wasm")
	if out, code := run("wasm", "verify", file); code != cli.ExitFailed || !strings.Contains(out, "were found from here") {
		t.Errorf("with no files: %d, %s", code, out)
	}
	for from, to := range map[string]string{
		"samp/store-spaced": "msgs", "atsf/main": "project", "agn/amp-chain": "project/.ssot", "amp/inbox": "amp/messages/inbox",
	} {
		if err := os.CopyFS(filepath.Join(dir, filepath.FromSlash(to)), os.DirFS("../../testdata/"+from)); err != nil {
			t.Fatal(err)
		}
	}
	out, code := run("wasm", "verify", file)
	if code != 0 || !strings.Contains(out, "are the same") {
		t.Fatalf("%d, %s", code, out)
	}
	t.Log(out)
	if out, code := run("wasm", "verify", file, filepath.Join(dir, "amp")); code != 0 || !strings.Contains(out, "are the same") {
		t.Errorf("one folder: %d, %s", code, out)
	}
	if out, code := run("wasm", "verify", file, filepath.Join(dir, "none")); code != cli.ExitFailed || !strings.Contains(out, "were found") {
		t.Errorf("a folder that is not there: %d, %s", code, out)
	}

	// It is in the answers about every record.
	const word = "spaced"
	if !bytes.Contains(module, []byte(word)) {
		t.Fatalf("the module does not hold the word %q", word)
	}
	if err := os.WriteFile(file, bytes.ReplaceAll(module, []byte(word), []byte("spacex")), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := run("wasm", "verify", file); code != cli.ExitFailed || !strings.Contains(out, "answers differ") {
		t.Errorf("a changed module: %d, %s", code, out)
	}
	for name, text := range map[string]string{"empty": "", "text": "not a module", "header": "\x00asm\x01\x00\x00\x00\xff\xff"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, code := run("wasm", "verify", file); code != cli.ExitFailed || !strings.Contains(out, file) {
			t.Errorf("%s: %d, %s", name, code, out)
		}
	}
	for name, module := range enginetest.Endless() {
		if err := os.WriteFile(file, module, 0o600); err != nil {
			t.Fatal(err)
		}
		out, code := run("wasm", "verify", "--timeout", "100ms", file)
		if code != cli.ExitFailed || !strings.Contains(out, "longer than the host allows") && !strings.Contains(out, "did not end within 100ms") {
			t.Errorf("endless %s: %d, %s", name, code, out)
		}
	}
}

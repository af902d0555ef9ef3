// Not under the race detector, under which each of hundreds of processes would
// take seconds to load the module. Nothing here runs side by side in one process;
// the pool of instances has its own tests in wasm/enginetest.

//go:build !noengine && !race

package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/engine"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// lab has the module and a place for its compiled code. core is what runs it.
type lab struct {
	module, cache string
	core          engine.Core
}

// kept is an engine that commands do not end.
type kept struct{ engine.Core }

func (kept) Close() error { return nil }

// engineLab is the variable that names a lab's directory to a process of its own.
const engineLab = "SIGNALBOX_TEST_ENGINE_LAB"

func labIn(dir string) lab {
	return lab{module: filepath.Join(dir, moduleName), cache: filepath.Join(dir, "cache")}
}

func newLab(t *testing.T, dir string) lab {
	l := labIn(dir)
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", l.module, "./wasm/guest")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return l
}

// keep has commands of this process share one engine, which starts once.
func (l lab) keep(t *testing.T) lab {
	module, err := readModule(l.module)
	if err != nil {
		t.Fatal(err)
	}
	core, err := engine.Open(t.Context(), module, filepath.Join(l.cache, "signalbox", "wasm"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := core.Close(); err != nil {
			t.Error(err)
		}
	})
	l.core = kept{core}
	return l
}

// start is [engine.Open], or gives what runs.
func (l lab) start(ctx context.Context, module []byte, cache string) (engine.Core, error) {
	if l.core != nil {
		return l.core, nil
	}
	return engine.Open(ctx, module, cache)
}

// TestEngines holds that what the module computes is what the program itself
// does, in the scripts of the command line and over every fixture.
func TestEngines(t *testing.T) {
	if dir := os.Getenv(engineLab); dir != "" {
		l := labIn(dir)
		t.Run("Fixtures", func(t *testing.T) { l.keep(t).fixtures(t) })
		t.Run("Refused", l.refused)
		t.Run("NoCache", l.noCache)
		return
	}
	dir := t.TempDir()
	l := newLab(t, dir)
	t.Run("InProcess", func(t *testing.T) {
		// In another process, since a system counts the memory that this one ever
		// took to the processes it starts, and other tests measure theirs.
		again := exec.Command(os.Args[0], "-test.run=^TestEngines$")
		again.Env = append(os.Environ(), engineLab+"="+dir)
		if text, err := again.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	})
	t.Run("NotBuilt", l.notBuilt)
	t.Run("Scripts", l.scripts)
}

// allRan holds that every command that takes an engine is among those noted.
func allRan(t *testing.T, used string) {
	text, err := os.ReadFile(used)
	if err != nil {
		t.Fatal(err)
	}
	ran := make(map[string]bool)
	for name := range strings.Lines(string(text)) {
		ran[strings.TrimSpace(name)] = true
	}
	all := engineCommands(newOptions(&program{}).root())
	if diff := cmp.Diff(all, slices.Sorted(maps.Keys(ran))); diff != "" {
		t.Errorf("commands that ran in the module (-want +got):\n%s", diff)
	}
}

var engineCalls = regexp.MustCompile(`signalbox (.* )?(inbox|raw|validate|compact|samp|check|verify|repair)\b|agent-message-cmd inbox`)

// scripts runs once more, on the module, the scripts with a command that takes it.
func (l lab) scripts(t *testing.T) {
	used := filepath.Join(t.TempDir(), "used")
	// Scripts run side by side, after this function.
	t.Cleanup(func() { allRan(t, used) })
	p := scriptParams()
	names, err := filepath.Glob(filepath.Join(p.Dir, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	p.Dir = ""
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if engineCalls.Match(text) {
			p.Files = append(p.Files, name)
		}
	}
	p.Setup = func(e *testscript.Env) error {
		e.Setenv(engineLog, used)
		e.Setenv("SIGNALBOX_WASM", l.module)
		e.Setenv("XDG_CACHE_HOME", l.cache)
		return setupScript(e)
	}
	testscript.Run(t, p)
}

// run runs a command in this process.
func (l lab) run(t *testing.T, engine, work, stdin string, args ...string) (out string) {
	t.Helper()
	in := filepath.Join(t.TempDir(), "stdin")
	if err := os.WriteFile(in, []byte(stdin), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(in)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	vars := map[string]string{
		"SIGNALBOX_ENGINE": engine, "SIGNALBOX_WASM": l.module, "XDG_CACHE_HOME": l.cache,
		"SIGNALBOX_AS": "bob", "SIGNALBOX_STATE_DIR": filepath.Join(work, "state"),
	}
	var stdout, stderr bytes.Buffer
	code := run(&program{
		env: store.Env{Getenv: func(name string) string { return vars[name] }, Home: work, Work: work},
		now: func() time.Time { return time.Unix(1_800_000_000, 0) },
		in:  f, stdout: &stdout, stderr: &stderr, module: l.start,
	}, append([]string{"signalbox"}, args...))
	return strings.Join([]string{"exit code " + string(rune('0'+code)), stdout.String(), stderr.String()}, "\n---\n")
}

// both runs a command with both engines, each in a fresh copy of a directory at
// one place, and compares what they say and leave there.
func (l lab) both(t *testing.T, from, stdin string, args ...string) {
	t.Helper()
	work := filepath.Join(t.TempDir(), "work")
	once := func(engine string) (said string, left map[string]string) {
		if from != "" {
			if err := os.CopyFS(work, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
		} else if err := os.Mkdir(work, 0o700); err != nil {
			t.Fatal(err)
		}
		said, left = l.run(t, engine, work, stdin, args...), files(t, work)
		if err := os.RemoveAll(work); err != nil {
			t.Fatal(err)
		}
		return said, left
	}
	said, left := once(engineNative)
	if strings.Contains(said, "--help") {
		t.Errorf("%q was called wrongly:\n%s", args, said)
	}
	saidThere, leftThere := once(engineWASM)
	if diff := cmp.Diff(said, saidThere); diff != "" {
		t.Errorf("%q (-native +wasm):\n%s", args, diff)
	}
	if diff := cmp.Diff(left, leftThere); diff != "" {
		t.Errorf("%q leaves (-native +wasm):\n%s", args, diff)
	}
}

// files reads a directory, but for the signature of logs, which holds times.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".mtime") {
			return err
		}
		data, err := os.ReadFile(path)
		all[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// refused holds what is said of a module that is not there, is none, or is of
// another ABI, and of commands that take no engine. None of them runs.
func (l lab) refused(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		module string
		args   []string
		code   string
		want   []string
	}{
		"missing":           {filepath.Join(dir, "none.wasm"), []string{"inbox"}, "1", []string{"none.wasm", "make wasm", "--wasm-module"}},
		"a directory":       {dir, []string{"inbox"}, "1", []string{"no file", "make wasm"}},
		"no module":         {write("text.wasm", "hello"), []string{"validate"}, "1", []string{"text.wasm", "BadModule", "make wasm"}},
		"another ABI":       {write("other.wasm", otherABI), []string{"inbox"}, "1", []string{"version 2 of the ABI", "make wasm"}},
		"empty flag":        {l.module, []string{"inbox", "--wasm-module", ""}, "2", []string{"--wasm-module is empty"}},
		"unknown engine":    {l.module, []string{"inbox", "--engine", "v8"}, "2", []string{`"v8"`, "native or wasm"}},
		"empty engine":      {l.module, []string{"inbox", "--engine", ""}, "2", []string{"native or wasm"}},
		"send":              {l.module, []string{"send", "alice"}, "2", []string{`"signalbox send" runs natively alone`, "amp check", "inbox", "threads check"}},
		"doctor":            {l.module, []string{"doctor"}, "2", []string{"natively alone"}},
		"an SSOT":           {l.module, []string{"task", "check", "--ssot", dir, dir}, "2", []string{"--ssot"}},
		"help all the same": {l.module, []string{"help", "send"}, "0", []string{"Send a message"}},
		"--help":            {l.module, []string{"send", "--help"}, "0", []string{"Send a message"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := lab{module: c.module, cache: l.cache}
			got := l.run(t, engineWASM, dir, "", c.args...)
			if !strings.HasPrefix(got, "exit code "+c.code) {
				t.Errorf("want exit code %s: %s", c.code, got)
			}
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("want %q: %s", want, got)
				}
			}
		})
	}
}

// otherABI is a module that has every export, and version 2.
const otherABI = "\x00asm\x01\x00\x00\x00" +
	"\x01\x14\x04\x60\x01\x7f\x01\x7f\x60\x03\x7f\x7f\x7f\x01\x7e\x60\x00\x01\x7f\x60\x00\x00" + // types
	"\x03\x05\x04\x00\x01\x02\x03" + "\x05\x03\x01\x00\x01" + // functions, memory
	"\x07\x2a\x05\x06memory\x02\x00\x02in\x00\x00\x04call\x00\x01\x03abi\x00\x02\x0b_initialize\x00\x03" +
	"\x0a\x15\x04\x04\x00\x41\x00\x0b\x04\x00\x42\x00\x0b\x06\x00\x41\x80\x80\x08\x0b\x02\x00\x0b"

// noCache holds that a cache which cannot be kept costs time and a warning, and
// that others cannot enter one that can.
func (l lab) noCache(t *testing.T) {
	info, err := os.Stat(filepath.Join(l.cache, "signalbox", "wasm"))
	if err != nil || info.Mode().Perm()&0o077 != 0 && filepath.Separator == '/' {
		t.Errorf("the directory of compiled code: %v, %v", info, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got := lab{module: l.module, cache: file}.run(t, engineWASM, t.TempDir(), "", "inbox", "--dir", t.TempDir())
	if !strings.HasPrefix(got, "exit code 0\n---\nno new messages\n") || !strings.Contains(got, "compiled code is not kept") {
		t.Error(got)
	}
}

// notBuilt holds that the program of the extension is built without the engine, and
// says so.
func (l lab) notBuilt(t *testing.T) {
	list := exec.Command("go", "list", "-tags", "noengine", "-deps", ".")
	deps, err := list.Output()
	if err != nil || !bytes.Contains(deps, []byte("spf13/cobra")) || bytes.Contains(deps, []byte("wazero")) || bytes.Contains(deps, []byte("signalbox/wasm")) {
		t.Errorf("%v: the tag noengine leaves the engine in", err)
	}
	program := filepath.Join(t.TempDir(), "signalbox.exe")
	if text, err := exec.Command("go", "build", "-tags", "noengine", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	cmd := exec.Command(program, "--engine", "wasm", "--wasm-module", l.module, "inbox")
	text, err := cmd.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 2 || string(text) != "this build has no WASM engine (--engine is wasm)\n" {
		t.Errorf("%v: %s", err, text)
	}
}

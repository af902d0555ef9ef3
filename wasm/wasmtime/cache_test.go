package wasmtime_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/enginetest"
	"github.com/signalbox-dev/signalbox/wasm/wasmtime"
)

// cached opens the module over a cache and returns the only file in it.
func cached(t *testing.T, dir string, timeout time.Duration) (name string, info os.FileInfo) {
	t.Helper()
	ctx := context.Background()
	m, err := wasmtime.Open(ctx, enginetest.Tiny(), wasmtime.Options{CacheDir: dir, Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Call(ctx, abi.Info, nil, nil); err != nil {
		t.Error(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("the cache holds %v, %v", entries, err)
	}
	if info, err = entries[0].Info(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, entries[0].Name()), info
}

// TestCacheIsUsed opens twice. The second time nothing is written.
func TestCacheIsUsed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "private")
	name, first := cached(t, dir, 0)
	if first.Mode().Perm()&0o077 != 0 || !strings.Contains(name, "-wasmtime-44.0.0-") {
		t.Errorf("%s has mode %v", name, first.Mode())
	}
	if again, second := cached(t, dir, 0); again != name || !os.SameFile(first, second) {
		t.Errorf("%s was written again as %s", name, again)
	}
}

// TestCacheIsChecked replaces the code with something else: it is compiled again.
func TestCacheIsChecked(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good")
	name, _ := cached(t, good, 0)
	code, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	// Code with other settings, under this name.
	epochs := filepath.Join(t.TempDir(), "epochs")
	other, _ := cached(t, epochs, time.Minute)
	if filepath.Base(other) == filepath.Base(name) {
		t.Fatalf("code with and without a time limit is both named %s", name)
	}
	stopping, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string][]byte{
		"nothing": nil, "no code": []byte("#!/bin/sh\n"), "the module": enginetest.Tiny(), "half": code[:len(code)/2], "the head": code[:len(code)/8],
		"all but a byte": code[:len(code)-1], "other settings": stopping,
		"another version": bytes.Replace(code, []byte("\x0244"), []byte("\x0243"), 1),
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, filepath.Base(name))
			if err := os.Chmod(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			before, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if _, after := cached(t, dir, 0); os.SameFile(before, after) || after.Size() != int64(len(code)) {
				t.Errorf("the file has %d bytes, want %d in a new one", after.Size(), len(code))
			}
		})
	}
}

// TestCacheIsOurs refuses code that others can write or that lies elsewhere.
func TestCacheIsOurs(t *testing.T) {
	name, _ := cached(t, filepath.Join(t.TempDir(), "good"), 0)
	for what, put := range map[string]func(path string) error{
		"a link": func(path string) error { return os.Symlink(name, path) },
		"open to others": func(path string) error {
			code, err := os.ReadFile(name)
			if err == nil {
				err = os.WriteFile(path, code, 0o600)
			}
			if err == nil {
				err = os.Chmod(path, 0o666)
			}
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.Chmod(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := put(filepath.Join(dir, filepath.Base(name))); err != nil {
				t.Fatal(err)
			}
			if _, info := cached(t, dir, 0); !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("the cache still has %v", info.Mode())
			}
		})
	}
}

// TestEngineVersion compares the version in the names of the cache's files with the
// library's.
func TestEngineVersion(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	name, _ := cached(t, filepath.Join(t.TempDir(), "private"), 0)
	_, rest, _ := strings.Cut(filepath.Base(name), "-wasmtime-")
	version, _, _ := strings.Cut(rest, "-")
	if !strings.Contains(string(text), "wasmtime-go/v44 v"+version+"\n") {
		t.Errorf("the cache is for %s, and go.mod says\n%s", version, text)
	}
}

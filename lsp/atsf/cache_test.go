package atsf

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// TestCacheDisposable holds that any cache is as good as none, that it is
// written only when it changes, and that what is gone for long is forgotten.
// ATSF X3
func TestCacheDisposable(t *testing.T) {
	b := newReadFixture(t)
	b.repo("p", "one")
	b.thread("one", "a", 1)
	s := b.scan("p")
	folder, _ := s.Folder(s.Items[0].Folder)
	at := cachePath(b.state, &folder)
	first, err := os.Stat(at)
	if err != nil {
		t.Fatal(err)
	}
	b.scan("p")
	if again, err := os.Stat(at); err != nil || !os.SameFile(first, again) {
		t.Errorf("the cache was written again: %v", err)
	}
	b.private(b.state)
	good, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	b.git("p", "worktree", "remove", "--force", b.path("one"))
	replace := func(data string) *Snapshot {
		t.Helper()
		if err := os.WriteFile(at, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return b.scan("p")
	}
	for name, data := range map[string]string{
		"empty": "", "no JSON": "{", "another version": strings.Replace(string(good), `"version":2`, `"version":1`, 1),
		"another folder": strings.Replace(string(good), `/one"`, `/two"`, 1), "cut off": string(good[:len(good)/2]),
	} {
		if s := replace(data); len(s.Items) != 0 || len(s.Folders) != 1 {
			t.Errorf("%s: %v", name, b.places(s))
		}
	}
	if s := replace(string(good)); len(s.Items) != 1 || !s.Items[0].Gone {
		t.Errorf("the good one: %v", b.places(s))
	}
	m, err := readCache(at, true)
	if err != nil || time.Since(time.UnixMilli(m.lastGone())) > time.Hour {
		t.Fatalf("since when is not kept: %v", err)
	}
	m.items["a"].goneSince -= forgetAfter.Milliseconds() + 1000
	m.dirty = true
	if err := m.write(); err != nil {
		t.Fatal(err)
	}
	if s := b.scan("p"); len(s.Items) != 0 {
		t.Errorf("nothing is forgotten: %v", b.places(s))
	}
	if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the forgotten file is there: %v", err)
	}
}

// TestCacheUnwritable holds that a list needs no cache.
func TestCacheUnwritable(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "a", 1)
	b.write("a file", "state")
	if s := b.scan("p"); len(s.Items) != 1 {
		t.Errorf("%v", b.places(s))
	}
	b.state = ""
	if s := b.scan("p"); len(s.Items) != 1 {
		t.Errorf("%v", b.places(s))
	}
}

// TestCacheFIFO waits for nobody where a FIFO or a link stands in the place of a
// cache, and puts a file there. ATSF X3
func TestCacheFIFO(t *testing.T) {
	for what, put := range map[string]func(b *readFixture, at string) error{
		"a FIFO": func(_ *readFixture, at string) error { disktest.FIFO(t, at); return nil },
		"a link": func(b *readFixture, at string) error {
			b.write("secret", "secret")
			return os.Symlink(b.path("secret"), at)
		},
	} {
		b := newReadFixture(t)
		b.thread("p", "a", 1)
		folder := b.scan("p").Folders[0]
		at := cachePath(b.state, &folder)
		if err := errors.Join(os.Remove(at), put(b, at)); err != nil {
			t.Fatal(err)
		}
		if s := b.scan("p"); len(s.Items) != 1 {
			t.Errorf("%s: %v", what, b.places(s))
		}
		if info, err := os.Lstat(at); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s: the cache is not written: %v", what, err)
		}
		if data, err := os.ReadFile(b.path("secret")); err == nil && string(data) != "secret" {
			t.Errorf("%s was followed", what)
		}
	}
}

// TestCacheTogether lets several writers write one file of the cache.
func TestCacheTogether(t *testing.T) {
	b := newReadFixture(t)
	path := b.path("state", "x.json")
	texts := []string{strings.Repeat("a", 1<<16), strings.Repeat("b", 1<<15)}
	done := make(chan error)
	for i := range 8 {
		go func() {
			for range 30 {
				if err := writeCache(path, []byte(texts[i%2])); err != nil {
					done <- err
					return
				}
				if data, err := os.ReadFile(path); err != nil || string(data) != texts[0] && string(data) != texts[1] {
					done <- errors.New("a torn file")
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if left, err := os.ReadDir(b.state); err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
}

// TestPrune holds that the cache does not grow forever, and that no copy of a
// thread that an earlier version made is ever removed by it.
func TestPrune(t *testing.T) {
	b := newReadFixture(t)
	for _, name := range []string{"closed/a.json", "closed/.signalbox-x", "closed/kept.json", "open/a.json", "open/.signalbox-x", "fresh/a.json"} {
		b.write("{}", "state", cacheDir, filepath.FromSlash(name))
	}
	b.write("x", "state", cacheDir, "closed", "kept", ".agent", "threads", "t", atsf.ThreadName)
	now := time.Now()
	old := now.Add(-2 * forgetAfter)
	for _, name := range []string{"closed/a.json", "closed/.signalbox-x", "closed/kept.json", "open/a.json", "open/.signalbox-x"} {
		if err := os.Chtimes(b.path("state", cacheDir, filepath.FromSlash(name)), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := prune(b.state, map[string]bool{"open": true}, now); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"closed/kept/.agent/threads/t/thread.json": "x", "open/a.json": "{}", "fresh/a.json": "{}"}
	if diff := cmp.Diff(want, b.files("state/"+cacheDir)); diff != "" {
		t.Error(diff)
	}
	if err := prune(b.state, nil, now.Add(2*forgetAfter)); err != nil {
		t.Fatal(err)
	}
	if left := b.files("state/" + cacheDir); len(left) != 1 {
		t.Errorf("%v", left)
	}
	if _, err := os.Stat(b.path("state", cacheDir, "fresh")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty directory is left: %v", err)
	}
}

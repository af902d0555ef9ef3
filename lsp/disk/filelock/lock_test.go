//go:build !js

package filelock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

const name = ".lock"

// newRoot returns a directory.
func newRoot(t *testing.T) (root *disk.Root, path string) {
	t.Helper()
	path = t.TempDir()
	root, err := disk.OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root, path
}

func take(t *testing.T, root *disk.Root) *Lock {
	t.Helper()
	l, err := Take(t.Context(), root, name, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestHandedOver never lets two in, however often the file is made and removed,
// and takes away no other writer's file: ATSF M4, AGN E13.
func TestHandedOver(t *testing.T) {
	root, path := newRoot(t)
	var inside, most int
	var mu sync.Mutex
	step := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		inside += n
		most = max(most, inside)
	}
	// The test's own limit ends what hangs; a busy machine must not.
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				l, err := Take(ctx, root, name, 0o600)
				if err != nil {
					t.Errorf("M4: %v", err)
					return
				}
				step(1)
				step(-1)
				l.Release()
			}
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("M4: %d were inside at once", most)
	}
	if _, err := os.Lstat(filepath.Join(path, name)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Z9: the file was left: %v", err)
	}
	// A holder whose file was removed by hand leaves the next one's alone.
	first := take(t, root)
	if err := root.Remove(name); err != nil {
		t.Fatal(err)
	}
	second := take(t, root)
	first.Release()
	if !second.named() {
		t.Error("M4: the lock of the next writer was taken away")
	}
	second.Release()
}

// TestGone ends where the directory is removed meanwhile.
func TestGone(t *testing.T) {
	root, path := newRoot(t)
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if l, err := Take(t.Context(), root, name, 0o600); err == nil {
		l.Release()
		t.Error("a directory that is gone was locked")
	}
}

// TestHeld waits no longer than it may, and says for whom.
func TestHeld(t *testing.T) {
	root, _ := newRoot(t)
	l := take(t, root)
	defer l.Release()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := Take(ctx, root, name, 0o600)
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())) {
		t.Errorf("M4: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, err := Take(ctx, root, name, 0o600); !errors.Is(err, ErrLocked) || !errors.Is(err, context.Canceled) {
		t.Errorf("M4: %v", err)
	}
}

// noRoom is a disk on which nothing can be made.
type noRoom struct{}

func (noRoom) Do(c *disk.Change, do func() error) error {
	if c.Op == disk.OpCreate {
		return &os.PathError{Op: "open", Path: c.Path, Err: errNoRoom}
	}
	return do()
}

var errNoRoom = errors.New("no room")

// TestNamed names the file of a lock that cannot be made.
func TestNamed(t *testing.T) {
	full, err := disk.Disk{Layer: noRoom{}}.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	if _, err := Take(t.Context(), full, name, 0o600); !errors.Is(err, errNoRoom) || !strings.Contains(err.Error(), name) {
		t.Errorf("the error is %v", err)
	}
}

// TestRefused makes no lock of what is no file, and takes over what a killed
// holder left.
func TestRefused(t *testing.T) {
	root, path := newRoot(t)
	at := filepath.Join(path, name)
	for what, put := range map[string]func() error{
		"a directory":     func() error { return os.Mkdir(at, 0o700) },
		"a symbolic link": func() error { return os.Symlink(filepath.Join(path, "outside"), at) },
	} {
		if err := put(); err != nil {
			t.Fatal(err)
		}
		if _, err := Take(t.Context(), root, name, 0o600); err == nil || !strings.Contains(err.Error(), name+" is "+what) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := os.Lstat(filepath.Join(path, "outside")); err == nil {
			t.Error("the link was followed")
		}
		if err := os.Remove(at); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(at, []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	take(t, root).Release()
}

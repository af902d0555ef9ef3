package threads

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// TestLockWaits lets one writer in at a time, tells the others for whom they
// wait, and ends with the context: ATSF M4 Z9.
func TestLockWaits(t *testing.T) {
	b := newReadBed(t)
	d, name := b.begin("p")
	w, err := d.write(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	m := words("", atsf.RoleUser, "x", 1)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for what, err := range map[string]error{
		"append": d.Append(ctx, name, m),
		"set":    d.Edit(ctx, name, atsf.SetTitle("x")),
		"repair": func() error { _, err := d.Repair(ctx, name); return err }(),
		"fork":   func() error { _, err := d.Fork(ctx, name, atsf.ForkPlan{}); return err }(),
		"attach": func() error { _, err := d.Attach(ctx, name, []byte(gif)); return err }(),
	} {
		if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())) {
			t.Errorf("M4: %s: %v", what, err)
		}
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if err := d.Append(ctx, name, m); !errors.Is(err, context.Canceled) {
		t.Errorf("M4: %v", err)
	}
	// One that waits goes on as soon as it may.
	waited := make(chan error)
	go func() { waited <- d.Append(within(t), name, m) }()
	w.end()
	if err := <-waited; err != nil {
		t.Errorf("M4: %v", err)
	}
	b.right("p", name)
}

// TestLockStale takes over what a killed writer left, whatever stands in it, and
// takes it away: ATSF M4 Z9.
func TestLockStale(t *testing.T) {
	b := newReadBed(t)
	d, name := b.begin("p")
	for _, content := range []string{"", "1\n", strings.Repeat("9", 100), "x\x00"} {
		b.write(content, "p", atsf.DirName, atsf.ThreadsName, name, LockName)
		if err := d.Append(within(t), name, words("", atsf.RoleUser, "x", 1)); err != nil {
			t.Errorf("M4: %q: %v", content, err)
		}
		if _, err := os.Lstat(b.threadPath("p", name, LockName)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("M4: the lock file was left: %v", err)
		}
	}
}

// TestLockRefused makes no lock of what is no file, and follows no link: ATSF M4
// L1.
func TestLockRefused(t *testing.T) {
	for what, put := range map[string]func(b *readBed, at string) error{
		"a directory":     func(_ *readBed, at string) error { return os.Mkdir(at, 0o700) },
		"a symbolic link": func(b *readBed, at string) error { return os.Symlink(b.path("outside"), at) },
		"a FIFO":          func(b *readBed, at string) error { makeFIFO(b.t.(*testing.T), at); return nil },
	} {
		t.Run(what, func(t *testing.T) {
			b := newReadBed(t)
			d, name := b.begin("p")
			if err := put(b, b.threadPath("p", name, LockName)); err != nil {
				t.Fatal(err)
			}
			err := d.Append(within(t), name, words("", atsf.RoleUser, "x", 1))
			if err == nil || !strings.Contains(err.Error(), LockName+" is "+what) {
				t.Errorf("M4: %v", err)
			}
			if _, err := os.Lstat(b.path("outside")); err == nil {
				t.Error("L1: the link was followed")
			}
			if b.read("p", name, atsf.MessagesName) != "" {
				t.Error("M4: written without the lock")
			}
		})
	}
}

// TestLockHandedOver never lets two in, however often the file is made and
// removed, and takes away no other writer's file: ATSF M4.
func TestLockHandedOver(t *testing.T) {
	b := newReadBed(t)
	_, name := b.begin("p")
	root, err := os.OpenRoot(b.threadPath("p", name))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var inside, most int
	var mu sync.Mutex
	step := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		inside += n
		most = max(most, inside)
	}
	ctx := within(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				l, err := takeLock(ctx, root, privateFile)
				if err != nil {
					t.Errorf("M4: %v", err)
					return
				}
				step(1)
				step(-1)
				l.release()
			}
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("M4: %d were inside at once", most)
	}
	// A holder whose file was removed by hand leaves the next one's alone.
	first, err := takeLock(ctx, root, privateFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := root.Remove(LockName); err != nil {
		t.Fatal(err)
	}
	second, err := takeLock(ctx, root, privateFile)
	if err != nil {
		t.Fatal(err)
	}
	first.release()
	if !isAt(second.file, root) {
		t.Error("M4: the lock of the next writer was taken away")
	}
	second.release()
}

// TestLockThreadGone ends where the thread is removed meanwhile.
func TestLockThreadGone(t *testing.T) {
	b := newReadBed(t)
	_, name := b.begin("p")
	root, err := os.OpenRoot(b.threadPath("p", name))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.RemoveAll(b.threadPath("p", name)); err != nil {
		t.Fatal(err)
	}
	if l, err := takeLock(within(t), root, privateFile); err == nil {
		l.release()
		t.Error("a thread that is gone was locked")
	}
}

// TestLockOfOneThread holds up nobody who writes to another thread, makes one,
// or reads: ATSF Z9 X2 M4.
func TestLockOfOneThread(t *testing.T) {
	b := newReadBed(t)
	d, name := b.begin("p")
	w, err := d.write(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer w.end()
	_, other := b.begin("p")
	ctx, cancel := context.WithTimeout(t.Context(), LockTimeout/2)
	defer cancel()
	if err := d.Append(ctx, other, words("", atsf.RoleUser, "x", 1)); err != nil {
		t.Errorf("Z9: %v", err)
	}
	if page, err := d.Page(ctx, name, Query{}); err != nil || page.Item.Fault != nil {
		t.Errorf("M4: %v", err)
	}
	if items, _, err := d.List(ctx); err != nil || len(items) != 2 {
		t.Errorf("X2: %d threads, %v", len(items), err)
	}
}

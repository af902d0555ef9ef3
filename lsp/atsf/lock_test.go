package atsf

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
)

// TestLockWaits lets one writer in at a time, tells the others for whom they
// wait, and ends with the context: ATSF M4 Z9.
func TestLockWaits(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	w, err := d.openForWriting(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	m := words("", atsf.RoleUser, "x", 1)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := d.Append(ctx, name, m); !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())) {
		t.Errorf("M4: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if err := d.Append(ctx, name, m); !errors.Is(err, context.Canceled) {
		t.Errorf("M4: %v", err)
	}
	// One that waits goes on as soon as it may.
	waited := make(chan error)
	go func() { waited <- d.Append(disktest.Within(t), name, m) }()
	w.end()
	if err := <-waited; err != nil {
		t.Errorf("M4: %v", err)
	}
	b.right("p", name)
}

// TestLockStale takes over what a killed writer left, whatever stands in it, and
// takes it away: ATSF M4 Z9.
func TestLockStale(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	for _, content := range []string{"", "1\n", strings.Repeat("9", 100), "x\x00"} {
		b.write(content, "p", atsf.DirName, atsf.ThreadsName, name, LockName)
		if err := d.Append(disktest.Within(t), name, words("", atsf.RoleUser, "x", 1)); err != nil {
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
	for what, put := range map[string]func(b *readFixture, at string) error{
		"a directory":     func(_ *readFixture, at string) error { return os.Mkdir(at, 0o700) },
		"a symbolic link": func(b *readFixture, at string) error { return os.Symlink(b.path("outside"), at) },
		"a FIFO":          func(b *readFixture, at string) error { disktest.FIFO(b.t, at); return nil },
	} {
		t.Run(what, func(t *testing.T) {
			b := newReadFixture(t)
			d, name := b.begin("p")
			if err := put(b, b.threadPath("p", name, LockName)); err != nil {
				t.Fatal(err)
			}
			err := d.Append(disktest.Within(t), name, words("", atsf.RoleUser, "x", 1))
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

// TestLockOfOneThread holds up nobody who writes to another thread, makes one,
// or reads: ATSF Z9 X2 M4.
func TestLockOfOneThread(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	w, err := d.openForWriting(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer w.end()
	_, other := b.begin("p")
	ctx, cancel := context.WithTimeout(t.Context(), filelock.Timeout/2)
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

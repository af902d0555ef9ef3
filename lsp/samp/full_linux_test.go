package samp_test

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// TestFullDisk sends to a real file system that is full: acknowledged messages stay, and failed
// ones are sent again when there is room. If no file system can be mounted, only crash_test.go
// tests this.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "none", dir).CombinedOutput(); err != nil {
		t.Logf("no file system of its own: %v: %s", err, out)
		return
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	d, err := sampstore.Create(filepath.Join(dir, "mail"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	o := sampstore.OpenOutbox(filepath.Join(dir, "state"), d)
	send := func(i int) error {
		_, _, err := o.Send(d, fmt.Sprint(i), func() (samp.Record, error) {
			return samp.Build("alice", "bob", "t", fmt.Sprintf("%d %s", i, strings.Repeat("x", 1500)), time.Now().Unix(), samp.V1)
		})
		return err
	}
	n := 0
	for ; n < 100; n++ {
		if err = send(n); err != nil {
			break
		}
	}
	if !errors.Is(err, syscall.ENOSPC) || n == 0 || !strings.Contains(err.Error(), dir) {
		t.Fatalf("after %d messages: %v", n, err)
	}
	count := func(want int) {
		t.Helper()
		m, err := d.Inbox(t.Context(), "bob", samp.V1)
		if err != nil || len(m.Messages) != want || m.Malformed != 0 {
			t.Errorf("%d messages of %d, %d torn: %v", len(m.Messages), want, m.Malformed, err)
		}
	}
	count(n)
	if out, err := exec.Command("mount", "-o", "remount,size=1m", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for i := range n + 1 {
		if err := send(i); err != nil {
			t.Fatal(err)
		}
	}
	count(n + 1)
}

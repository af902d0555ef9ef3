//go:build unix

package disktest

import (
	"testing"

	"golang.org/x/sys/unix"
)

// FIFO makes a FIFO. Opening it would wait for its other end.
func FIFO(t testing.TB, path string) {
	t.Helper()
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

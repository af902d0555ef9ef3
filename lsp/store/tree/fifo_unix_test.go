//go:build unix

package tree

import (
	"testing"

	"golang.org/x/sys/unix"
)

// makeFIFO makes a file whose opening would wait for its other end.
func makeFIFO(t *testing.T, path string) {
	t.Helper()
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

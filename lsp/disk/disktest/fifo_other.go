//go:build !unix

package disktest

import (
	"os"
	"testing"
)

// FIFO puts a folder in the place of a file, where there are no FIFOs.
func FIFO(t testing.TB, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

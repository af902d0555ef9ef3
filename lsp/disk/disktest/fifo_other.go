//go:build !unix

package disktest

import (
	"os"
	"testing"
)

// FIFO makes a folder instead of a FIFO, which this system does not have.
func FIFO(t testing.TB, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

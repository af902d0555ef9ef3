//go:build !unix

package threads

import (
	"os"
	"testing"
)

// makeFIFO puts a directory in the place of a file, where there are no FIFOs.
func makeFIFO(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

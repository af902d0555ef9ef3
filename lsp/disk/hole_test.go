package disk_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// TestHoles holds that a file of 40 GB with two lines in it is walked in few steps, from
// either end, and that nothing but zeros is passed over.
func TestHoles(t *testing.T) {
	const size, middle = 40 << 30, 20 << 30
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err = f.Truncate(size); err == nil {
		_, err = f.WriteAt([]byte("line\n"), 0)
	}
	if err == nil {
		_, err = f.WriteAt([]byte("line\n"), middle)
	}
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if !sparse(info) {
		return // the file system has no holes: readers have limits then
	}
	const part = 1 << 20
	buf := make([]byte, part)
	lines, steps := 0, 0
	for at := int64(0); at < size; steps++ {
		n, err := f.ReadAt(buf, at)
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		lines += count(buf[:n])
		at = disk.PastHole(f, buf[:n], at+int64(n))
	}
	if lines != 2 || steps > 10 {
		t.Errorf("forwards: %d lines in %d steps", lines, steps)
	}
	lines, steps = 0, 0
	for at := int64(size); at > 0; steps++ {
		from := max(0, at-part)
		n, err := f.ReadAt(buf[:at-from], from)
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		lines += count(buf[:n])
		at = disk.BeforeHole(f, buf[:n], from)
	}
	if lines != 2 || steps > 10 {
		t.Errorf("backwards: %d lines in %d steps", lines, steps)
	}
}

func count(data []byte) (n int) {
	for _, c := range data {
		if c == '\n' {
			n++
		}
	}
	return n
}

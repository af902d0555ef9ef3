package disk_test

import (
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// TestOpenNamedWaits holds that a file of the system that passes for a regular one does
// not keep its reader for ever. Who may not open the kernel's log tries the other alone.
func TestOpenNamedWaits(t *testing.T) {
	for _, c := range []struct {
		path  string
		waits bool
	}{{"/proc/self/mounts", false}, {"/proc/kmsg", true}} {
		f, err := disk.OpenNamed(c.path)
		if err != nil {
			t.Logf("%v: it is not tried", err)
			continue
		}
		done := make(chan error, 1)
		go func() {
			_, err := io.Copy(io.Discard, f)
			done <- err
		}()
		select {
		case err := <-done:
			if errors.Is(err, os.ErrDeadlineExceeded) != c.waits || err != nil && !c.waits {
				t.Errorf("%s: %v", c.path, err)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s is waited for", c.path)
		}
		f.Close()
	}
}

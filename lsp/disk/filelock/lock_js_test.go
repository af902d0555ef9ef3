package filelock

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// TestBrowserLock: the lock lets one in at a time, and whoever waits in vain is told.
func TestBrowserLock(t *testing.T) {
	root, err := disk.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var all sync.WaitGroup
	inside := 0
	for range 20 {
		all.Go(func() {
			l, err := Take(t.Context(), root, "lock", 0o600)
			if err != nil {
				t.Error(err)
				return
			}
			defer l.Release()
			if inside++; inside != 1 {
				t.Errorf("%d are inside", inside)
			}
			time.Sleep(time.Millisecond)
			inside--
		})
	}
	all.Wait()

	held, err := Take(t.Context(), root, "lock", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Take(ctx, root, "lock", 0o600); !errors.Is(err, ErrLocked) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	held.Release()
	again, err := Take(t.Context(), root, "lock", 0o600)
	if err != nil {
		t.Fatal(err)
	}
	again.Release()
}

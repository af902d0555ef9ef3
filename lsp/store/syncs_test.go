package store_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// syncs lists what is synced.
type syncs []string

func (s *syncs) Do(c *disk.Change, do func() error) error {
	if c.Op == disk.OpSync || c.Op == disk.OpSyncDir {
		*s = append(*s, string(c.Op)+" "+filepath.Base(c.Path))
	}
	return do()
}

// TestSyncs holds what a send waits for: the journal and the log, and their directory
// entries once by each process, also where the directory is opened anew for each message.
func TestSyncs(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	s := &syncs{}
	send := func(n int) []string {
		*s = nil
		d, err := store.OpenOn(disk.Disk{Layer: s}, dir)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		_, _, err = store.OpenOutbox(state, d).Send(d, fmt.Sprint("token-", n), func() (samp.Record, error) {
			return samp.Build("alice", "bob", "t", fmt.Sprint("message ", n), 1, samp.V1)
		})
		if err != nil {
			t.Fatal(err)
		}
		return *s
	}
	if first := send(1); !slices.Contains(first, "sync folder "+filepath.Base(dir)) || !slices.Contains(first, "sync folder outbox") {
		t.Errorf("the first message: %q were synced", first)
	}
	for n := 2; n <= 4; n++ {
		if got := send(n); len(got) != 2 || !slices.Contains(got, "sync log-alice.jsonl") {
			t.Errorf("message %d: %q were synced, want the journal and the log", n, got)
		}
	}
}

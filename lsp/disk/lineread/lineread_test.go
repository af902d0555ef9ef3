package lineread_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// TestLong holds that a line that does not fit into the buffer is visited while the lock of
// such lines is held, and a short one is not.
func TestLong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log-alice.jsonl")
	text := ""
	for i := range 3 {
		text += fmt.Sprintf(`{"ts":%d,"from":"alice","to":"me","thread":"t","body":"%s"}`+"\n", i, strings.Repeat("x", 500*i))
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, lines := lineread.Sized(100), 0
	r.Long = new(sync.Mutex)
	err = r.Read(t.Context(), f, 0, int64(len(text)), lineread.Visitor{Line: func(offset int64, raw []byte, long bool) {
		lines++
		free := r.Long.TryLock()
		if free {
			r.Long.Unlock()
		}
		if long == free || long != (len(raw) > 100) {
			t.Errorf("a line of %d bytes at %d: long is %v, and the lock is free: %v", len(raw), offset, long, free)
		}
	}})
	if err != nil || lines != 3 {
		t.Errorf("%d lines, %v", lines, err)
	}
}

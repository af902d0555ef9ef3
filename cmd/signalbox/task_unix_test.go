//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestTaskWatch escalates what is overdue, what becomes so while it runs, and
// ends with 0 on a signal (AGN E12 C5).
func TestTaskWatch(t *testing.T) {
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "tasks")
			chain := filepath.Join("..", "..", "testdata", "agn", "amp-chain")
			put := func(name string) {
				t.Helper()
				data, err := os.ReadFile(filepath.Join(chain, name))
				if err == nil {
					err = os.MkdirAll(dir, 0o700)
				}
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, "."+name), data, 0o600)
				}
				if err == nil {
					err = os.Rename(filepath.Join(dir, "."+name), filepath.Join(dir, name))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			put("01-task_dispatch.json")
			f := start(t, t.TempDir(), "task", "watch", "--ssot", dir)
			f.says(f.err, "watching")
			f.says(f.out, "warning  ack timeout")
			f.says(f.out, "the executor did not acknowledge")
			put("02-task_result.json")
			f.says(f.out, "warning  ack timeout")
			f.says(f.out, "the coordinator did not acknowledge")
			if err := f.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			for f.out.Scan() {
				t.Errorf("said %q, too", f.out.Text())
			}
			for f.err.Scan() {
				if !strings.Contains(f.err.Text(), "level=WARN") {
					t.Errorf("said %q on stderr", f.err.Text())
				}
			}
			if err := f.cmd.Wait(); err != nil {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

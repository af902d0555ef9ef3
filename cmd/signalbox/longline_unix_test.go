//go:build unix && !race

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestLongLine reads a line of 100 MB in the file's size plus 100 MB (rule
// R4), in every command that reads. It is built without the race detector,
// which takes memory of its own for every byte.
func TestLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	const size = 100 << 20
	for _, content := range []struct {
		name, text string
		commands   [][]string
	}{
		{"plain", "xxxxxxxxxxxxxxx ", [][]string{{"inbox"}, {"inbox", "raw"}, {"log"}, {"reply", "ok"}}},
		{"escaped", `\u00e9\n\"xxxxxx`, [][]string{{"inbox", "all", "--json"}, {"cat", "1111"}}},
	} {
		t.Run(content.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "log-alice.jsonl")
			f, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			w := bufio.NewWriterSize(f, 1<<20)
			fmt.Fprint(w, `{"id": "1111222233334444", "ts": 1, "from": "alice", "to": "bob", "thread": "t", "body": "`)
			for range size / len(content.text) {
				w.WriteString(content.text)
			}
			w.WriteString("\"}\n")
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			f.Close()
			for _, args := range content.commands {
				cmd := command(t, dir, args...)
				cmd.Stderr = os.Stderr
				if err := cmd.Run(); err != nil {
					t.Fatalf("%v: %v", args, err)
				}
				if peak := peakMemory(cmd); peak > size+100<<20 {
					t.Errorf("%v took %d MB", args, peak>>20)
				}
			}
			cmd := command(t, dir, "compact", "--all")
			if out, err := cmd.Output(); err != nil || peakMemory(cmd) > size+100<<20 {
				t.Errorf("compact took %d MB and said %s (%v)", peakMemory(cmd)>>20, out, err)
			}
			cmd = command(t, dir, "validate")
			out, _ := cmd.Output()
			if peak := peakMemory(cmd); peak > size+100<<20 || !bytes.Contains(out, []byte("log-alice.jsonl:1: I1: ")) {
				t.Errorf("validate took %d MB and said %s", peak>>20, out)
			}
			cmd = command(t, dir, "doctor")
			out, _ = cmd.Output()
			if peak := peakMemory(cmd); peak > size+100<<20 || !bytes.Contains(out, []byte("alias:")) {
				t.Errorf("doctor took %d MB and said %s", peak>>20, out)
			}
		})
	}
}

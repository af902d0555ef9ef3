package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/conformance"
)

// TestTranscript reads a transcript as its format is described.
func TestTranscript(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	name := filepath.Join(t.TempDir(), "transcript")
	if err := run("../../../testdata", 10, name); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rest, ok := bytes.CutPrefix(data, []byte("signalbox-transcript/1\n"))
	if !ok {
		t.Fatalf("it begins %.40q", data)
	}
	calls := 0
	for ; len(rest) >= 20; calls++ {
		var n [5]int
		for i := range n {
			n[i] = int(binary.LittleEndian.Uint32(rest[4*i:]))
		}
		rest = rest[20:]
		c := conformance.Case{Op: abi.Op(n[0]), Params: string(rest[:n[1]]), Input: string(rest[n[1] : n[1]+n[2]])}
		rest = rest[n[1]+n[2]:]
		if want, ok := conformance.Answer(c); string(rest[:n[4]]) != string(want) || ok != (n[3] == 1) {
			t.Fatalf("call %d, %+v: %.200q, want %.200q", calls, c, rest[:n[4]], want)
		}
		rest = rest[n[4]:]
	}
	if len(rest) != 0 || calls < 30_000 {
		t.Errorf("%d calls, and %d bytes after them", calls, len(rest))
	}
}

func TestRefused(t *testing.T) {
	if err := run(t.TempDir(), 1, filepath.Join(t.TempDir(), "x")); err == nil || !strings.Contains(err.Error(), "reading testdata") {
		t.Errorf("no fixtures: %v", err)
	}
	if err := run("../../../testdata", 1, t.TempDir()); err == nil {
		t.Error("a folder was written")
	}
}

package host_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/enginetest"
)

// TestSize checks the module's budget of 2 MB gzipped.
func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(suite.Module); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d gzipped", len(suite.Module), packed.Len())
	if packed.Len() > 2_000_000 {
		t.Errorf("the module has %d bytes gzipped", packed.Len())
	}
}

// TestReproducible builds the module from a copy of the sources in another
// folder and compares the bytes.
func TestReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	root, copied := "../..", t.TempDir()
	for _, part := range []string{"go.mod", "go.sum", "core", "wasm/abi", "wasm/guest"} {
		from, to := filepath.Join(root, part), filepath.Join(copied, part)
		info, err := os.Stat(from)
		if err != nil {
			t.Fatal(err)
		}
		if info.IsDir() {
			err = os.CopyFS(to, os.DirFS(from))
		} else {
			var data []byte
			if data, err = os.ReadFile(from); err == nil {
				err = os.WriteFile(to, data, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	again, err := enginetest.BuildGuest(filepath.Join(copied, "wasm/guest"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again, suite.Module) {
		t.Errorf("a build elsewhere differs: %d and %d bytes", len(again), len(suite.Module))
	}
	if bytes.Contains(again, []byte(copied)) {
		t.Errorf("the module holds the path %q", copied)
	}
}

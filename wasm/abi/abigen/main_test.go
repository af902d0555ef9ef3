package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGenerated compares the generated files with the list of ops.
func TestGenerated(t *testing.T) {
	const wasm = "../.."
	files, err := generate(wasm)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(wasm, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("wasm/%s is old; run go generate ./wasm/abi\n%s", name, diff)
		}
	}
}

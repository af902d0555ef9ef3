package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGenerated holds src/abi.ts against wasm/abi.
func TestGenerated(t *testing.T) {
	want, err := generate("../../abi")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../src/abi.ts")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("wasm/js/src/abi.ts is old; run go generate ./wasm/js/abigen\n%s", diff)
	}
}

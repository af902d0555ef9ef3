package main

import (
	"os"
	"path/filepath"
	"strings"
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

// TestTable refuses a row that it cannot read, which would leave out its op.
func TestTable(t *testing.T) {
	for page, want := range map[string]string{
		"| 1 | `info` |  | a text | Info |\n- `info`: Says it.\n": "",
		"| 1 | `info` | | a text | Info |\n- `info`: Says it.\n":  "five cells",
		"| 1 | `info` |  | a text | Info |\n":                     "not described",
	} {
		_, err := table(page)
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", page, err)
		}
	}
}

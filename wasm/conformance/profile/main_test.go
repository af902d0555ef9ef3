package main

import (
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	var out strings.Builder
	if err := write(&out, map[string]int{"b": 1, "a": 1, "runtime.main": 0}); err != nil {
		t.Fatal(err)
	}
	if _, got, _ := strings.Cut(out.String(), "wasm/linked.\n"); got != "0 runtime.main\n1 a\n1 b\n" {
		t.Errorf("%s", out.String())
	}
}

func TestRefused(t *testing.T) {
	for name, args := range map[string][]string{
		"no arguments": nil,
		"no module":    {"missing.wasm", "../../../testdata"},
		"no fixtures":  {"main.go", "missing"},
		"not a module": {"main.go", "../../../testdata"},
	} {
		if err := run(args, nil); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

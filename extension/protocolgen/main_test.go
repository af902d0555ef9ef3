package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// golden compares a text with a file, and fails with the first line that differs.
func golden(t *testing.T, got, file string) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	have, lines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(have), len(lines)) {
		if have[i] != lines[i] {
			t.Fatalf("%s line %d is\n%s\nand not\n%s", file, i+1, lines[i], have[i])
		}
	}
	t.Fatalf("%s has %d lines and not %d", file, len(lines), len(have))
}

func TestGenerate(t *testing.T) {
	got, err := generate(source{dirs: []string{"testdata/model", "testdata/server"}, also: []string{"Notice"}, open: []string{"Protocol"}})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, got, filepath.Join("testdata", "protocol.golden"))
}

func TestFaults(t *testing.T) {
	const server = "package server\nvar errorCodes = map[string]int{}\n"
	for name, c := range map[string]struct{ source, want string }{
		"no name in JSON":  {"type T struct { A int }", "the field A has no JSON name"},
		"a map":            {"type T struct { A map[string]int `json:\"a\"` }", "a type that protocolgen does not know: *ast.MapType"},
		"an unknown type":  {"type T struct { A time.Time `json:\"a\"` }", "no type time.Time"},
		"a named number":   {"type T int", "T is neither a struct nor a string"},
		"two of one name":  {"type t struct {}\ntype T struct { A t `json:\"a\"` }", "have the same name"},
		"a missing method": {"type T struct {}\nfunc f() { _ = m{\"x\": route(s.x)} }", "no function session.x"},
		"a bare function":  {"type T struct {}\nfunc f() { _ = m{\"signalbox/x\": {run: x}} }", "is registered without route or ask"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "server.go"), []byte(server+c.source), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := generate(source{dirs: []string{dir}, also: []string{"T"}}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

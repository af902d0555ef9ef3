package source

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// TestLocate chooses by the flag, the setting, the variable and the folders, in
// this order (AGN E13: where messages are kept).
func TestLocate(t *testing.T) {
	dir := t.TempDir()
	mkdir := func(elem ...string) string {
		t.Helper()
		at := filepath.Join(append([]string{dir}, elem...)...)
		if err := os.MkdirAll(at, 0o700); err != nil {
			t.Fatal(err)
		}
		return at
	}
	a, b, none := mkdir("a"), mkdir("b"), mkdir("none")
	dotted, plain := mkdir("a", ".ssot"), mkdir("b", "ssot")
	other := mkdir("b", ".ssot")
	if err := os.WriteFile(filepath.Join(none, ".ssot"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(none, "ssot")); err != nil {
		t.Logf("without links: %v", err)
	}
	linked := mkdir("linked")
	twice := os.Symlink(dotted, filepath.Join(linked, "ssot")) == nil

	tests := []struct {
		name               string
		flag, setting, env string
		work               string
		folders            []string
		want               []environ.Choice
	}{
		{"the flag first", "f", "s", "e", a, []string{a}, []environ.Choice{{Value: filepath.Join(a, "f"), Origin: "--ssot"}}},
		{"then the setting", "", "~/s", "e", a, []string{a}, []environ.Choice{{Value: filepath.Join(dir, "s"), Origin: "setting signalbox.tasks.directory"}}},
		{"then the variable", "", "", filepath.Join(dir, "e"), a, []string{a}, []environ.Choice{{Value: filepath.Join(dir, "e"), Origin: "SIGNALBOX_SSOT"}}},
		{"then the folders", "", "", "", none, []string{a, b}, []environ.Choice{
			{Value: dotted, Origin: ".ssot in the folder a"}, {Value: other, Origin: ".ssot in the folder b"}, {Value: plain, Origin: "ssot in the folder b"},
		}},
		{"the working directory where there are none", "", "", "", a, nil, []environ.Choice{{Value: dotted, Origin: ".ssot in the folder a"}}},
		{"not where there are some", "", "", "", a, []string{none}, nil},
		{"a file and a link to nowhere are passed over", "", "", "", none, nil, nil},
		{"nothing", "", "", "", "", nil, nil},
	}
	if twice {
		tests = append(tests, tests[4])
		last := &tests[len(tests)-1]
		last.name, last.folders = "a second way to one directory", []string{a, linked, a}
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			env := environ.Env{Getenv: func(string) string { return test.env }, Home: dir, Work: test.work}
			if diff := cmp.Diff(test.want, choose(env, test.flag, test.setting, test.folders, isFolder)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestCandidates chooses what Locate does, and what is not there yet, in the same
// order and once each (AGN X10 E13: what is made later is found).
func TestCandidates(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	if err := os.MkdirAll(filepath.Join(b, "ssot"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := environ.Env{Getenv: func(string) string { return "" }, Home: dir, Work: a}
	want := []environ.Choice{
		{Value: filepath.Join(b, ".ssot"), Origin: ".ssot in the folder b"},
		{Value: filepath.Join(b, "ssot"), Origin: "ssot in the folder b"},
		{Value: filepath.Join(a, ".ssot"), Origin: ".ssot in the folder a"},
		{Value: filepath.Join(a, "ssot"), Origin: "ssot in the folder a"},
	}
	if diff := cmp.Diff(want, candidates(env, "", "", []string{b, a, b})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[2:], candidates(env, "", "", nil)); diff != "" {
		t.Error("the working directory: " + diff)
	}
	want = []environ.Choice{{Value: filepath.Join(a, "s"), Origin: "setting signalbox.tasks.directory"}}
	if diff := cmp.Diff(want, candidates(env, "", "s", []string{b})); diff != "" {
		t.Error("one that was named: " + diff)
	}
}

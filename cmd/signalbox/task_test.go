package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
)

// agnRule reads from the name of a one-fault message which rules it may break:
// one, or any of a letter's where the name gives no number.
func agnRule(name string) (rule string, exact bool) {
	rule, _, _ = strings.Cut(name, "-")
	return rule, len(rule) > 1
}

// TestCheckFixtures checks each one-fault message of another implementation by
// itself, beside its task, alone in a folder and all at once, and names exactly
// its rule (AGN E0 Q6 Q8 T1).
func TestCheckFixtures(t *testing.T) {
	folder, err := filepath.Abs(filepath.Join("..", "..", "testdata", "agn", "invalid"))
	if err != nil {
		t.Fatal(err)
	}
	chain := filepath.Join(filepath.Dir(folder), "amp-chain")
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) < 40 {
		t.Fatalf("%d fixtures: %v", len(entries), err)
	}
	paths := []string{}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		paths = append(paths, path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		alone := filepath.Join(t.TempDir(), e.Name())
		if err := os.WriteFile(alone, data, 0o600); err != nil {
			t.Fatal(err)
		}
		t.Run(e.Name(), func(t *testing.T) {
			holdsRule(t, path, "task", "check", path)
			holdsRule(t, path, "task", "check", "--ssot", chain, path)
			holdsRule(t, alone, "task", "check", alone)
		})
	}
	// A refused message of the chain's own name takes nothing from the chain.
	for _, args := range [][]string{{"task", "check"}, {"task", "check", "--ssot", chain}} {
		out, _, code := inProcess(t, nil, append(args, paths...)...)
		if code != cli.ExitFailed {
			t.Errorf("%q, all at once: exit code %d", args, code)
		}
		for _, path := range paths {
			holdsLines(t, path, out)
		}
	}
}

// holdsRule runs a check and looks for the file's rule, and for no other.
func holdsRule(t *testing.T, path string, args ...string) {
	t.Helper()
	out, errs, code := inProcess(t, nil, args...)
	if code != cli.ExitFailed {
		t.Errorf("exit code %d, stderr %s", code, errs)
	}
	holdsLines(t, path, out)
}

func holdsLines(t *testing.T, path, out string) {
	t.Helper()
	want, exact := agnRule(filepath.Base(path))
	got := []string{}
	for l := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(l, path+": "); ok {
			rule, _, _ := strings.Cut(rest, ":")
			got = append(got, rule)
		}
	}
	wrong := func(rule string) bool { return exact && rule != want || !strings.HasPrefix(rule, want) }
	if len(got) == 0 || slices.ContainsFunc(got, wrong) {
		t.Errorf("%s: %q, want %s alone\n%s", filepath.Base(path), got, want, out)
	}
}

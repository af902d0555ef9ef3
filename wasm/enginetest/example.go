package enginetest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Example checks the claims of an example's documentation: its source has at most 40 lines, and
// command, with the paths of the module and of a SAMP directory and a reader's name, prints that
// reader's messages. root is the path from the test's folder to the root of the repository.
func Example(t *testing.T, root, source string, command ...string) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(root, "wasm/enginetest")) // where all paths of this package start
	text, err := os.ReadFile(filepath.Join("../..", source))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte{'\n'}); n > 40 {
		t.Errorf("%s has %d lines", source, n)
	}
	dir := t.TempDir()
	if _, err := BuildGuest("../guest", dir); err != nil {
		t.Fatal(err)
	}
	samp, err := filepath.Abs(filepath.Join("../../testdata", filepath.FromSlash(sampStore)))
	if err != nil {
		t.Fatal(err)
	}
	const me = "bob"
	run := exec.Command(command[0], append(command[1:], filepath.Join(dir, "guest.wasm"), samp, me)...)
	run.Dir = here
	// The example's compilation cache is below the user's cache; go's stays.
	run.Env = append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "GOCACHE="+strings.TrimSpace(output(t, "go", "env", "GOCACHE")))
	run.Stderr = os.Stderr
	printed, err := run.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", run.Args, err, printed)
	}
	var got []string
	for _, m := range regexp.MustCompile(`(?m)(?:^|"id":")([0-9a-f]{16})\b`).FindAllSubmatch(printed, -1) {
		got = append(got, string(m[1]))
	}
	if diff := cmp.Diff(expected(t)[me], got); diff != "" {
		t.Errorf("%s\n%s", diff, printed)
	}
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	text, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

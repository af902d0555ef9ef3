//go:build unix

package samp

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLinesReplaced: a log that another takes the place of, as at a compaction, or
// that is removed, is shown as it was.
func TestLinesReplaced(t *testing.T) {
	l, file := linesOf(t, lineOf("a", "me", "one", 1)+lineOf("a", "me", "two", 2))
	if err := os.WriteFile(file+".new", []byte(lineOf("a", "me", "two", 2)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, err := shown(t, l)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"one", "two"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		var raw strings.Builder
		if err := l.Verbatim(&raw); err != nil || strings.Count(raw.String(), "\n") != 2 {
			t.Errorf("%q, %v", raw.String(), err)
		}
		if err := os.RemoveAll(file); err != nil {
			t.Fatal(err)
		}
	}
}

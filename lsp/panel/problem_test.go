package panel_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// An editor may open the path of a warning as it is, so only a path that names its file
// stands there.
func TestProblem(t *testing.T) {
	file, err := filepath.Abs("log-bob.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, path string
		want       panel.Warning
	}{
		{"an absolute path", file, panel.Warning{Rule: "L5", Message: file + ": is a directory; move it away", Path: file}},
		{"a relative path", "log-bob.jsonl", panel.Warning{Rule: "L5", Message: "log-bob.jsonl: is a directory; move it away"}},
		{"no path", "", panel.Warning{Rule: "L5", Message: "is a directory; move it away"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := panel.Problem(test.path, "L5", "is a directory", "move it away")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("a path that is shown otherwise", func(t *testing.T) {
		if got := panel.Problem(file+"\x1b[2J", "L5", "is a directory", ""); got.Path != "" {
			t.Errorf("it has the path %q", got.Path)
		}
	})
}

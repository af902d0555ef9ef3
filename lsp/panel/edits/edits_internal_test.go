package edits

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

func TestRemaining(t *testing.T) {
	t.Parallel()
	edit := func(title, old, after string) panel.FileEdit {
		return panel.FileEdit{Edit: panel.Edit{Title: title}, Text: Changed(old, after, 400)}
	}
	const (
		before = "func same(a, b string) bool {\n\treturn a == b\n}\n"
		after  = "func same(a, b string) bool {\n\tl, r := []byte(a), []byte(b)\n\treturn subtle.ConstantTimeCompare(l, r) == 1\n}\n"
	)
	tests := []struct {
		name  string
		text  string
		edits []panel.FileEdit
		want  []panel.Edit
	}{
		{"is there in full", "package p\n\n" + after, []panel.FileEdit{edit("a", before, after)}, []panel.Edit{{Line: 3, Lines: 2, Title: "a"}}},
		{"other line ends", strings.ReplaceAll(after, "\n", "\r\n"), []panel.FileEdit{edit("a", before, after)}, []panel.Edit{{Line: 1, Lines: 2, Title: "a"}}},
		{"one line of two was changed again", strings.Replace(after, "l, r :=", "l, q :=", 1), []panel.FileEdit{edit("a", before, after)}, []panel.Edit{{Line: 2, Lines: 1, Title: "a"}}},
		{"is gone", before, []panel.FileEdit{edit("a", before, after)}, nil},
		{"only removed", "}\n", []panel.FileEdit{edit("a", before, "}\n")}, nil},
		{"braces alone are nobody's", "{\n}\n", []panel.FileEdit{edit("a", "", "{\n}\n")}, nil},
		{"the newest is the author", after, []panel.FileEdit{edit("new", before, after), edit("old", "", after)}, []panel.Edit{{Line: 0, Lines: 1, Title: "old"}, {Line: 1, Lines: 2, Title: "new"}}},
		{"a new file", after, []panel.FileEdit{edit("a", "", after)}, []panel.Edit{{Line: 0, Lines: 4, Title: "a"}}},
		{"an empty text", "", []panel.FileEdit{edit("a", before, after)}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, Remaining(tt.text, tt.edits)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestChangedIsBounded(t *testing.T) {
	t.Parallel()
	if got := len(Changed("", strings.Repeat("line\n", 1000), 400)); got != 400 {
		t.Errorf("%d lines, want 400", got)
	}
}

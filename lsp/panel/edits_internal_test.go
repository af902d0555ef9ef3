package panel

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStanding(t *testing.T) {
	t.Parallel()
	edit := func(title, old, after string) FileEdit {
		return FileEdit{Edit: Edit{Title: title}, Text: Changed(old, after, 400)}
	}
	const (
		before = "func same(a, b string) bool {\n\treturn a == b\n}\n"
		after  = "func same(a, b string) bool {\n\tl, r := []byte(a), []byte(b)\n\treturn subtle.ConstantTimeCompare(l, r) == 1\n}\n"
	)
	tests := []struct {
		name  string
		text  string
		edits []FileEdit
		want  []Edit
	}{
		{"stands whole", "package p\n\n" + after, []FileEdit{edit("a", before, after)}, []Edit{{Line: 3, Lines: 2, Title: "a"}}},
		{"other line ends", strings.ReplaceAll(after, "\n", "\r\n"), []FileEdit{edit("a", before, after)}, []Edit{{Line: 1, Lines: 2, Title: "a"}}},
		{"one line of two was changed again", strings.Replace(after, "l, r :=", "l, q :=", 1), []FileEdit{edit("a", before, after)}, []Edit{{Line: 2, Lines: 1, Title: "a"}}},
		{"is gone", before, []FileEdit{edit("a", before, after)}, nil},
		{"only removed", "}\n", []FileEdit{edit("a", before, "}\n")}, nil},
		{"braces alone are nobody's", "{\n}\n", []FileEdit{edit("a", "", "{\n}\n")}, nil},
		{"the newest is the author", after, []FileEdit{edit("new", before, after), edit("old", "", after)}, []Edit{{Line: 0, Lines: 1, Title: "old"}, {Line: 1, Lines: 2, Title: "new"}}},
		{"a new file", after, []FileEdit{edit("a", "", after)}, []Edit{{Line: 0, Lines: 4, Title: "a"}}},
		{"an empty text", "", []FileEdit{edit("a", before, after)}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, standing(linesOf(tt.text), tt.edits)); diff != "" {
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

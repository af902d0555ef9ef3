package documents

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestTokensAt(t *testing.T) {
	// The pointer stands before the ^, which is not part of the line.
	tests := []struct {
		name, line string
		want       []string
	}{
		{"id", "see 01234567^89abcdef.", []string{"0123456789abcdef", "0123456789abcdef."}},
		{"id at its start", "^0123456789abcdef", []string{"0123456789abcdef"}},
		{"id at its end", "0123456789abcdef^ x", []string{"0123456789abcdef"}},
		{"id in a URL-like word", "from:01234567^89abcdef", []string{"0123456789abcdef", "from:0123456789abcdef"}},
		{"longer hex", "01234567^89abcdef0", []string{"0123456789abcdef0"}},
		{"within a word", "x0123456^789abcdef", []string{"x0123456789abcdef"}},
		{"joined by underscore", "a_01234567^89abcdef", []string{"a_0123456789abcdef"}},
		{"beside a letter beyond ASCII", "é01234567^89abcdef", []string{"é0123456789abcdef"}},
		{"capitals are not the written form", "0123456789ABC^DEF", []string{"0123456789ABCDEF"}},
		{"thread name", "in 2026-04-25-alice-^fix now", []string{"2026-04-25-alice-fix"}},
		{"quoted name", `"my-thre^ad",`, []string{`"my-thread",`, "my-thread"}},
		{"code span", "`my-thre^ad`", []string{"`my-thread`", "my-thread"}},
		{"override", "[thread:my-^thread]", []string{"[thread:my-thread]", "thread:my-thread", "my-thread"}},
		{"override of one with a colon", "[thread:a:^b]", []string{"[thread:a:b]", "thread:a:b", "a:b", "b"}},
		{"name in a call", "open(my-thr^ead)", []string{"open(my-thread)", "open(my-thread", "my-thread"}},
		{"end of a path", "a/b/my-thr^ead", []string{"a/b/my-thread", "my-thread"}},
		{"AGN task", "see T-2026^-007.", []string{"T-2026-007.", "T-2026-007"}},
		{"AGN task in JSON", `"task_id":"T-2026-^007",`, []string{`"task_id":"T-2026-007",`, `task_id":"T-2026-007`, "T-2026-007"}},
		{"AGN task in a file's name", "tasks/T-2026^-007.json", []string{"tasks/T-2026-007.json", "T-2026-007.json", "T-2026-007"}},
		{"AGN subtask", "T-2026-^044-S1", []string{"T-2026-044-S1", "T-2026-044"}},
		{"AGN subtask, past its task", "T-2026-044-S^1", []string{"T-2026-044-S1"}},
		{"AGN message", "re task_dispatch-T-2026-^007-1772107200000: x", []string{"task_dispatch-T-2026-007-1772107200000:", "task_dispatch-T-2026-007-1772107200000"}},
		{"between words", "a ^ b", nil},
		{"empty line", "^", nil},
		{"too long", strings.Repeat("x", maxToken) + "^x", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, after, _ := strings.Cut(tt.line, "^")
			var got []string
			for _, token := range TokensAt(before+after, len(before)) {
				got = append(got, token.Text)
				if (before + after)[token.Start:token.End] != token.Text {
					t.Errorf("%q is not at %d to %d", token.Text, token.Start, token.End)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// FuzzTokensAt: any line and offset gives few tokens that cover the offset.
func FuzzTokensAt(f *testing.F) {
	for _, line := range []string{"", "a 0123456789abcdef b", "[thread:é]", "(((", "😀:/", strings.Repeat("é", 600)} {
		for _, at := range []uint32{0, 1, 5, 600} {
			f.Add(line, at)
		}
	}
	f.Fuzz(func(t *testing.T, line string, column uint32) {
		line = cutLine(strings.ToValidUTF8(line, "?"))
		offset := ColumnOffset(line, column, UTF16)
		tokens := TokensAt(line, offset)
		if len(tokens) > 9 {
			t.Errorf("%d tokens", len(tokens))
		}
		for _, token := range tokens {
			if token.Start > offset || token.End < offset || token.Text != line[token.Start:token.End] || !utf8.ValidString(token.Text) {
				t.Errorf("token %+v of %q at %d", token, line, offset)
			}
		}
	})
}

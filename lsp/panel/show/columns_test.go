package show

import "testing"

func TestCut(t *testing.T) {
	for _, c := range []struct {
		name, text string
		most       int
		want       string
		columns    int
	}{
		{"fits", "abc", 3, "abc", 3},
		{"cut", "abcd", 3, "ab…", 3},
		{"no space before the dots", "ab cd", 4, "ab…", 3},
		{"wide", "日本語", 6, "日本語", 6},
		{"wide characters are never halved", "日本語", 5, "日本…", 5},
		{"wide, an odd column is left", "日本語", 4, "日…", 3},
		{"marks take no column", "e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301", 3},
		{"a mark stays with its letter", "ae\u0301bc", 3, "ae\u0301…", 3},
		{"emoji", "🎉🎉🎉", 5, "🎉🎉…", 5},
		{"one column", "abc", 1, "…", 1},
		{"empty", "", 3, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Cut(c.text, c.most)
			if got != c.want || Columns(got) != c.columns {
				t.Errorf("%q of %d columns, want %q of %d", got, Columns(got), c.want, c.columns)
			}
		})
	}
}

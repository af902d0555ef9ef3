package names

import "testing"

func TestNear(t *testing.T) {
	names := []string{"alice", "bob", "code-reviewer", "agent1", "agent12", "QA"}
	for _, c := range []struct{ name, typed, want string }{
		{"another letter", "alise", "alice"},
		{"one missing", "alce", "alice"},
		{"one too many", "allice", "alice"},
		{"two swapped", "bbo", "bob"},
		{"the first", "lice", "alice"},
		{"case", "Alice", "alice"},
		{"case of a short one", "qa", "QA"},
		{"two slips of a long one", "code_reveiwer", "code-reviewer"},
		{"two slips of a short one", "alyxe", ""},
		{"a short one", "qb", ""},
		{"one that is there", "bob", ""},
		{"a series", "agent2", ""},
		{"a series that goes on", "alice2", ""},
		{"a slip within a series", "agnet12", "agent12"},
		{"another one", "dora", ""},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Near(c.typed, names); got != c.want {
				t.Errorf("near(%q) = %q, want %q", c.typed, got, c.want)
			}
		})
	}
}

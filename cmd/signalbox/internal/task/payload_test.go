package task

import "testing"

// TestParsePath takes paths of members and places, and nothing that is left open.
func TestParsePath(t *testing.T) {
	for path, steps := range map[string]int{
		"branch": 1, "a.b": 2, "list[0]": 2, "list[0][12].name": 4,
		"": 0, "a.": 0, "a[": 0, "a[0][": 0, "a[0": 0, "a[x]": 0, "a[0]b": 0,
	} {
		if way := parsePath(path); len(way) != steps {
			t.Errorf("%q: %d steps, want %d", path, len(way), steps)
		}
	}
}

package activity

import (
	"slices"
	"testing"
)

// TestCalled knows a program by its own name and by a release's, which the system may cut.
func TestCalled(t *testing.T) {
	for process, want := range map[string]bool{"codex": true, "codex-x86_64-un": true, "codexify": false, "node": false} {
		if called(process, "codex") != want {
			t.Errorf("%s: %v", process, !want)
		}
	}
}

// TestAncestors follows the numbers of parents in made-up tables of processes.
func TestAncestors(t *testing.T) {
	for _, c := range []struct {
		name  string
		table Chains
		most  int
		want  []int
	}{
		{"up to the first", Chains{5: {parent: 4, start: "300"}, 4: {parent: 1, start: "200"}, 1: {start: "100"}}, 9, []int{5, 4, 1}},
		{"at most two", Chains{5: {parent: 4}, 4: {parent: 1}, 1: {}}, 2, []int{5, 4}},
		{"the parent's number is another's now", Chains{5: {parent: 4, start: "300"}, 4: {parent: 1, start: "301"}, 1: {start: "100"}}, 9, []int{5}},
		{"a longer number is later", Chains{5: {parent: 4, start: "999"}, 4: {start: "1000"}}, 9, []int{5}},
		{"a shorter number is earlier", Chains{5: {parent: 4, start: "1000"}, 4: {start: "999"}}, 9, []int{5, 4}},
		{"within a second", Chains{5: {parent: 4, start: "17.000009"}, 4: {start: "17.000010"}}, 9, []int{5}},
		{"at one moment", Chains{5: {parent: 4, start: "300"}, 4: {start: "300"}}, 9, []int{5, 4}},
		{"the parent tells no start", Chains{5: {parent: 4, start: "300"}, 4: {parent: 1}, 1: {start: "400"}}, 9, []int{5, 4, 1}},
		{"each other's parents", Chains{5: {parent: 4, start: "300"}, 4: {parent: 5, start: "300"}}, 9, []int{5, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.table.chain(5, c.most); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

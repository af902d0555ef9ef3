package agent

import (
	"fmt"
	"slices"
	"testing"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// TestNumbers: a number means one row, as long as it is there, and no other one soon after.
func TestNumbers(t *testing.T) {
	state := t.TempDir()
	o := &cli.Options{Program: &cli.Program{Env: environ.Env{Getenv: func(name string) string {
		return map[string]string{"SIGNALBOX_STATE_DIR": state}[name]
	}}}}
	give := func(all bool, rows ...string) []int {
		t.Helper()
		given, err := (&numbers{}).give(t.Context(), o, rows, all)
		if err != nil {
			t.Fatal(err)
		}
		return given
	}
	for _, c := range []struct {
		rows []string
		want []int
	}{
		{[]string{"a", "b"}, []int{1, 2}},
		{[]string{"c", "b", "a"}, []int{3, 2, 1}},
		{[]string{"b"}, []int{2}},
		{[]string{"d", "a"}, []int{4, 5}}, // a was gone
	} {
		if got := give(true, c.rows...); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.rows, got, c.want)
		}
	}
	if row, ok := (&numbers{}).row(o, 4); !ok || row != "d" {
		t.Errorf("4 is %q", row)
	}
	if row, ok := (&numbers{}).row(o, 2); ok {
		t.Errorf("2 is %q", row)
	}
	// More rows than numbers: some have none, and no two have the same.
	rows := make([]string, lastNumber+20)
	for i := range rows {
		rows[i] = fmt.Sprint("row ", i)
	}
	known := make(map[int]string)
	for i, number := range give(false, rows...) {
		if number > 0 && known[number] != "" {
			t.Fatalf("%s and %s are both %d", known[number], rows[i], number)
		}
		if known[number] = rows[i]; number == 0 {
			continue
		}
		if row, ok := (&numbers{}).row(o, number); !ok || row != rows[i] {
			t.Fatalf("%d is %q, and was given to %q", number, row, rows[i])
		}
	}
}

package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
)

// screen returns the options of a command whose stdout is a terminal so wide, or a pipe if
// columns is 0.
func screen(columns int, env ...string) *Options {
	vars := map[string]string{"COLUMNS": fmt.Sprint(columns), "NO_COLOR": "1"}
	for i := 0; i < len(env); i += 2 {
		vars[env[i]] = env[i+1]
	}
	now := time.Date(2026, 4, 25, 12, 0, 0, 0, time.UTC)
	return &Options{Color: "auto", Program: &Program{
		Env: environ.Env{Getenv: func(name string) string { return vars[name] }}, Terminal: columns > 0,
		Now: func() time.Time { return now },
	}}
}

// written returns what a table writes.
func written(o *Options, columns []Column, rows ...[]Cell) string {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	t := o.Table(w, columns...)
	for _, cells := range rows {
		t.Row(cells...)
	}
	t.Write()
	w.Flush()
	return b.String()
}

func TestTable(t *testing.T) {
	columns := []Column{{Title: "ID"}, {Title: "FROM", Least: 4}, {Title: "TEXT", Least: 8}}
	rows := [][]Cell{cells("a1", "planner", "which licence does it get?"), cells("b22", "日本語", "yes"), cells("c", "", "")}
	for _, c := range []struct {
		name    string
		columns int
		want    string
	}{
		{"a pipe", 0, "ID   FROM     TEXT\na1   planner  which licence does it get?\nb22  日本語   yes\nc\n"},
		{"wide", 80, "ID   FROM     TEXT\na1   planner  which licence does it get?\nb22  日本語   yes\nc\n"},
		{"the last column is cut", 30, "ID   FROM     TEXT\na1   planner  which licence d…\nb22  日本語   yes\nc\n"},
		{"then the one before it", 20, "ID   FROM   TEXT\na1   plan…  which l…\nb22  日本…  yes\nc\n"},
		{"too narrow: ids are not cut", 10, "ID   FROM  TEXT\na1   pla…  which l…\nb22  日…   yes\nc\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := written(screen(c.columns), columns, rows...)
			if got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			for line := range strings.Lines(got) {
				if n := show.Columns(strings.TrimSuffix(line, "\n")); c.columns >= 20 && n > c.columns {
					t.Errorf("%d columns: %s", n, line)
				}
			}
		})
	}
}

// TestTableMost: a very long name takes no room from the other columns of a terminal.
func TestTableMost(t *testing.T) {
	row := cells("claude-frontend-checkout-refactoring", "yes")
	for columns, want := range map[int]string{
		0:   "claude-frontend-checkout-refactoring  yes\n",
		140: "claude-frontend-che…  yes\n",
	} {
		if got := written(screen(columns), []Column{Name(""), {}}, row); got != want {
			t.Errorf("%d columns: %q, want %q", columns, got, want)
		}
	}
}

func TestTableColours(t *testing.T) {
	o := screen(40)
	o.Color = "always"
	got := written(o, []Column{{Title: "A"}, {Title: "B"}}, []Cell{{Text: "x", Style: Red}, {Text: "y"}})
	if want := Bold + "A  B" + Plain + "\n" + Red + "x" + Plain + "  y\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	// Parts that are cut off are not lit.
	lit := Cell{Text: "one two three", Highlights: [][2]int{{4, 7}, {8, 13}}}
	o = screen(10)
	o.Color = "always"
	if got := written(o, []Column{{Least: 1}}, []Cell{lit}); got != "one "+Yellow+"two"+Plain+" t…\n" {
		t.Errorf("%q", got)
	}
	o.Color = "auto"
	if got := written(o, []Column{{}, {}}, []Cell{{Text: "x", Style: Red}, {Text: "y"}}); got != "x  y\n" {
		t.Errorf("NO_COLOR: %q", got)
	}
}

// TestTableLong holds that a long table is written in parts, whose columns only widen.
func TestTableLong(t *testing.T) {
	var rows [][]Cell
	for i := range maxHeld + 2 {
		rows = append(rows, cells(strings.Repeat("x", 1+i/maxHeld), "y"))
	}
	lines := strings.Split(written(screen(40), []Column{{}, {}}, rows...), "\n")
	if lines[0] != "x  y" || lines[maxHeld] != "xx  y" || len(lines) != maxHeld+3 {
		t.Errorf("%d lines: %q, %q", len(lines), lines[0], lines[maxHeld])
	}
}

func TestWhen(t *testing.T) {
	now := screen(80).Now()
	for _, c := range []struct {
		ago    time.Duration
		screen string
		pipe   string
	}{
		{0, "0s", now.Local().Format("2006-01-02 15:04")},
		{-30 * time.Second, "0s", now.Local().Format("2006-01-02 15:04")},
		{5 * time.Minute, "5m", now.Add(-5 * time.Minute).Local().Format("2006-01-02 15:04")},
		{47 * time.Hour, "47h", now.Add(-47 * time.Hour).Local().Format("2006-01-02 15:04")},
		{59 * 24 * time.Hour, "59d", now.Add(-59 * 24 * time.Hour).Local().Format("2006-01-02 15:04")},
		{61 * 24 * time.Hour, now.Add(-61 * 24 * time.Hour).Local().Format(time.DateOnly), now.Add(-61 * 24 * time.Hour).Local().Format("2006-01-02 15:04")},
		{-72 * time.Hour, now.Add(72 * time.Hour).Local().Format(time.DateOnly), now.Add(72 * time.Hour).Local().Format("2006-01-02 15:04")},
	} {
		at := now.Add(-c.ago).UnixMilli()
		if got := screen(80).When(at); got != c.screen {
			t.Errorf("%v ago on a terminal: %q, want %q", c.ago, got, c.screen)
		}
		if got := screen(0).When(at); got != c.pipe {
			t.Errorf("%v ago in a pipe: %q, want %q", c.ago, got, c.pipe)
		}
	}
	if got := screen(80).When(0); got != "-" {
		t.Errorf("no time: %q", got)
	}
}

// cells returns cells without a style.
func cells(texts ...string) []Cell {
	list := make([]Cell, len(texts))
	for i, text := range texts {
		list[i].Text = text
	}
	return list
}

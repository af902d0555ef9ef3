package cli

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

// Number returns a count, or "-" for 0.
func Number(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// Fit returns a text as one safe line of at most most columns.
func Fit(s string, most int) string {
	line, _ := render.Line(s, most)
	return show.Cut(line, most)
}

// Column is a column of a [Table].
type Column struct {
	// Title is its heading. A table without titles has no headings.
	Title string
	// Least is the width it keeps if the terminal is too narrow. A column without it is never cut.
	Least int
	// Most is its greatest width, or 0 for any.
	Most int
}

// Name returns a column for the names of people and agents, some of which are very long.
func Name(title string) Column { return Column{Title: title, Least: 8, Most: 20} }

// Cell is one field of a row: one safe line in a style, "" for none.
type Cell struct {
	Text, Style string
	// Highlights are the beginning and end, in bytes, of each highlighted part of the text, in
	// order and without overlap.
	Highlights [][2]int
}

// Table writes rows in columns. No line is wider than the terminal: the last columns are cut first.
type Table struct {
	w       *bufio.Writer
	paint   Paint
	room    int // width of the terminal, 0 if there is none
	columns []Column
	widths  []int
	rows    []tableRow
	begun   bool
}

type tableRow struct {
	cells []Cell
	// across is set for a line across all columns.
	across bool
}

// Table returns an empty table, which writes to w.
func (o *Options) Table(w *bufio.Writer, columns ...Column) *Table {
	t := &Table{w: w, paint: o.Paint(), room: o.Columns(), columns: columns, widths: make([]int, len(columns))}
	for i, c := range columns {
		t.widths[i] = show.Columns(c.Title)
	}
	return t
}

// maxHeld is how many rows are held back to find the widths of the columns. Later rows
// use the widths of earlier ones if they fit.
const maxHeld = 500

// Row adds a row with a cell for each column.
func (t *Table) Row(cells ...Cell) {
	for i := range cells {
		t.widths[i] = max(t.widths[i], show.Columns(cells[i].Text))
		if most := t.columns[i].Most; t.room > 0 && most > 0 {
			t.widths[i] = min(t.widths[i], most)
		}
	}
	if t.rows = append(t.rows, tableRow{cells: cells}); len(t.rows) == maxHeld {
		t.Write()
	}
}

// Line adds a line across all columns, such as a heading of the rows below it.
func (t *Table) Line(cells ...Cell) { t.rows = append(t.rows, tableRow{cells, true}) }

// Write writes the added rows, with the headings above the first ones.
func (t *Table) Write() {
	widths := t.fitted()
	if !t.begun && len(t.rows) > 0 && t.columns[0].Title != "" {
		heads := make([]Cell, len(t.columns))
		for i, c := range t.columns {
			heads[i].Text = c.Title
		}
		t.line(heads, widths, Bold)
	}
	t.begun = t.begun || len(t.rows) > 0
	for _, row := range t.rows {
		if row.across {
			t.line(row.cells, nil, "")
		} else {
			t.line(row.cells, widths, "")
		}
	}
	t.rows = t.rows[:0]
}

// gap is the space between two columns.
const gap = "  "

func (t *Table) fitted() []int {
	widths := append([]int(nil), t.widths...)
	over := len(gap) * (len(widths) - 1)
	for _, n := range widths {
		over += n
	}
	if over -= t.room; t.room == 0 {
		return widths
	}
	for i := len(widths) - 1; i >= 0 && over > 0; i-- {
		if least := t.columns[i].Least; least > 0 {
			cut := min(over, max(0, widths[i]-least))
			widths[i] -= cut
			over -= cut
		}
	}
	return widths
}

// line writes a row, without trailing blanks.
func (t *Table) line(cells []Cell, widths []int, style string) {
	if len(cells) == 0 {
		t.w.WriteByte('\n')
		return
	}
	last := len(cells) - 1
	for last > 0 && cells[last].Text == "" {
		last--
	}
	if style != "" && t.paint.On {
		t.w.WriteString(style)
	}
	left := t.room
	for i, cell := range cells[:last+1] {
		text := cell.Text
		switch {
		case t.room == 0:
		case widths != nil:
			text = show.Cut(text, widths[i])
		default:
			text = show.Cut(text, max(left, 1))
			left -= show.Columns(text) + len(gap)
		}
		t.w.WriteString(cell.painted(t.paint, text))
		if i < last && widths == nil {
			t.w.WriteString(gap)
		} else if i < last {
			t.w.WriteString(strings.Repeat(" ", widths[i]-show.Columns(text)) + gap)
		}
	}
	if style != "" && t.paint.On {
		t.w.WriteString(Plain)
	}
	t.w.WriteByte('\n')
}

// painted returns text, which may be a cut part of the cell's text, in the cell's colours.
func (c *Cell) painted(paint Paint, text string) string {
	if text == "" || c.Style == "" && len(c.Highlights) == 0 {
		return text
	}
	if len(c.Highlights) == 0 {
		return paint.In(c.Style, text)
	}
	var b strings.Builder
	at := 0
	for _, h := range c.Highlights {
		if h[1] > len(text) || text[h[0]:h[1]] != c.Text[h[0]:h[1]] {
			break // it was cut
		}
		b.WriteString(text[at:h[0]] + paint.In(Yellow, text[h[0]:h[1]]))
		at = h[1]
	}
	return b.String() + text[at:]
}

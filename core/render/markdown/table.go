package markdown

import "strings"

// delimiterRow returns the alignments if s can be the second line of a table, or
// nil.
func delimiterRow(s string) []Align {
	if strings.Trim(s, "|-: \t") != "" || strings.Trim(s, "-") == "" || strings.IndexByte(s, '-') < 0 {
		return nil
	}
	var aligns []Align
	for cell := range cells(s) {
		left, right := strings.HasPrefix(cell, ":"), strings.HasSuffix(cell, ":")
		dashes := strings.TrimSuffix(strings.TrimPrefix(cell, ":"), ":")
		if dashes == "" || strings.Trim(dashes, "-") != "" {
			return nil
		}
		align := AlignNone
		switch {
		case left && right:
			align = AlignCenter
		case left:
			align = AlignLeft
		case right:
			align = AlignRight
		}
		aligns = append(aligns, align)
	}
	return aligns
}

// cells yields the cells of a row without the space around them. A bar behind a
// backslash divides nothing, in code neither.
func cells(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		s = trimBlank(s)
		s = strings.TrimPrefix(s, "|")
		for s != "" {
			end := 0
			for end < len(s) && (s[end] != '|' || end > 0 && s[end-1] == '\\') {
				end++
			}
			if !yield(trimBlank(s[:end])) || end == len(s) {
				return
			}
			s = s[end+1:]
		}
	}
}

// startTable makes the last line of the open paragraph the header of a table, if
// it has as many cells as the delimiter row.
func (p *blockParser) startTable(aligns []Align) bool {
	text := strings.TrimSuffix(string(p.text), "\n")
	head := strings.LastIndexByte(text, '\n') + 1
	columns := 0
	for range cells(text[head:]) {
		columns++
	}
	if columns != len(aligns) {
		return false
	}
	p.text = p.text[:head]
	p.closeTo(len(p.open) - 1)
	c := p.push(Table)
	c.aligns = aligns
	p.cells += len(aligns)
	p.row(c.node, text[head:], aligns)
	return true
}

// row adds a row, with empty cells for missing ones and without those that are
// too many.
func (p *blockParser) row(table *Node, s string, aligns []Align) {
	if p.cells += len(aligns); p.cells > MaxCells {
		p.err = ErrTable
		return
	}
	row := p.node(Row)
	table.append(row)
	n := 0
	for text := range cells(s) {
		if n == len(aligns) {
			return
		}
		p.cell(row, text, aligns[n])
		n++
	}
	for ; n < len(aligns); n++ {
		p.cell(row, "", aligns[n])
	}
}

func (p *blockParser) cell(row *Node, text string, align Align) {
	c := p.node(Cell)
	c.Text, c.Align = text, align
	row.append(c)
}

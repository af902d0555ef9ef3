package markdown

import "strings"

// delimiterRow returns the alignments if s can be the second line of a table, or
// nil.
func delimiterRow(s string) []Align {
	if strings.Trim(s, "|-: \t") != "" || strings.Trim(s, "-") == "" || strings.IndexByte(s, '-') < 0 {
		return nil
	}
	var aligns []Align
	for _, cell := range cells(s) {
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

// cells returns the cells of a row without the space around them. A bar after a
// backslash does not separate cells, not even in code.
func cells(s string) []string {
	var all []string
	s = strings.TrimPrefix(trimBlank(s), "|")
	for s != "" {
		end := 0
		for end < len(s) && (s[end] != '|' || end > 0 && s[end-1] == '\\') {
			end++
		}
		all = append(all, trimBlank(s[:end]))
		s = s[min(end+1, len(s)):]
	}
	return all
}

// startTable turns the last line of the open paragraph into the header of a table, if
// the line has as many cells as the delimiter row, and reports whether it has.
func (p *blockParser) startTable(aligns []Align) bool {
	text := strings.TrimSuffix(string(p.text), "\n")
	head := strings.LastIndexByte(text, '\n') + 1
	if len(cells(text[head:])) != len(aligns) {
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

// row adds a row. Missing cells are added empty, and surplus cells are dropped.
func (p *blockParser) row(table *Node, s string, aligns []Align) {
	if p.cells += len(aligns); p.cells > MaxCells {
		p.err = ErrTable
		return
	}
	row := p.node(Row)
	table.append(row)
	texts := cells(s)
	for i, align := range aligns {
		c := p.node(Cell)
		c.Align = align
		if i < len(texts) {
			c.Text = texts[i]
		}
		row.append(c)
	}
}

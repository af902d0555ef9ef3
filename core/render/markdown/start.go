package markdown

import "strings"

// start tries to begin a block at the cursor, inside the first matched of the open
// containers. lazy is set if a paragraph is open that this line may continue without
// its containers' markers. more reports that a block began in which others may begin.
// done reports that the line is used up.
func (p *blockParser) start(matched int, lazy bool) (more, done bool) {
	inner := p.open[matched-1].node
	if inner.Kind == CodeBlock {
		return false, false
	}
	columns, end := p.indent()
	s := p.s[end:]
	if s == "" {
		return false, false
	}
	if columns >= tabStop {
		if lazy || inner.Kind == Paragraph {
			return false, false
		}
		p.closeTo(matched)
		p.skip(tabStop)
		p.push(CodeBlock)
		return false, p.take()
	}
	if s[0] == '>' {
		p.closeTo(matched)
		p.push(Quote)
		p.quoteMarker(end)
		return p.err == nil, p.err != nil
	}
	if p.startLeaf(matched, s, columns) {
		return false, true
	}
	m, ok := listMarker(s, inner.Kind == Paragraph)
	if !ok {
		return false, false
	}
	p.closeTo(matched)
	p.startItem(m, columns, end)
	return p.err == nil, p.err != nil
}

// take adds the rest of the line to the block that was just opened.
func (p *blockParser) take() bool {
	p.addLine(p.rest())
	return true
}

// startLeaf begins a block that uses up the line.
func (p *blockParser) startLeaf(matched int, s string, columns int) bool {
	inner := p.open[matched-1].node
	switch {
	case s[0] == '#':
		level, text, ok := heading(s)
		if !ok {
			return false
		}
		p.closeTo(matched)
		n := p.node(Heading)
		n.Number, n.Text = int32(level), text
		p.add(n)
		return true
	case s[0] == '`' || s[0] == '~':
		size := runLength(s, s[0])
		info := trimBlank(s[size:])
		if size < 3 || s[0] == '`' && strings.IndexByte(info, '`') >= 0 {
			return false
		}
		p.closeTo(matched)
		c := p.push(CodeBlock)
		c.char, c.fence, c.indent = s[0], size, columns
		c.node.Info = unescape(info)
		return true
	case inner.Kind == Paragraph && p.startFromParagraph(matched, s):
		return true
	case isRule(s):
		p.closeTo(matched)
		p.add(p.node(Rule))
		return true
	}
	return false
}

// startFromParagraph turns the open paragraph into a heading or a table if s is the
// line under a heading or a table's header.
func (p *blockParser) startFromParagraph(matched int, s string) bool {
	n, parent := p.open[matched-1].node, p.open[matched-2].node
	if level := underline(s); level > 0 {
		p.takeDefinitions(parent, n)
		if len(p.text) == 0 {
			p.addLine(s) // no text is left above it, so the line is text
			return true
		}
		n.Kind, n.Number = Heading, int32(level)
		n.Text = strings.TrimRight(string(p.text), " \t\n")
		p.open = p.open[:matched-1]
		return true
	}
	if aligns := delimiterRow(s); aligns != nil && !p.open[matched-1].header {
		p.open[matched-1].header = true
		return p.startTable(aligns)
	}
	return false
}

// heading reads a line that begins with "#".
func heading(s string) (level int, text string, ok bool) {
	level = runLength(s, '#')
	if level > 6 || !isGap(s[level:]) {
		return 0, "", false
	}
	text = trimBlank(s[level:])
	open := strings.TrimRight(text, "#")
	if open == "" || strings.HasSuffix(open, " ") || strings.HasSuffix(open, "\t") {
		text = strings.TrimRight(open, " \t")
	}
	return level, text, true
}

// underline returns the level of the heading that s underlines, or 0.
func underline(s string) int {
	switch strings.TrimRight(s, " \t") {
	case strings.Repeat("=", runLength(s, '=')):
		return 1
	case strings.Repeat("-", runLength(s, '-')):
		return 2
	}
	return 0
}

// isRule reports whether s is a thematic break.
func isRule(s string) bool {
	c, n := s[0], 0
	if c != '*' && c != '-' && c != '_' {
		return false
	}
	for i := range len(s) {
		switch s[i] {
		case c:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// marker is the marker that begins a list item.
type marker struct {
	char    byte // the bullet, or the character after the number
	width   int
	number  int
	ordered bool
}

// listMarker reads the marker at the start of s. A marker that interrupts a paragraph
// must have text after it, and its number, if any, must be 1.
func listMarker(s string, interrupts bool) (marker, bool) {
	m := marker{char: s[0], width: 1}
	if isDigit(s[0]) {
		for m.width = 0; m.width < len(s) && isDigit(s[m.width]); m.width++ {
			if m.width == 9 { // more digits could overflow a browser's number
				return marker{}, false
			}
			m.number = m.number*10 + int(s[m.width]-'0')
		}
		if m.width == len(s) {
			return marker{}, false
		}
		m.char, m.ordered = s[m.width], true
		m.width++
	}
	bullet := m.char == '-' || m.char == '+' || m.char == '*'
	number := m.char == '.' || m.char == ')'
	if m.ordered && !number || !m.ordered && !bullet || !isGap(s[m.width:]) {
		return marker{}, false
	}
	if interrupts && (isBlank(s[m.width:]) || m.ordered && m.number != 1) {
		return marker{}, false
	}
	return m, true
}

// startItem opens an item, and a list for it unless a list with such markers is open.
func (p *blockParser) startItem(m marker, columns, pos int) {
	last := p.open[len(p.open)-1]
	if last.node.Kind != List || last.char != m.char {
		list := p.push(List)
		list.char = m.char
		list.node.Ordered, list.node.Number, list.node.Tight = m.ordered, int32(m.number), true
	}
	p.skipTo(pos + m.width)
	gap, end := p.indent()
	if gap < 1 || gap > tabStop || end == len(p.s) {
		gap = 1 // the rest of the line is indented code or empty
	}
	p.skip(gap)
	p.push(Item).indent = columns + m.width + gap
}

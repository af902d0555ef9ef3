package markdown

import "strings"

// blockParser reads the blocks of a text line by line, as CommonMark's appendix
// describes it: each line is matched with the open containers and may open others. The
// rest of the line belongs to the innermost container.
type blockParser struct {
	arena
	cursor
	refs map[string]*Node // definitions by their normalized label
	open []container      // from the document to the innermost
	text []byte           // of the open paragraph or code block, which is the last of open

	afterBlank bool // the previous line was empty in a place where that makes a list loose
	opened     int  // quotes and items that this line opened
	cells      int  // of all tables so far
	err        error
}

// container is an open block, with the values that its next lines are compared with.
type container struct {
	node   *Node
	indent int     // of an item's content, of a fence
	char   byte    // a list's bullet or delimiter, a fence's character
	fence  int     // length of a fence, 0 for indented code
	aligns []Align // of a table's columns
	header bool    // a paragraph that had a delimiter row, but no header for it
}

func (p *blockParser) blocks(src string) error {
	for line := range strings.Lines(src) {
		p.cursor = cursor{s: strings.TrimSuffix(line, "\n")}
		p.line()
		if p.err != nil {
			return p.err
		}
	}
	p.closeTo(0)
	return nil
}

func (p *blockParser) line() {
	matched, done := p.match()
	if done {
		p.afterBlank = false
		return
	}
	p.opened = 0
	before := len(p.open)
	tip := p.open[before-1].node
	started := false
	for !done {
		var more bool
		more, done = p.start(matched, !started && tip.Kind == Paragraph)
		if !more {
			break
		}
		started = true
		matched = len(p.open)
	}
	if done {
		p.afterBlank = false
		return
	}
	_, end := p.indent()
	blank := end == len(p.s)
	if !started && matched < before && !blank && tip.Kind == Paragraph {
		p.addLine(p.s[end:]) // a lazy continuation
		p.afterBlank = false
		return
	}
	p.closeTo(matched)
	p.content(end, blank)
}

// content reads the rest of a line after the markers of all containers.
func (p *blockParser) content(end int, blank bool) {
	c := &p.open[len(p.open)-1]
	loosens := blank && c.node.Kind != Quote && c.fence == 0 &&
		(c.node.Kind != Item || c.node.First != nil || p.opened == 0)
	switch {
	case c.node.Kind == CodeBlock:
		p.addLine(p.rest())
	case blank:
	case c.node.Kind == Table:
		p.row(c.node, p.s[end:], c.aligns)
	case c.node.Kind == Paragraph:
		p.addLine(p.s[end:])
	default:
		p.push(Paragraph)
		p.addLine(p.s[end:])
	}
	p.afterBlank = loosens
}

// match returns how many of the open containers the line continues, and moves the
// cursor past their markers. done reports that the whole line is used.
func (p *blockParser) match() (matched int, done bool) {
	for i := 1; i < len(p.open); i++ {
		c := &p.open[i]
		columns, end := p.indent()
		blank := end == len(p.s)
		switch c.node.Kind {
		case Quote:
			if columns >= tabStop || blank || p.s[end] != '>' {
				return i, false
			}
			p.quoteMarker(end)
		case Item:
			switch {
			case blank && c.node.First == nil:
				return i, false
			case blank:
				p.skipTo(end)
			case columns < c.indent:
				return i, false
			default:
				p.skip(c.indent)
			}
		case CodeBlock:
			switch {
			case c.fence > 0:
				if n := runLength(p.s[end:], c.char); columns < tabStop && n >= c.fence && isBlank(p.s[end+n:]) {
					p.closeTo(i)
					return i, true
				}
				p.skip(min(columns, c.indent))
			case columns >= tabStop:
				p.skip(tabStop)
			case blank:
				p.skipTo(end)
			default:
				return i, false
			}
		case Paragraph, Table:
			if blank {
				return i, false
			}
		}
	}
	return len(p.open), false
}

// quoteMarker moves past the ">" at pos and the space after it.
func (p *blockParser) quoteMarker(pos int) {
	p.skipTo(pos + 1)
	if isGap(p.s[p.pos:]) {
		p.skip(1)
	}
}

// push opens a block in the innermost container that may contain it.
func (p *blockParser) push(kind Kind) *container {
	p.add(p.node(kind))
	p.open = append(p.open, container{node: p.open[len(p.open)-1].node.Last})
	p.text = p.text[:0]
	if kind == Quote || kind == Item {
		p.opened++
	}
	if len(p.open) > MaxDepth || p.opened > MaxMarkers {
		p.err = ErrDepth
	}
	return &p.open[len(p.open)-1]
}

// add puts a block into the innermost container that may contain it, and closes the
// containers inside that one.
func (p *blockParser) add(n *Node) {
	last := len(p.open) - 1
	for !mayContain(p.open[last].node.Kind, n.Kind) {
		p.closeTo(last)
		last--
	}
	parent := p.open[last].node
	if p.afterBlank && parent.Last != nil {
		switch parent.Kind {
		case List:
			parent.Tight = false
		case Item:
			p.open[last-1].node.Tight = false
		}
	}
	parent.append(n)
}

func mayContain(parent, child Kind) bool {
	switch parent {
	case Document, Quote, Item:
		return child != Item
	case List:
		return child == Item
	}
	return false
}

// addLine adds a line to the open paragraph or code block.
//
//go:noinline
func (p *blockParser) addLine(s string) {
	p.text = append(append(p.text, s...), '\n')
}

// closeTo closes all but the first n open containers.
func (p *blockParser) closeTo(n int) {
	for len(p.open) > max(n, 1) {
		last := len(p.open) - 1
		c := p.open[last]
		p.open = p.open[:last]
		switch c.node.Kind {
		case Paragraph:
			p.closeParagraph(p.open[last-1].node, c.node)
		case CodeBlock:
			c.node.Text = string(p.text)
			if c.fence == 0 {
				c.node.Text = trimBlankLines(c.node.Text)
			}
		}
	}
}

// closeParagraph moves the link definitions out of a paragraph, and removes a paragraph
// that has no other text.
func (p *blockParser) closeParagraph(parent, n *Node) {
	p.takeDefinitions(parent, n)
	n.Text = strings.TrimRight(string(p.text), " \t\n")
	if n.Text == "" {
		parent.remove(n)
	}
}

// takeDefinitions moves the link definitions at the start of the paragraph n out
// of its text into nodes before it.
func (p *blockParser) takeDefinitions(parent, n *Node) {
	if len(p.text) == 0 || p.text[0] != '[' {
		return
	}
	s := string(p.text)
	for s != "" {
		d, size := definition(s)
		if size == 0 {
			break
		}
		s = s[size:]
		def := p.node(Definition)
		def.Text, def.Dest, def.Title = unescape(d.label), unescape(d.dest), unescape(d.title)
		parent.insertBefore(def, n)
		if key := normalize(d.label); p.refs[key] == nil {
			p.refs[key] = def
		}
	}
	p.text = append(p.text[:0], s...)
}

// trimBlankLines removes the empty lines at the end of indented code.
func trimBlankLines(s string) string {
	trimmed := strings.TrimRight(s, " \t\n")
	end := strings.IndexByte(s[len(trimmed):], '\n')
	return s[:len(trimmed)+end+1]
}

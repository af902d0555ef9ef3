package markdown

import "unicode"

// delimiter is a run of *, _ or ~ that may begin or end emphasis.
type delimiter struct {
	node     *Node // its text is the unused rest of the run
	char     byte
	size     int // as written
	canOpen  bool
	canClose bool
	prev     int // the previous delimiter that is not used up, in emphasize
}

// delimiter reads a run of c (CommonMark 6.2).
func (p *inlineParser) delimiter(c byte) {
	size := runLength(p.s[p.pos:], c)
	prev, next := runeBefore(p.s, p.pos), runeAfter(p.s, p.pos+size)
	n := p.put(p.s[p.pos:p.pos+size], size)
	if c == '~' && size > 2 {
		return
	}
	left := !unicode.IsSpace(next) && (!isMark(next) || unicode.IsSpace(prev) || isMark(prev))
	right := !unicode.IsSpace(prev) && (!isMark(prev) || unicode.IsSpace(next) || isMark(next))
	d := delimiter{node: n, char: c, size: size, canOpen: left, canClose: right}
	if c == '_' {
		d.canOpen = left && (!right || isMark(prev))
		d.canClose = right && (!left || isMark(next))
	}
	if d.canOpen || d.canClose {
		p.delims = append(p.delims, d)
	}
}

// isMark reports whether r is punctuation as defined by CommonMark 0.31.
func isMark(r rune) bool {
	return unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// class returns the class of a closer. All closers of a class have the same possible openers: if
// the search for one closer's opener fails, it also fails for the others.
func (d *delimiter) class() int {
	switch {
	case d.char == '~':
		return d.size - 1
	case d.char == '*':
		return 2 + d.size%3 + d.flank()
	default:
		return 8 + d.size%3 + d.flank()
	}
}

const classes = 14

func (d *delimiter) flank() int {
	if d.canOpen {
		return 3
	}
	return 0
}

// opens reports whether emphasis may begin at d and end at end.
func (d *delimiter) opens(end *delimiter) bool {
	if !d.canOpen || d.char != end.char {
		return false
	}
	if d.char == '~' {
		return d.size == end.size
	}
	both := d.canClose || end.canOpen
	return !both || (d.size+end.size)%3 != 0 || d.size%3 == 0 && end.size%3 == 0
}

// emphasize wraps the inlines between matching delimiters, from the delimiter with the
// index bottom on, and removes those delimiters. For each closer, the search for an
// opener stops where a search for its class has failed before.
func (p *inlineParser) emphasize(bottom int) {
	var floor [classes]int
	for i := range floor {
		floor[i] = bottom - 1
	}
	prev := bottom - 1
	for i := bottom; i < len(p.delims); i++ {
		d := &p.delims[i]
		d.prev = prev
		for d.canClose && len(d.node.Text) > 0 {
			class := d.class()
			o := d.prev
			for o > floor[class] && !p.delims[o].opens(d) {
				o = p.delims[o].prev
				p.searched++
			}
			if o <= floor[class] {
				floor[class] = d.prev
				break
			}
			p.wrapEmphasis(&p.delims[o], d)
			d.prev = o
			if p.delims[o].node.Text == "" {
				p.root.remove(p.delims[o].node)
				d.prev = p.delims[o].prev
			}
		}
		switch {
		case d.node.Text == "":
			p.root.remove(d.node)
			prev = d.prev
		case !d.canOpen:
			prev = d.prev
		default:
			prev = i
		}
	}
	p.delims = p.delims[:bottom]
}

// wrapEmphasis moves the inlines between two delimiters into a node, and removes the
// used markers from the delimiters.
func (p *inlineParser) wrapEmphasis(from, to *delimiter) {
	n, used := p.node(Emphasis), 1
	switch {
	case from.char == '~':
		n.Kind, used = Strike, from.size
	case len(from.node.Text) > 1 && len(to.node.Text) > 1:
		n.Kind, used = Strong, 2
	}
	if from.node.Next != to.node {
		p.root.wrap(n, from.node.Next, to.node.Prev)
	} else {
		p.root.insertBefore(n, to.node)
	}
	from.node.Text = from.node.Text[used:]
	to.node.Text = to.node.Text[used:]
}

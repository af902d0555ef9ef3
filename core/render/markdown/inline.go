package markdown

import (
	"strings"
	"unicode/utf8"
)

// inlineParser reads the inlines of one block after the other. Its list of inlines is
// flat until the end of a link or emphasis is found. Then the inlines between are
// wrapped, as CommonMark's appendix describes it.
type inlineParser struct {
	arena
	refs map[string]*Node

	root         *Node // the block
	s            string
	pos          int
	ticks        []int // end of the last run of backticks of each length, nil until searched
	delims       []delimiter
	brackets     []bracket
	inactive     int // how many of the first brackets may begin only an image, not a link
	escaped      int // the end of the last backslash escape
	inCell       bool
	unchanged    *Node // the last text that is a part of s
	unchangedEnd int   // its end in s
	searched     int   // delimiters that emphasize has searched, which the tests bound
}

// bracket is a "[" or "![" that may begin a link or an image.
type bracket struct {
	node   *Node
	pos    int // after the bracket
	delims int // how many delimiters are before it
	image  bool
	nested bool // another bracket follows
}

// blocks reads the inlines of the blocks under n, which may have limit levels.
func (p *inlineParser) blocks(n *Node, limit int) error {
	for c := n.First; c != nil; c = c.Next {
		switch c.Kind {
		case Paragraph, Heading, Cell:
			p.inlines(c, n.Kind == Item && c == n.First)
			if !p.tidy(c, limit-1) {
				return ErrDepth
			}
		case Definition, Rule, CodeBlock:
		default:
			if limit == 0 {
				return ErrDepth
			}
			if err := p.blocks(c, limit-1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *inlineParser) inlines(n *Node, first bool) {
	p.root, p.s, n.Text = n, n.Text, ""
	p.pos, p.inactive, p.escaped = 0, 0, -1
	p.ticks, p.delims, p.brackets = nil, p.delims[:0], p.brackets[:0]
	p.unchanged = nil
	p.inCell = n.Kind == Cell
	if first && n.Kind == Paragraph {
		p.taskBox()
	}
	for p.pos < len(p.s) {
		p.next()
	}
	p.emphasize(0)
}

// next reads one inline or marker.
func (p *inlineParser) next() {
	if p.bareAddress() {
		return
	}
	rest := p.s[p.pos:]
	switch c := rest[0]; c {
	case '\n':
		p.lineBreak()
	case '\\':
		p.backslash(rest)
	case '&':
		if value, size := reference(rest); size > 0 {
			p.put(value, size)
			return
		}
		p.putUnchanged(1)
	case '`':
		p.codeSpan()
	case '*', '_', '~':
		p.delimiter(c)
	case '[':
		p.openBracket(1, false)
	case '!':
		if strings.HasPrefix(rest, "![") {
			p.openBracket(2, true)
			return
		}
		p.putUnchanged(1)
	case ']':
		p.closeBracket()
	case '<':
		p.autoLink()
	default:
		p.plain()
	}
}

// put adds text for the next size bytes.
//
//go:noinline
func (p *inlineParser) put(text string, size int) *Node {
	n := p.node(Text)
	n.Text = text
	p.root.append(n)
	p.pos += size
	return n
}

// putUnchanged adds the next size bytes unchanged. It extends the text before them if that text is
// also unchanged, so that a run of "&" does not become a run of nodes.
func (p *inlineParser) putUnchanged(size int) {
	if n := p.root.Last; n != nil && n == p.unchanged && p.unchangedEnd == p.pos {
		n.Text = p.s[p.pos-len(n.Text) : p.pos+size]
		p.pos += size
	} else {
		p.unchanged = p.put(p.s[p.pos:p.pos+size], size)
	}
	p.unchangedEnd = p.pos
}

// leaf adds an inline for the next size bytes.
func (p *inlineParser) leaf(kind Kind, text string, size int) *Node {
	n := p.put(text, size)
	n.Kind = kind
	return n
}

// special lists the bytes at which plain text ends.
var special = [256]bool{
	'\n': true, '\\': true, '&': true, '`': true, '*': true, '_': true, '~': true,
	'[': true, '!': true, ']': true, '<': true,
}

func (p *inlineParser) plain() {
	end := p.pos + 1
	for end < len(p.s) && !special[p.s[end]] && !p.atAddress(end) {
		end++
	}
	text := p.s[p.pos:end]
	if end < len(p.s) && p.s[end] == '\n' {
		text = strings.TrimRight(text, " \t")
	}
	next := p.pos + len(text)
	if text != "" {
		p.putUnchanged(len(text))
	}
	p.pos += end - next
}

// lineBreak reads the end of a line. The text before it was added without trailing spaces.
func (p *inlineParser) lineBreak() {
	kind := SoftBreak
	if strings.HasSuffix(p.s[:p.pos], "  ") {
		kind = HardBreak
	}
	p.leaf(kind, "", 1+space(p.s[p.pos+1:]))
}

func (p *inlineParser) backslash(rest string) {
	switch {
	case len(rest) > 1 && rest[1] == '\n':
		p.leaf(HardBreak, "", 2+space(rest[2:]))
	case len(rest) > 1 && isPunct(rest[1]):
		p.put(rest[1:2], 2)
		p.escaped = p.pos
	default:
		p.putUnchanged(1)
	}
}

// codeSpan reads a code span (CommonMark 6.1), or a run of backticks as text. The ends
// of the last run of each length are searched once for a block, so that a run without a
// matching one needs no search.
func (p *inlineParser) codeSpan() {
	if p.ticks == nil {
		p.ticks = tickRuns(p.s)
	}
	size := runLength(p.s[p.pos:], '`')
	start := p.pos + size
	if size >= len(p.ticks) || p.ticks[size] <= start {
		p.putUnchanged(size)
		return
	}
	for end := start; ; {
		end += strings.IndexByte(p.s[end:], '`')
		n := runLength(p.s[end:], '`')
		end += n
		if n == size {
			p.leaf(Code, p.code(p.s[start:end-size]), end-p.pos)
			return
		}
	}
}

func tickRuns(s string) []int {
	var ends []int
	for i := strings.IndexByte(s, '`'); i >= 0; {
		n := runLength(s[i:], '`')
		for len(ends) <= n {
			ends = append(ends, 0)
		}
		i += n
		ends[n] = i
		next := strings.IndexByte(s[i:], '`')
		if next < 0 {
			break
		}
		i += next
	}
	return ends
}

// code returns the shown form of the text between the backticks of a code span.
func (p *inlineParser) code(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	if p.inCell {
		s = strings.ReplaceAll(s, `\|`, "|")
	}
	if len(s) > 1 && s[0] == ' ' && s[len(s)-1] == ' ' && strings.Trim(s, " ") != "" {
		s = s[1 : len(s)-1]
	}
	return s
}

// taskBox reads the box at the start of a list item.
func (p *inlineParser) taskBox() {
	s := p.s
	if len(s) < 3 || s[0] != '[' || s[2] != ']' || strings.IndexByte(" \txX", s[1]) < 0 {
		return
	}
	gap := space(s[3:])
	if gap == 0 && len(s) > 3 {
		return
	}
	p.leaf(TaskBox, "", 3+gap).Checked = s[1]|0x20 == 'x'
}

func (p *inlineParser) openBracket(size int, image bool) {
	if last := len(p.brackets) - 1; last >= 0 {
		p.brackets[last].nested = true
	}
	n := p.put(p.s[p.pos:p.pos+size], size)
	p.brackets = append(p.brackets, bracket{node: n, pos: p.pos, delims: len(p.delims), image: image})
}

// closeBracket reads a "]": the end of a link or an image, or text.
func (p *inlineParser) closeBracket() {
	last := len(p.brackets) - 1
	if last < 0 {
		p.putUnchanged(1)
		return
	}
	b := p.brackets[last]
	p.brackets = p.brackets[:last]
	active := b.image || last >= p.inactive
	p.inactive = min(p.inactive, last)
	var to *linkText
	size := 0
	if active {
		to, size = p.target(b)
	}
	if to == nil {
		p.putUnchanged(1)
		return
	}
	p.emphasize(b.delims)
	kind := Link
	if b.image {
		kind = Image
	} else {
		p.inactive = last // a link contains no other link
	}
	n := p.node(kind)
	n.Dest, n.Title = to.dest, to.title
	p.root.wrap(n, b.node, p.root.Last)
	n.remove(b.node)
	p.pos += 1 + size
}

// target returns the target of the link or image that begins at b, from the text after
// its "]" or from a definition. found is nil if there is none. size is the length of the
// text after the "]" that was read.
func (p *inlineParser) target(b bracket) (found *linkText, size int) {
	rest := p.s[p.pos+1:]
	if d, size := linkTail(rest); size > 0 {
		return &linkText{dest: unescape(d.dest), title: unescape(d.title)}, size
	}
	size = label(rest)
	name := ""
	switch {
	case size > 0:
		name = rest[1 : size-1]
	case b.nested || p.pos-b.pos > maxLabel:
		return nil, 0 // a label contains no brackets
	default:
		name = p.s[b.pos:p.pos]
		if strings.HasPrefix(rest, "[]") {
			size = 2
		}
	}
	if len(p.refs) == 0 {
		return nil, 0
	}
	def := p.refs[normalize(name)]
	if def == nil {
		return nil, 0
	}
	return &linkText{dest: def.Dest, title: def.Title}, size
}

// tidy joins text nodes that follow each other, and reports whether the tree under n
// has at most limit levels. It does not read deeper levels.
func (p *inlineParser) tidy(n *Node, limit int) bool {
	for c := n.First; c != nil; c = c.Next {
		if limit <= 0 {
			return false
		}
		if c.Kind == Text {
			n.join(c)
		} else if c.First != nil && !p.tidy(c, limit-1) {
			return false
		}
	}
	return true
}

// join joins the text nodes after c with c.
func (n *Node) join(c *Node) {
	if c.Next == nil || c.Next.Kind != Text {
		return
	}
	var b strings.Builder
	b.WriteString(c.Text)
	for c.Next != nil && c.Next.Kind == Text {
		b.WriteString(c.Next.Text)
		n.remove(c.Next)
	}
	c.Text = b.String()
}

// runeBefore returns the character before pos, or a newline at the start of the block.
func runeBefore(s string, pos int) rune {
	if pos == 0 {
		return '\n'
	}
	r, _ := utf8.DecodeLastRuneInString(s[:pos])
	return r
}

// runeAfter returns the character at pos, or a newline at the end of the block.
func runeAfter(s string, pos int) rune {
	if pos == len(s) {
		return '\n'
	}
	r, _ := utf8.DecodeRuneInString(s[pos:])
	return r
}

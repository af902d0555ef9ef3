// Package markdown reads Markdown into a tree: CommonMark 0.31 with GitHub's tables,
// strikethrough, task boxes and bare addresses, but without HTML, which is read as
// text. Start with [Parse].
//
// It is made for package markup, which shows untrusted texts:
//
//   - Time and memory are linear in the length of any text. A text that would make
//     a deep tree or a huge table is refused with an error.
//   - The tree contains link definitions, which CommonMark hides: they are nodes in
//     the places where they were written.
//   - The package is small, since it is part of the WebAssembly module. It resolves
//     the named character references of HTML 4 and those for ASCII, but not the two
//     thousand of HTML 5.
//
// Small functions with many callers are not inlined, here and in package markup:
// with inlining, both packages would be a fifth larger in the module.
//
// The tests compare this parser with another one, and list each rule in which the two
// differ.
//
// The package is pure and imports nothing but the standard library.
package markdown

import "errors"

// Limits of the tree. They are far above what people and agents write.
const (
	// MaxDepth is the maximum number of levels of a tree, including inlines.
	MaxDepth = 64

	// MaxMarkers is the maximum number of quotes and list items that one line may open.
	MaxMarkers = 16

	// MaxCells is the maximum number of cells in all tables of a text, including the
	// empty cells that complete short rows, and with delimiter rows counted as rows.
	MaxCells = 20000
)

// The errors of [Parse]. Their messages can be shown to people.
var (
	ErrDepth = errors.New("nested too deeply")
	ErrTable = errors.New("too large a table")
)

// Kind is the kind of a [Node].
type Kind uint8

// The kinds of blocks, then the kinds of inlines.
const (
	Document   Kind = iota
	Paragraph       // has inlines
	Heading         // Number is its level, 1 to 6; has inlines
	Rule            // a thematic break
	CodeBlock       // Text is its lines, each with its newline; Info is the text after the fence
	Quote           // has blocks
	List            // has items; Ordered and Number, the first item's; Tight
	Item            // has blocks
	Table           // has rows of equal length; the first is the header
	Row             // has cells
	Cell            // Align; has inlines
	Definition      // of a link: Text is its label, Dest and Title

	Text      // Text
	SoftBreak // the end of a line
	HardBreak // the end of a line that is shown as such
	Code      // a code span; Text
	Emphasis  // has inlines, like the next two
	Strong
	Strike
	Link     // has inlines; Dest and Title
	Image    // like Link; its inlines are the description
	AutoLink // Text is an address or a mail address as written
	TaskBox  // Checked
)

// Align is the alignment of a column of a table.
type Align uint8

// The alignments.
const (
	AlignNone Align = iota
	AlignLeft
	AlignCenter
	AlignRight
)

// Node is a block or an inline. Kind determines which fields have a meaning. In all
// strings, backslash escapes and character references are resolved, except in code and
// automatic links, which have none.
//
// A text node may contain any character from a character reference, including a
// newline. Two text nodes never follow each other.
type Node struct {
	Kind    Kind
	Align   Align
	Ordered bool
	Tight   bool
	Checked bool
	Number  int32

	Text  string
	Info  string
	Dest  string
	Title string

	First, Last, Prev, Next *Node // children and siblings
}

// Parse parses Markdown. Lines in src must end in "\n", not in "\r\n" or "\r". The error is [ErrDepth],
// [ErrTable] or nil.
func Parse(src string) (*Node, error) {
	p := blockParser{refs: map[string]*Node{}}
	root := p.node(Document)
	p.open = []container{{node: root}}
	if err := p.blocks(src); err != nil {
		return nil, err
	}
	in := inlineParser{arena: p.arena, refs: p.refs}
	if err := in.blocks(root, MaxDepth-1); err != nil {
		return nil, err
	}
	return root, nil
}

// append makes c the last child of n.
//
//go:noinline
func (n *Node) append(c *Node) {
	c.Prev, c.Next = n.Last, nil
	if n.Last == nil {
		n.First = c
	} else {
		n.Last.Next = c
	}
	n.Last = c
}

// remove removes the child c from n.
//
//go:noinline
func (n *Node) remove(c *Node) {
	if c.Prev == nil {
		n.First = c.Next
	} else {
		c.Prev.Next = c.Next
	}
	if c.Next == nil {
		n.Last = c.Prev
	} else {
		c.Next.Prev = c.Prev
	}
	c.Prev, c.Next = nil, nil
}

// insertBefore inserts c before n's child next.
func (n *Node) insertBefore(c, next *Node) {
	c.Prev, c.Next = next.Prev, next
	if next.Prev == nil {
		n.First = c
	} else {
		next.Prev.Next = c
	}
	next.Prev = c
}

// wrap moves n's children from first to last into c, and puts c in their place. Its
// time does not depend on the number of children.
func (n *Node) wrap(c, first, last *Node) {
	c.Prev, c.Next = first.Prev, last.Next
	if c.Prev == nil {
		n.First = c
	} else {
		c.Prev.Next = c
	}
	if c.Next == nil {
		n.Last = c
	} else {
		c.Next.Prev = c
	}
	first.Prev, last.Next = nil, nil
	c.First, c.Last = first, last
}

// arena allocates many nodes at a time, since a text has thousands.
type arena struct{ free []Node }

//go:noinline
func (a *arena) node(kind Kind) *Node {
	if len(a.free) == 0 {
		a.free = make([]Node, 32)
	}
	n := &a.free[0]
	a.free = a.free[1:]
	n.Kind = kind
	return n
}

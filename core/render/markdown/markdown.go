// Package markdown reads Markdown into a tree: CommonMark 0.31 and of GitHub's
// extensions tables, strikethrough, task boxes and bare addresses, less everything
// about HTML, which is text. Start with [Parse].
//
// It exists for package markup, which shows strangers' texts, and is made for that:
//
//   - The time is linear in the text, whatever it says, and so is the memory. A
//     text that would make a deep tree or a huge table is refused with an error.
//   - The tree keeps what CommonMark hides: link definitions are nodes in the place
//     where they were written.
//   - It is small, since it is part of the WebAssembly module. It knows the named
//     character references of HTML 4 and those of ASCII, not the two thousand of
//     HTML 5.
//
// Small functions that are called from many places are kept out of line, here and
// in package markup: with their copies both would be a fifth larger in the module.
//
// The tests compare this parser with another one, and name each rule in which the two
// differ.
//
// The package is pure and imports nothing but the standard library.
package markdown

import "errors"

// Limits of the tree. They are far above what people and agents write.
const (
	// MaxDepth is the most levels of a tree, blocks and inlines together.
	MaxDepth = 64

	// MaxMarkers is the most quotes and list items that one line may open.
	MaxMarkers = 16

	// MaxCells is the most cells of all tables of a text, with the empty ones that
	// complete a short row, and counting delimiter rows as rows.
	MaxCells = 20000
)

// What [Parse] refuses. The messages are fit to be shown.
var (
	ErrDepth = errors.New("nested too deeply")
	ErrTable = errors.New("too large a table")
)

// Kind says what a [Node] is.
type Kind uint8

// The kinds of blocks, then those of inlines.
const (
	Document   Kind = iota
	Paragraph       // has inlines
	Heading         // Number is its level, 1 to 6; has inlines
	Rule            // a thematic break
	CodeBlock       // Text is its lines, each with its newline; Info what the fence says
	Quote           // has blocks
	List            // has items; Ordered and Number, the first item's; Tight
	Item            // has blocks
	Table           // has rows, all as long as the first, which is the header
	Row             // has cells
	Cell            // Align; has inlines
	Definition      // of a link: Text is its label, Dest and Title

	Text      // Text
	SoftBreak // the end of a line
	HardBreak // the end of a line that is to be seen
	Code      // a code span; Text
	Emphasis  // has inlines, as have the next two
	Strong
	Strike
	Link     // has inlines; Dest and Title
	Image    // like Link; its inlines are the description
	AutoLink // Text is an address or a mail address as it was written
	TaskBox  // Checked
)

// Align says how a column of a table is set.
type Align uint8

// The alignments.
const (
	AlignNone Align = iota
	AlignLeft
	AlignCenter
	AlignRight
)

// Node is a block or an inline. Which fields mean something depends on Kind; all
// strings have their backslash escapes and character references resolved, except
// in code and automatic links, which have none.
//
// A text node may hold any character, a newline too, that a reference brought.
// Two text nodes never follow each other.
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

// Parse reads a text, whose lines end in "\n" alone. The error is [ErrDepth] or
// [ErrTable]; no other text is wrong.
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

// remove takes the child c out of n.
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

// insertBefore puts c in front of n's child next.
func (n *Node) insertBefore(c, next *Node) {
	c.Prev, c.Next = next.Prev, next
	if next.Prev == nil {
		n.First = c
	} else {
		next.Prev.Next = c
	}
	next.Prev = c
}

// wrap moves n's children from first to last, which follow each other, into c,
// and puts c in their place. Its time does not depend on how many they are.
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

// arena makes nodes many at a time: a text has thousands.
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

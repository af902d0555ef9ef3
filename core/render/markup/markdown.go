package markup

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"github.com/signalbox-dev/signalbox/core/render"
)

// cutNote ends an output that was cut.
const cutNote = "(cut here: the rest is too long to be shown)"

// blocks writes the blocks under n, with an empty line between them unless they
// are in a tight list.
func (w *mdWriter) blocks(d document, n ast.Node, tight bool) {
	for c := n.FirstChild(); c != nil && !w.full; c = c.NextSibling() {
		if c != n.FirstChild() && (!tight || startsOnlyAfterBlank(c)) {
			w.blank()
		}
		switch c := c.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			w.inlines(d, c)
			w.newline()
		case *ast.Heading:
			w.heading(d, c)
		case *ast.ThematicBreak:
			w.raw("***") // dashes could underline a heading or extend a list marker
			w.newline()
		case *ast.FencedCodeBlock:
			w.fence(d.language(c), d.lines(c))
		case *ast.CodeBlock:
			w.fence("", d.lines(c))
		case *ast.Blockquote:
			w.enter("> ", "> ")
			w.blocks(d, c, false)
			w.leave("> ")
		case *ast.List:
			w.list(d, c)
		case *east.Table:
			w.table(d, c)
		case *ast.LinkReferenceDefinition:
			w.text(definition(c), false)
			w.newline()
		default:
			w.blocks(d, c, tight)
		}
	}
}

// startsOnlyAfterBlank reports whether a block directly after a paragraph would
// be taken for a part of it: a list that does not start at 1, or whose first item
// is empty.
func startsOnlyAfterBlank(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.List:
		return n.IsOrdered() && n.Start != 1 || n.FirstChild() == nil || n.FirstChild().FirstChild() == nil
	case *ast.Paragraph, *ast.TextBlock, *ast.LinkReferenceDefinition, *east.Table:
		return true
	}
	return false
}

func (w *mdWriter) heading(d document, n *ast.Heading) {
	w.raw(strings.Repeat("#", w.opt.heading(n.Level)))
	w.raw(" ")
	w.mode = inHeading
	w.inlines(d, n)
	w.mode = inParagraph
	w.newline()
}

// fence writes a code block. The fence is longer than any run of backticks in it,
// so nothing in it can end it.
func (w *mdWriter) fence(lang, body string) {
	ticks := strings.Repeat("`", max(3, longestRun(body, '`')+1))
	w.raw(ticks + lang)
	w.fenceEnd = ticks
	w.newline()
	for line := range strings.Lines(body) {
		w.literal(strings.TrimSuffix(line, "\n"))
		w.newline()
	}
	if w.full {
		return
	}
	w.fenceEnd = ""
	w.raw(ticks)
	w.newline()
}

func (w *mdWriter) list(d document, n *ast.List) {
	bullet, dot := "- ", ". "
	if p, ok := n.PreviousSibling().(*ast.List); ok && p.IsOrdered() == n.IsOrdered() && w.lastAlternate != p {
		bullet, dot = "* ", ") " // or the two lists would become one
		w.lastAlternate = n
	}
	number := n.Start
	for c := n.FirstChild(); c != nil && !w.full; c = c.NextSibling() {
		if c != n.FirstChild() && !n.IsTight {
			w.blank()
		}
		marker := bullet
		if n.IsOrdered() {
			marker = strconv.Itoa(min(number, 999999999)) + dot
			number++
		}
		indent := strings.Repeat(" ", len(marker))
		w.enter(marker, indent)
		w.blocks(d, c, n.IsTight)
		w.leave(indent)
	}
}

func (w *mdWriter) table(d document, n *east.Table) {
	w.mode = inTable
	for row := n.FirstChild(); row != nil && !w.full; row = row.NextSibling() {
		w.raw("|")
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			w.raw(" ")
			w.inlines(d, c)
			w.raw(" |")
		}
		w.newline()
		if row.Kind() == east.KindTableHeader {
			w.raw("|")
			for c := row.FirstChild(); c != nil; c = c.NextSibling() {
				w.raw(delimiterCell(c))
			}
			w.newline()
		}
	}
	w.mode = inParagraph
}

func delimiterCell(n ast.Node) string {
	if c, ok := n.(*east.TableCell); ok {
		switch c.Alignment {
		case east.AlignLeft:
			return " :-- |"
		case east.AlignCenter:
			return " :-: |"
		case east.AlignRight:
			return " --: |"
		}
	}
	return " --- |"
}

// inlines writes the inlines under n.
func (w *mdWriter) inlines(d document, n ast.Node) {
	for c := n.FirstChild(); c != nil && !w.full; c = c.NextSibling() {
		switch t := c.(type) {
		case *ast.Text:
			c = w.textRun(d, t)
		case *ast.String:
			w.text(safeLine(string(t.Value)), false)
		case *ast.CodeSpan:
			w.codeSpan(d.codeValue(t))
		case *ast.Emphasis:
			w.emphasize(d, t, strings.Repeat("*", min(t.Level, 2)))
		case *east.Strikethrough:
			w.emphasize(d, t, "~~")
		case *east.TaskCheckBox:
			w.text(checkBox(t), false)
		case *ast.AutoLink:
			w.autoLink(d, t)
		case *ast.Link:
			w.link(d, t)
		case *ast.Image:
			w.text("[image: "+d.flat(t)+"] ", false)
			w.codeSpan(shown(t.Destination))
			w.text(titleText(t.Title), false)
		default:
			w.inlines(d, c)
		}
	}
}

// textRun writes a text node and those that follow it in the same line, as one:
// the parser makes a node of each marker that it took literally, and whether such
// a marker needs a backslash depends on both its neighbours. It returns the last
// node it wrote.
func (w *mdWriter) textRun(d document, n *ast.Text) ast.Node {
	s := d.textValue(n)
	for !n.SoftLineBreak() && !n.HardLineBreak() {
		next, ok := n.NextSibling().(*ast.Text)
		if !ok {
			break
		}
		n = next
		s += d.textValue(n)
	}
	broken := n.SoftLineBreak() || n.HardLineBreak()
	w.text(s, broken || n.NextSibling() == nil && w.emphasis == 0)
	if broken {
		w.lineBreak(n.HardLineBreak())
	}
	return n
}

// emphasize writes the inlines under n between two markers. What is already
// inside the same marker, or empty, gets none: it would only add up to another.
func (w *mdWriter) emphasize(d document, n ast.Node, marker string) {
	if w.isOpen(marker) || strings.TrimSpace(d.flat(n)) == "" {
		w.inlines(d, n)
		return
	}
	w.emphasis++
	w.open(marker, marker)
	w.inlines(d, n)
	w.close(marker)
	w.emphasis--
}

func (w *mdWriter) link(d document, n *ast.Link) {
	to := target(n.Destination)
	named := !sameAddress(d.flat(n), to.address)
	if named {
		w.inlines(d, n)
		w.text(" (", false)
	}
	w.address(to)
	w.text(titleText(n.Title), false)
	if named {
		w.text(")", false)
	}
}

// address writes where a link leads, as a link only if it is https.
func (w *mdWriter) address(to link) {
	if to.https {
		w.atom("<" + to.address + ">")
		return
	}
	w.codeSpan(to.address)
}

func (w *mdWriter) autoLink(d document, n *ast.AutoLink) {
	label := string(n.Label(d.src))
	if to := targetOf(label); to.https {
		w.address(to)
		return
	}
	w.text(safeLine(label), false)
}

func (w *mdWriter) codeSpan(s string) {
	if w.mode == inTable {
		s = strings.ReplaceAll(s, "|", `\|`)
	}
	open, body, end := codeSpan(s)
	if body == "" {
		return
	}
	if n := len(w.out); n > 0 && w.out[n-1] == '`' {
		w.raw(" ") // or the two runs of backticks would be one
	}
	w.open(open, end)
	w.literal(body)
	w.close(end)
}

// checkBox returns a task list marker as text.
func checkBox(n *east.TaskCheckBox) string {
	if n.IsChecked {
		return "[x] "
	}
	return "[ ] "
}

// shown returns the address of an image, which is never a link.
func shown(dest []byte) string {
	line, _ := render.Line(unescape(string(dest)), maxShown)
	return line
}

// titleText returns the title of a link or image as text after it. A title is
// usually shown only to a pointer that rests, so it could hide something.
func titleText(title []byte) string {
	if len(title) == 0 {
		return ""
	}
	line, _ := render.Line(unescape(string(title)), maxShown)
	return ` "` + line + `"`
}

// definition returns a link definition as the text it was written as.
func definition(n *ast.LinkReferenceDefinition) string {
	return "[" + safeLine(unescape(string(n.Label))) + "]: " + shown(n.Destination) + titleText(n.Title)
}

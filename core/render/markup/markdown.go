package markup

import (
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markdown"
)

// cutNote ends an output that was cut.
const cutNote = "(cut here: the rest is too long to be shown)"

// blocks writes the blocks under n, with an empty line between them unless they
// are in a tight list.
func (w *mdWriter) blocks(n *markdown.Node, tight bool) {
	for c := n.First; c != nil && !w.full; c = c.Next {
		if c != n.First && (!tight || startsOnlyAfterBlank(c)) {
			w.blank()
		}
		switch c.Kind {
		case markdown.Paragraph:
			w.inlines(c)
			w.newline()
		case markdown.Heading:
			w.heading(c)
		case markdown.Rule:
			w.raw("***") // dashes could underline a heading or extend a list marker
			w.newline()
		case markdown.CodeBlock:
			w.fence(language(c), codeText(c))
		case markdown.Quote:
			w.enter("> ", "> ")
			w.blocks(c, false)
			w.leave("> ")
		case markdown.List:
			w.list(c)
		case markdown.Table:
			w.table(c)
		case markdown.Definition:
			w.text(definition(c), false)
			w.newline()
		}
	}
}

// startsOnlyAfterBlank reports whether a block directly after a paragraph would be read
// as a part of it, such as a list that does not start at 1 or begins with an empty item.
func startsOnlyAfterBlank(n *markdown.Node) bool {
	switch n.Kind {
	case markdown.List:
		return n.Ordered && n.Number != 1 || n.First == nil || n.First.First == nil
	case markdown.Paragraph, markdown.Definition, markdown.Table:
		return true
	}
	return false
}

func (w *mdWriter) heading(n *markdown.Node) {
	w.raw(strings.Repeat("#", w.opt.heading(int(n.Number))))
	w.raw(" ")
	w.mode = inHeading
	w.inlines(n)
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

func (w *mdWriter) list(n *markdown.Node) {
	bullet, dot := "- ", ". "
	if p := n.Prev; p != nil && p.Kind == markdown.List && p.Ordered == n.Ordered && w.lastAlternate != p {
		bullet, dot = "* ", ") " // or the two lists would become one
		w.lastAlternate = n
	}
	number := int(n.Number)
	for c := n.First; c != nil && !w.full; c = c.Next {
		if c != n.First && !n.Tight {
			w.blank()
		}
		marker := bullet
		if n.Ordered {
			marker = strconv.Itoa(min(number, 999999999)) + dot
			number++
		}
		indent := strings.Repeat(" ", len(marker))
		w.enter(marker, indent)
		w.blocks(c, n.Tight)
		w.leave(indent)
	}
}

func (w *mdWriter) table(n *markdown.Node) {
	w.mode = inTable
	for row := n.First; row != nil && !w.full; row = row.Next {
		w.raw("|")
		for c := row.First; c != nil; c = c.Next {
			w.raw(" ")
			w.inlines(c)
			w.raw(" |")
		}
		w.newline()
		if row == n.First {
			w.raw("|")
			for c := row.First; c != nil; c = c.Next {
				w.raw(delimiterCell(c.Align))
			}
			w.newline()
		}
	}
	w.mode = inParagraph
}

func delimiterCell(a markdown.Align) string {
	switch a {
	case markdown.AlignLeft:
		return " :-- |"
	case markdown.AlignCenter:
		return " :-: |"
	case markdown.AlignRight:
		return " --: |"
	}
	return " --- |"
}

// inlines writes the inlines under n.
func (w *mdWriter) inlines(n *markdown.Node) {
	for c := n.First; c != nil && !w.full; c = c.Next {
		switch c.Kind {
		case markdown.Text:
			// The text is the last in its line if a break or the end of the block follows.
			last := c.Next == nil && w.emphasis == 0 || c.Next != nil && isBreak(c.Next)
			w.text(safeLine(c.Text), last)
		case markdown.SoftBreak, markdown.HardBreak:
			w.lineBreak(c.Kind == markdown.HardBreak)
		case markdown.Code:
			w.codeSpan(safeLine(c.Text))
		case markdown.Emphasis:
			w.emphasize(c, "*")
		case markdown.Strong:
			w.emphasize(c, "**")
		case markdown.Strike:
			w.emphasize(c, "~~")
		case markdown.TaskBox:
			w.text(checkBox(c), false)
		case markdown.AutoLink:
			w.autoLink(c)
		case markdown.Link:
			w.link(c)
		case markdown.Image:
			w.text("[image: "+flat(c)+"] ", false)
			w.codeSpan(imageAddress(c.Dest))
			w.text(titleText(c.Title), false)
		}
	}
}

// emphasize writes the inlines under n between two markers. It writes no markers inside
// the same markers or around nothing, since adjacent markers would become another marker.
func (w *mdWriter) emphasize(n *markdown.Node, marker string) {
	if w.isOpen(marker) || strings.TrimSpace(flat(n)) == "" {
		w.inlines(n)
		return
	}
	w.emphasis++
	w.open(marker, marker)
	w.inlines(n)
	w.close(marker)
	w.emphasis--
}

func (w *mdWriter) link(n *markdown.Node) {
	to := target(n.Dest)
	named := !sameAddress(flat(n), to.address)
	if named {
		w.inlines(n)
		w.text(" (", false)
	}
	w.address(to)
	w.text(titleText(n.Title), false)
	if named {
		w.text(")", false)
	}
}

// address writes the target of a link, as a link only if it is https.
func (w *mdWriter) address(to link) {
	if to.https {
		w.atom("<" + to.address + ">")
		return
	}
	w.codeSpan(to.address)
}

func (w *mdWriter) autoLink(n *markdown.Node) {
	if to := target(n.Text); to.https {
		w.address(to)
		return
	}
	w.text(safeLine(n.Text), false)
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

func isBreak(n *markdown.Node) bool {
	return n.Kind == markdown.SoftBreak || n.Kind == markdown.HardBreak
}

// checkBox returns a task list marker as text.
func checkBox(n *markdown.Node) string {
	if n.Checked {
		return "[x] "
	}
	return "[ ] "
}

// imageAddress returns the address of an image, which is never a link.
func imageAddress(dest string) string {
	line, _ := render.Line(dest, maxShown)
	return line
}

// titleText returns the title of a link or image as the text after it. Renderers usually
// show a title only in a tooltip, so it could hide something.
func titleText(title string) string {
	if title == "" {
		return ""
	}
	line, _ := render.Line(title, maxShown)
	return ` "` + line + `"`
}

// definition returns a link definition as text in its Markdown form.
func definition(n *markdown.Node) string {
	return "[" + safeLine(n.Text) + "]: " + imageAddress(n.Dest) + titleText(n.Title)
}

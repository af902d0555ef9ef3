package markup

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/render/markdown"
)

// htmlWriter writes elements only from constants, and text only with the method text, so
// the calls of tag show all markup that it can write.
type htmlWriter struct {
	out  strings.Builder
	opt  Options
	left int  // bytes of output still allowed
	full bool // something had to be left out
}

// Elements returns the names of all elements that [HTML] writes. The web view copies only
// these, from a list that extension/elementsgen writes.
func Elements() []string {
	return []string{
		"a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
		"li", "ol", "p", "pre", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
	}
}

func newHTMLWriter(opt Options) *htmlWriter {
	return &htmlWriter{opt: opt, left: opt.maxBytes()}
}

// tag writes markup. s may contain only constants and checked values. The limit does not
// stop it, because an open element must be closed.
//
//go:noinline
func (w *htmlWriter) tag(s string) {
	w.out.WriteString(s)
	w.left -= len(s)
}

// text writes as much of a safe text as the limit allows, as element content.
func (w *htmlWriter) text(s string) {
	start := 0
	for i := 0; i < len(s) && !w.full; {
		_, size := utf8.DecodeRuneInString(s[i:])
		esc := escapeHTML(s[i])
		n := max(size, len(esc))
		if n > w.left {
			w.full = true
			w.out.WriteString(s[start:i] + "…")
			return
		}
		w.left -= n
		if esc != "" {
			w.out.WriteString(s[start:i])
			w.out.WriteString(esc)
			start = i + size
		}
		i += size
	}
	if !w.full {
		w.out.WriteString(s[start:])
	}
}

//go:noinline
func escapeHTML(c byte) string {
	switch c {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '"':
		return "&quot;"
	case '\'':
		return "&#39;"
	}
	return ""
}

func (w *htmlWriter) finish() string {
	if w.full {
		w.out.WriteString("<p><em>" + cutNote + "</em></p>\n")
	}
	return w.out.String()
}

// isFull reports whether the output is full. If so, finish adds the note that something
// was left out.
//
//go:noinline
func (w *htmlWriter) isFull() bool {
	w.full = w.full || w.left <= 0
	return w.full
}

// blocks writes the blocks under n. The paragraphs of a tight list have no element.
func (w *htmlWriter) blocks(n *markdown.Node, tight bool) {
	for c := n.First; c != nil && !w.isFull(); c = c.Next {
		switch c.Kind {
		case markdown.Paragraph:
			if !tight {
				w.element(c, "p")
				continue
			}
			w.inlines(c)
			if c.Next != nil {
				w.tag("\n")
			}
		case markdown.Heading:
			w.element(c, "h"+strconv.Itoa(w.opt.heading(int(c.Number))))
		case markdown.Rule:
			w.tag("<hr>\n")
		case markdown.CodeBlock:
			w.code(codeText(c), language(c))
		case markdown.Quote:
			w.tag("<blockquote>\n")
			w.blocks(c, false)
			w.tag("</blockquote>\n")
		case markdown.List:
			w.list(c)
		case markdown.Table:
			w.table(c)
		case markdown.Definition:
			w.tag("<p>")
			w.text(definition(c))
			w.tag("</p>\n")
		}
	}
}

func (w *htmlWriter) element(n *markdown.Node, name string) {
	w.wrapped(name, n)
	w.tag("\n")
}

func (w *htmlWriter) code(body, lang string) {
	if lang != "" {
		w.tag(`<pre data-lang="` + lang + `"><code>`)
	} else {
		w.tag("<pre><code>")
	}
	w.text(body)
	w.tag("</code></pre>\n")
}

func (w *htmlWriter) list(n *markdown.Node) {
	name := "ul"
	open := "<ul>\n"
	if n.Ordered {
		name, open = "ol", "<ol>\n"
		if n.Number != 1 {
			open = `<ol start="` + strconv.Itoa(int(n.Number)) + "\">\n"
		}
	}
	w.tag(open)
	for c := n.First; c != nil && !w.isFull(); c = c.Next {
		w.tag("<li>")
		w.blocks(c, n.Tight)
		w.tag("</li>\n")
	}
	w.tag("</" + name + ">\n")
}

func (w *htmlWriter) table(n *markdown.Node) {
	w.tag("<table>\n")
	for row := n.First; row != nil && !w.isFull(); row = row.Next {
		cell := "td"
		switch row {
		case n.First:
			cell = "th"
			w.tag("<thead>\n")
		case n.First.Next:
			w.tag("<tbody>\n")
		}
		w.tag("<tr>")
		for c := row.First; c != nil && !w.isFull(); c = c.Next {
			w.tag("<" + cell + alignment(c.Align) + ">")
			w.inlines(c)
			w.tag("</" + cell + ">")
		}
		w.tag("</tr>\n")
		if row == n.First {
			w.tag("</thead>\n")
		} else if row.Next == nil || w.isFull() {
			w.tag("</tbody>\n")
		}
	}
	w.tag("</table>\n")
}

//go:noinline
func alignment(a markdown.Align) string {
	switch a {
	case markdown.AlignLeft:
		return ` data-align="left"`
	case markdown.AlignCenter:
		return ` data-align="center"`
	case markdown.AlignRight:
		return ` data-align="right"`
	}
	return ""
}

// inlines writes the inlines under n.
func (w *htmlWriter) inlines(n *markdown.Node) {
	for c := n.First; c != nil && !w.isFull(); c = c.Next {
		switch c.Kind {
		case markdown.Text:
			w.text(safeLine(c.Text))
		case markdown.SoftBreak:
			w.tag("\n")
		case markdown.HardBreak:
			w.tag("<br>\n")
		case markdown.Code:
			w.inline("code", safeLine(c.Text))
		case markdown.Emphasis:
			w.wrapped("em", c)
		case markdown.Strong:
			w.wrapped("strong", c)
		case markdown.Strike:
			w.wrapped("del", c)
		case markdown.TaskBox:
			w.text(checkBox(c))
		case markdown.AutoLink:
			w.autoLink(c)
		case markdown.Link:
			w.link(c)
		case markdown.Image:
			w.text("[image: " + flat(c) + "] ")
			w.inline("code", imageAddress(c.Dest))
			w.text(titleText(c.Title))
		}
	}
}

// inline writes an element that contains text.
//
//go:noinline
func (w *htmlWriter) inline(name, text string) {
	w.tag("<" + name + ">")
	w.text(text)
	w.tag("</" + name + ">")
}

// wrapped writes an element that contains the inlines under n.
//
//go:noinline
func (w *htmlWriter) wrapped(name string, n *markdown.Node) {
	w.tag("<" + name + ">")
	w.inlines(n)
	w.tag("</" + name + ">")
}

func (w *htmlWriter) link(n *markdown.Node) {
	to := target(n.Dest)
	named := !sameAddress(flat(n), to.address)
	if named {
		w.inlines(n)
		w.text(" (")
	}
	w.address(to)
	w.text(titleText(n.Title))
	if named {
		w.text(")")
	}
}

// address writes the target of a link, as a link only if it is https.
func (w *htmlWriter) address(to link) {
	if !to.https {
		w.inline("code", to.address)
		return
	}
	href := strings.ReplaceAll(to.address, "&", "&amp;") // escapePath has encoded all other special characters
	// The address is written twice, as href and as text. 64 bytes are enough for the tags.
	if 2*len(href)+64 > w.left {
		w.full = true // the address is left out: a shortened one would lead elsewhere
		return
	}
	w.tag(`<a href="` + href + `" rel="noreferrer noopener">`)
	w.text(to.address)
	w.tag("</a>")
}

func (w *htmlWriter) autoLink(n *markdown.Node) {
	if to := target(n.Text); to.https {
		w.address(to)
		return
	}
	w.text(safeLine(n.Text))
}

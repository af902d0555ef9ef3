package markup

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// htmlWriter writes elements from constants and text through text alone, so that
// a look at the calls of tag shows everything that can appear as markup.
type htmlWriter struct {
	out  strings.Builder
	opt  Options
	left int  // bytes of output still allowed
	full bool // something had to be left out
}

func newHTMLWriter(opt Options) *htmlWriter {
	return &htmlWriter{opt: opt, left: opt.maxBytes()}
}

// tag writes markup; only constants and checked values may be in s. It is not
// stopped by the limit, because an open element has to be closed.
func (w *htmlWriter) tag(s string) {
	w.out.WriteString(s)
	w.left -= len(s)
}

// text writes safe text as element content, as much of it as the limit allows.
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

// stop reports whether the output is full, and remembers that something was left
// out because of it.
func (w *htmlWriter) stop() bool {
	w.full = w.full || w.left <= 0
	return w.full
}

// blocks writes the blocks under n. The parser makes text blocks, which have no
// element, of the paragraphs in a tight list.
func (w *htmlWriter) blocks(d document, n ast.Node) {
	for c := n.FirstChild(); c != nil && !w.stop(); c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Paragraph:
			w.element(d, c, "p")
		case *ast.TextBlock:
			w.inlines(d, c)
			if c.NextSibling() != nil {
				w.tag("\n")
			}
		case *ast.Heading:
			w.element(d, c, "h"+strconv.Itoa(w.opt.heading(c.Level)))
		case *ast.ThematicBreak:
			w.tag("<hr>\n")
		case *ast.FencedCodeBlock:
			w.code(d.lines(c), d.language(c))
		case *ast.CodeBlock:
			w.code(d.lines(c), "")
		case *ast.Blockquote:
			w.tag("<blockquote>\n")
			w.blocks(d, c)
			w.tag("</blockquote>\n")
		case *ast.List:
			w.list(d, c)
		case *east.Table:
			w.table(d, c)
		case *ast.LinkReferenceDefinition:
			w.tag("<p>")
			w.text(definition(c))
			w.tag("</p>\n")
		default:
			w.blocks(d, c)
		}
	}
}

func (w *htmlWriter) element(d document, n ast.Node, name string) {
	w.tag("<" + name + ">")
	w.inlines(d, n)
	w.tag("</" + name + ">\n")
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

func (w *htmlWriter) list(d document, n *ast.List) {
	name := "ul"
	open := "<ul>\n"
	if n.IsOrdered() {
		name, open = "ol", "<ol>\n"
		if n.Start != 1 {
			open = `<ol start="` + strconv.Itoa(n.Start) + "\">\n"
		}
	}
	w.tag(open)
	for c := n.FirstChild(); c != nil && !w.stop(); c = c.NextSibling() {
		w.tag("<li>")
		w.blocks(d, c)
		w.tag("</li>\n")
	}
	w.tag("</" + name + ">\n")
}

func (w *htmlWriter) table(d document, n *east.Table) {
	w.tag("<table>\n")
	body := false
	for row := n.FirstChild(); row != nil && !w.stop(); row = row.NextSibling() {
		cell := "td"
		switch {
		case row.Kind() == east.KindTableHeader:
			cell = "th"
			w.tag("<thead>\n")
		case !body:
			body = true
			w.tag("<tbody>\n")
		}
		w.tag("<tr>")
		for c := row.FirstChild(); c != nil && !w.stop(); c = c.NextSibling() {
			w.tag("<" + cell + alignment(c) + ">")
			w.inlines(d, c)
			w.tag("</" + cell + ">")
		}
		w.tag("</tr>\n")
		if cell == "th" {
			w.tag("</thead>\n")
		}
	}
	if body {
		w.tag("</tbody>\n")
	}
	w.tag("</table>\n")
}

func alignment(n ast.Node) string {
	if c, ok := n.(*east.TableCell); ok {
		switch c.Alignment {
		case east.AlignLeft:
			return ` data-align="left"`
		case east.AlignCenter:
			return ` data-align="center"`
		case east.AlignRight:
			return ` data-align="right"`
		}
	}
	return ""
}

// inlines writes the inlines under n.
func (w *htmlWriter) inlines(d document, n ast.Node) {
	for c := n.FirstChild(); c != nil && !w.stop(); c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			w.text(d.textValue(c))
			if c.HardLineBreak() {
				w.tag("<br>\n")
			} else if c.SoftLineBreak() {
				w.tag("\n")
			}
		case *ast.String:
			w.text(safeLine(string(c.Value)))
		case *ast.CodeSpan:
			w.inline("code", func() { w.text(d.codeValue(c)) })
		case *ast.Emphasis:
			name := "em"
			if c.Level > 1 {
				name = "strong"
			}
			w.inline(name, func() { w.inlines(d, c) })
		case *east.Strikethrough:
			w.inline("del", func() { w.inlines(d, c) })
		case *east.TaskCheckBox:
			w.text(checkBox(c))
		case *ast.AutoLink:
			w.autoLink(d, c)
		case *ast.Link:
			w.link(d, c)
		case *ast.Image:
			w.text("[image: " + d.flat(c) + "] ")
			w.inline("code", func() { w.text(shown(c.Destination)) })
			w.text(titleText(c.Title))
		default:
			w.inlines(d, c)
		}
	}
}

func (w *htmlWriter) inline(name string, content func()) {
	w.tag("<" + name + ">")
	content()
	w.tag("</" + name + ">")
}

func (w *htmlWriter) link(d document, n *ast.Link) {
	to := target(n.Destination)
	named := !sameAddress(d.flat(n), to.address)
	if named {
		w.inlines(d, n)
		w.text(" (")
	}
	w.address(to)
	w.text(titleText(n.Title))
	if named {
		w.text(")")
	}
}

// address writes where a link leads, as a link only if it is https.
func (w *htmlWriter) address(to link) {
	if !to.https {
		w.inline("code", func() { w.text(to.address) })
		return
	}
	href := strings.ReplaceAll(to.address, "&", "&amp;") // escapePath left nothing else
	if 2*len(href)+64 > w.left {
		w.full = true // whole or not at all: a shortened address leads elsewhere
		return
	}
	w.tag(`<a href="` + href + `" rel="noreferrer noopener">`)
	w.text(to.address)
	w.tag("</a>")
}

func (w *htmlWriter) autoLink(d document, n *ast.AutoLink) {
	label := string(n.Label(d.src))
	if to := targetOf(label); to.https {
		w.address(to)
		return
	}
	w.text(safeLine(label))
}

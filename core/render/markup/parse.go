package markup

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/signalbox-dev/signalbox/core/render"
)

// document is a parsed text; nodes refer to src by offset.
type document struct {
	root ast.Node
	src  []byte
}

// parse reads Markdown, or says why it is better shown as plain text.
//
// The text is sanitized before it is parsed, so that nothing invisible takes part
// in deciding what is a link and what is not, and again when it is written,
// because a character reference can bring such a character back.
func parse(src string) (document, string) {
	if reason := hostile(src); reason != "" {
		return document{}, reason
	}
	d := document{src: []byte(render.Text(src))}
	d.root = newParser().Parse(text.NewReader(d.src))
	if deeper(d.root, maxDepth) {
		return document{}, "nested too deeply"
	}
	return d, ""
}

// newParser returns CommonMark and GitHub's extensions, less everything about
// HTML. It is made for each text: that costs some microseconds, and keeps the
// package free of shared state.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(
				extension.WithLinkifyAllowedProtocols([]string{"https:"})), 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
		),
	)
}

// deeper reports whether the tree under n has more than limit levels. It does not
// recurse further than that itself.
func deeper(n ast.Node, limit int) bool {
	if limit == 0 {
		return true
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if deeper(c, limit-1) {
			return true
		}
	}
	return false
}

// safeLine is for text inside a line: what is left of newlines and tabs, which a
// character reference may have brought, becomes a space.
func safeLine(s string) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(render.Text(s))
}

// textValue returns what a text node says.
func (d document) textValue(n *ast.Text) string {
	v := string(n.Segment.Value(d.src))
	if n.IsRaw() {
		return safeLine(v)
	}
	return safeLine(unescape(v))
}

// codeValue returns what a code span says.
func (d document) codeValue(n *ast.CodeSpan) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(d.src))
		case *ast.String:
			b.Write(c.Value)
		}
	}
	return safeLine(b.String())
}

// lines returns what a block of literal lines says, with a newline at the end.
func (d document) lines(n ast.Node) string {
	s := render.Text(string(n.Lines().Value(d.src)))
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}

// language returns the language of a code block, or "" if it is not a plain word.
func (d document) language(n *ast.FencedCodeBlock) string {
	lang := strings.ToLower(string(n.Language(d.src)))
	if len(lang) > 32 || strings.Trim(lang, "abcdefghijklmnopqrstuvwxyz0123456789+#-") != "" {
		return ""
	}
	return lang
}

// flat returns the text of the inlines under n without their formatting.
func (d document) flat(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.WriteString(d.textValue(c))
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.WriteString(safeLine(string(c.Value)))
		case *ast.CodeSpan:
			b.WriteString(d.codeValue(c))
		case *ast.AutoLink:
			b.WriteString(safeLine(string(c.Label(d.src))))
		default:
			b.WriteString(d.flat(c))
		}
	}
	return b.String()
}

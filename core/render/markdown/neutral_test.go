package markdown_test

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/signalbox-dev/signalbox/core/render/markdown"
)

// The neutral form of a tree is one line for each block, with inlines in brackets after
// their name. This file writes both parsers' trees in it. Escapes and references are
// resolved here, since the other parser leaves them to its renderer.

// neutral returns the neutral form of our parser's tree.
func neutral(n *markdown.Node) string {
	var w neutralWriter
	w.blocks(n, "", false)
	return w.String()
}

type neutralWriter struct{ strings.Builder }

func (w *neutralWriter) line(indent, s string) { w.WriteString(indent + s + "\n") }

func (w *neutralWriter) blocks(n *markdown.Node, in string, tight bool) {
	for c := n.First; c != nil; c = c.Next {
		switch c.Kind {
		case markdown.Paragraph:
			if tight {
				w.line(in, "text "+w.inlines(c))
			} else {
				w.line(in, "p "+w.inlines(c))
			}
		case markdown.Heading:
			w.line(in, "h"+strconv.Itoa(int(c.Number))+" "+w.inlines(c))
		case markdown.Rule:
			w.line(in, "hr")
		case markdown.CodeBlock:
			w.line(in, "code "+word(c.Info)+strconv.Quote(c.Text))
		case markdown.Quote:
			w.line(in, "quote")
			w.blocks(c, in+" ", false)
		case markdown.List:
			if c.Ordered {
				w.line(in, "ol "+strconv.Itoa(int(c.Number)))
			} else {
				w.line(in, "ul")
			}
			for item := c.First; item != nil; item = item.Next {
				w.line(in, "li")
				w.blocks(item, in+" ", c.Tight)
			}
		case markdown.Table:
			w.line(in, "table")
			for row := c.First; row != nil; row = row.Next {
				s := "row"
				for cell := row.First; cell != nil; cell = cell.Next {
					s += " " + []string{"-", "<", "^", ">"}[cell.Align] + w.inlines(cell)
				}
				w.line(in, s)
			}
		case markdown.Definition:
			w.line(in, "def "+strconv.Quote(spaced(c.Text))+target(c.Dest, c.Title))
		}
	}
}

func (w *neutralWriter) inlines(n *markdown.Node) string {
	var s inlineText
	for c := n.First; c != nil; c = c.Next {
		switch c.Kind {
		case markdown.Text:
			s.text(c.Text)
		case markdown.SoftBreak:
			s.end("|")
		case markdown.HardBreak:
			s.end("||")
		case markdown.Code:
			s.add("code(" + strconv.Quote(c.Text) + ")")
		case markdown.Emphasis:
			s.add("em(" + w.inlines(c) + ")")
		case markdown.Strong:
			s.add("strong(" + w.inlines(c) + ")")
		case markdown.Strike:
			s.add("del(" + w.inlines(c) + ")")
		case markdown.Link:
			s.add("a(" + w.inlines(c) + target(c.Dest, c.Title) + ")")
		case markdown.Image:
			s.add("img(" + w.inlines(c) + target(c.Dest, c.Title) + ")")
		case markdown.AutoLink:
			s.add("auto(" + strconv.Quote(c.Text) + ")")
		case markdown.TaskBox:
			s.add("box(" + strconv.FormatBool(c.Checked) + ")")
		}
	}
	return s.String()
}

// inlineText joins text that comes in pieces.
type inlineText struct{ out, run strings.Builder }

func (s *inlineText) text(t string) { s.run.WriteString(t) }

// end adds a line break. White space before it is invisible and removed.
func (s *inlineText) end(t string) {
	run := strings.TrimRight(s.run.String(), " \t")
	s.run.Reset()
	s.run.WriteString(run)
	s.add(t)
}

func (s *inlineText) add(t string) {
	if s.run.Len() > 0 {
		s.out.WriteString(strconv.Quote(s.run.String()))
		s.run.Reset()
	}
	s.out.WriteString(t)
}

func (s *inlineText) String() string {
	s.add("")
	return s.out.String()
}

// spaced returns the form in which labels are compared, with one space for a run of white
// space (CommonMark 4.7).
func spaced(label string) string {
	return strings.Join(strings.FieldsFunc(label, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }), " ")
}

func target(dest, title string) string {
	s := " to " + strconv.Quote(dest)
	if title != "" {
		s += " title " + strconv.Quote(title)
	}
	return s
}

// word returns the first word of an info string.
func word(info string) string {
	if end := strings.IndexAny(info, " \t"); end >= 0 {
		info = info[:end]
	}
	return info + " "
}

// reference is the parser that ours is compared with, configured to read the same
// language.
func reference() parser.Parser {
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

// neutralReference returns the neutral form of the other parser's tree.
func neutralReference(in string) string {
	src := []byte(in)
	w := referenceWriter{src: src}
	w.blocks(reference().Parse(text.NewReader(src)), "")
	return w.String()
}

type referenceWriter struct {
	strings.Builder
	src []byte
}

func (w *referenceWriter) line(indent, s string) { w.WriteString(indent + s + "\n") }

func (w *referenceWriter) blocks(n ast.Node, in string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Paragraph:
			w.line(in, "p "+w.inlines(c))
		case *ast.TextBlock:
			w.line(in, "text "+w.inlines(c))
		case *ast.Heading:
			w.line(in, "h"+strconv.Itoa(c.Level)+" "+w.inlines(c))
		case *ast.ThematicBreak:
			w.line(in, "hr")
		case *ast.FencedCodeBlock:
			w.line(in, "code "+word(resolve(c.Language(w.src)))+strconv.Quote(string(c.Lines().Value(w.src))))
		case *ast.CodeBlock:
			s := string(c.Lines().Value(w.src))
			if !strings.HasSuffix(s, "\n") {
				s += "\n"
			}
			w.line(in, "code  "+strconv.Quote(s))
		case *ast.Blockquote:
			w.line(in, "quote")
			w.blocks(c, in+" ")
		case *ast.List:
			if c.IsOrdered() {
				w.line(in, "ol "+strconv.Itoa(c.Start))
			} else {
				w.line(in, "ul")
			}
			for item := c.FirstChild(); item != nil; item = item.NextSibling() {
				w.line(in, "li")
				w.blocks(item, in+" ")
			}
		case *east.Table:
			w.line(in, "table")
			for row := c.FirstChild(); row != nil; row = row.NextSibling() {
				s, column := "row", 0
				for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
					s += " " + map[east.Alignment]string{
						east.AlignNone: "-", east.AlignLeft: "<", east.AlignCenter: "^", east.AlignRight: ">",
					}[c.Alignments[column]] + w.inlines(cell)
					column++
				}
				w.line(in, s)
			}
		case *ast.LinkReferenceDefinition:
			w.line(in, "def "+strconv.Quote(spaced(resolve(c.Label)))+target(resolve(c.Destination), resolve(c.Title)))
		default:
			w.line(in, "? "+c.Kind().String())
		}
	}
}

func (w *referenceWriter) inlines(n ast.Node) string {
	var s inlineText
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			if v := c.Segment.Value(w.src); c.IsRaw() {
				s.text(string(v))
			} else {
				s.text(resolve(v))
			}
			switch {
			case c.HardLineBreak():
				s.end("||")
			case c.SoftLineBreak():
				s.end("|")
			}
		case *ast.String:
			s.text(string(c.Value))
		case *ast.CodeSpan:
			var b strings.Builder
			for t := c.FirstChild(); t != nil; t = t.NextSibling() {
				b.Write(t.(*ast.Text).Segment.Value(w.src))
			}
			s.add("code(" + strconv.Quote(strings.ReplaceAll(b.String(), "\n", " ")) + ")")
		case *ast.Emphasis:
			s.add([]string{"", "em", "strong"}[c.Level] + "(" + w.inlines(c) + ")")
		case *east.Strikethrough:
			s.add("del(" + w.inlines(c) + ")")
		case *ast.Link:
			s.add("a(" + w.inlines(c) + target(resolve(c.Destination), resolve(c.Title)) + ")")
		case *ast.Image:
			s.add("img(" + w.inlines(c) + target(resolve(c.Destination), resolve(c.Title)) + ")")
		case *ast.AutoLink:
			label := c.Label(w.src)
			// A mail address without angle brackets is text for us: nothing could
			// follow it.
			if start := cap(w.src) - cap(label); c.AutoLinkType == ast.AutoLinkEmail && (start == 0 || w.src[start-1] != '<') {
				s.text(string(label))
				continue
			}
			s.add("auto(" + strconv.Quote(string(label)) + ")")
		case *east.TaskCheckBox:
			s.add("box(" + strconv.FormatBool(c.IsChecked) + ")")
		default:
			s.add("?" + c.Kind().String())
		}
	}
	return s.String()
}

// resolve resolves escapes and character references in one pass.
func resolve(s []byte) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		switch {
		case s[i] == '\\' && i+1 < len(s) && util.IsPunct(s[i+1]):
			b.WriteByte(s[i+1])
			i += 2
		case s[i] == '&':
			end := strings.IndexByte(string(s[i:]), ';') + 1
			piece := s[i : i+max(end, 1)]
			value := util.ResolveEntityNames(util.ResolveNumericReferences(piece))
			if end == 0 || strings.ContainsAny(string(piece[1:]), "&\\") {
				b.WriteByte('&')
				i++
				continue
			}
			b.Write(value)
			i += len(piece)
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

package markup

import (
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markdown"
)

// parse reads Markdown, or returns the reason to show it as plain text.
//
// The text is sanitized before it is parsed, so that no invisible character can
// influence the parser, and again when it is written, because a character reference
// can add such a character.
func parse(src string) (*markdown.Node, string) {
	if len(src) > MaxInput {
		return nil, "more than " + strconv.Itoa(MaxInput>>10) + " KiB"
	}
	root, err := markdown.Parse(render.Text(src))
	if err != nil {
		return nil, err.Error()
	}
	return root, ""
}

// safeLine makes text safe inside a line: newlines and tabs, which may come from
// character references, become spaces.
func safeLine(s string) string {
	s = render.Text(s)
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "\t", " ")
}

// codeText returns the text of a code block, with a newline at its end.
func codeText(n *markdown.Node) string {
	s := render.Text(n.Text)
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	return s
}

// language returns the language of a code block, or "" if it is not a plain word.
func language(n *markdown.Node) string {
	lang := strings.ToLower(n.Info)
	if end := strings.IndexAny(lang, " \t"); end >= 0 {
		lang = lang[:end]
	}
	if len(lang) > 32 || strings.Trim(lang, "abcdefghijklmnopqrstuvwxyz0123456789+#-") != "" {
		return ""
	}
	return lang
}

// flat returns the text of the inlines under n without their formatting.
func flat(n *markdown.Node) string {
	if c := n.First; c != nil && c.Next == nil && c.Kind == markdown.Text {
		return safeLine(c.Text)
	}
	var b strings.Builder
	writeFlat(&b, n)
	return b.String()
}

func writeFlat(b *strings.Builder, n *markdown.Node) {
	for c := n.First; c != nil; c = c.Next {
		switch c.Kind {
		case markdown.Text, markdown.Code, markdown.AutoLink:
			b.WriteString(safeLine(c.Text))
		case markdown.SoftBreak, markdown.HardBreak:
			b.WriteByte(' ')
		default:
			writeFlat(b, c)
		}
	}
}

package markup_test

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
)

// checkAll checks the properties of Markdown's and HTML's results for any input.
func checkAll(t *testing.T, in string, limit int) {
	t.Helper()
	opt := markup.Options{MaxBytes: limit}
	md := markup.Markdown(in, opt)
	checkCharacters(t, md)
	checkMarkdown(t, md)
	if limit > 0 && len(md) > limit {
		t.Errorf("Markdown of %q has %d bytes, limit %d", in, len(md), limit)
	}
	fragment := markup.HTML(in, opt)
	checkCharacters(t, fragment)
	checkHTML(t, fragment)
	if limit > 0 && len(fragment) > limit+4096 {
		t.Errorf("HTML of %q has %d bytes, limit %d", in, len(fragment), limit)
	}
}

func checkCharacters(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) || render.Text(out) != out {
		t.Errorf("output is not safe text: %+q", out)
	}
	for _, r := range out {
		if ' ' <= r && r < unicode.MaxASCII {
			continue // Most are: the tables below are slow under the race detector.
		}
		if r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			t.Errorf("output contains %U: %+q", r, out)
		}
	}
}

// checkMarkdown checks Markdown as read by a client that turns every address into a link.
func checkMarkdown(t *testing.T, md string) {
	t.Helper()
	src := []byte(md)
	root := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser().Parse(text.NewReader(src))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.RawHTML, *ast.HTMLBlock, *ast.Image, *ast.Link, *ast.LinkReferenceDefinition:
			t.Errorf("Markdown contains %s: %q", n.Kind(), md)
		case *ast.AutoLink:
			if url := string(n.URL(src)); !strings.HasPrefix(url, "https://") {
				t.Errorf("Markdown contains a link to %q: %q", url, md)
			}
		case *ast.Text:
			if strings.Contains(strings.ReplaceAll(string(n.Segment.Value(src)), `\$(`, " "), "$(") &&
				n.Parent().Kind() != ast.KindCodeSpan {
				t.Errorf("Markdown contains an icon: %q", md)
			}
		}
		return ast.WalkContinue, nil
	})
}

var (
	plainTag = regexp.MustCompile(`^</?(` + strings.Join(markup.Elements(), "|") + `)>$`)
	fullTag  = regexp.MustCompile(`^(<a href="https://[a-z0-9.-]+(:[0-9]+)?([/?#]([!#$%()*+,./0-9:;=?@A-Z_a-z~-]|&amp;)*)?" rel="noreferrer noopener">` +
		`|<ol start="[0-9]+">|<pre data-lang="[a-z0-9+#-]+">|<t[hd] data-align="(left|right|center)">)$`)
)

// frequent lists plain tags that need not be matched with the expression.
var frequent = map[string]bool{"<p>": true, "</p>": true, "<li>": true, "</li>": true, "<em>": true, "</em>": true, "<br>": true, "<td>": true, "</td>": true}

// checkHTML reads a fragment strictly: known tags only, each closed where it
// should be, and no bare < > & in between.
func checkHTML(t *testing.T, fragment string) {
	t.Helper()
	var open []string
	for rest := fragment; rest != ""; {
		start := strings.IndexByte(rest, '<')
		if start < 0 {
			start = len(rest)
		}
		checkContent(t, rest[:start])
		if rest = rest[start:]; rest == "" {
			break
		}
		end := strings.IndexByte(rest, '>') + 1
		tag := rest[:end]
		rest = rest[end:]
		if tag == "<a>" || !frequent[tag] && !plainTag.MatchString(tag) && !fullTag.MatchString(tag) {
			t.Fatalf("HTML has the tag %q: %q", tag, fragment)
		}
		name, _, _ := strings.Cut(strings.Trim(tag, "</>"), " ")
		switch {
		case name == "br" || name == "hr":
		case tag[1] != '/':
			open = append(open, name)
		case len(open) == 0 || open[len(open)-1] != name:
			t.Fatalf("HTML closes %q in %q: %q", name, open, fragment)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Fatalf("HTML leaves %q open: %q", open, fragment)
	}
}

var withoutReferences = strings.NewReplacer("&amp;", "", "&lt;", "", "&gt;", "", "&quot;", "", "&#39;", "")

// checkContent calls Helper only before it fails: it runs for each piece of a large text,
// and Helper takes longer than the check.
func checkContent(t *testing.T, s string) {
	if !strings.ContainsAny(s, `<>&"'`) {
		return
	}
	if strings.ContainsAny(withoutReferences.Replace(s), `<>&"'`) {
		t.Helper()
		t.Errorf("HTML has unescaped content: %q", s)
	}
}

var anyTag = regexp.MustCompile(`<[^>]*>`)

// checkSameText checks that the safe Markdown, read again, has the same text as the HTML of
// the original, apart from white space and markers that were read literally.
func checkSameText(t *testing.T, in string) {
	t.Helper()
	words := func(src string) string {
		s := html.UnescapeString(anyTag.ReplaceAllString(markup.HTML(src, markup.Options{}), ""))
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || strings.ContainsRune("*_~", r) {
				return -1
			}
			return r
		}, s)
	}
	md := markup.Markdown(in, markup.Options{})
	first, second := words(in), words(md)
	if strings.Contains(first+second, "(shownasplaintext:") || strings.Contains(first+second, "(cuthere:") {
		return
	}
	if first != second {
		t.Errorf("%q\nsays       %q\nas Markdown %q\nsays       %q", in, first, md, second)
	}
}

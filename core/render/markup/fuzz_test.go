package markup_test

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/render/markup"
)

// seeds contain the constructs to which the rules apply.
var seeds = []string{
	"", "plain", "# h\n\n- a\n  1. b\n\n> q\n\n```go\nx\n```\n\n|a|b|\n|-|:-:|\n|`x\\|y`|z|",
	"*a **b** _c_* ~~d~~", "***a** b* ___c___", "[a](https://x.test \"t\") ![b](http://y) <https://z.test> <javascript:x>",
	"[a][b]\n\n[b]: command:x 'y'", "<script>x</script> <!-- c --> <![CDATA[d]]> &lt;b&gt; &#x202e;",
	"https://x.test/a_b http://y.test www.z.test m@n.test", "$(trash) \\$(x) &#36;(y)", "- [x] a\n- [ ] b",
	"~~~\nunclosed\n```", "    indented\n\tcode", "a  \nb\\\nc\r\nd\re", "👨\u200d👩 \u202e שלום", "\xff\xed\xa0\x80",
	"- a\n\n\n  b\n-\n\n* c\n+ d", "1) a\n2) b\n\n5. c", "`` ` `` ```` ``` ````", "a\n---\nb\n===", "[a]: b\n[c]: <d> 'e'\nf",
	"|a|\n|-|\n|\\||\n\nx | y", "> - > - a\n> b", "\\# \\- \\1. \\> \\=", "1\\. a\n\n\\+ b\n\n\\- c", "![[a](b)](c) [![a](b)](c)",
}

func FuzzMarkdown(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, i*40)
	}
	f.Fuzz(func(t *testing.T, in string, limit int) {
		checkAll(t, in, 0)
		checkAll(t, in, limit&0xfff)
		checkSameText(t, in)
	})
}

func FuzzHTML(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, i*40, i%8)
	}
	f.Fuzz(func(t *testing.T, in string, limit, top int) {
		out := markup.HTML(in, markup.Options{MaxBytes: limit, TopHeading: top})
		checkHTML(t, out)
		checkCharacters(t, out)
	})
}

// Names are put into any Markdown of the caller.
func FuzzEscape(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, around := range []string{"X", "**X** (Y)", "- X: Y", "| a |\n| - |\n| X |", "# X", "a `b` X"} {
			for _, piece := range []string{markup.Escape(in), markup.Code(in)} {
				if strings.Contains(piece, "\n") || render.Text(piece) != piece {
					t.Errorf("not one safe line: %+q", piece)
				}
				if strings.HasPrefix(piece, "`") && strings.Contains(around, "|") {
					continue // a code span in a table needs its bars escaped
				}
				checkMarkdown(t, strings.ReplaceAll(around, "X", piece))
			}
		}
	})
}

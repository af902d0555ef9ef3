package markdown_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/render/markdown"
)

func TestDiffExplore(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	frag := []string{"*", "**", "_", "__", "`", "``", "a", "b", "word", " ", "  ", "\n", "\n\n", "[", "]", "(", ")", "![", "[a]", "[a]: /u", "(/u)", "(</u> \"t\")", "<https://a.b>", "https://a.b/c", "\\", "\\*", "&amp;", "&#65;", "~~", "~", "> ", "- ", "1. ", "2) ", "    ", "\t", "# ", "---", "===", "```", "~~~", "|", "|a|b|\n|-|:-:|\n", "- [ ] ", "+", ".", "\"", "'", ":", "ä", "“"}
	n := 0
	for i := 0; i < 20000 && n < 40; i++ {
		var b strings.Builder
		for range 2 + r.IntN(12) {
			b.WriteString(frag[r.IntN(len(frag))])
		}
		in := b.String()
		root, err := markdown.Parse(in)
		if err != nil { continue }
		got, want := neutral(root), neutralReference(in)
		if got != want {
			n++
			t.Errorf("%q\nours\n%stheirs\n%s", in, got, want)
		}
	}
}

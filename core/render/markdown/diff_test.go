package markdown_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/render/markdown"
)

// compare compares our tree of a text with the other parser's, and reports whether they
// are the same. A difference is an error unless a deviation explains it.
func compare(t *testing.T, in string) bool {
	t.Helper()
	root, err := markdown.Parse(in)
	if err != nil {
		return true
	}
	diff := cmp.Diff(neutralReference(in), neutral(root))
	if diff != "" && !explained(in) {
		t.Errorf("%q (-reference +ours):\n%s", in, diff)
	}
	return diff == ""
}

func explained(in string) bool {
	for _, d := range deviations {
		if d.applies(in) {
			return true
		}
	}
	return false
}

// Each construct and its edge cases, in texts to which no deviation applies.
func TestLikeTheReference(t *testing.T) {
	for _, in := range corpus {
		if !compare(t, in) && !t.Failed() {
			t.Errorf("%q is not read alike, which a deviation hides", in)
		}
	}
}

func TestDeviations(t *testing.T) {
	for _, d := range deviations {
		t.Run(d.name, func(t *testing.T) {
			if !d.applies(d.example) {
				t.Errorf("%q is not recognized", d.example)
			}
			if compare(t, d.example) {
				t.Errorf("%q is read alike: the rule is not needed (%s)", d.example, d.reason)
			}
		})
	}
}

// fragments are the parts of random texts.
var fragments = []string{
	"*", "**", "***", "_", "__", "`", "``", "~~", "~", "a", "b", "word", " ", "  ", "   ", "    ", "\n", "\n\n", "\t", "ä", "“", "\u00a0",
	"[", "]", "(", ")", "![", "](", "[a]", "[a b]", "[a][b]", "[b][]", "[a]: /u", "[b]: <c d> 'e'\n", "\n\n[A  b]: c\n\n", "(/u)",
	"(</u> \"t\")", "(b \"t\")", "[a](b", "![a](b)", "<https://a.b>", "https://a.b/c", "<a@b.test>", "www.a.test/_x_", "x@y.test", "<b>", "<", ">",
	"\\", "\\*", "\\\n", "  \n", "&amp;", "&#65;", "&nbsp;", "&copy;", "&bogus;",
	"> ", "> > ", "- ", "  - ", "* ", "+", "1. ", "1) ", "2) ", "10. ", "- [ ] ", "[x] ", "# ", "###### ", "---", "===", "=", "-",
	"```", "```go\nx\n```\n", "~~~", "|", "\n\n|a|b|\n|-|:-:|\n|c|d|\n\n", "\n\n|`a\\|b`|\\||\n|-|-|\n|*c|d*|e|\n\n", ".", "\"", "'", ":", "!",
}

// Random texts, the same in each run.
func TestMixturesLikeTheReference(t *testing.T) {
	const texts = 8000
	r := rand.New(rand.NewPCG(1, 2))
	same := 0
	for range texts {
		var b strings.Builder
		for range 2 + r.IntN(16) {
			b.WriteString(fragments[r.IntN(len(fragments))])
		}
		if compare(t, b.String()+"\n") {
			same++
		}
	}
	if same < texts*9/10 {
		t.Errorf("only %d of %d are read alike", same, texts)
	}
	t.Logf("%d of %d are read alike, deviations explain the others", same, texts)
}

// FuzzReference looks for texts that the parsers read in different ways.
func FuzzReference(f *testing.F) {
	for _, in := range corpus {
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if len(in) > 1<<12 || !plain(in) {
			return
		}
		compare(t, in+"\n")
	})
}

// plain reports whether in has only characters that both parsers get: the caller replaces
// others by their number.
func plain(in string) bool {
	for _, r := range in {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == '\ufffd' || r > 0x7f && r < 0xa0 {
			return false
		}
	}
	return true
}

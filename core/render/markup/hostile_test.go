package markup_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/render/markup"
)

// tooLong is the time that no input of MaxInput bytes may take. The worst measured time is
// a tenth of it; the rest is for slow machines and the race detector.
const tooLong = 3 * time.Second

// Each input makes some Markdown parser quadratic, exponential or deep.
func TestHostileInputIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for name, in := range hostileInputs() {
		t.Run(name, func(t *testing.T) {
			var md, fragment string
			var start, mid, end time.Time
			// The best of three: on a busy machine one may wait for others.
			for try := 0; try == 0 || try < 3 && end.Sub(start) > 2*tooLong; try++ {
				start = time.Now()
				md = markup.Markdown(in, markup.Options{})
				mid = time.Now()
				fragment = markup.HTML(in, markup.Options{})
				end = time.Now()
			}
			t.Logf("%d bytes: Markdown %v, %d bytes; HTML %v, %d bytes", len(in),
				mid.Sub(start).Round(time.Millisecond), len(md), end.Sub(mid).Round(time.Millisecond), len(fragment))
			if end.Sub(start) > 2*tooLong {
				t.Errorf("took %v", end.Sub(start))
			}
			checkHTML(t, fragment)
			checkCharacters(t, md)
		})
	}
}

func hostileInputs() map[string]string {
	const size = markup.MaxInput
	// Repeated pieces are a quarter as long under the race detector and in the module, where
	// everything is many times slower: a parser with quadratic time still exceeds the limit.
	row := size
	if raceDetector || runtime.GOOS == "wasip1" {
		row /= 4
	}
	fill := func(s string) string { return strings.Repeat(s, row/len(s)) }
	lines := func(line string) string { return fill(line + "\n") }
	var nested, ticks, defs strings.Builder
	for i := 0; nested.Len()+2*i < size-4; i++ {
		nested.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	for i := 1; ticks.Len()+i < size-1; i++ {
		ticks.WriteString("e" + strings.Repeat("`", i))
	}
	for i := 0; defs.Len() < size-20; i++ {
		fmt.Fprintf(&defs, "[a%d]: b\n", i)
	}
	const paragraphs = 40 // as many brackets or markers in each as the limits allow
	inputs := map[string]string{
		"too long":               strings.Repeat("a", 10*size),
		"nested lists":           nested.String(),
		"growing ticks":          ticks.String(),
		"definitions":            defs.String(),
		"pairs of brackets":      strings.Repeat("[", size/2) + strings.Repeat("]", size/2),
		"brackets per paragraph": strings.Repeat(strings.Repeat("[", 1400)+strings.Repeat("]", 200)+"\n\n", paragraphs),
		"links per paragraph":    strings.Repeat(strings.Repeat("[a](", 400)+"\n\n", paragraphs),
		"one paragraph of links": strings.Repeat("[a](", 1500) + strings.Repeat("a", size-6000),
		"markers per paragraph":  strings.Repeat(strings.Repeat("*a_ ", 400)+"\n\n", paragraphs),
		"one run of markers":     strings.Repeat("*a_ ", 1990) + strings.Repeat("a ", size/2-4000),
		"nested emphasis":        strings.Repeat("*a **a ", 600) + strings.Repeat("b** b* ", 600),
		"deep emphasis":          strings.Repeat("*a ", 1900) + strings.Repeat("b* ", 1900),
		"wide table":             strings.Repeat("a|", size/4) + "\n" + strings.Repeat("-|", size/4-2) + "\n",
		"table of missing cells": strings.Repeat("a|", size/8) + "\n" + strings.Repeat("-|", size/8) + "\n" + strings.Repeat("a\n", size/4),
		"table at the limit":     strings.Repeat("a|", 100) + "\n" + strings.Repeat("-|", 99) + "-\n" + strings.Repeat("a\n", 190),
		"many tables":            strings.Repeat(strings.Repeat("a|", 100)+"\n"+strings.Repeat("-|", 99)+"-\n"+strings.Repeat("a\n", 190)+"\n", size/800),
		"ticks in a table":       "|a|\n|-|\n" + strings.Repeat("|`\\|`|\n", 1900),
		"lazy quote":             strings.Repeat("> ", 16) + "a\n" + strings.Repeat("a\n", size/2-20),
		"lazy list":              strings.Repeat("- ", 16) + "a\n" + strings.Repeat("a\n", size/2-20),
		"empty lines in a list":  strings.Repeat("- ", 16) + "a\n" + strings.Repeat("\n", 1200) + strings.Repeat(" ", 40) + "a",
		"more empty lines":       strings.Repeat("- ", 16) + "a\n" + strings.Repeat("\n", size-40),
		"empty lines":            "- a\n" + strings.Repeat("\n", 19000) + "  a",
		"repeated reference":     "[a]: https://x.test/" + strings.Repeat("a", 2000) + "\n\n" + strings.Repeat("[a] [a] [a]\n\n", 4000),
		"repeated bad reference": "[a]: http://" + strings.Repeat("a", 20000) + "\n\n" + strings.Repeat("[a] [a] [a]\n\n", 3000),
		"spaces in a line":       "a" + strings.Repeat(" ", size-2) + "b",
	}
	for _, s := range []string{
		"[", "]", "[]", "[a](", "![", "[a](<b", "[a](b \"c", "[a]: ", ">", "> ", "- ", "* ", "1. ", "> - ", "- [x] ", "`", "`a ``b ", "`a ``a ```a ",
		"*", "*a", "*a*", "*a **a ", "a**b c* ", "*a_ ", "_a", "~~a ~b ", "**x [a*](d)", "<", "<a:", "<http://a ", "<!--", "<a b='", "<?", "<![CDATA[", "&", "&#", "\\",
		"http://a", "https://a.b", "www.a", "a@", "a@a.", "(www.aa.a(", "https://a.b/(", "# ", "#", "=", "\t", " ", "\u202e", "\xff", "|", "|-", ":-", "$(", "[^1]",
	} {
		inputs["row of "+s] = fill(s)
		inputs["lines of "+s] = lines(s)
		inputs["paragraphs of "+s] = fill(s + "\n\n")
		inputs["after an address "+s] = "https://a.test/" + strings.Repeat(s, (row-20)/len(s))
	}
	return inputs
}

// The worst inputs by measurement, each MaxInput bytes.
func BenchmarkHostile(b *testing.B) {
	inputs := hostileInputs()
	for _, name := range []string{
		"row of [", "row of [a](", "row of ![", "row of *a_ ", "row of `a ``b ", "row of *", "growing ticks", "definitions",
		"pairs of brackets", "row of &", "lines of > ", "nested lists", "table at the limit", "empty lines in a list", "repeated reference",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(inputs[name])))
			for b.Loop() {
				_ = markup.HTML(inputs[name], markup.Options{})
			}
		})
	}
}

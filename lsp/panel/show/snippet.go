package show

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/needle"
	"github.com/signalbox-dev/signalbox/core/render"
)

const (
	// snippetChars is the largest length of a snippet in code points. snippetBefore is about
	// how many bytes come before the first word.
	snippetChars  = 200
	snippetBefore = 48
	// marksMost is the largest number of marks in one snippet.
	marksMost = 32
)

// Snippet returns the line with the first of the words, from the first text that contains one, and
// the nearest lines before and after it that are not blank. If no text contains a word, line is the
// beginning of the first text that is not empty. marks are the places of the words in the line:
// start and length in UTF-16 units, in order and without overlaps.
func Snippet(words []needle.Needle, texts ...string) (before, line, after string, marks [][2]int) {
	text, at, to := "", -1, 0
	for i := 0; i < len(texts) && at < 0; i++ {
		if text == "" {
			text = texts[i]
		}
		for j := range words {
			if start, end := words[j].Find(texts[i], 0); start >= 0 && (at < 0 || start < at) {
				text, at, to = texts[i], start, end
			}
		}
	}
	if at >= 0 {
		var head, tail string
		if i := strings.LastIndexByte(text[:at], '\n'); i >= 0 {
			head, text, at, to = text[:i], text[i+1:], at-i-1, to-i-1
		}
		if i := strings.IndexByte(text[to:], '\n'); i >= 0 {
			text, tail = strings.TrimRight(text[:to+i], "\r"), text[to+i:]
		}
		head = strings.TrimRightFunc(head, unicode.IsSpace)
		before, _ = render.Line(head[strings.LastIndexByte(head, '\n')+1:], snippetChars)
		tail, _, _ = strings.Cut(strings.TrimLeftFunc(tail, unicode.IsSpace), "\n")
		after, _ = render.Line(tail, snippetChars)
	}
	line = lineAround(text, max(at, 0))
	return before, line, after, marksIn(line, words)
}

// lineAround returns one safe line of a text, from a little before the byte at.
func lineAround(text string, at int) string {
	start := at - snippetBefore
	if start <= 0 {
		line, _ := render.Line(text, snippetChars)
		return line
	}
	for start < at && !utf8.RuneStart(text[start]) {
		start++
	}
	if i := strings.IndexAny(text[start:at], " \t\n"); i >= 0 {
		start += i + 1
	}
	line, _ := render.Line(text[start:], snippetChars-1)
	return "…" + line
}

// marksIn returns the places of the words in the shown line. It searches the shown line and not its
// source, so that the places are right if a character is shown as a number.
func marksIn(line string, words []needle.Needle) [][2]int {
	var list [][2]int // in bytes, with ends
	for i := range words {
		for from := 0; len(list) < marksMost; {
			start, end := words[i].Find(line, from)
			if start < 0 {
				break
			}
			list = append(list, [2]int{start, end})
			from = end
		}
	}
	slices.SortStableFunc(list, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	marks := [][2]int{}
	done := 0
	for _, m := range list {
		if start := max(m[0], done); start < m[1] {
			marks = append(marks, [2]int{Units(line[:start]), Units(line[start:m[1]])})
			done = m[1]
		}
	}
	return marks
}

// Units returns the length of a text in UTF-16 units, as editors count.
func Units(s string) (n int) {
	for _, r := range s {
		n++
		if r > 0xffff && r <= utf8.MaxRune {
			n++
		}
	}
	return n
}

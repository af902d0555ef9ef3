// Package edits finds the changes by agents that are still in a file. Start with [Remaining].
package edits

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

const (
	// MaxText is the length of the longest text that is searched for edits.
	MaxText = 1 << 20
	// most is the largest number of edits of a file.
	most = 200
	// editLetters is how many letters and digits an edit must have. Fewer may be braces that
	// every file has.
	editLetters = 12
	// editPlaces is how often a file may have the first line of a part.
	editPlaces = 20
)

// Remaining returns for each edit the longest part that is still in a file's text, sorted by line.
// Edits are given newest first. The lines of a newer edit are not searched for older ones.
func Remaining(file string, edits []panel.FileEdit) (list []panel.Edit) {
	text, edits := linesOf(file), edits[:min(len(edits), most)]
	places := make(map[string][]int)
	for i, line := range text {
		places[line] = append(places[line], i)
	}
	taken := make([]bool, len(text))
	for i := range edits {
		e := edits[i].Edit
		at, n := longest(text, edits[i].Text, places, taken)
		if letters(text[at:at+n]) < editLetters {
			continue
		}
		for k := at; k < at+n; k++ {
			taken[k] = true
		}
		e.Line, e.Lines = at, n
		list = append(list, e)
	}
	slices.SortStableFunc(list, func(a, b panel.Edit) int { return cmp.Compare(a.Line, b.Line) })
	return list
}

// longest returns the longest run of an edit's lines that is in a text, among lines that are not
// taken.
func longest(text, edit []string, places map[string][]int, taken []bool) (at, n int) {
	for from := 0; from+n < len(edit); from++ {
		starts := places[edit[from]]
		if len(starts) > editPlaces {
			continue
		}
		for _, start := range starts {
			run := 0
			for from+run < len(edit) && start+run < len(text) && !taken[start+run] && text[start+run] == edit[from+run] {
				run++
			}
			if run > n {
				at, n = start, run
			}
		}
	}
	return at, n
}

// letters counts the letters and digits of lines.
func letters(lines []string) (n int) {
	for _, line := range lines {
		for _, r := range line {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
	}
	return n
}

// Changed returns the lines of the second text from the first to the last that differs, at most
// most.
func Changed(before, after string, most int) []string {
	o, n := linesOf(before), linesOf(after)
	for len(o) > 0 && len(n) > 0 && o[0] == n[0] {
		o, n = o[1:], n[1:]
	}
	for len(o) > 0 && len(n) > 0 && o[len(o)-1] == n[len(n)-1] {
		o, n = o[:len(o)-1], n[:len(n)-1]
	}
	n = n[:min(len(n), most)]
	for i := range n {
		n[i] = strings.Clone(n[i]) // or the whole text would stay in memory
	}
	return n
}

func linesOf(text string) (list []string) {
	for line := range strings.Lines(text) {
		list = append(list, strings.TrimRight(line, "\r\n"))
	}
	return list
}

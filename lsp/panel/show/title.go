package show

import (
	"iter"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// Plain returns the title that a text in Markdown gives: its first line of [Words], as
// [Title] shows it. A text of other lines alone gives the first of them that says
// anything. A name is no Markdown, and stays as it is: use [Title] for it.
func Plain(s string) string {
	s = excerpt.Head(s, plainBytes)
	for line := range Words(s) {
		return Title(line)
	}
	first := ""
	for line := range strings.Lines(s) {
		switch line = unmarked(line); {
		case spoken(line):
			return Title(strings.Trim(line, "| "))
		case strings.Trim(first, "#>*-+") == "" && line != "":
			first = line
		}
	}
	return Title(first)
}

// plainBytes is how much of a text is read for its title.
const plainBytes = 4 << 10

// Words returns the lines of a text in Markdown that say something in its author's words,
// without the signs of headings, lists, strong text, code and links. It leaves out tables,
// code blocks, quotations and rules. The lines are not safe to show yet.
func Words(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		lines := strings.Split(s, "\n")
		block, table := "", false
		for i, line := range lines {
			line = strings.TrimSpace(line)
			opens := fence().FindString(line)
			table = line != "" && (table || strings.HasPrefix(line, "|") || i+1 < len(lines) && ruled().MatchString(lines[i+1]))
			switch {
			case block != "":
				if strings.HasPrefix(opens, block) && opens == line {
					block = ""
				}
			case opens != "" && !strings.Contains(line[len(opens):], "`"):
				block = opens
			case table, strings.HasPrefix(line, ">"):
			default:
				if line = unmarked(line); spoken(line) && !yield(line) {
					return
				}
			}
		}
	}
}

var (
	fence   = pattern("^(?:`{3,}|~{3,})")
	ruled   = pattern(`^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$`) // the line below a table's head
	opening = pattern(`^(?:\s*(?:#{1,6}|>|[-*+])\s+)+(?:\[[ xX]\]\s+)?`)
	link    = pattern(`!?\[([^\[\]]*)\]\([^()\s]*\)`)
	strongs = []func() *regexp.Regexp{
		pattern(`\*{1,3}([^\s*](?:[^*]*[^\s*])?)\*{1,3}`),
		pattern(`~~([^\s~](?:[^~]*[^\s~])?)~~`),
		pattern(`\b__([^\s_](?:[^_]*[^\s_])?)__\b`),
	}
)

// pattern returns an expression that is compiled when it is asked first: most processes show no
// title.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// unmarked returns a line without the signs of Markdown.
func unmarked(line string) string {
	line = strings.TrimSpace(opening().ReplaceAllString(line, ""))
	if !strings.ContainsAny(line, "*_~`[") {
		return line // as most lines
	}
	line = link().ReplaceAllString(line, "$1")
	line = strings.ReplaceAll(line, "`", "")
	for _, strong := range strongs {
		line = strong().ReplaceAllString(line, "$1")
	}
	return line
}

// spoken reports whether a line holds a letter or a digit.
func spoken(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

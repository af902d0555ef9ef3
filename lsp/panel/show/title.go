package show

import (
	"iter"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/signalbox-dev/signalbox/core/excerpt"
)

// Plain returns the title of a text in Markdown: its first line of [Words], as [Title] shows it. If
// it has no such line, the title is its first line with a letter or digit. Names are not Markdown:
// use [Title] for them.
func Plain(s string) string {
	s = excerpt.Head(s, plainBytes)
	for line := range Words(s) {
		return Title(line)
	}
	first := ""
	for line := range strings.Lines(s) {
		switch line = unmarked(line); {
		case hasText(line):
			return Title(strings.Trim(line, "| "))
		case strings.Trim(first, "#>*-+") == "" && line != "":
			first = line
		}
	}
	return Title(first)
}

// plainBytes is how much of a text is read for its title.
const plainBytes = 4 << 10

// Words returns the lines of a text in Markdown that its author wrote as prose, without the
// characters that mark headings, lists, emphasis, code and links. It leaves out tables, code blocks,
// quotations and rules. The lines are not safe to show yet.
func Words(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		lines := strings.Split(s, "\n")
		block, table := "", false
		for i, line := range lines {
			line = strings.TrimSpace(line)
			opens := fence().FindString(line)
			table = line != "" && (table || strings.HasPrefix(line, "|") || i+1 < len(lines) && tableRule().MatchString(lines[i+1]))
			switch {
			case block != "":
				if strings.HasPrefix(opens, block) && opens == line {
					block = ""
				}
			case opens != "" && !strings.Contains(line[len(opens):], "`"):
				block = opens
			case table, strings.HasPrefix(line, ">"):
			default:
				if line = unmarked(line); hasText(line) && !yield(line) {
					return
				}
			}
		}
	}
}

var (
	fence      = pattern("^(?:`{3,}|~{3,})")
	tableRule  = pattern(`^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$`) // the line below a table's head
	blockMarks = pattern(`^(?:\s*(?:#{1,6}|>|[-*+])\s+)+(?:\[[ xX]\]\s+)?`)
	link       = pattern(`!?\[([^\[\]]*)\]\([^()\s]*\)`)
	emphases   = []func() *regexp.Regexp{
		pattern(`\*{1,3}([^\s*](?:[^*]*[^\s*])?)\*{1,3}`),
		pattern(`~~([^\s~](?:[^~]*[^\s~])?)~~`),
		pattern(`\b__([^\s_](?:[^_]*[^\s_])?)__\b`),
	}
)

// pattern returns a function that compiles an expression at its first call: most processes show no
// title.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// unmarked returns a line without the characters that mark Markdown.
func unmarked(line string) string {
	line = strings.TrimSpace(blockMarks().ReplaceAllString(line, ""))
	if !strings.ContainsAny(line, "*_~`[") {
		return line // most lines have no such characters
	}
	line = link().ReplaceAllString(line, "$1")
	line = strings.ReplaceAll(line, "`", "")
	for _, emphasis := range emphases {
		line = emphasis().ReplaceAllString(line, "$1")
	}
	return line
}

// hasText reports whether a line contains a letter or a digit.
func hasText(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

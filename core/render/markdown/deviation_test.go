package markdown_test

import (
	"html"
	"regexp"
	"strings"

	"github.com/signalbox-dev/signalbox/core/render/markdown"
)

// Our parser follows CommonMark 0.31 and GitHub's description of its extensions, except
// that it reads fewer mail addresses. The list is for random texts: if the two parsers
// differ in a text, one of these must be the reason.

// deviation is a rule in which the two parsers differ intentionally.
type deviation struct {
	name    string
	reason  string
	example string
	applies func(in string) bool // whether the rule may apply to a text
}

var deviations = []deviation{
	{
		"where a bare address begins",
		"GitHub: at the beginning of a line, behind white space or one of *_~(. The other parser also takes one directly behind code or a link, and none behind a tab or a bracket that was closed",
		"`a`https://a.test",
		func(in string) bool { return oddAddress.MatchString(in) },
	},
	{
		"strikethrough between runs of different length",
		"GitHub: one or two tildes on both sides alike",
		"~~a~",
		unlikeTildes,
	},
	{
		"a tilde behind one that is escaped",
		"CommonMark 2.4: an escaped one is text. The other parser takes it for a part of the run",
		"\\~~\\~~\n",
		func(in string) bool { return strings.Contains(in, `\~~`) },
	},
	{
		"what ends a table",
		"GitHub: the beginning of another block, and lines outside of the table's container are not in it. The other parser makes tables of whole paragraphs",
		"|a|\n|-|\n2. b\n",
		func(in string) bool { return delimiterLine.MatchString(in) },
	},
	{
		"a label of white space alone",
		"CommonMark 6.3: it is none, and what stands before it is a shortcut. The other parser takes it for an empty one",
		"[b]: c\n\n[b][ ]\n",
		func(in string) bool { return blankLabel.MatchString(in) },
	},
	{
		"a label of more than 999 characters",
		"CommonMark 4.7: it is none",
		"[" + strings.Repeat("a", 1000) + "]: b\n",
		func(in string) bool { return longLabel.MatchString(in) },
	},
	{
		"open brackets in a destination",
		"CommonMark 6.3: balanced or escaped",
		"[a]: b(\n",
		func(in string) bool { return parens.MatchString(in) },
	},
	{
		"an angle bracket in a destination between such",
		"CommonMark 6.3: it has to be escaped",
		"[](<b c<>)\n",
		func(in string) bool { return angles.MatchString(in) },
	},
	{
		"tabs in front of blocks",
		"CommonMark 2.2: a tab is as wide as it is in its column, also behind a marker",
		"- - \ta\n",
		func(in string) bool { return strings.Contains(in, "\t") },
	},
	{
		"a list in an item that begins with an empty line",
		"CommonMark 5.2: what is indented far enough is in the item",
		"+\n  - a\n",
		func(in string) bool { return emptyItem.MatchString(in) },
	},
	{
		"a definition in a list item",
		"CommonMark 5.3: a list is loose where there are empty lines, and there are none",
		"- [a]: b\n  c\n",
		func(in string) bool { return itemDefinition.MatchString(in) },
	},
	{
		"an empty line in an indented fence",
		"CommonMark 4.5: it loses as much indentation as the others",
		"  ```\n \n",
		func(in string) bool { return indentedFence.MatchString(in) && spaceLine.MatchString(in) },
	},
	{
		"an empty line at the end of a fence in an item",
		"CommonMark 4.5: it is the code's, and so none between two items, which would make the list loose",
		"- ```\n  `\n\n- c\n",
		func(in string) bool { return itemFence.MatchString(in) },
	},
	{
		"names that came with HTML 5",
		"the table of them would be a third of the parser; they stay as they are written",
		"&ac;\n",
		newName,
	},
	{
		"zeros in front of a character's number",
		"CommonMark 2.5: it is decimal. The other parser takes it for octal",
		"&#010;\n",
		func(in string) bool { return strings.Contains(in, "&#0") },
	},
	{
		"characters' numbers of more digits than seven, or six hexadecimal ones",
		"CommonMark 2.5: they are text",
		"&#xff80800;\n",
		func(in string) bool { return longNumber.MatchString(in) },
	},
	{
		"a line that ends in three backslashes",
		"CommonMark 2.4: an escaped backslash, then a hard break",
		"\\\\\\\na\n",
		func(in string) bool { return strings.Contains(in, "\\\\\\\n") },
	},
	{
		"where a task box stands",
		"GitHub: at the beginning of a paragraph, with white space behind it",
		"- # [x] a\n",
		func(in string) bool { return oddBox.MatchString(in) },
	},
	{
		"markers in a bare mail address",
		"it is text, which is where its address would lead, so a marker in it is one",
		"*a*@b.test\n",
		func(in string) bool { return mailMarker.MatchString(in) },
	},
	{
		"a title on the line after a definition with text behind it",
		"CommonMark 4.7: it is text",
		"[a]: b\n\"c\" d\n",
		func(in string) bool { return lateTitle.MatchString(in) },
	},
}

var (
	oddAddress     = regexp.MustCompile(`[^ \n*_~(](https://|www\.)`)
	tildes         = regexp.MustCompile(`~+`)
	delimiterLine  = regexp.MustCompile(`(?m)^[->*+0-9.) \t|:]*-[-| \t:]*$`)
	emptyItem      = regexp.MustCompile(`(?m)([-*+]|[0-9][.)])[ >]*\n`)
	itemDefinition = regexp.MustCompile(`([-*+]|[0-9][.)]) [^\n]*\[[^\n]*\]:`)
	indentedFence  = regexp.MustCompile("(?m)^.* (```|~~~)")
	itemFence      = regexp.MustCompile("(?s)([-*+]|[0-9][.)]).* (```|~~~).*\\n[ >]*\\n")
	spaceLine      = regexp.MustCompile(`(?m)^[ >]+$`)
	references     = regexp.MustCompile(`&[A-Za-z][A-Za-z0-9]*;`)
	oddBox         = regexp.MustCompile(`(?s)#+[ \t]+\[[xX\s]\]|\[[xX\s]\]\S|\[[xX\s]\].*\n.*[-=]`)
	mailMarker     = regexp.MustCompile("[*_~`][^ \n]*@")
	lateTitle      = regexp.MustCompile(`\]:[^\n]*\n([^\n]*\n)?[ >]*["'(]`)
	angles         = regexp.MustCompile(`\]([(:])\s*<[^>]*<`)
	longNumber     = regexp.MustCompile(`&#([0-9]{8}|[xX][0-9a-fA-F]{7})`)
	blankLabel     = regexp.MustCompile(`\]\[\s+\]`)
	longLabel      = regexp.MustCompile(`\[[^\]]{999}[^\]]`)
	parens         = regexp.MustCompile(`\([^)]*\(|\\\)|\([^)]*$`)
)

func unlikeTildes(in string) bool {
	runs := map[int]bool{}
	for _, run := range tildes.FindAllString(in, -1) {
		runs[len(run)] = true
	}
	return len(runs) > 1
}

// newName reports whether there is a reference that only the other parser knows.
func newName(in string) bool {
	for _, name := range references.FindAllString(in, -1) {
		if root, err := markdown.Parse(name); err == nil && root.First.First.Text == name && html.UnescapeString(name) != name {
			return true
		}
	}
	return false
}

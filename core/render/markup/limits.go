package markup

import (
	"fmt"
	"strings"
)

// The limits keep goldmark's time around a tenth of a second for the worst known
// input of MaxInput bytes. Each answers one shape for which the parser is quadratic
// or worse (a table of 16 KB took five seconds); hostile_test.go has them all. They
// are far above what people and agents write.
const (
	maxDepth   = 64    // of the parsed tree, blocks and inlines together
	maxMarkers = 16    // quote and list markers opened in one line
	maxCells   = 20000 // of all tables, empty ones included
	maxBlank   = 20000 // empty lines times the most markers in a line

	// Within one run of lines without an empty line between them:
	maxBrackets = 1500
	maxSearch   = 16 << 20 // brackets times bytes: each may look for its end
	maxDelims   = 4000     // of * _ ~ and `
)

// hostile returns why src should not be given to the parser, or "".
func hostile(src string) string {
	if len(src) > MaxInput {
		return fmt.Sprintf("more than %d KiB", MaxInput>>10)
	}
	var brackets, delims, size, lines, columns, cells, blank, markers int
	for line := range strings.Lines(src) {
		if strings.TrimSpace(line) == "" {
			blank++
			cells += columns * lines
			brackets, delims, size, lines, columns = 0, 0, 0, 0, 0
			continue
		}
		lines++
		size += len(line)
		brackets += strings.Count(line, "[")
		delims += countDelims(line)
		columns = max(columns, delimiterRow(line))
		markers = max(markers, leadingMarkers(line))
		switch {
		case brackets > maxBrackets || brackets*size > maxSearch:
			return "too many brackets"
		case delims > maxDelims:
			return "too many markers"
		case cells+columns*lines > maxCells:
			return "too large a table"
		case markers > maxMarkers:
			return "nested too deeply"
		}
	}
	if markers*blank > maxBlank {
		return "too many empty lines"
	}
	return ""
}

func countDelims(line string) int {
	n := 0
	for i := range len(line) {
		switch line[i] {
		case '*', '_', '~', '`':
			n++
		}
	}
	return n
}

// leadingMarkers counts the markers of quotes and list items with which a line
// begins; each opens a container inside the one before.
func leadingMarkers(line string) int {
	if strings.Trim(line, "-* \t\r\n") == "" {
		return 0 // a thematic break
	}
	n := 0
	for i := range len(line) {
		gap := i+1 == len(line) || strings.IndexByte(" \t\r\n", line[i+1]) >= 0
		switch c := line[i]; {
		case c == '>':
			n++
		case c == '-' || c == '*' || c == '+':
			if !gap {
				return n
			}
			n++
		case c == '.' || c == ')':
			if !gap || i == 0 || !isAlnum(line[i-1]) {
				return n
			}
			n++
		case c != ' ' && c != '\t' && (c < '0' || c > '9'):
			return n
		}
	}
	return n
}

// delimiterRow returns the number of columns if the line can be the second line
// of a table.
func delimiterRow(line string) int {
	if strings.Trim(line, "|-: \t\r\n>*+0123456789.)") != "" || !strings.Contains(line, "-") {
		return 0
	}
	return strings.Count(line, "|") + 1
}

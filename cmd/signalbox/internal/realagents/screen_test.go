//go:build agents

package realagents

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// screen is what a terminal shows at one moment: programs draw their dialogs over others, so that
// a dialog that has closed is still in all that the terminal was sent.
type screen struct {
	cells       [][]rune
	row, column int
	top, bottom int // the rows that scroll
	saved       [2]int
	rest        string // the beginning of a sequence whose end has not come
}

func newScreen(columns, rows int) *screen {
	s := &screen{bottom: rows - 1}
	for range rows {
		s.cells = append(s.cells, blank(columns))
	}
	return s
}

func blank(columns int) []rune { return slices.Repeat([]rune{' '}, columns) }

// write draws what a program sends.
func (s *screen) write(sent string) {
	sent = s.rest + sent
	for s.rest = ""; sent != ""; {
		if sent[0] == '\x1b' {
			at := escape.FindStringIndex(sent)
			if at == nil || at[0] != 0 {
				s.rest = sent // its end comes later
				return
			}
			s.sequence(sent[1:at[1]])
			sent = sent[at[1]:]
			continue
		}
		r, size := utf8.DecodeRuneInString(sent)
		if !utf8.FullRuneInString(sent) {
			s.rest = sent
			return
		}
		s.put(r)
		sent = sent[size:]
	}
}

// String returns the words of the screen, with one space between them.
func (s *screen) String() string {
	var b strings.Builder
	for _, row := range s.cells {
		b.WriteString(string(row) + "\n")
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func (s *screen) put(r rune) {
	switch {
	case r == '\r':
		s.column = 0
	case r == '\n':
		s.down()
	case r == '\b':
		s.column = max(0, s.column-1)
	case r >= ' ':
		if s.column == len(s.cells[0]) {
			s.column = 0
			s.down()
		}
		s.cells[s.row][s.column] = r
		s.column++
	}
}

func (s *screen) down() {
	if s.row == s.bottom {
		s.scroll(s.top, 1)
		return
	}
	s.row = min(s.row+1, len(s.cells)-1)
}

// scroll takes rows out at a place and lets empty ones in at the end of what scrolls, or the
// other way round for a number below zero.
func (s *screen) scroll(at, n int) {
	for range max(n, -n) {
		out, in := at, s.bottom
		if n < 0 {
			out, in = s.bottom, at
		}
		s.cells = slices.Insert(slices.Delete(s.cells, out, out+1), in, blank(len(s.cells[0])))
	}
}

// sequence obeys a sequence that moves the cursor or erases; what sets colors, modes or a title
// is passed over.
func (s *screen) sequence(seq string) {
	switch {
	case seq == "7":
		s.saved = [2]int{s.row, s.column}
	case seq == "8":
		s.row, s.column = s.saved[0], s.saved[1]
	case seq == "M" && s.row == s.top:
		s.scroll(s.top, -1)
	case seq == "M":
		s.row = max(0, s.row-1)
	case seq == "[?1049h", seq == "[?1049l", seq == "c":
		s.erase(0, len(s.cells)*len(s.cells[0]))
	case seq[0] == '[' && !strings.ContainsAny(seq, "?<=>"):
		s.control(seq[len(seq)-1], seq[1:len(seq)-1])
	}
}

func (s *screen) control(verb byte, params string) {
	numbers := strings.Split(params, ";")
	n := func(i, without int) int {
		if i < len(numbers) {
			if v, err := strconv.Atoi(numbers[i]); err == nil && (v > 0 || without == 0) {
				return v
			}
		}
		return without
	}
	columns, rows := len(s.cells[0]), len(s.cells)
	at := s.row*columns + min(s.column, columns-1)
	switch verb {
	case 'A', 'F':
		s.row -= n(0, 1)
	case 'B', 'E', 'e':
		s.row += n(0, 1)
	case 'C', 'a':
		s.column += n(0, 1)
	case 'D':
		s.column -= n(0, 1)
	case 'G', '`':
		s.column = n(0, 1) - 1
	case 'd':
		s.row = n(0, 1) - 1
	case 'H', 'f':
		s.row, s.column = n(0, 1)-1, n(1, 1)-1
	case 'J':
		s.erase([]int{at, 0, 0, 0}[n(0, 0)&3], []int{rows * columns, at + 1, rows * columns, 0}[n(0, 0)&3])
	case 'K':
		s.erase([]int{at, s.row * columns, s.row * columns}[n(0, 0)%3], []int{(s.row + 1) * columns, at + 1, (s.row + 1) * columns}[n(0, 0)%3])
	case 'X':
		s.erase(at, min(at+n(0, 1), (s.row+1)*columns))
	case 'P':
		row := slices.Delete(s.cells[s.row], at%columns, min(at%columns+n(0, 1), columns))
		s.cells[s.row] = append(row, blank(columns-len(row))...)
	case 'L':
		s.scroll(s.row, -n(0, 1))
	case 'M':
		s.scroll(s.row, n(0, 1))
	case 'S':
		s.scroll(s.top, n(0, 1))
	case 'T':
		s.scroll(s.top, -n(0, 1))
	case 'r':
		s.top, s.bottom = n(0, 1)-1, min(n(1, rows), rows)-1
		s.row, s.column = 0, 0
	case 's':
		s.saved = [2]int{s.row, s.column}
	case 'u':
		s.row, s.column = s.saved[0], s.saved[1]
	}
	if verb == 'E' || verb == 'F' {
		s.column = 0
	}
	s.row, s.column = min(max(s.row, 0), rows-1), min(max(s.column, 0), columns-1)
}

// erase empties cells, counted from the first one of the first row.
func (s *screen) erase(from, to int) {
	columns := len(s.cells[0])
	for i := from; i < to; i++ {
		s.cells[i/columns][i%columns] = ' '
	}
}

// TestAgentsScreen: what was drawn over is not shown any more.
func TestAgentsScreen(t *testing.T) {
	for name, c := range map[string]struct{ sent, want string }{
		"plain":                {"one\r\ntwo", "one two"},
		"a line is drawn over": {"a dialog\r\x1b[Kdone", "done"},
		"above, and erased":    {"a\r\nb\r\nc\x1b[2A\r\x1b[Jd", "d"},
		"colors and titles":    {"\x1b]0;title\x07\x1b[1;31mred\x1b[0m\x1b(B\x1bP+q\x1b\\", "red"},
		"it scrolls":           {"1\r\n2\r\n3\r\n4\r\n5", "2 3 4 5"},
		"a part scrolls":       {"\x1b[2;3r\x1b[1;1H1\x1b[2;1H2\x1b[3;1H3\x1b[4;1H4\x1b[3;1H\n5", "1 3 5 4"},
		"rows are let in":      {"1\r\n2\x1b[1;1H\x1b[L0", "0 1 2"},
		"rows are taken out":   {"1\r\n2\x1b[1;1H\x1b[M", "2"},
		"it is wrapped":        {"0123456789abc", "0123456789 abc"},
		"another screen":       {"dialog\x1b[?1049hfull\x1b[2J\x1b[Hnew", "new"},
	} {
		for cut := range len(c.sent) { // in two pieces
			s := newScreen(10, 4)
			s.write(c.sent[:cut])
			s.write(c.sent[cut:])
			if got := s.String(); got != c.want {
				t.Errorf("%s, cut at %d: %q, want %q", name, cut, got, c.want)
			}
		}
	}
}

package cli

import (
	"bufio"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// Number returns a count, or "-" for none.
func Number(n int) string {
	if n == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// Age returns a duration in its largest unit.
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "ahead"
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}

// Table writes rows in columns, the first row bold. The last column is not padded.
func Table(w *bufio.Writer, paint Paint, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for at, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell)
			if i < len(row)-1 {
				b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		text := strings.TrimRight(b.String(), " ")
		if at == 0 {
			text = paint.In(Bold, text)
		}
		w.WriteString(text + "\n")
	}
}

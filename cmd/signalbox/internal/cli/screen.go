package cli

import (
	"os"
	"strconv"

	"golang.org/x/term"
)

// OnScreen reports whether the output is text for a person: it goes to a terminal and
// isn't JSON. All other output is for programs and stays complete and exact.
func (o *Options) OnScreen() bool { return o.Terminal && !o.JSON && !o.Scripted }

// defaultColumns is the width of a terminal that does not report its width.
const defaultColumns = 80

// Columns returns how wide the terminal is, or 0 if there is none.
func (o *Options) Columns() int {
	if !o.OnScreen() {
		return 0
	}
	if n, err := strconv.Atoi(o.Env.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	screen, _ := o.Stdout.(*os.File)
	if paged, ok := o.Stdout.(*pager); ok {
		screen = paged.screen
	}
	if screen != nil {
		if n, _, err := term.GetSize(int(screen.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return defaultColumns
}

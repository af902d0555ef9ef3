package cli

import (
	"os"
	"strconv"

	"golang.org/x/term"
)

// OnScreen reports whether a person reads the text that is written: it goes to a terminal
// and is no JSON. Everything else is for programs and stays complete and exact.
func (o *Options) OnScreen() bool { return o.Terminal && !o.JSON && !o.Scripted }

// defaultColumns is the width of a terminal that does not say how wide it is.
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

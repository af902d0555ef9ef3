package mail

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

// lister writes a list of messages: as a table on a screen, and otherwise with the printer.
type lister struct {
	*printer
	o     *commands
	ctx   context.Context
	dir   *box.Dir // nil where the list has no short ids
	me    string
	table *cli.Table
	rows  []listed
	// listed is how many rows were written, and shown their messages.
	listed int
	shown  []shownMessage
	// whole is set if there are too many messages to shorten their ids.
	whole bool
	// clock is set for a list that never ends: it has clock times and no numbers.
	clock bool
}

type listed struct {
	samp.Found
	marks []string
}

// maxNamed is how many messages a list may have for their ids to be shortened.
const maxNamed = 1000

// lister returns a lister for the given number of messages.
func (o *commands) lister(ctx context.Context, w *bufio.Writer, d *box.Dir, me string, messages int) *lister {
	l := &lister{printer: o.printer(w), o: o, ctx: ctx, dir: d, me: me, whole: messages > maxNamed}
	if o.OnScreen() {
		l.table = o.Table(w, cli.Column{Title: "#"}, cli.Column{Title: "ID"}, cli.Name("FROM"), cli.Column{Title: "WHEN"},
			cli.Column{Title: "MESSAGE", Least: 20}, cli.Column{Title: "THREAD", Least: 12})
	}
	return l
}

func (l *lister) add(m *samp.Found, marks ...string) {
	if l.table == nil {
		l.message(m, marks...)
		return
	}
	l.rows = append(l.rows, listed{box.Clone(m), withCopy(m, marks)})
	if len(l.rows) == maxNamed {
		l.flush()
	}
}

func (l *lister) flush() {
	if l.table == nil {
		return
	}
	keys, seen := make([]string, len(l.rows)), make(map[string]int, len(l.rows))
	for i := range l.rows {
		keys[i] = l.rows[i].Key
		seen[keys[i]]++
	}
	ids := l.o.shortIDs(l.ctx, l.dir, keys, l.whole)
	for i := range l.rows {
		m := &l.rows[i]
		if seen[m.Key] > 1 {
			// Somebody wrote under the id of another message.
			ids[i] = cli.Line(m.FullToken())
		}
		l.listed++
		number, when := fmt.Sprint(l.listed), l.o.When(show.Millis(m.TS))
		if l.clock {
			number, when = "", cli.Clock(show.Millis(m.TS))
		} else if len(l.shown) < maxNumber {
			l.shown = append(l.shown, shownMessage{m.Key, m.From})
		}
		text := string(appendFirst(nil, m.Body, cli.MaxName))
		if len(m.marks) > 0 {
			text = "[" + strings.Join(m.marks, ", ") + "] " + text
		}
		l.table.Row(
			cli.Cell{Text: number, Style: cli.Dim}, cli.Cell{Text: ids[i], Style: cli.Yellow}, cli.Cell{Text: cli.Fit(m.From, l.o.Columns()/5), Style: cli.Bold},
			cli.Cell{Text: when}, cli.Cell{Text: text}, cli.Cell{Text: cli.Line(threadTitle(m.Thread)), Style: cli.Dim},
		)
	}
	l.rows = l.rows[:0]
	l.table.Write()
}

func (l *lister) end() {
	l.flush()
	if l.table != nil && l.dir != nil {
		l.o.remember(l.ctx, l.dir.ID(), l.me, l.shown)
	}
}

// threadTitle returns the name of a thread without the day at its beginning, if it has one.
func threadTitle(thread string) string {
	if len(thread) > len(time.DateOnly)+1 && thread[len(time.DateOnly)] == '-' {
		if _, err := time.Parse(time.DateOnly, thread[:len(time.DateOnly)]); err == nil {
			return thread[len(time.DateOnly)+1:]
		}
	}
	return thread
}

// shortIDs returns the ids of messages, shortened as "signalbox cat" takes them: to the
// shortest prefix that no other message of the directory has.
func (o *commands) shortIDs(ctx context.Context, d *box.Dir, keys []string, whole bool) []string {
	ids := make([]string, len(keys))
	var need []int
	if d != nil && !whole {
		var err error
		if need, err = d.Prefixes(ctx, keys); err != nil {
			o.Warn("ids are not shortened: %v", err)
		}
	}
	for i, key := range keys {
		if need != nil {
			key = key[:min(max(need[i], cli.MinPrefix), len(key))]
		}
		ids[i] = cli.Line(key)
	}
	return ids
}

package mail

import (
	"bufio"
	"context"
	"fmt"
	"unicode/utf16"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

// hits writes the hits of a search, with the lines around each: as a table on a screen, and
// otherwise below a line with the message's sender and thread.
type hits struct {
	*seeking
	ctx   context.Context
	w     *bufio.Writer
	paint cli.Paint
	table *cli.Table
	held  []panel.SearchHit
	found int
	shown []shownMessage
}

func newHits(ctx context.Context, s *seeking, w *bufio.Writer) *hits {
	l := &hits{seeking: s, ctx: ctx, w: w, paint: s.Paint()}
	if s.OnScreen() {
		l.table = s.Table(w, cli.Column{Title: "#"}, cli.Column{}, cli.Column{Title: "ID"}, cli.Name("FROM"), cli.Column{Title: "WHEN"},
			cli.Column{Title: "MESSAGE", Least: 20}, cli.Column{Title: "THREAD", Least: 12})
	}
	return l
}

func (l *hits) add(h *panel.SearchHit) error {
	l.found++
	switch {
	case l.JSON:
		return cli.WriteJSON(l.w, h)
	case l.table == nil:
		l.text(h)
		return nil
	}
	if l.held = append(l.held, *h); len(l.held) == maxNamed {
		l.flush(false)
	}
	return nil
}

func (l *hits) end(more bool) {
	if l.table == nil {
		return
	}
	l.flush(true)
	if more {
		l.w.WriteString(l.paint.In(cli.Dim, fmt.Sprintf("the newest %d: --limit N shows more, --limit 0 all", l.found)) + "\n")
	}
}

// flush writes the rows that were held back. The last call saves the numbers of all rows.
func (l *hits) flush(last bool) {
	o := &commands{l.Options}
	d, err := o.Box().Open()
	if err == nil {
		defer d.Close()
	} // without the directory no hit has a short id or number
	var keys []string
	for i := range l.held {
		if from, id, ok := mailOf(&l.held[i], d); ok {
			keys = append(keys, id)
			l.shown = append(l.shown, shownMessage{id, from})
		} else {
			l.shown = append(l.shown, shownMessage{})
		}
	}
	ids := o.shortIDs(l.ctx, d, keys, l.found > maxNamed)
	for i := range l.held {
		h := &l.held[i]
		id := cli.Cell{Text: kindOf(h.Protocol), Style: cli.Dim}
		if _, _, ok := mailOf(h, d); ok {
			id = cli.Cell{Text: ids[0], Style: cli.Yellow}
			ids = ids[1:]
		}
		l.row(h, l.found-len(l.held)+i+1, id)
	}
	l.held = l.held[:0]
	l.table.Write()
	if me, err := o.Alias(); last && d != nil && err == nil {
		o.remember(l.ctx, d.ID(), me, l.shown[:min(len(l.shown), maxNumber)])
	}
}

func (l *hits) row(h *panel.SearchHit, number int, id cli.Cell) {
	unread, style := "", ""
	if h.Unread {
		unread, style = "*", cli.Bold
	}
	text := snippetCell(h)
	if h.Trust.Level == "warn" {
		text = cli.Cell{Text: "[" + cli.Line(h.Trust.Label) + "] " + text.Text, Style: cli.Red}
	}
	l.around(h.Before)
	l.table.Row(
		cli.Cell{Text: fmt.Sprint(number), Style: cli.Dim}, cli.Cell{Text: unread, Style: style}, id, cli.Cell{Text: cli.Fit(h.From, l.Columns()/5), Style: cli.Bold},
		cli.Cell{Text: l.When(h.Time)}, text, cli.Cell{Text: cli.Line(h.Title), Style: cli.Dim},
	)
	l.around(h.After)
}

func (l *hits) around(line string) {
	if line == "" {
		return
	}
	if l.table != nil {
		l.table.Row(cli.Cell{}, cli.Cell{}, cli.Cell{}, cli.Cell{}, cli.Cell{}, cli.Cell{Text: line, Style: cli.Dim}, cli.Cell{})
		return
	}
	l.w.WriteString("    " + l.paint.In(cli.Dim, line) + "\n")
}

// mailOf returns the sender and id of a hit that is mail of the directory.
func mailOf(h *panel.SearchHit, d *box.Dir) (from, id string, ok bool) {
	if d == nil || h.Protocol != string(mail.SAMP) || h.Message.Store != d.ID() {
		return "", "", false
	}
	return h.Message.Message()
}

// kindOf returns the kind of a message by its format, in the words of the commands.
func kindOf(protocol string) string {
	switch mail.Protocol(protocol) {
	case mail.AMP:
		return "amp"
	case mail.AGN:
		return "task"
	case mail.ATSF, mail.Session:
		return "thread"
	}
	return "mail"
}

// shownBefore is about how many characters are shown before the first match.
const shownBefore = 12

// snippetCell returns the snippet of a hit from shortly before the first match, with the
// matches highlighted.
func snippetCell(h *panel.SearchHit) cli.Cell {
	units := utf16.Encode([]rune(h.Snippet))
	text, from := "", 0
	if len(h.Marks) > 0 && h.Marks[0][0] > 2*shownBefore {
		from = h.Marks[0][0] - shownBefore
		for from < h.Marks[0][0] && units[from-1] != ' ' {
			from++
		}
		text = "…"
	}
	var highlights [][2]int
	for _, m := range h.Marks {
		text += string(utf16.Decode(units[from:m[0]]))
		begin := len(text)
		from = m[0] + m[1]
		text += string(utf16.Decode(units[m[0]:from]))
		highlights = append(highlights, [2]int{begin, len(text)})
	}
	return cli.Cell{Text: text + string(utf16.Decode(units[from:])), Highlights: highlights}
}

// text writes one hit: its time, sender and thread, and the matching line with the lines around it.
func (l *hits) text(h *panel.SearchHit) {
	mark := " "
	if h.Unread {
		mark = "*"
	}
	who := h.From
	if h.To != "" {
		who += " -> " + h.To
	}
	fmt.Fprintf(l.w, "%s %s  %-4s  %s  %s", mark, cli.Minute(h.Time), h.Protocol, cli.Line(who), l.paint.In(cli.Bold, cli.Line(h.Title)))
	if h.Name != "" && h.Name != h.Title {
		l.w.WriteString("  " + l.paint.In(cli.Dim, cli.Line(h.Name)))
	}
	if h.Trust.Level == "warn" {
		l.w.WriteString("  " + l.paint.In(cli.Red, "["+cli.Line(h.Trust.Label)+"]"))
	}
	l.w.WriteString("\n")
	l.around(h.Before)
	l.w.WriteString("    ")
	at := 0
	units := utf16.Encode([]rune(h.Snippet))
	for _, m := range h.Marks {
		l.w.WriteString(string(utf16.Decode(units[at:m[0]])) + l.paint.In(cli.Yellow, string(utf16.Decode(units[m[0]:m[0]+m[1]]))))
		at = m[0] + m[1]
	}
	l.w.WriteString(string(utf16.Decode(units[at:])) + "\n")
	l.around(h.After)
}

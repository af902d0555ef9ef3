package main

import (
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/render"
)

// diff writes a change as the lines that went and those that came. What begins
// and ends alike is left out, but for a few lines around.
func (p *talkPrinter) diff(d *atsf.Diff) {
	what := "diff "
	if d.Created {
		what = "new file "
	}
	p.part(what + d.Path)
	was, now := diffLines(d.Old), diffLines(d.New)
	const around = 3
	same := 0
	for same < len(was) && same < len(now) && was[same] == now[same] {
		same++
	}
	end := 0
	for end < len(was)-same && end < len(now)-same && was[len(was)-1-end] == now[len(now)-1-end] {
		end++
	}
	if same == len(was) && same == len(now) {
		p.part("(no change)")
		return
	}
	from := max(0, same-around)
	to := min(end, around)
	p.part(fmt.Sprintf("@@ -%d,%d +%d,%d @@", from+1, len(was)-end+to-from, from+1, len(now)-end+to-from))
	p.diffPart(was[from:same], "      |  ", "")
	p.diffPart(was[same:len(was)-end], "      | -", red)
	p.diffPart(now[same:len(now)-end], "      | +", green)
	p.diffPart(was[len(was)-end:len(was)-end+to], "      |  ", "")
}

const green = "\x1b[32m"

func (p *talkPrinter) diffPart(lines []string, mark, style string) {
	for _, l := range lines {
		text := mark + render.Text(l)
		if style != "" {
			text = p.paint.in(style, text)
		}
		p.w.WriteString(text + "\n")
	}
}

// diffLines cuts a text into lines. A last line without an end is one, too.
func diffLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

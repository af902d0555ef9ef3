package thread

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/render"
)

// diff writes a change as removed and added lines, with a few lines around them.
func (p *talkPrinter) diff(d *atsf.Diff) {
	what := "diff "
	if d.Created {
		what = "new file "
	}
	p.part(what + d.Path)
	text := string(diff.Diff("a", []byte(d.Old), "b", []byte(d.New)))
	if text == "" {
		p.part("(no change)")
		return
	}
	// Before the first hunk are the two file names, which aren't the real path.
	_, hunks, _ := strings.Cut(text, "\n@@")
	for line := range strings.Lines("@@" + hunks) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "@@") {
			p.part(line)
			continue
		}
		line = "      | " + render.Text(line)
		switch line[len("      | ")] {
		case '-':
			line = p.paint.In(cli.Red, line)
		case '+':
			line = p.paint.In(cli.Green, line)
		}
		p.w.WriteString(line + "\n")
	}
}

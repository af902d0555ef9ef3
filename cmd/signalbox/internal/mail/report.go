package mail

import (
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// report warns about logs and lines that could not be used.
func (p *commands) report(m *store.Mail) {
	for _, problem := range m.Problems {
		p.Warn("%s", cli.ProblemText(problem.File, problem.Reason, "", problem.Rule))
	}
	if m.Malformed > 0 {
		p.Warn("%s skipped (see \"signalbox validate\")", cli.Plural(m.Malformed, "malformed line"))
	}
	counts := make(map[[2]string]int)
	var order [][2]string
	for i := range m.Suspicious {
		k := [2]string{m.Suspicious[i].Stem, m.Suspicious[i].From}
		if counts[k]++; counts[k] == 1 {
			order = append(order, k)
		}
	}
	for _, k := range order {
		said := "is not shown: it claims"
		if counts[k] > 1 {
			said = "are not shown: they claim"
		}
		p.Warn("%s in log-%s may be forged and %s to be from %s (see \"signalbox validate\")", cli.Plural(counts[k], "message"), samp.ShowAlias(k[0]), said, samp.ShowAlias(k[1]))
	}
}

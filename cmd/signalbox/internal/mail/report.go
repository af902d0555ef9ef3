package mail

import (
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// report says on stderr what a pass over the logs could not use.
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
		verb := "claims"
		if counts[k] > 1 {
			verb = "claim"
		}
		p.Warn("%s in log-%s %s to be from %s and may be forged: not shown (see \"signalbox validate\")", cli.Plural(counts[k], "record"), samp.ShowAlias(k[0]), verb, samp.ShowAlias(k[1]))
	}
}

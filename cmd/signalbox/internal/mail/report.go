package mail

import (
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
)

// report warns about logs and lines of a directory that could not be read. Bad lines of
// a log are reported once, and afterwards only counted.
func (p *commands) report(d *box.Dir, m *box.Mail) {
	for _, problem := range m.Problems {
		p.Warn("%s", cli.ProblemText(problem.File, problem.Reason, "", problem.Rule))
	}
	at := ""
	if d != nil {
		at = d.ID()
	}
	news := p.news(at, m)
	bad, old := 0, make(map[string]int) // by log
	for log, lines := range m.Bad {
		if news[badMark(at, log)] {
			bad += lines.Count
		} else {
			old[log] += lines.Count
		}
	}
	if bad > 0 {
		p.Warn("%s skipped (see \"signalbox validate\")", cli.Plural(bad, "malformed line"))
	}
	counts := make(map[[2]string]int)
	var order [][2]string
	for i := range m.Suspicious {
		f := &m.Suspicious[i]
		if log := samp.LogName(f.Stem); !news[forgedMark(at, log)] {
			old[log]++
			continue
		}
		k := [2]string{f.Stem, f.From}
		if counts[k]++; counts[k] == 1 {
			order = append(order, k)
		}
	}
	for _, k := range order {
		claim := "is not shown: it claims"
		if counts[k] > 1 {
			claim = "are not shown: they claim"
		}
		p.Warn("%s in log-%s may be forged and %s to be from %s (see \"signalbox validate\")", cli.Plural(counts[k], "message"), samp.ShowAlias(k[0]), claim, samp.ShowAlias(k[1]))
	}
	p.counted(old)
}

func badMark(dir, log string) string    { return dir + "/bad/" + log }
func forgedMark(dir, log string) string { return dir + "/forged/" + log }

// news returns the marks of a directory's logs that were not reported before: all of
// them for scripts, which match the output, and for a directory without an id.
func (p *commands) news(at string, m *box.Mail) map[string]bool {
	marks := make(map[string]int64)
	for log, lines := range m.Bad {
		marks[badMark(at, log)] = lines.Last
	}
	for i := range m.Suspicious {
		f := &m.Suspicious[i]
		name := forgedMark(at, samp.LogName(f.Stem))
		marks[name] = max(marks[name], f.Offset)
	}
	if at != "" && !p.Scripted {
		return p.News(marks)
	}
	all := make(map[string]bool)
	for name := range marks {
		all[name] = true
	}
	return all
}

// counted warns how many lines were reported before. old counts them by log.
func (p *commands) counted(old map[string]int) {
	n, where := 0, ""
	for log, lines := range old {
		n, where = n+lines, "log-"+samp.ShowAlias(stemOf(log))
	}
	if len(old) > 1 {
		where = cli.Plural(len(old), "log")
	}
	if n > 0 {
		p.Warn("%s in %s cannot be shown, as reported before; \"signalbox validate\" lists them", cli.Plural(n, "line"), where)
	}
}

// stemOf returns the writer's alias in a log's name.
func stemOf(log string) string {
	if stem, ok := samp.LogStem(log); ok {
		return stem
	}
	return log
}

package amp

import (
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	signed "github.com/signalbox-dev/signalbox/lsp/panel/source/amp"
)

// problemsShown is how many problems a command lists. doctor lists more.
const problemsShown = 5

// complain warns about problems of the mailboxes that are shown. Otherwise an inbox
// that cannot be read would look empty.
func (a *Commands) complain(p *post, about func(path string) bool) {
	more := 0
	for i, said := 0, 0; i < len(p.Problems); i++ {
		problem := &p.Problems[i]
		if !about(problem.Path) {
			continue
		}
		if said++; said > problemsShown {
			more++
			continue
		}
		where := problem.Path
		if where != "" {
			where += ":"
		}
		a.Warn("%s", cli.Line(cli.ProblemText(where, problem.Reason, problem.Advice, problem.Rule)))
	}
	if more > 0 {
		a.Warn("there are %s on what is shown (\"signalbox doctor\" lists them)", cli.Plural(more, "further remark"))
	}
}

// inMine reports whether a problem at a path concerns the user: it is in their own
// mailbox, or outside all mailboxes, where it may hide one. Without a mailbox of their
// own all problems concern them.
func (p *post) inMine(path string) bool {
	of, _ := p.boxOf(path)
	return p.Own.Mailbox == nil || path == "" || path == "agents" || of == p.Own.Mailbox
}

// inOther returns a function for problems in a mailbox that may be somebody else's,
// without the problems that were reported before.
func (p *post) inOther(m *signed.Mailbox) func(path string) bool {
	return func(path string) bool {
		of, _ := p.boxOf(path)
		return of == m && !p.inMine(path)
	}
}

// aboutKeys reports whether a problem at a path may hide a key.
func (p *post) aboutKeys(path string) bool {
	of, rest := p.boxOf(path)
	first, _, _ := strings.Cut(rest, "/")
	return of == nil || first != "messages"
}

// boxOf returns the mailbox that contains a path, or nil, and the path in it. The mailbox of
// the root contains nothing below agents.
func (p *post) boxOf(path string) (of *signed.Mailbox, rest string) {
	for _, m := range p.Mailboxes {
		rest, in := strings.CutPrefix(path+"/", m.Dir+"/")
		if m.Dir == "." {
			rest, in = path, path != "" && !strings.HasPrefix(path+"/", "agents/")
		}
		if in {
			return m, rest
		}
	}
	return nil, ""
}

package amp

import (
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/store/mailbox"
)

// problemsShown is how many problems a command lists. doctor has more.
const problemsShown = 5

// complain says on stderr what is wrong with the mailboxes that are shown: an inbox
// that cannot be looked into would pass for an empty one.
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

// inMine tells whether what is wrong at a path is the user's to know: it lies in
// their own mailbox, or in none, where it may hide one. Without a mailbox of their
// own they see everybody's.
func (p *post) inMine(path string) bool {
	return p.own.Mailbox == nil || path == "" || path == "agents" || inBox(p.own.Mailbox, path)
}

// inOther is for a mailbox that is shown and may be another's: what is the user's
// to know was said.
func (p *post) inOther(m *mailbox.Mailbox) func(path string) bool {
	return func(path string) bool { return inBox(m, path) && !p.inMine(path) }
}

// aboutKeys tells whether what is wrong at a path may hide a key.
func (p *post) aboutKeys(path string) bool {
	for _, m := range p.Mailboxes {
		if rest, ok := within(m, path); ok {
			first, _, _ := strings.Cut(rest, "/")
			return first != "messages"
		}
	}
	return true
}

func inBox(m *mailbox.Mailbox, path string) bool {
	_, ok := within(m, path)
	return ok
}

// within gives a path of the root as it is in a mailbox, and whether it lies there.
// That of the root has none of those that are in agents.
func within(m *mailbox.Mailbox, path string) (string, bool) {
	if m.Dir == "." {
		return path, path != "" && path != "agents" && !strings.HasPrefix(path, "agents/")
	}
	if path == m.Dir {
		return "", true
	}
	return strings.CutPrefix(path, m.Dir+"/")
}

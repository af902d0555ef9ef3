package amp

import (
	"context"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/names"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
)

type mailboxes struct{ *ampsource.Mail }

func (a *Commands) access() *ampsource.Access {
	return &ampsource.Access{Env: a.Env, Root: a.root, As: a.identity, Who: a.Who, Now: a.Now}
}

// reads is [Commands.mailboxes] for commands that show mail or mark it as read.
func (a *Commands) reads(ctx context.Context) (*mailboxes, error) {
	p, err := a.mailboxes(ctx)
	if err == nil {
		err = p.CheckReader()
	}
	return p, err
}

// mailboxes reads the mailboxes, which must exist, and warns about problems of the user's own and
// of keys.
func (a *Commands) mailboxes(ctx context.Context) (*mailboxes, error) {
	p, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	if !p.Exists {
		where := a.access().Locate()
		return nil, fmt.Errorf("amp: make a mailbox with \"signalbox amp init --name NAME\": there is none yet in %s (%s)", where.Value, where.Origin)
	}
	a.warnProblems(p, p.inMine)
	if a.identity != "" && p.Own.Mailbox == nil {
		return nil, cli.Usage(fmt.Errorf("amp: %s%s", p.Own.Why, p.suggestion(a.identity)))
	}
	a.alarmed(p.Alarms)
	return p, nil
}

func (a *Commands) open(ctx context.Context) (*mailboxes, error) {
	m, err := a.access().Open(ctx)
	if err != nil {
		return nil, err
	}
	if m.Err != nil {
		return nil, fmt.Errorf("amp: %w", m.Err)
	}
	err = m.Learn(ctx, true)
	for _, w := range m.Warnings {
		a.Warn("%s", w)
	}
	return &mailboxes{m}, err
}

func (a *Commands) alarmed(alarms []ampsource.Alarm) {
	for i := range alarms {
		a.Warn("%s", alarms[i].Text())
	}
}

// remember saves what was computed about messages, after it was shown.
func (a *Commands) remember(ctx context.Context, p *mailboxes) {
	if err := p.Remember(ctx); err != nil {
		a.Warn("what was seen is not remembered, so that mail that is deleted can be delivered again: %v", err)
	}
}

// needOwn returns an error that lists the mailboxes if none is the user's.
func (p *mailboxes) needOwn() error {
	if p.Own.Mailbox == nil {
		return cli.Usage(fmt.Errorf("amp: %s; --as chooses one of those that are here%s", p.Own.Why, p.names()))
	}
	return nil
}

func (p *mailboxes) names() string {
	var all []string
	for _, m := range p.Mailboxes {
		all = append(all, m.Name)
	}
	if len(all) == 0 {
		return ""
	}
	return ": " + joined(all)
}

// suggestion asks "did you mean" with a mailbox of a similar name or address, or returns "".
func (p *mailboxes) suggestion(name string) string {
	var all []string
	for _, m := range p.Mailboxes {
		all = append(all, m.Name)
		for _, address := range m.Addresses {
			all = append(all, address.String())
		}
	}
	if other := names.Near(name, all); other != "" {
		return "; did you mean " + cli.Line(other) + "?"
	}
	return ""
}

func joined(names []string) string {
	var list []string
	for _, name := range names[:min(len(names), 10)] {
		list = append(list, cli.Line(name))
	}
	if len(names) > len(list) {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}

// shownProblems is how many problems a command lists. doctor lists more.
const shownProblems = 5

// warnProblems warns about problems of the mailboxes that are shown. Otherwise an unreadable
// inbox would look empty.
func (a *Commands) warnProblems(p *mailboxes, about func(of *ampsource.Mailbox, rest string) bool) {
	more := 0
	for i, shown := 0, 0; i < len(p.Problems); i++ {
		problem := &p.Problems[i]
		if !about(p.boxOf(problem.Path)) {
			continue
		}
		if shown++; shown > shownProblems {
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

// inMine reports whether a problem concerns the user: it is in their own mailbox, or outside
// all mailboxes, where it may hide one. All problems concern a user who has no mailbox.
func (p *mailboxes) inMine(of *ampsource.Mailbox, rest string) bool {
	return p.Own.Mailbox == nil || of == p.Own.Mailbox || of == nil && (rest == "" || rest == "agents")
}

// inOther returns a function that reports whether a problem is in m and was not reported by inMine.
func (p *mailboxes) inOther(m *ampsource.Mailbox) func(of *ampsource.Mailbox, rest string) bool {
	return func(of *ampsource.Mailbox, rest string) bool { return of == m && !p.inMine(of, rest) }
}

// aboutKeys reports whether a problem may hide a key.
func aboutKeys(of *ampsource.Mailbox, rest string) bool {
	return of == nil || rest != "messages" && !strings.HasPrefix(rest, "messages/")
}

// boxOf returns the mailbox that contains a path, or nil, and the rest of the path. The
// mailbox at the root does not contain the folder agents.
func (p *mailboxes) boxOf(path string) (of *ampsource.Mailbox, rest string) {
	for _, m := range p.Mailboxes {
		rest, in := strings.CutPrefix(path+"/", m.Dir+"/")
		if m.Dir == "." {
			rest, in = path, path != "" && !strings.HasPrefix(path+"/", "agents/")
		}
		if in {
			return m, rest
		}
	}
	return nil, path
}

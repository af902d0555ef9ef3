package amp

import (
	"context"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/names"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
)

type post struct{ *ampsource.Mail }

func (a *Commands) access() *ampsource.Access {
	return &ampsource.Access{Env: a.Env, Root: a.root, As: a.identity, Who: a.Who, Now: a.Now}
}

// reads is [Commands.post] for commands that show or mark mail.
func (a *Commands) reads(ctx context.Context) (*post, error) {
	p, err := a.post(ctx)
	if err == nil {
		err = p.Reads()
	}
	return p, err
}

// post reads the mailboxes, which must be there, and says what is wrong with the
// user's own, and with keys.
func (a *Commands) post(ctx context.Context) (*post, error) {
	p, err := a.look(ctx)
	if err != nil {
		return nil, err
	}
	if !p.Exists {
		where := a.access().Locate()
		return nil, fmt.Errorf("amp: make a mailbox with \"signalbox amp init --name NAME\": there is none yet in %s (%s)", where.Value, where.Origin)
	}
	a.complain(p, p.inMine)
	if a.identity != "" && p.Own.Mailbox == nil {
		return nil, cli.Usage(fmt.Errorf("amp: %s%s", p.Own.Why, p.meant(a.identity)))
	}
	a.alarmed(p.Alarms)
	return p, nil
}

func (a *Commands) look(ctx context.Context) (*post, error) {
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
	return &post{m}, err
}

func (a *Commands) alarmed(alarms []ampsource.Alarm) {
	for i := range alarms {
		a.Warn("%s", alarms[i].Text())
	}
}

// remember saves what was computed about messages, after it was shown.
func (a *Commands) remember(ctx context.Context, p *post) {
	if err := p.Remember(ctx); err != nil {
		a.Warn("what was seen is not remembered, so that mail that is deleted can be delivered again: %v", err)
	}
}

// needOwn returns an error that lists the mailboxes if none is the user's own.
func (p *post) needOwn() error {
	if p.Own.Mailbox == nil {
		return cli.Usage(fmt.Errorf("amp: %s; --as chooses one of those that are here%s", p.Own.Why, p.names()))
	}
	return nil
}

func (p *post) names() string {
	var all []string
	for _, m := range p.Mailboxes {
		all = append(all, m.Name)
	}
	if len(all) == 0 {
		return ""
	}
	return ": " + joined(all)
}

// meant returns a question whether the user meant a mailbox with much the same name or
// address, or "".
func (p *post) meant(name string) string {
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

// problemsShown is how many problems a command lists. doctor lists more.
const problemsShown = 5

// complain warns about problems of the mailboxes that are shown. Otherwise an inbox
// that cannot be read would look empty.
func (a *Commands) complain(p *post, about func(of *ampsource.Mailbox, rest string) bool) {
	more := 0
	for i, said := 0, 0; i < len(p.Problems); i++ {
		problem := &p.Problems[i]
		if !about(p.boxOf(problem.Path)) {
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

// inMine reports whether a problem concerns the user: it is in their own mailbox, or
// outside all mailboxes, where it may hide one. Without one of their own all concern them.
func (p *post) inMine(of *ampsource.Mailbox, rest string) bool {
	return p.Own.Mailbox == nil || of == p.Own.Mailbox || of == nil && (rest == "" || rest == "agents")
}

// inOther is for a mailbox that may be somebody else's, without what was reported before.
func (p *post) inOther(m *ampsource.Mailbox) func(of *ampsource.Mailbox, rest string) bool {
	return func(of *ampsource.Mailbox, rest string) bool { return of == m && !p.inMine(of, rest) }
}

// aboutKeys reports whether a problem may hide a key.
func aboutKeys(of *ampsource.Mailbox, rest string) bool {
	return of == nil || rest != "messages" && !strings.HasPrefix(rest, "messages/")
}

// boxOf returns the mailbox that contains a path, or nil, and the path in it. The mailbox of
// the root contains nothing below agents.
func (p *post) boxOf(path string) (of *ampsource.Mailbox, rest string) {
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

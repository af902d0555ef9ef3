package agent

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/agents"
	"github.com/signalbox-dev/signalbox/lsp/who"
)

// answering holds the state of "signalbox answer".
type answering struct {
	commands
	allow, deny, edits, yes bool
	text                    string
	options                 []string
	always                  []int
	typed                   *bufio.Reader
	// command runs another command, for a row that is a question by mail.
	command cli.Runner
}

// AnswerCommand returns "signalbox answer".
func AnswerCommand(o *cli.Options, run cli.Runner) *cobra.Command {
	a := &answering{commands: commands{o}, command: run}
	cmd := &cobra.Command{
		Use:         "answer [N|ID]",
		Annotations: cli.Uses("dir", "json", "color"),
		Example: `  signalbox answer
  signalbox answer 2 --allow
  signalbox answer 2 --deny -m 'use make test'
  signalbox answer 3 --option 1
  signalbox answer 3 -m 'none of these: BSD'`,
		Short: "Answer what an agent asks for: permission, questions, a plan",
		Long: `Answer what agents' programs wait for: permission to use a tool, the questions of a
form, a plan. N is the number of a row in "signalbox needs", ID the id in its JSON.
Without either it shows what waits and asks one by one. A question that an agent sent
by mail is answered by --option or -m, too.

A request is shown whole, with characters that hide or look like others as numbers.
What it would do that is hard to undo is said below it: a force push, a delete outside
of the work tree, a table that is dropped; what is not listed is not safe. Such a
request, one that a row cannot show, and a rule are shown again before they are allowed.
The program's own dialog stays open meanwhile; whichever answers first counts. Every
answer is noted: see "signalbox agents log".

Only the person answers: it takes a terminal, and refuses below an agent's program.`,
		Args: cobra.MaximumNArgs(1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			return a.run(cmd.Context(), args, cmd.Flags().Changed("message"))
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&a.allow, "allow", false, "yes, once: to a tool, or to a plan")
	f.BoolVar(&a.deny, "deny", false, "no; -m says why to the agent")
	f.StringVarP(&a.text, "message", "m", "", "with --deny the `line` that the agent is told, otherwise your own answer to a question")
	f.StringArrayVar(&a.options, "option", nil, "a choice, by number or in `words`: once for each question, several choices with commas")
	f.IntSliceVar(&a.always, "always", nil, "with --allow: from now on as well, by the suggested rule's `number`")
	f.BoolVar(&a.edits, "edits", false, "with --allow: go on with a plan, and edit without asking")
	f.BoolVarP(&a.yes, "yes", "y", false, "do not show again and ask before allowing what a row cannot show whole, a risk, or a rule")
	cmd.MarkFlagsMutuallyExclusive("allow", "deny", "option")
	return cmd
}

// decisions returns the access to requests and answers for the command line.
func (b *commands) decisions() *agents.Decisions {
	return &agents.Decisions{
		StateDir: b.Env.StateDir(), Agent: b.Who().Agent, Decides: func() error { return who.Decides(b.Env, b.Above) },
		By: b.Person(), Where: "terminal", Now: b.Now,
	}
}

// mayDecide returns an error unless a person at a terminal runs the command.
func (a *answering) mayDecide() error {
	if err := a.decisions().May(); err != nil {
		return err
	}
	if !cli.IsTerminal(a.In) || !a.Terminal && !a.JSON {
		return errors.New("answers are given by a person at a terminal, and this is none")
	}
	return nil
}

func (a *answering) run(ctx context.Context, args []string, texted bool) error {
	if err := a.mayDecide(); err != nil {
		return err
	}
	given := a.allow || a.deny || len(a.options) > 0 || texted
	if (len(a.always) > 0 || a.edits) && !a.allow || texted && a.allow {
		return cli.Usage(errors.New("--always and --edits go with --allow, -m with --deny or alone"))
	}
	list, errs := a.decisions().List()
	for _, err := range errs {
		a.Warn("%v", err)
	}
	switch {
	case len(args) > 0:
		row, err := a.row(args[0])
		if err != nil {
			return err
		}
		if !strings.HasPrefix(row, "request ") {
			return a.mail(ctx, row)
		}
		r, err := a.find(ctx, row)
		if err != nil {
			return err
		}
		if given {
			return a.flags(ctx, r, texted)
		}
		list = []ask.Request{*r}
	case given:
		return cli.Usage(errors.New("say which request: its number in \"signalbox needs\", or its id"))
	case a.JSON:
		w := a.Writer()
		for i := range list {
			if err := cli.Print(w, requestJSON(&list[i])); err != nil {
				return err
			}
		}
		return w.Flush()
	}
	return a.oneByOne(ctx, list)
}

// row returns the key of the row with a number, or of the row of the request with an id.
func (a *answering) row(name string) (string, error) {
	n, err := strconv.Atoi(name)
	if err != nil {
		return requestRow(name, ""), nil
	}
	row, ok := (&numbers{}).row(a.Options, n)
	if !ok {
		return "", fmt.Errorf("there is no row %d: \"signalbox needs\" has the numbers", n)
	}
	return row, nil
}

// find returns the request of a row, with the hash of the content that the row showed.
func (a *answering) find(ctx context.Context, row string) (*ask.Request, error) {
	_, called, _ := strings.Cut(row, " ")
	id, hash, _ := strings.Cut(called, " ")
	r, err := a.decisions().Find(ctx, id)
	if err == nil {
		r.Hash = cmp.Or(hash, r.Hash)
	}
	return r, err
}

// mail answers a question by mail, as "signalbox reply" does.
func (a *answering) mail(ctx context.Context, row string) error {
	page, err := a.needsOf(ctx, panel.Options{}, panel.MaxNeeds)
	if err != nil {
		return err
	}
	items := slices.Concat(page.Items, page.Unanswered)
	i := slices.IndexFunc(items, func(it panel.NeedItem) bool { return needRow(&it) == row })
	if i < 0 {
		return errors.New("that row needs you no more: \"signalbox needs\" has what does")
	}
	q := items[i].Question
	if q == nil || q.Message.Protocol != mail.SAMP {
		return errors.New("that row is no request of an agent's program and no question by mail: it is answered by \"signalbox reply\", \"signalbox amp reply\" or \"signalbox task resume\"")
	}
	text := a.text
	if len(a.options) == 1 {
		text = a.options[0]
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(q.Options) {
			text = q.Options[n-1]
		}
	}
	if a.allow || a.deny || text == "" {
		return cli.Usage(errors.New("a question by mail is answered by --option or -m"))
	}
	_, id, _ := q.Message.Message()
	args := []string{"reply", "--to-id", id, "-m", text}
	if a.Dir != "" {
		args = append(args, "--dir", a.Dir)
	}
	return a.command(ctx, a.Program, args...)
}

// flags answers a request by the flags.
func (a *answering) flags(ctx context.Context, r *ask.Request, texted bool) error {
	d := ask.Answer{Allow: !a.deny}
	switch {
	case a.deny:
		d.Reason = a.text
	case a.allow && r.Kind == ask.Question:
		return cli.Usage(errors.New("a question is answered by --option or -m"))
	case a.allow:
		for _, n := range a.always {
			d.Rules = append(d.Rules, n-1)
		}
		if a.edits && len(r.Modes) == 0 {
			return cli.Usage(errors.New("--edits goes with a plan"))
		}
		if a.edits {
			d.Mode = r.Modes[0]
		}
	case r.Kind != ask.Question:
		return cli.Usage(fmt.Errorf("a %s is answered by --allow or --deny", r.Kind))
	default:
		for i, option := range a.options {
			if i < len(r.Questions) {
				d.Answers = append(d.Answers, choices(&r.Questions[i], option))
			} else {
				d.Answers = append(d.Answers, []string{option})
			}
		}
		if texted {
			d.Answers = append(d.Answers, []string{a.text})
		}
	}
	if err := r.Fits(&d); err != nil {
		return cli.Usage(err)
	}
	red := func(k panel.Risk) bool { return k.Level == panel.RiskRed }
	if a.allow && !a.yes && (len(a.always) > 0 || !inRow(r) || slices.ContainsFunc(a.risks(r), red)) {
		a.show(r, 0)
		if err := a.Confirm(false); err != nil {
			return err
		}
	}
	return a.give(ctx, r, &d)
}

// give saves an answer, and prints what was done.
func (a *answering) give(ctx context.Context, r *ask.Request, d *ask.Answer) error {
	d.ID, d.Hash = r.ID, r.Hash
	if err := a.decisions().Answer(ctx, d); err != nil {
		return err
	}
	w := a.Writer()
	if a.JSON {
		_ = cli.Print(w, answerJSON(&ask.Entry{Request: *r, Answer: *d})) // Flush returns the error
	} else {
		fmt.Fprintf(w, "%s: %s\n", a.Paint().In(cli.Bold, outcome(r, d)), cli.Line(about(r)))
	}
	return w.Flush()
}

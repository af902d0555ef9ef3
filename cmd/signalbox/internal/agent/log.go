package agent

import (
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/spf13/cobra"
)

// maxAnswers is the largest number of answers that can be listed.
const maxAnswers = 100_000

func logCommand(o *cli.Options) *cobra.Command {
	limit := 0
	cmd := &cobra.Command{
		Use:         "log",
		Annotations: cli.Uses("json", "color"),
		Example: `  signalbox agents log
  signalbox agents log --limit 1000 --json`,
		Short: "Every answer that was given to an agent's request",
		Long: `List the answers that were given from Signalbox to what agents' programs asked for:
when, by whom and where, to which agent and to which exact input, the newest last.
What was answered at a program's own dialog is not in it. The log is answers.jsonl in
the state folder ("signalbox doctor" names it).`,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			return (&commands{o}).log(cmd.Context(), limit)
		}),
	}
	cmd.Flags().IntVar(&limit, "limit", 100, "the newest `n`")
	return o.Page(cmd)
}

func (b *commands) log(ctx context.Context, limit int) error {
	if limit < 1 || limit > maxAnswers {
		return cli.Usage(fmt.Errorf("--limit is %d, and must be 1 to %d", limit, maxAnswers))
	}
	list, err := b.decisions().Log(ctx, limit)
	if err != nil {
		return err
	}
	w := b.Writer()
	table := b.Table(w, cli.Column{Title: "TIME"}, cli.Column{Title: "ANSWER"}, cli.Name("BY"), cli.Column{Title: "WHERE"}, cli.Column{Title: "AGENT, REQUEST", Least: 20})
	for i := range list {
		e := &list[i]
		if b.JSON {
			_ = cli.Print(w, answerJSON(e)) // Flush returns the error
			continue
		}
		what := about(&e.Request)
		if e.Answer.Reason != "" {
			what += " (" + e.Answer.Reason + ")"
		}
		table.Row(
			cli.Cell{Text: b.When(e.Answer.At)}, cli.Cell{Text: outcome(&e.Request, &e.Answer), Style: cli.Bold}, cli.Cell{Text: cli.Line(e.Answer.By)},
			cli.Cell{Text: cli.Line(e.Answer.Where)}, cli.Cell{Text: cli.WholeLine(what)},
		)
	}
	switch {
	case b.JSON:
	case len(list) == 0:
		w.WriteString("no answers were given yet\n")
	default:
		table.Write()
	}
	return w.Flush()
}

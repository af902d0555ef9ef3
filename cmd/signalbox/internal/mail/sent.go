package mail

import (
	"bufio"
	"context"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/spf13/cobra"
)

func (o *commands) sentCommand() *cobra.Command {
	var f cli.Filter
	cmd := &cobra.Command{
		Use:         "sent [to]",
		Annotations: cli.Uses("dir", "as", "profile", "json", "color"),
		Example: `  signalbox sent
  signalbox sent coder --since 2d --json`,
		Short: "List what you sent, and what became of it",
		Long: `List what you sent, the newest first, and what became of each message: its receiver
was told of it by a hook, has read it, or has answered; or nobody reads it: the
agent has ended, there never was one of that name, or it has waited for an hour.
What a receiver has read is known from their read mark in the message directory.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cli.Completing(1, o.OfferAliases),
		RunE: o.Working("reading mail", func(cmd *cobra.Command, args []string) error {
			me, err := o.reads()
			if err != nil {
				return err
			}
			if len(args) > 0 && !samp.ValidAlias(args[0]) {
				return cli.Usage(samp.CheckAlias(args[0]))
			}
			if err := f.Read(o.Options, cmd); err != nil {
				return err
			}
			return o.sent(cmd.Context(), me, args, &f)
		}),
	}
	f.Register(cmd, "thread", "since", "until")
	return o.Page(cmd)
}

func (o *commands) sent(ctx context.Context, me string, to []string, f *cli.Filter) error {
	d, err := o.Open()
	if err != nil || d == nil {
		return err
	}
	defer d.Close()
	list, total, mail, err := d.Outgoing(ctx, me, f.Limit(), func(m *samp.Found) bool {
		return (len(to) == 0 || m.To == to[0]) && wanted(f, m)
	})
	if err != nil {
		return err
	}
	o.report(d, &mail)
	if total == 0 {
		o.Warn("%s has sent no such message in %q", me, d.Path())
		return d.ReadAny(&mail)
	}
	w := o.Writer()
	if o.OnScreen() {
		o.sentTable(ctx, w, d, me, list)
	} else {
		p := o.printer(w)
		for i := range list {
			p.outgoing(&list[i])
		}
	}
	f.More(o.Options, w, len(list), total, "message")
	return w.Flush()
}

func (o *commands) sentTable(ctx context.Context, w *bufio.Writer, d *box.Dir, me string, list []box.Outgoing) {
	table := o.Table(w, cli.Column{Title: "#"}, cli.Column{Title: "ID"}, cli.Name("TO"), cli.Column{Title: "WHEN"},
		cli.Column{Title: "BECAME", Least: 20}, cli.Column{Title: "MESSAGE", Least: 20})
	keys, shown := make([]string, len(list)), make([]shownMessage, len(list))
	for i := range list {
		keys[i], shown[i] = list[i].Key, shownMessage{list[i].Key, list[i].From}
	}
	ids := o.shortIDs(ctx, d, keys, len(list) > maxNamed)
	o.remember(ctx, d.ID(), me, shown[:min(len(shown), maxNumber)])
	for i := range list {
		m := &list[i]
		became := cli.Cell{Text: m.Receipt.Words(o.When)}
		if m.Receipt.State == panel.ReceiptNobody {
			became.Style = cli.Yellow
		}
		table.Row(
			cli.Cell{Text: fmt.Sprint(i + 1), Style: cli.Dim}, cli.Cell{Text: ids[i], Style: cli.Yellow}, cli.Cell{Text: cli.Line(m.To), Style: cli.Bold},
			cli.Cell{Text: o.When(show.Millis(m.TS))}, became, cli.Cell{Text: string(appendFirst(nil, m.Body, cli.MaxName))},
		)
	}
	table.Write()
}

// outgoing writes one line, or with --json one object, about a message that was sent.
func (p *printer) outgoing(m *box.Outgoing) {
	if p.json {
		r := &m.Receipt
		_ = cli.Print(p.w, printed.SentMessage{ // Flush returns the error
			Message: object(&m.Found, withCopy(&m.Found, nil)),
			Receipt: printed.Receipt{State: string(r.State), Reason: string(r.Reason), Time: r.Time},
		})
		return
	}
	fmt.Fprintf(p.w, "[%s] to=%s thread=%s: %s [%s]\n", p.time(m.TS), cli.Line(m.To), cli.Line(m.Thread),
		appendFirst(nil, m.Body, maxFirst), m.Receipt.Words(cli.Minute))
}

package mail

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/spf13/cobra"
)

func (o *commands) catCommand() *cobra.Command {
	var raw bool
	cmd := &cobra.Command{
		Use:         "cat <id>",
		Annotations: cli.Uses("dir", "as", "profile", "json", "color"),
		Example: `  signalbox cat 89f2
  signalbox cat 89f2 --raw`,
		Short: "Show one message whole, by its id or the beginning of it",
		Long: `Show one message whole: by its id, by at least 4 characters that it begins with, by
SENDER:ID where several have one id, or by its number in the list that this terminal
showed last.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.WrongUse(cmd)
			}
			if len(args[0]) < cli.MinPrefix && !isNumber(args[0]) {
				return cli.Usage(fmt.Errorf("%q is too short: give at least %d characters of an id", args[0], cli.MinPrefix))
			}
			return nil
		},
		ValidArgsFunction: cli.Completing(1, o.offerAll),
		RunE:              cli.Action(func(cmd *cobra.Command, args []string) error { return o.cat(cmd.Context(), args[0], raw) }),
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "the JSON line of the log")
	return o.Page(cmd)
}

func (o *commands) cat(ctx context.Context, id string, raw bool) error {
	d, err := o.Box().Open()
	if err != nil {
		return err
	}
	defer d.Close()
	from := ""
	if isNumber(id) {
		me, err := o.Alias()
		if err != nil {
			return err
		}
		m, err := o.numbered(d, me, id)
		if err != nil {
			return err
		}
		id, from = m.ID, m.From
	}
	_, after, sent := strings.Cut(id, ":")
	mail, err := d.Find(ctx, func(f *samp.Found) bool {
		return (strings.HasPrefix(f.Key, id) || sent && strings.HasPrefix(f.Key, after)) && (from == "" || f.From == from && f.Key == id)
	})
	if err != nil {
		return err
	}
	hits := samp.Matches(mail.Messages, id)
	marks := []string(nil)
	if len(hits) == 0 {
		// A message that may be forged is found only by its id, and is marked.
		hits, marks = samp.Matches(mail.Suspicious, id), []string{markSuspicious}
	}
	w := o.Writer()
	switch {
	case len(hits) == 0:
		o.report(d, &box.Mail{Problems: mail.Problems})
		return fmt.Errorf("no message has an id that begins with %q", id)
	case len(hits) > 1:
		if !o.JSON {
			fmt.Fprintf(w, "%q begins the ids of %d messages:\n", id, len(hits))
		}
		p, tokens := o.printer(w), samp.Tokens(hits)
		for i := range hits {
			if !o.JSON {
				w.WriteString("  " + cli.Line(tokens[i]) + " ")
			}
			p.message(&hits[i], marks...)
		}
		return cmp.Or(w.Flush(), cli.Silent(cli.ExitFailed))
	case raw:
		return cmp.Or(d.Verbatim(w, hits), w.Flush())
	}
	o.printer(w).full(&hits[0], marks...)
	return w.Flush()
}

func (o *commands) logCommand() *cobra.Command {
	var f cli.Filter
	cmd := &cobra.Command{
		Use:         "log [alias]",
		Annotations: cli.Uses("dir", "as", "profile", "json", "color"),
		Example: `  signalbox log
  signalbox log planner --since 3d`,
		Short: "Show all messages from and to an alias, newest first",
		Long: `Show all messages from and to an alias in full, the newest first. On a terminal the
newest 50 are shown, each with a number and a short id.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cli.Completing(1, o.OfferAliases),
		RunE: o.Working("reading mail", func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				me, err := o.Alias()
				if err != nil {
					return err
				}
				args = []string{me}
			}
			if !samp.ValidAlias(args[0]) {
				return cli.Usage(samp.CheckAlias(args[0]))
			}
			if err := f.Read(o.Options, cmd); err != nil {
				return err
			}
			return o.log(cmd.Context(), args[0], &f)
		}),
	}
	f.Register(cmd, "from", "thread", "since", "until")
	return o.Page(cmd)
}

func (o *commands) log(ctx context.Context, alias string, f *cli.Filter) error {
	d, err := o.Open()
	if err != nil || d == nil {
		return err
	}
	defer d.Close()
	names := o.Box().Names(alias)
	mail, err := d.Find(ctx, func(f *samp.Found) bool { return slices.Contains(names, f.From) || slices.Contains(names, f.To) })
	if err != nil {
		return err
	}
	o.report(d, &mail)
	if len(mail.Messages) == 0 {
		o.Warn("no messages from or to %s in %q; \"signalbox search WORDS\" looks in the mail of everybody", alias, d.Path())
		o.hint(ctx, d, alias)
		return d.ReadAny(&mail)
	}
	list := slices.DeleteFunc(mail.Messages, func(m samp.Found) bool { return !wanted(f, &m) })
	total := len(list)
	list = list[total-f.Most(total):]
	slices.Reverse(list)
	w := o.Writer()
	if err := o.whole(ctx, w, d, list); err != nil {
		return err
	}
	f.More(o.Options, w, len(list), total, "message")
	return w.Flush()
}

func (o *commands) whole(ctx context.Context, w *bufio.Writer, d *box.Dir, list []samp.Found) error {
	p := o.printer(w)
	var ids []string
	if o.OnScreen() {
		me, err := o.Alias()
		if err != nil {
			return err
		}
		keys, shown := make([]string, len(list)), make([]shownMessage, len(list))
		for i := range list {
			keys[i], shown[i] = list[i].Key, shownMessage{list[i].Key, list[i].From}
		}
		ids = o.shortIDs(ctx, d, keys, len(list) > maxNamed)
		o.remember(ctx, d.ID(), me, shown[:min(len(shown), maxNumber)])
	}
	for i := range list {
		if i > 0 && !o.JSON {
			w.WriteByte('\n')
		}
		if ids != nil {
			w.WriteString(p.paint.In(cli.Dim, fmt.Sprint(i+1)+"  ") + p.paint.In(cli.Yellow, ids[i]) + "  ")
		}
		p.full(&list[i])
	}
	return nil
}

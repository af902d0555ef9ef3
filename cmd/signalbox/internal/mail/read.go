package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/spf13/cobra"
)

func (o *commands) catCommand() *cobra.Command {
	var raw bool
	cmd := &cobra.Command{
		Use:         "cat <id>",
		Annotations: cli.Uses("dir", "profile", "json", "color"),
		Example: `  signalbox cat 89f2
  signalbox cat 89f2 --raw`,
		Short: "Show one message whole, by its id or the beginning of it",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.WrongUse(cmd)
			}
			if len(args[0]) < cli.MinPrefix {
				return cli.Usage(fmt.Errorf("%q is too short: give at least %d characters of an id", args[0], cli.MinPrefix))
			}
			return nil
		},
		ValidArgsFunction: cli.Completing(1, o.offerAll),
		RunE:              cli.Action(func(cmd *cobra.Command, args []string) error { return o.cat(cmd.Context(), args[0], raw) }),
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "the JSON line of the log")
	return cmd
}

func (o *commands) cat(ctx context.Context, id string, raw bool) error {
	d, err := o.OpenExisting()
	if err != nil {
		return err
	}
	defer d.Close()
	form, err := o.Form(ctx, d)
	if err != nil {
		return err
	}
	mail, err := d.Select(ctx, form, func(f *samp.Found) bool { return strings.HasPrefix(f.Key, id) })
	if err != nil {
		return err
	}
	hits := withID(mail.Messages, id)
	marks := []string(nil)
	if len(hits) == 0 {
		// A message that may be forged is shown if its id names it, and says so.
		hits, marks = withID(mail.Suspicious, id), []string{markSuspicious}
	}
	w := o.Writer()
	switch {
	case len(hits) == 0:
		o.report(&store.Mail{Problems: mail.Problems})
		return fmt.Errorf("no message has an id that begins with %q", id)
	case len(hits) > 1:
		fmt.Fprintf(w, "%q begins the ids of %d messages:\n", id, len(hits))
		p := o.printer(w)
		for i := range hits {
			if !o.JSON {
				w.WriteString("  " + cli.Line(hits[i].Key) + " ")
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

// withID returns the messages whose id is this, or else begins with it.
func withID(messages []samp.Found, id string) []samp.Found {
	return cli.ByID(messages, id, func(f samp.Found) string { return f.Key })
}

func (o *commands) logCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "log [alias]",
		Annotations: cli.Uses("dir", "as", "profile", "json", "color"),
		Example: `  signalbox log
  signalbox log planner --json`,
		Short:             "Show all messages from and to an alias, newest first",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cli.Completing(1, o.OfferAliases),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
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
			return o.log(cmd.Context(), args[0])
		}),
	}
}

func (o *commands) log(ctx context.Context, alias string) error {
	d, err := o.Open()
	if err != nil || d == nil {
		return err
	}
	defer d.Close()
	form, err := o.Form(ctx, d)
	if err != nil {
		return err
	}
	mail, err := d.Select(ctx, form, func(f *samp.Found) bool { return f.From == alias || f.To == alias })
	if err != nil {
		return err
	}
	o.report(&mail)
	if len(mail.Messages) == 0 {
		o.hint(d, alias)
		return readAny(d, &mail)
	}
	w := o.Writer()
	p := o.printer(w)
	slices.Reverse(mail.Messages)
	for i := range mail.Messages {
		if i > 0 && !o.JSON {
			w.WriteByte('\n')
		}
		p.full(&mail.Messages[i])
	}
	return w.Flush()
}

func (o *commands) rawCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "raw [all]",
		Annotations: cli.Uses("dir", "as", "profile"),
		Example: `  signalbox raw
  signalbox raw all`,
		Short: "Show new mail, or all of it, as the JSON lines of the logs",
		Long: `Show mail addressed to you as the JSON lines of the logs, byte for byte:
what "signalbox inbox" would show next, or all of it. Nothing is marked as read.`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"all"},
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			me, err := o.Alias()
			if err != nil {
				return err
			}
			d, err := o.Open()
			if err != nil || d == nil {
				return err
			}
			defer d.Close()
			return o.raw(cmd.Context(), d, me, len(args) > 0)
		}),
	}
}

func (o *commands) raw(ctx context.Context, d *store.Dir, me string, all bool) error {
	form, err := o.Form(ctx, d)
	if err != nil {
		return err
	}
	mail, err := d.Inbox(ctx, me, form)
	if err != nil {
		return err
	}
	o.report(&mail)
	messages := mail.Messages
	if len(messages) == 0 {
		o.hint(d, me)
		return readAny(d, &mail)
	}
	if !all {
		mark, _, err := d.Watermark(me)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			o.Warn("%v; everything is shown", err)
		}
		messages, _ = samp.Unread(messages, mark.Capped(o.Now().Unix()))
	}
	w := o.Writer()
	return cmp.Or(d.Verbatim(w, messages), w.Flush())
}

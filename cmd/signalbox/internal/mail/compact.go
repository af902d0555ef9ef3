package mail

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/spf13/cobra"
)

func (o *commands) compactCommand() *cobra.Command {
	var all, force bool
	var name string
	cmd := &cobra.Command{
		Use:         "compact",
		Annotations: cli.Uses("dir", "as", "profile", "json"),
		Example: `  signalbox compact
  signalbox compact --log planner`,
		Short: "Drop duplicates from your log and fill in missing ids",
		Long: `Rewrite your own log without duplicates and blank lines, and with ids where they
are missing. Lines that cannot be read, and members of a record that nobody
knows, stay as they are. A second run changes nothing.

A log in which nothing has to be changed is not written to. Any other is replaced
by a new file. A program that keeps it open goes on writing to the old one, which
nobody reads: so a log that a program has open to write to it is left as it is, and
the program is named. --force replaces it anyway. Only Linux tells which
programs that are, and only of programs that you could end yourself. Elsewhere,
and with --log and --all, make sure first that the log's writer is not running.`,
		Args: cobra.NoArgs,
		RunE: o.Working("compacting", func(cmd *cobra.Command, _ []string) error {
			if all && name != "" {
				return cli.Usage(errors.New("--all and --log exclude each other"))
			}
			if name == "" && !all {
				me, err := o.Alias()
				if err != nil {
					return err
				}
				name = me
			}
			if !all && !samp.ValidAlias(name) {
				return cli.Usage(samp.CheckAlias(name))
			}
			return o.compact(cmd.Context(), name, all, force)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "every log of the directory")
	cmd.Flags().BoolVar(&force, "force", false, "replace a log also while a program has it open")
	cmd.Flags().StringVar(&name, "log", "", "the log of this `alias`")
	cli.CompleteFlag(cmd, "log", o.OfferAliases)
	return cmd
}

func (o *commands) compact(ctx context.Context, alias string, all, force bool) error {
	d, err := o.Box().Open()
	if err != nil {
		return err
	}
	defer d.Close()
	logs, problems, err := d.Logs()
	if err != nil {
		return err
	}
	for _, p := range problems {
		if all || p.File == samp.LogName(alias) {
			o.Warn("%s", cli.ProblemText(p.File, p.Reason, "", p.Rule))
		}
	}
	w := o.Writer()
	done := 0
	var bad error
	for _, log := range logs {
		if !all && log.Stem != alias {
			continue
		}
		done++
		c, err := d.Compact(ctx, log, force)
		if len(c.Writers) > 0 {
			o.Warn("%s: %s still writes to the old file, where nobody reads it: restart the program", cli.Line(c.Log), cli.Line(disk.WriterNames(c.Writers)))
		}
		if _, held := errors.AsType[*box.HeldError](err); held {
			err = fmt.Errorf("%w: end the program and compact again. With --force, what it writes afterwards is lost", err)
		}
		if err != nil {
			bad = errors.Join(bad, err)
			continue
		}
		o.compacted(w, &c)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if done == 0 && !all {
		return fmt.Errorf("compact %q: %w", samp.LogName(alias), os.ErrNotExist)
	}
	return bad
}

func (o *commands) compacted(w *bufio.Writer, c *box.Compacted) {
	dropped := c.Before - c.After
	if o.JSON {
		_ = cli.Print(w, printed.Compacted{ // Flush returns the error
			File: c.Log, Before: c.Before, After: c.After, Dropped: dropped, Filled: c.Filled,
			Malformed: c.Malformed, Conflicts: c.Conflicts, Rewritten: c.Rewritten,
		})
		return
	}
	fmt.Fprintf(w, "%s: dropped %d, filled in %d (%d -> %d lines)", cli.Line(c.Log), dropped, c.Filled, c.Before, c.After)
	if c.Malformed > 0 {
		fmt.Fprintf(w, ", kept %s", cli.Plural(c.Malformed, "malformed line"))
	}
	if c.Conflicts > 0 {
		fmt.Fprintf(w, ", kept %s whose id another holds", cli.Plural(c.Conflicts, "record"))
	}
	w.WriteByte('\n')
}

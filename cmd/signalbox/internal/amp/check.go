package amp

import (
	"context"
	"errors"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/spf13/cobra"
)

func (a *Commands) checkCommand() *cobra.Command {
	var notes bool
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Hold messages against every rule of the format",
		Long: `Check messages, one in each FILE, and print "FILE: ok", or a line
"FILE: <rule id>: message" for each rule that is broken. Exit code 1 if there is one;
"-" is stdin. Signatures are "signalbox amp verify"'s.

A message over the limit of 512 KiB, or deeper than 64 levels, is refused without
being read any further.

Notes break no rule and are shown by --notes: what real senders do and a reader
copes with, such as null for what is left out.`,
		Example: `  signalbox amp check message.json
  signalbox amp check --notes messages/inbox/*/*.json`,
		Args: cli.Args(1, -1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			return a.check(cmd.Context(), args, notes)
		}),
	}
	cmd.Flags().BoolVar(&notes, "notes", false, "show notes, too")
	return cmd
}

func (a *Commands) check(ctx context.Context, names []string, notes bool) error {
	out := a.Checked(notes)
	err := a.eachFile(ctx, names, func(f *messageFile) error {
		a.checked(out, f)
		return nil
	})
	if err != nil {
		return err
	}
	return out.End()
}

// checked writes what was found in one file.
func (a *Commands) checked(out *cli.Checked, f *messageFile) {
	found := f.msg.Findings
	if bad, ok := errors.AsType[*canon.Fault](f.err); ok {
		found.Faults = []canon.Fault{*bad}
	} else if f.err != nil {
		out.Failed = true
		a.Warn("%s: %v", f.name, f.err)
		return
	}
	if a.JSON {
		out.Failed = out.Failed || len(found.Faults) > 0
		_ = cli.Print(out.W, printed.CheckedLetter{ // flushing tells
			File: f.name, OK: len(found.Faults) == 0, ID: f.msg.ID, Faults: cli.Faults(found.Faults, f.data), Notes: cli.Faults(found.Notes, f.data),
		})
		return
	}
	out.File(cli.FileName(f.name), found, func(string) bool { return false })
}

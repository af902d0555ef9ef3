package mail

import (
	"context"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/spf13/cobra"
)

func (o *commands) validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate [DIR]",
		Short: "Check every line of every log, and say what to do about each fault",
		Long: `Check every line of every log against the rules of the format, and say what to
do about each fault. Exit code 1 if a rule is broken; notes break none.`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Dir = args[0]
			}
			return o.validate(cmd.Context())
		}),
	}
}

func (o *commands) validate(ctx context.Context) error {
	d, err := o.OpenExisting()
	if err != nil {
		return err
	}
	defer d.Close()
	f := o.Findings()
	report, err := d.Examine(ctx, f.Add)
	if err != nil {
		return f.End(err)
	}
	f.Summary(d.Path(), &report)
	return f.End(f.Verdict())
}

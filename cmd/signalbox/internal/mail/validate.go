package mail

import (
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/spf13/cobra"
)

func (o *commands) validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:         "validate [DIR]",
		Annotations: cli.Uses("dir", "json", "color"),
		Example: `  signalbox validate
  signalbox validate /srv/mail --json`,
		Short: "Check every line of every log, and say what to do about each fault",
		Long: `Check every line of every log against the rules of the format, and say what to
do about each fault. Exit code 1 if a rule is broken; notes break none.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cli.CompleteFolders,
		RunE: o.Working("checking", func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.Dir = args[0]
			}
			d, err := o.Box().Open()
			if err != nil {
				return err
			}
			defer d.Close()
			f := o.Findings()
			report, err := d.Examine(cmd.Context(), f.Add)
			if err != nil {
				return f.End(err)
			}
			f.Summary(d.Path(), &report)
			return f.End(f.Verdict())
		}),
	}
}

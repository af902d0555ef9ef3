package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Args checks that a command got between least and most arguments, and that none is
// empty. A negative most means any number.
func Args(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most || slices.Contains(args, "") {
			return WrongUse(cmd)
		}
		return nil
	}
}

// WrongUse returns an error with the usage line of a command.
func WrongUse(cmd *cobra.Command) error { return Usage(errors.New("usage: " + cmd.UseLine())) }

// Help shows the help of a command. It is the RunE of commands that only have subcommands.
func Help(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// emptyFlags refuses flags with an empty value, which usually comes from a variable
// that a script forgot to set. [Options.Resolve] checks the global flags.
func emptyFlags(cmd *cobra.Command) (err error) {
	global := cmd.Root().PersistentFlags()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.Value.String() == "" && global.Lookup(f.Name) != f {
			err = Usage(fmt.Errorf("--%s is empty", f.Name))
		}
	})
	return err
}

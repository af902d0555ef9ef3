package cli

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Args checks that a command got from least to most arguments, and that none is empty.
// A negative most means any number.
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

// Help is the function of a command that only has other commands below it.
func Help(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// mayBeEmpty is the annotation of flags for which an empty value means something.
const mayBeEmpty = "may be empty"

// MayBeEmpty lets a flag be given empty.
func MayBeEmpty(flags *pflag.FlagSet, name string) { _ = flags.SetAnnotation(name, mayBeEmpty, nil) }

// emptyFlags refuses flags with an empty value, which usually comes from a variable
// that a script forgot to set. [Options.Resolve] checks the global flags.
func emptyFlags(cmd *cobra.Command) (err error) {
	global := cmd.Root().PersistentFlags()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		_, allowed := f.Annotations[mayBeEmpty]
		if f.Value.Type() == "string" && f.Value.String() == "" && !allowed && global.Lookup(f.Name) != f {
			err = Usage(fmt.Errorf("--%s is empty", f.Name))
		}
	})
	return err
}

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

// renamed is the annotation of a flag's old name. Its value is the flag's name now.
const renamed = "renamed"

// Rename lets a flag be given by the name that it had before, for one release. It is in
// no help, and using it warns.
func Rename(flags *pflag.FlagSet, old string, now *pflag.Flag) {
	flags.AddFlag(&pflag.Flag{
		Name: old, Usage: now.Usage, Value: oldName{now}, DefValue: now.DefValue, NoOptDefVal: now.NoOptDefVal, Hidden: true,
		Annotations: map[string][]string{renamed: {now.Name}},
	})
}

// oldName is the value of an old name: the flag that it means is given with it.
type oldName struct{ *pflag.Flag }

func (o oldName) String() string { return o.Value.String() }

func (o oldName) Type() string { return o.Value.Type() }

func (o oldName) Set(s string) error {
	o.Changed = true
	return o.Value.Set(s)
}

// warnRenamed warns about each old name that was given.
func warnRenamed(cmd *cobra.Command) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if now := f.Annotations[renamed]; now != nil {
			WarnRenamed(cmd, "--"+f.Name, "--"+now[0])
		}
	})
}

// WarnRenamed says that something was given by its old name.
func WarnRenamed(cmd *cobra.Command, old, now string) {
	fmt.Fprintf(cmd.ErrOrStderr(), "signalbox: %s is now %s; the next release will not know the old name\n", old, now)
}

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

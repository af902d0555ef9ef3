package main

import (
	"io"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandTree returns every command that is not hidden, as users reach it.
func commandTree(t *testing.T) (list []*cobra.Command) {
	t.Helper()
	root := rootCommand(newOptions(&cli.Program{Now: time.Now, Stdout: io.Discard, Stderr: io.Discard}))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	var add func(cmd *cobra.Command)
	add = func(cmd *cobra.Command) {
		cmd.InitDefaultHelpFlag()
		list = append(list, cmd)
		for _, c := range cmd.Commands() {
			if !c.Hidden {
				add(c)
			}
		}
	}
	add(root)
	return list
}

// TestOneWordOneMeaning holds that a flag's name takes the same kind of value in every
// command, and that a letter is the short form of one name.
func TestOneWordOneMeaning(t *testing.T) {
	meanings, letters := map[string]string{}, map[string]string{}
	where := map[string]string{}
	for _, cmd := range commandTree(t) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			// setup's switch stands for the project that it runs in, which others name.
			if f.Hidden || cmd.Name() == "setup" && f.Name == "project" {
				return
			}
			value, _ := pflag.UnquoteUsage(f)
			if had, ok := meanings[f.Name]; ok && had != value {
				t.Errorf("--%s is a %q in %q and a %q in %q", f.Name, had, where[f.Name], value, cmd.CommandPath())
			}
			meanings[f.Name], where[f.Name] = value, cmd.CommandPath()
			if had, ok := letters[f.Shorthand]; ok && f.Shorthand != "" && had != f.Name {
				t.Errorf("-%s is --%s and --%s (%q)", f.Shorthand, had, f.Name, cmd.CommandPath())
			}
			letters[f.Shorthand] = f.Name
			for name, short := range map[string]string{"message": "m", "yes": "y"} {
				if f.Name == name && f.Shorthand != short {
					t.Errorf("%q has --%s without -%s", cmd.CommandPath(), name, short)
				}
			}
		})
	}
	if len(meanings) < 60 {
		t.Errorf("only %d flags were looked at", len(meanings))
	}
}

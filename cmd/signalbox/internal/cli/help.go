package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the greatest width of a line of help, in columns.
const helpWidth = 80

// uses is the annotation that lists the global flags that affect a command and its subcommands.
const uses = "uses"

// Uses returns the annotation of a command that only the named global flags affect. Help
// lists only those. It applies to the subcommands too.
func Uses(flags ...string) map[string]string {
	return map[string]string{uses: strings.Join(flags, " ")}
}

// GlobalFlags returns the global flags that affect a command: all of them for the root.
func GlobalFlags(cmd *cobra.Command) *pflag.FlagSet {
	all := cmd.Root().PersistentFlags()
	if cmd == cmd.Root() {
		return all
	}
	known := ""
	for c := cmd; c != nil && known == ""; c = c.Parent() {
		known = c.Annotations[uses]
	}
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.VisitAll(func(f *pflag.Flag) {
		if slices.Contains(strings.Fields(known), f.Name) {
			set.AddFlag(f)
		}
	})
	return set
}

// OwnFlags returns the flags of a command and of the group it is in, without the global
// ones.
func OwnFlags(cmd *cobra.Command) *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	global := cmd.Root().PersistentFlags()
	add := func(f *pflag.Flag) {
		if global.Lookup(f.Name) != f {
			set.AddFlag(f)
		}
	}
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return set
}

// RegisterHelp makes all commands of a root show their help in at most 80 columns.
func RegisterHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		text := About(cmd) + "\n"
		if cmd.Runnable() || cmd.HasSubCommands() {
			text += "\n" + usage(cmd)
		}
		_, _ = io.WriteString(cmd.OutOrStdout(), text) // it fails only if the reader is gone
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		_, err := io.WriteString(cmd.OutOrStderr(), usage(cmd))
		return err
	})
}

// About returns the description at the beginning of a command's help.
func About(cmd *cobra.Command) string { return fill(cmp.Or(cmd.Long, cmd.Short+".")) }

// HelpPart is a section of help. Its text ends with a line end.
type HelpPart struct{ Title, Text string }

// HelpParts returns all sections of a command's help except [About].
func HelpParts(cmd *cobra.Command) []HelpPart {
	call, more := "", ""
	if cmd.Runnable() {
		call = "  " + cmd.UseLine() + "\n"
	}
	if cmd.HasAvailableSubCommands() {
		call += "  " + cmd.CommandPath() + " <command> [flags]\n"
		more = fmt.Sprintf("\"%s <command> --help\" says more about a command.\n", cmd.CommandPath())
	}
	example := strings.Trim(cmd.Example, "\n")
	if example != "" {
		example += "\n"
	}
	parts := []HelpPart{
		{"Usage", call},
		{"Examples", example},
		{"Commands", commandList(cmd, func(c *cobra.Command) bool { return c.IsAvailableCommand() || c.Name() == "help" })},
		{"Flags", OwnFlags(cmd).FlagUsagesWrapped(helpWidth)},
		{"Global flags", GlobalFlags(cmd).FlagUsagesWrapped(helpWidth)},
		{"Help topics", commandList(cmd, (*cobra.Command).IsAdditionalHelpTopicCommand)},
		{"", more},
	}
	return slices.DeleteFunc(parts, func(p HelpPart) bool { return p.Text == "" })
}

func usage(cmd *cobra.Command) string {
	var parts []string
	for _, p := range HelpParts(cmd) {
		if p.Title != "" {
			p.Text = p.Title + ":\n" + p.Text
		}
		parts = append(parts, p.Text)
	}
	return strings.Join(parts, "\n")
}

func commandList(cmd *cobra.Command, ok func(*cobra.Command) bool) string {
	list := slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool { return !ok(c) })
	width := 0
	for _, c := range list {
		width = max(width, len(c.Name()))
	}
	var b strings.Builder
	for _, c := range list {
		indent := strings.Repeat(" ", width+4)
		fmt.Fprintf(&b, "  %-*s  %s\n", width, c.Name(), strings.Join(wrap(c.Short, helpWidth-len(indent)), "\n"+indent))
	}
	return b.String()
}

// fill rewraps the paragraphs of a text to the width of help. Lines that begin with
// blanks stay as they are.
func fill(text string) string {
	var out, words []string
	flush := func() {
		if len(words) > 0 {
			out = append(out, wrap(strings.Join(words, " "), helpWidth)...)
		}
		words = nil
	}
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		if line == "" || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			flush()
			out = append(out, line)
		} else {
			words = append(words, line)
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// wrap breaks a text between words. A word that is too long gets its own line.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && show.Columns(line)+1+show.Columns(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

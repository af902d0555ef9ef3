package cli

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how many columns a line of help has at most.
const helpWidth = 80

// uses is the annotation that names the global flags which mean something to a command
// and to those below it.
const uses = "uses"

// Uses returns the annotation of a command for which the named global flags mean
// something. Help shows no others. It counts for the commands below, too.
func Uses(flags ...string) map[string]string {
	return map[string]string{uses: strings.Join(flags, " ")}
}

// GlobalFlags returns the global flags that mean something to a command: to the root all
// of them.
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

// RegisterHelp has all commands below a root show their help in at most 80 columns.
func RegisterHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		w := bufio.NewWriter(cmd.OutOrStdout())
		writeHelp(w, cmd)
		_ = w.Flush() // whoever reads it is gone
	})
	root.SetUsageFunc(func(cmd *cobra.Command) error {
		w := bufio.NewWriter(cmd.OutOrStderr())
		writeUsage(w, cmd)
		return w.Flush()
	})
}

func writeHelp(w *bufio.Writer, cmd *cobra.Command) {
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	w.WriteString(fill(text) + "\n")
	if cmd.Runnable() || cmd.HasSubCommands() {
		w.WriteByte('\n')
		writeUsage(w, cmd)
	}
}

func writeUsage(w *bufio.Writer, cmd *cobra.Command) {
	w.WriteString("Usage:\n")
	if cmd.Runnable() {
		w.WriteString("  " + cmd.UseLine() + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		w.WriteString("  " + cmd.CommandPath() + " <command> [flags]\n")
	}
	if len(cmd.Aliases) > 0 {
		w.WriteString("\nAliases:\n  " + strings.Join(cmd.Aliases, ", ") + "\n")
	}
	if cmd.Example != "" {
		w.WriteString("\nExamples:\n" + strings.Trim(cmd.Example, "\n") + "\n")
	}
	writeCommands(w, "Commands", cmd, func(c *cobra.Command) bool { return c.IsAvailableCommand() || c.Name() == "help" })
	writeFlags(w, "Flags", OwnFlags(cmd))
	writeFlags(w, "Global flags", GlobalFlags(cmd))
	writeCommands(w, "Help topics", cmd, (*cobra.Command).IsAdditionalHelpTopicCommand)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n\"%s <command> --help\" says more about a command.\n", cmd.CommandPath())
	}
}

func writeFlags(w *bufio.Writer, title string, set *pflag.FlagSet) {
	if set.HasAvailableFlags() {
		w.WriteString("\n" + title + ":\n" + set.FlagUsagesWrapped(helpWidth))
	}
}

// writeCommands lists the commands below a command for which ok holds.
func writeCommands(w *bufio.Writer, title string, cmd *cobra.Command, ok func(*cobra.Command) bool) {
	var list []*cobra.Command
	width := 0
	for _, c := range cmd.Commands() {
		if ok(c) {
			list = append(list, c)
			width = max(width, len(c.Name()))
		}
	}
	if len(list) > 0 {
		w.WriteString("\n" + title + ":\n")
	}
	for _, c := range list {
		indent := strings.Repeat(" ", width+4)
		lines := wrap(c.Short, helpWidth-len(indent))
		fmt.Fprintf(w, "  %-*s  %s\n", width, c.Name(), strings.Join(lines, "\n"+indent))
	}
}

// fill returns a text whose paragraphs are broken anew for the width of help. Lines that
// begin with blanks stay as they are.
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

// wrap breaks a text between its words. A word that is too long has a line of its own.
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

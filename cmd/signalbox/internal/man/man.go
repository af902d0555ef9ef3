// Package man writes the manual pages of the commands from their help, one page for
// each command. Start with [Command]; it imports no other command.
package man

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/spf13/cobra"
)

// Command returns "signalbox man". It is hidden: it is for packagers, and for people
// who install with only the Go toolchain.
func Command(o *cli.Options) *cobra.Command {
	return &cobra.Command{
		Use:    "man <folder>",
		Short:  "Write the manual pages into a folder",
		Hidden: true,
		Long: `Write a manual page for each command into a folder, as signalbox.1,
signalbox-inbox.1 and so on. The pages have the date of SOURCE_DATE_EPOCH, in seconds
since 1970, and no date without it, so that the same program writes the same bytes.`,
		Example: "  signalbox man ~/.local/share/man/man1",
		Args:    cli.Args(1, 1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			date, err := date(o.Env.Getenv("SOURCE_DATE_EPOCH"))
			if err != nil {
				return err
			}
			dir := o.Absolute(args[0])
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			return write(cmd.Root(), dir, date, "signalbox "+o.Version)
		}),
	}
}

// date returns the day of a time in seconds since 1970, or "" for "".
func date(seconds string) (string, error) {
	if seconds == "" {
		return "", nil
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return "", cli.Usage(fmt.Errorf("SOURCE_DATE_EPOCH is %q, and must be seconds since 1970", seconds))
	}
	return time.Unix(n, 0).UTC().Format(time.DateOnly), nil
}

// write writes the page of a command and of all its subcommands that help lists.
func write(cmd *cobra.Command, dir, date, source string) error {
	err := os.WriteFile(filepath.Join(dir, name(cmd)+".1"), []byte(page(cmd, date, source)), 0o644)
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" && (sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand()) {
			err = cmp.Or(err, write(sub, dir, date, source))
		}
	}
	return err
}

func name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page returns the manual page of a command: its help, with its headings as sections.
func page(cmd *cobra.Command, date, source string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 %q %q Signalbox\n.SH NAME\n%s\n", strings.ToUpper(name(cmd)), date, source, escape(name(cmd)+" - "+cmd.Short))
	for _, part := range append([]cli.HelpPart{{Title: "Description", Text: cli.About(cmd)}}, cli.HelpParts(cmd)...) {
		if part.Title == "" {
			b.WriteString(".PP\n.nf\n")
		} else {
			b.WriteString(".SH " + strings.ToUpper(part.Title) + "\n.nf\n")
		}
		for line := range strings.SplitSeq(strings.TrimRight(part.Text, "\n"), "\n") {
			b.WriteString(escape(line) + "\n")
		}
		b.WriteString(".fi\n")
	}
	return b.String()
}

// escape returns a line that man shows as it is, with hyphens that can be copied to a
// shell. A leading dot or quote would be a roff request.
func escape(s string) string {
	s = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		return `\&` + s
	}
	return s
}

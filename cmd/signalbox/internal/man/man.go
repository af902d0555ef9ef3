// Package man writes the manual pages of the commands from their help, one page for
// each command. Start with [Command]; it imports no other command.
package man

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Command returns "signalbox man". It is hidden: packages run it, and whoever installs
// with the Go toolchain alone.
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
			return pages(cmd.Root(), func(name, text string) error {
				return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
			}, date, "signalbox "+o.Version)
		}),
	}
}

// date returns the day of a time in seconds since 1970, and "" for none.
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

// pages calls each with the file name and text of the page of a command and of all
// commands below it that help lists.
func pages(cmd *cobra.Command, each func(name, text string) error, date, source string) error {
	if err := each(name(cmd)+".1", page(cmd, date, source)); err != nil {
		return err
	}
	for _, sub := range listed(cmd) {
		if err := pages(sub, each, date, source); err != nil {
			return err
		}
	}
	return nil
}

// listed returns the commands below a command that have a page.
func listed(cmd *cobra.Command) (list []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.Name() != "help" && (sub.IsAvailableCommand() || sub.IsAdditionalHelpTopicCommand()) {
			list = append(list, sub)
		}
	}
	return list
}

func name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// page returns the manual page of a command.
func page(cmd *cobra.Command, date, source string) string {
	p := &roff{}
	// Not by macro, which would escape the date's hyphens.
	fmt.Fprintf(p, ".TH %q 1 %q %q Signalbox\n", strings.ToUpper(name(cmd)), date, source)
	p.macro("SH", "NAME")
	p.line(name(cmd) + " - " + cmd.Short)
	if cmd.Runnable() || cmd.HasAvailableSubCommands() {
		p.macro("SH", "SYNOPSIS")
		p.line(synopsis(cmd))
	}
	p.macro("SH", "DESCRIPTION")
	if cmd.Long != "" {
		p.text(cmd.Long)
	} else {
		p.text(cmd.Short + ".")
	}
	p.flags("OPTIONS", cli.OwnFlags(cmd))
	p.flags("GLOBAL OPTIONS", cli.GlobalFlags(cmd))
	subs := listed(cmd)
	if len(subs) > 0 {
		p.macro("SH", "COMMANDS")
	}
	for _, sub := range subs {
		p.item(sub.CommandPath(), sub.Short)
	}
	if cmd.Example != "" {
		p.macro("SH", "EXAMPLES")
		p.block(strings.Split(strings.Trim(cmd.Example, "\n"), "\n"))
	}
	p.related(cmd, subs)
	return p.String()
}

func synopsis(cmd *cobra.Command) string {
	if !cmd.Runnable() {
		return cmd.CommandPath() + " <command> [flags]"
	}
	return cmd.UseLine()
}

// roff builds a page in the language of man(7).
type roff struct{ strings.Builder }

// macro writes a request with its arguments.
func (p *roff) macro(name string, args ...string) {
	p.WriteString("." + name)
	for _, arg := range args {
		p.WriteString(` "` + strings.ReplaceAll(escape(arg), `"`, `\(dq`) + `"`)
	}
	p.WriteByte('\n')
}

// line writes a line of text. A dot or quote at its beginning would be a request.
func (p *roff) line(s string) {
	s = escape(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	p.WriteString(s + "\n")
}

// escape returns a text that man shows as it is, with hyphens that can be copied to a
// shell.
func escape(s string) string { return strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(s) }

// text writes paragraphs. Indented lines keep their form.
func (p *roff) text(s string) {
	for i, part := range strings.Split(strings.Trim(s, "\n"), "\n\n") {
		if i > 0 {
			p.macro("PP")
		}
		lines := strings.Split(part, "\n")
		for len(lines) > 0 && !indented(lines[0]) {
			p.line(lines[0])
			lines = lines[1:]
		}
		if len(lines) > 0 {
			if !indented(part) {
				p.macro("PP")
			}
			p.block(lines)
		}
	}
}

func indented(s string) bool { return strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\t") }

// block writes lines that are not filled.
func (p *roff) block(lines []string) {
	p.macro("nf")
	for _, l := range lines {
		p.line(l)
	}
	p.macro("fi")
}

// item writes a term and what it means.
func (p *roff) item(term, text string) {
	p.macro("TP")
	p.macro("B", term)
	p.line(text)
}

// flags writes a section of flags, unless there are none.
func (p *roff) flags(title string, set *pflag.FlagSet) {
	if !set.HasAvailableFlags() {
		return
	}
	p.macro("SH", title)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		term := "--" + f.Name
		if f.Shorthand != "" {
			term = "-" + f.Shorthand + ", " + term
		}
		if value != "" {
			term += " " + value
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" {
			usage += " (default " + f.DefValue + ")"
		}
		p.item(term, usage)
	})
}

// related writes the pages above and below a command.
func (p *roff) related(cmd *cobra.Command, subs []*cobra.Command) {
	var names []string
	if cmd.HasParent() {
		names = append(names, name(cmd.Parent()))
	}
	for _, sub := range subs {
		names = append(names, name(sub))
	}
	if len(names) == 0 {
		return
	}
	p.macro("SH", "SEE ALSO")
	for i, name := range names {
		tail := ","
		if i == len(names)-1 {
			tail = ""
		}
		p.line(name + "(1)" + tail)
	}
}

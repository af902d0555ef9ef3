package amp

import (
	"bufio"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/spf13/cobra"
)

func (a *Commands) checkCommand() *cobra.Command {
	var notes bool
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Hold messages against every rule of the format",
		Long: `Check messages, one in each FILE, and print "FILE: ok", or a line
"FILE: <rule id>: message" for each rule that is broken. Exit code 1 if there is one;
"-" is stdin. Signatures are "signalbox amp verify"'s.

A message over the limit of 512 KiB, or deeper than 64 levels, is refused without
being read any further.

Notes break no rule and are shown by --notes: what real senders do and a reader
copes with, such as null for what is left out.`,
		Example: `  signalbox amp check message.json
  signalbox amp check --notes messages/inbox/*/*.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || slices.Contains(args, "") {
				return cli.Usage(errors.New("usage: amp check FILE…"))
			}
			return nil
		},
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			return a.check(cmd.Context(), args, notes)
		}),
	}
	cmd.Flags().BoolVar(&notes, "notes", false, "show notes, too")
	return cmd
}

func (a *Commands) check(ctx context.Context, names []string, notes bool) error {
	out := &ampChecks{Commands: a, w: a.Writer(), paint: a.Paint(), notes: notes}
	if err := a.eachFile(ctx, names, out.file); err != nil {
		return err
	}
	if err := out.w.Flush(); err != nil {
		return err
	}
	if len(out.noted) > 0 {
		slices.Sort(out.noted)
		a.Warn("there are notes about %s, which break no rule (--notes shows them)", strings.Join(out.noted, ", "))
	}
	if out.failed {
		return cli.Silent(cli.ExitFailed)
	}
	return nil
}

// ampChecks writes what was found, file by file.
type ampChecks struct {
	*Commands
	w      *bufio.Writer
	paint  cli.Paint
	notes  bool
	noted  []string
	failed bool
}

func (o *ampChecks) file(f *ampFile) error {
	found := f.msg.Findings
	if bad, ok := errors.AsType[*canon.Fault](f.err); ok {
		found.Faults = []canon.Fault{*bad}
	} else if f.err != nil {
		o.failed = true
		o.Warn("%s: %v", f.name, f.err)
		return nil
	}
	o.failed = o.failed || len(found.Faults) > 0
	if o.JSON {
		o.object(f, found)
		return nil
	}
	name := cli.FileName(f.name)
	if len(found.Faults) == 0 {
		o.w.WriteString(name + ": ok\n")
	}
	for i := range found.Faults {
		o.w.WriteString(name + ": " + o.paint.In(cli.Red, found.Faults[i].Rule+":") + " " + cli.Line(found.Faults[i].Reason) + "\n")
	}
	for i := range found.Notes {
		n := &found.Notes[i]
		if o.notes {
			o.w.WriteString(name + ": " + o.paint.In(cli.Yellow, n.Rule+":") + " note: " + cli.Line(n.Reason) + "\n")
		} else if !slices.Contains(o.noted, n.Rule) {
			o.noted = append(o.noted, n.Rule)
		}
	}
	return nil
}

func (o *ampChecks) object(f *ampFile, found canon.Findings) {
	out := cli.NewObject(o.w)
	out.Text("file", f.name).Bool("ok", len(found.Faults) == 0).Text("id", f.msg.ID)
	out.Name("faults")
	writeAmpFaults(o.w, found.Faults, f.data)
	out.Name("notes")
	writeAmpFaults(o.w, found.Notes, f.data)
	out.End()
}

// writeAmpFaults writes faults as a list of objects, each with its place in data if
// that was read.
func writeAmpFaults(w *bufio.Writer, list []canon.Fault, data []byte) {
	w.WriteByte('[')
	for i := range list {
		if i > 0 {
			w.WriteByte(',')
		}
		f := &list[i]
		o := cli.NewObject(w)
		o.Text("rule", f.Rule).Text("field", f.Field).Text("reason", f.Reason)
		if data != nil {
			row, column := cli.Position(data, f.Offset)
			o.Number("offset", int64(f.Offset)).Number("line", row).Number("column", column)
		}
		w.WriteByte('}')
	}
	w.WriteByte(']')
}

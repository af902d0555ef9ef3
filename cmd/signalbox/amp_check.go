package main

import (
	"bufio"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/spf13/cobra"
)

func (a *mails) checkCommand() *cobra.Command {
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
				return usage(errors.New("usage: amp check FILE…"))
			}
			return nil
		},
		RunE: action(func(cmd *cobra.Command, args []string) error {
			return a.check(cmd.Context(), args, notes)
		}),
	}
	cmd.Flags().BoolVar(&notes, "notes", false, "show notes, too")
	return cmd
}

func (a *mails) check(ctx context.Context, names []string, notes bool) error {
	out := &ampChecks{mails: a, w: a.writer(), paint: a.paint(), notes: notes}
	if err := a.eachFile(ctx, names, out.file); err != nil {
		return err
	}
	if err := out.w.Flush(); err != nil {
		return err
	}
	if len(out.noted) > 0 {
		slices.Sort(out.noted)
		a.warn("there are notes about %s, which break no rule (--notes shows them)", strings.Join(out.noted, ", "))
	}
	if out.failed {
		return silent(exitFailed)
	}
	return nil
}

// ampChecks writes what was found, file by file.
type ampChecks struct {
	*mails
	w      *bufio.Writer
	paint  paint
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
		o.warn("%s: %v", f.name, f.err)
		return nil
	}
	o.failed = o.failed || len(found.Faults) > 0
	if o.json {
		o.object(f, found)
		return nil
	}
	name := fileName(f.name)
	if len(found.Faults) == 0 {
		o.w.WriteString(name + ": ok\n")
	}
	for i := range found.Faults {
		o.w.WriteString(name + ": " + o.paint.in(red, found.Faults[i].Rule+":") + " " + line(found.Faults[i].Reason) + "\n")
	}
	for i := range found.Notes {
		n := &found.Notes[i]
		if o.notes {
			o.w.WriteString(name + ": " + o.paint.in(yellow, n.Rule+":") + " note: " + line(n.Reason) + "\n")
		} else if !slices.Contains(o.noted, n.Rule) {
			o.noted = append(o.noted, n.Rule)
		}
	}
	return nil
}

func (o *ampChecks) object(f *ampFile, found canon.Findings) {
	out := object{w: o.w}
	out.text("file", f.name).bool("ok", len(found.Faults) == 0).text("id", f.msg.ID)
	out.name("faults")
	writeAmpFaults(o.w, found.Faults, f.data)
	out.name("notes")
	writeAmpFaults(o.w, found.Notes, f.data)
	out.end()
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
		o := object{w: w}
		o.text("rule", f.Rule).text("field", f.Field).text("reason", f.Reason)
		if data != nil {
			row, column := position(data, f.Offset)
			o.number("offset", int64(f.Offset)).number("line", row).number("column", column)
		}
		w.WriteByte('}')
	}
	w.WriteByte(']')
}

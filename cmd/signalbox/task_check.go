package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/spf13/cobra"
)

func (j *jobs) checkCommand() *cobra.Command {
	var c checkFlags
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "Hold task messages against every rule of the format",
		Long: `Check task messages, one in each FILE, and print "FILE: ok", or a line
"FILE: <rule id>: message" for each fault. Of a directory those files are checked
that count as task messages in one, at any depth; "-" is stdin. Exit code 1 if a
rule is broken.

Some rules need the other messages of the task: whether a subtask was dispatched,
whether what a review request refers to is there, how often the task was rejected.
With --ssot those are the messages of that directory, and ACKs and answers are held
against them, too. Without it they are the
other files given and the .json files in the same folder, and a reference to what
is not among them counts as a fault only where nothing else is wrong.
SIGNALBOX_SSOT is not looked at. A second message of one id is a conflict (E1), told of a message
that is sound but for that.

A payload that stands alone, such as the examples in the format's text, is
recognised by its members, or told by --payload. The files that are Signalbox's
own, of ACKs, answers and tasks, are checked as what they are.

Notes break no rule and are shown by --notes: an unknown member, a shortened
reference. Those that show that a sender meant something else are always shown: a
deadline without requires_ack (E9), and empty blockers (T7), issues (V3) or
direct_fixes (V4) where there have to be some.`,
		Example: `  signalbox task check result.json
  signalbox task check --ssot .ssot result.json
  signalbox task check --payload task_dispatch plan.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 || slices.Contains(args, "") {
				return usage(errors.New("usage: task check FILE…"))
			}
			return nil
		},
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := emptyFlags(cmd, "ssot", "payload"); err != nil {
				return err
			}
			if c.payload != "" {
				kind, err := messageType(c.payload)
				if err != nil {
					return err
				}
				c.payload = kind
			}
			return j.check(cmd.Context(), args, c)
		}),
	}
	cmd.Flags().BoolVar(&c.notes, "notes", false, "show notes, too")
	cmd.Flags().StringVar(&c.payload, "payload", "", "each file is a payload of this `type`, without its envelope")
	_ = cmd.RegisterFlagCompletionFunc("payload", cobra.FixedCompletions(messageTypes(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

type checkFlags struct {
	notes   bool
	payload string
}

func messageTypes() []string {
	return []string{agn.TypeDispatch, agn.TypeResult, agn.TypeRequest, agn.TypeVerdict, agn.TypeEscalation}
}

// messageType reads the type of a message as the user gives it: whole, or its
// last word.
func messageType(s string) (string, error) {
	for _, kind := range messageTypes() {
		if s == kind || strings.HasSuffix(kind, "_"+s) && s != "" {
			return kind, nil
		}
	}
	return "", usage(fmt.Errorf("unknown type %q: a message is a %s (E3)", s, strings.Join(messageTypes(), ", ")))
}

// emptyFlags refuses flags that were given empty, as by a variable that a script
// forgot to set.
func emptyFlags(cmd *cobra.Command, names ...string) error {
	for _, name := range names {
		if f := cmd.Flag(name); f != nil && f.Changed && f.Value.String() == "" {
			return usage(fmt.Errorf("--%s is empty", name))
		}
	}
	return nil
}

// check reads everything first, since files are each other's history.
func (j *jobs) check(ctx context.Context, args []string, flags checkFlags) error {
	in := &checkInput{jobs: j, payload: flags.payload}
	for _, arg := range args {
		if err := in.add(ctx, arg); err != nil {
			if ctx.Err() != nil {
				return err
			}
			in.failed = true
			j.warn("%v", err)
		}
	}
	h := newTaskHistory(in.files)
	if j.ssot != "" {
		if err := j.stored(ctx, h); err != nil {
			return err
		}
	}
	out := &checkOutput{jobs: j, w: j.writer(), paint: j.paint(), notes: flags.notes}
	lacking := false
	for _, f := range in.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		found := f.found
		if f.kind == kindMessage && len(found.Faults) == 0 {
			late, lacks := h.check(f)
			found.Faults = append(found.Faults, late.Faults...)
			found.Notes = append(slices.Clone(found.Notes), late.Notes...)
			lacking = lacking || lacks
		}
		if h.answer != nil && len(found.Faults) == 0 {
			if void := h.answer(f); void != nil {
				found.Faults = []canon.Fault{*void}
			}
		}
		out.file(f, found)
	}
	if err := out.w.Flush(); err != nil {
		return err
	}
	if in.skipped > 0 {
		j.warn("%s left out: no task messages", plural(in.skipped, "file"))
	}
	if lacking && j.ssot == "" {
		j.warn("the other messages of a task were looked for among the files given and beside them; --ssot names the directory that has them")
	}
	if len(out.noted) > 0 {
		slices.Sort(out.noted)
		j.warn("there are notes about %s, which break no rule (--notes shows them)", strings.Join(out.noted, ", "))
	}
	if out.faults > 0 || in.failed {
		return silent(exitFailed)
	}
	return nil
}

// checkOutput writes what was found.
type checkOutput struct {
	*jobs
	w      *bufio.Writer
	paint  paint
	notes  bool
	faults int
	noted  []string
}

func (o *checkOutput) file(f *checkedFile, found canon.Findings) {
	o.faults += len(found.Faults)
	if o.json {
		o.object(f, found)
		return
	}
	name := threadName(f.name)
	if len(found.Faults) == 0 {
		o.w.WriteString(name + ": ok\n")
	}
	for i := range found.Faults {
		o.w.WriteString(name + ": " + o.paint.in(red, found.Faults[i].Rule+":") + " " + line(found.Faults[i].Reason) + "\n")
	}
	for i := range found.Notes {
		n := &found.Notes[i]
		if o.notes || agn.Pressing(n.Rule) {
			o.w.WriteString(name + ": " + o.paint.in(yellow, n.Rule+":") + " note: " + line(n.Reason) + "\n")
		} else if !slices.Contains(o.noted, n.Rule) {
			o.noted = append(o.noted, n.Rule)
		}
	}
	if f.guessed {
		o.warn("%s is a payload without its envelope, checked as %s", f.name, f.of)
	}
}

func (o *checkOutput) object(f *checkedFile, found canon.Findings) {
	out := object{w: o.w}
	out.text("file", f.name).bool("ok", len(found.Faults) == 0).text("kind", f.kind)
	out.text("type", cmp.Or(f.of, f.msg.Type)).text("id", f.msg.ID)
	for _, l := range []struct {
		name string
		list []canon.Fault
	}{{"faults", found.Faults}, {"notes", found.Notes}} {
		out.name(l.name)
		o.w.WriteByte('[')
		for i := range l.list {
			if i > 0 {
				o.w.WriteByte(',')
			}
			writeFault(o.w, &l.list[i], f.data)
		}
		o.w.WriteByte(']')
	}
	out.end()
}

// writeFault writes a fault as an object, with its place in data if there is any.
func writeFault(w *bufio.Writer, f *canon.Fault, data []byte) {
	o := object{w: w}
	o.text("rule", f.Rule).text("field", f.Field).text("reason", f.Reason)
	if data != nil {
		row, column := position(data, f.Offset)
		o.number("offset", int64(f.Offset)).number("line", row).number("column", column)
	}
	w.WriteByte('}')
}

// position gives the line and the column of an offset, both from 1. Columns are
// characters, as editors count them on a line of plain text.
func position(data []byte, offset int) (row, column int64) {
	before := data[:min(max(offset, 0), len(data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return int64(bytes.Count(before, []byte("\n")) + 1), int64(utf8.RuneCount(before[start:]) + 1)
}

package task

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
	"github.com/spf13/cobra"
)

func (j *Commands) checkCommand() *cobra.Command {
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
With --ssot they are the messages of that directory, and ACKs and answers are held
against them, too. Without it they are the other files given and the .json files in
the same folder; a reference to a message that is not among them counts as a fault
only if nothing else is wrong. SIGNALBOX_SSOT is not looked at. A second message with
one id is a conflict, which is reported only for a message that breaks no other
rule.

A payload without its envelope, such as the examples in the format's text, is
recognised by its members; --payload names its type. Signalbox's own files of ACKs,
answers and tasks are checked as such.

Notes break no rule and are shown by --notes: an unknown member, a shortened
reference. Notes which suggest that the sender meant something else are always shown: a
deadline without requires_ack, and empty blockers, issues or direct_fixes where
there have to be some.`,
		Example: `  signalbox task check result.json
  signalbox task check --ssot .ssot result.json
  signalbox task check --payload task_dispatch plan.json`,
		Args: cli.Args(1, -1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
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
	cli.Complete(cmd, "payload", messageTypes()...)
	return cmd
}

type checkFlags struct {
	notes   bool
	payload string
}

func messageTypes() []string {
	return []string{agn.TypeDispatch, agn.TypeResult, agn.TypeRequest, agn.TypeVerdict, agn.TypeEscalation}
}

// messageType returns the type with the given full name or last word.
func messageType(s string) (string, error) {
	for _, kind := range messageTypes() {
		if s == kind || strings.HasSuffix(kind, "_"+s) && s != "" {
			return kind, nil
		}
	}
	return "", cli.Usage(fmt.Errorf("unknown type %q: a message is a %s (E3)", s, strings.Join(messageTypes(), ", ")))
}

// check reads all files before it checks any, because each is part of the others' history.
func (j *Commands) check(ctx context.Context, args []string, flags checkFlags) error {
	in := &checkInput{Commands: j, payload: flags.payload}
	for _, arg := range args {
		if err := in.add(ctx, arg); err != nil {
			if ctx.Err() != nil {
				return err
			}
			in.failed = true
			j.Warn("%v", err)
		}
	}
	h := newTaskHistory(in.files)
	if j.ssot != "" {
		b, err := agnsource.Read(ctx, j.Env.Expand(j.ssot), j.Now())
		if err != nil {
			return err
		}
		if !b.Exists() {
			return fmt.Errorf("task: %q (--ssot): there is no such directory", b.Path())
		}
		h.stored = b
	}
	out := j.Checked(flags.notes)
	out.Failed = in.failed
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
		if len(found.Faults) == 0 {
			if void := h.answer(f); void != nil {
				found.Faults = []canon.Fault{*void}
			}
		}
		j.checked(out, f, found)
	}
	if err := out.W.Flush(); err != nil {
		return err
	}
	if in.skipped > 0 {
		j.Warn("%s left out: no task messages", cli.Plural(in.skipped, "file"))
	}
	if lacking && j.ssot == "" {
		j.Warn("the other messages of a task were looked for among the files given and beside them; --ssot names the directory that has them")
	}
	return out.End()
}

// checked writes the findings of one file.
func (j *Commands) checked(out *cli.Checked, f *checkedFile, found canon.Findings) {
	if j.JSON {
		out.Failed = out.Failed || len(found.Faults) > 0
		_ = cli.Print(out.W, printed.CheckedTask{ // Flush returns the error
			File: f.name, OK: len(found.Faults) == 0, Kind: f.kind, Type: cmp.Or(f.of, f.msg.Type), ID: f.msg.ID,
			Faults: cli.Faults(found.Faults, f.data), Notes: cli.Faults(found.Notes, f.data),
		})
		return
	}
	out.File(cli.WholeLine(f.name), found, agn.Urgent)
	if f.guessed {
		j.Warn("%s is a payload without its envelope, checked as %s", f.name, f.of)
	}
}

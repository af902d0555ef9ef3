package task

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
	"github.com/spf13/cobra"
)

// findMessage returns the message whose id is ref or begins with it. It is an error if
// there are several.
func findMessage(b *agnsource.Box, ref string) (*agn.Message, error) {
	found := cli.ByID(b.Messages(), ref, func(m *agn.Message) string { return m.ID })
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("task: no message %q in %q (messages that break a rule are left out; \"signalbox task check\" names them)", ref, b.Path())
	case 1:
		return found[0], nil
	}
	var list []string
	for _, m := range found {
		list = append(list, cli.Line(m.ID))
	}
	return nil, cli.Ambiguous(fmt.Sprintf("task: %q names %d messages: give more of the id", ref, len(found)), list)
}

func (j *Commands) ackCommand() *cobra.Command {
	var role string
	cmd := &cobra.Command{
		Use:   "ack MSG-ID",
		Short: "Acknowledge a message, for good",
		Long: `Write the receiver's ACK to a message: for a dispatch it means "received and
started", never "completed". An ACK cannot be undone, and there is one for each
message.

Only the receiver's ACK counts: say with --role or SIGNALBOX_ROLE who you are.
Messages to the admin need neither.`,
		Example: `  signalbox task ack task_dispatch-T-2026-044 --role executor`,
		Args:    cli.Args(1, 1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			return j.ack(cmd.Context(), args[0], role)
		}),
		ValidArgsFunction: cli.Completing(1, j.offerUnacknowledged),
	}
	cmd.Flags().StringVar(&role, "role", "", "your `role`: admin, coordinator, executor or reviewer (SIGNALBOX_ROLE)")
	cli.Complete(cmd, "role", agn.Admin, agn.Coordinator, agn.Executor, agn.Reviewer)
	return cmd
}

func (j *Commands) ack(ctx context.Context, ref, role string) error {
	role, origin := j.role(role)
	switch role {
	case "", agn.Admin, agn.Coordinator, agn.Executor, agn.Reviewer:
	default:
		return cli.Usage(fmt.Errorf("%s is %q: a role is admin, coordinator, executor or reviewer", origin, role))
	}
	b, err := j.read(ctx)
	if err != nil {
		return err
	}
	m, err := findMessage(b, ref)
	if err != nil {
		return err
	}
	if role == "" {
		if m.To != agn.Admin {
			return cli.Usage(fmt.Errorf("give --role %[1]s if that is you: the message went to the %[1]s, and only their ACK counts (E12)", m.To))
		}
		role = agn.Admin
	}
	ack, path, err := b.Ack(ctx, m, role)
	if err != nil {
		return err
	}
	return j.Result(printed.Ack{ID: ack.MsgID, From: ack.By, Time: ack.Millis, File: path}, "%s acknowledged by the %s; this cannot be undone", cli.WholeLine(m.ID), ack.By)
}

// role returns the role from the flag or the environment, or "", and where it came from.
func (j *Commands) role(given string) (role, origin string) {
	if given != "" {
		return given, "--role"
	}
	return j.Env.Getenv("SIGNALBOX_ROLE"), "SIGNALBOX_ROLE"
}

func (j *Commands) resumeCommand() *cobra.Command {
	var act string
	var lines []string
	var dry bool
	cmd := &cobra.Command{
		Use:   "resume MSG-ID --action ACTION [-m TEXT]",
		Short: "Answer an escalation as the admin, for good",
		Long: `Write the admin's answer to an open escalation, or to the verdict that locked a
task, and let its agents go on:

  approve    go on as planned
  redirect   go on otherwise: the text says how
  split      dispatch again, in smaller subtasks
  terminate  end the task, for good

An answer cannot be undone, and there is one for each message. --dry-run shows the
record and what it would change, and writes nothing.`,
		Example: `  signalbox task resume escalation-T-2026-044 --action redirect \
    -m "Keep the reference in the actor"`,
		Args: cli.Args(1, 1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(agn.Actions(), agn.Action(act)) {
				return cli.Usage(fmt.Errorf("--action is %q, and must be approve, redirect, split or terminate", act))
			}
			text, err := j.Text(lines)
			if err != nil {
				return err
			}
			return j.resume(cmd.Context(), args[0], agn.Action(act), text, dry)
		}),
		ValidArgsFunction: cli.Completing(1, j.offerOpen),
	}
	f := cmd.Flags()
	f.StringVar(&act, "action", "", "approve, redirect, split or terminate")
	cli.MessageFlag(f, &lines, "the text")
	f.BoolVar(&dry, "dry-run", false, "show what would be written, and write nothing")
	cli.Complete(cmd, "action", "approve", "redirect", "split", "terminate")
	return cmd
}

func (j *Commands) resume(ctx context.Context, ref string, action agn.Action, text string, dry bool) error {
	b, err := j.read(ctx)
	if err != nil {
		return err
	}
	m, err := findMessage(b, ref)
	if err != nil {
		return err
	}
	a, err := b.Answer(m, action, text)
	if bad, ok := errors.AsType[*canon.Fault](err); ok {
		return cli.Usage(bad)
	}
	if err != nil {
		return err
	}
	done := printed.Resumed{ID: m.ID, Action: string(action), Task: m.TaskID, File: a.Path}
	if dry {
		if err := a.Check(); err != nil {
			return err
		}
		done.DryRun, done.Record, done.Effect = true, a.Record, a.Effect
		w := j.Writer()
		if j.JSON {
			_ = cli.Print(w, done) // Flush returns the error
			return w.Flush()
		}
		w.Write(cli.ShownJSON(a.Record))
		if err := w.Flush(); err != nil {
			return err
		}
		j.Warn("would be written to %s; %s", a.Path, a.Effect)
		return nil
	}
	if err := a.Write(ctx); err != nil {
		return err
	}
	return j.Result(done, "%s answered: %s; %s", cli.WholeLine(m.ID), action, a.Effect)
}

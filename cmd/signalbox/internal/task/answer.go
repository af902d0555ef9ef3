package task

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	agnsource "github.com/signalbox-dev/signalbox/lsp/panel/source/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
	"github.com/spf13/cobra"
)

// findMessage returns the one message that an id or the beginning of one names.
func findMessage(snap *ssot.Snapshot, ref string) (*ssot.Task, *agn.Message, error) {
	if t, at := snap.Message(ref); t != nil {
		return t, &t.History.Messages[at], nil
	}
	type held struct {
		task *ssot.Task
		m    *agn.Message
	}
	var all []held
	for _, t := range snap.Tasks {
		for i := range t.History.Messages {
			all = append(all, held{t, &t.History.Messages[i]})
		}
	}
	found := cli.ByID(all, ref, func(h held) string { return h.m.ID })
	switch len(found) {
	case 0:
		return nil, nil, fmt.Errorf("task: no message %q in %q (messages that break a rule are left out; \"signalbox task check\" names them)", ref, snap.Path)
	case 1:
		return found[0].task, found[0].m, nil
	}
	var list []string
	for _, h := range found {
		list = append(list, cli.Line(h.m.ID))
	}
	return nil, nil, cli.Ambiguous(fmt.Sprintf("task: %q names %d messages: give more of the id", ref, len(found)), list)
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
	snap, err := j.scan(ctx)
	if err != nil {
		return err
	}
	_, m, err := findMessage(snap, ref)
	if err != nil {
		return err
	}
	if role == "" {
		if m.To != agn.Admin {
			return cli.Usage(fmt.Errorf("give --role %[1]s if that is you: the message went to the %[1]s, and only their ACK counts (E12)", m.To))
		}
		role = agn.Admin
	}
	d, err := ssot.Open(snap.Path)
	if err != nil {
		return err
	}
	defer d.Close()
	ack, err := d.Ack(ctx, m.ID, role, j.Now())
	if err != nil {
		return err
	}
	path := filepath.Join(snap.Path, filepath.FromSlash(ssot.AckPath(m.ID)))
	return j.Result(printed.Ack{ID: ack.MsgID, From: ack.By, Time: ack.Millis, File: path}, "%s acknowledged by the %s; this cannot be undone", cli.WholeLine(m.ID), ack.By)
}

// role returns the role that a flag or the environment names, "" for none, and what
// names it.
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
			return j.resume(cmd.Context(), args[0], agn.Resume{Action: agn.Action(act), Text: strings.TrimSpace(text)}, dry)
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

func (j *Commands) resume(ctx context.Context, ref string, r agn.Resume, dry bool) error {
	snap, err := j.scan(ctx)
	if err != nil {
		return err
	}
	t, m, err := findMessage(snap, ref)
	if err != nil {
		return err
	}
	r.MsgID, r.Millis = m.ID, ssot.AnswerTime(j.Now().UnixMilli(), m)
	record, err := agn.BuildResume(r)
	if bad, ok := errors.AsType[*canon.Fault](err); ok {
		return cli.Usage(bad)
	}
	if err != nil {
		return err
	}
	path := filepath.Join(snap.Path, filepath.FromSlash(ssot.ResumePath(m.ID)))
	if dry {
		return j.resumeDry(snap, t, m, r, record, path)
	}
	d, err := ssot.Open(snap.Path)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Resume(ctx, r); err != nil {
		return err
	}
	return j.Result(printed.Resumed{ID: r.MsgID, Action: string(r.Action), Task: t.ID, File: path}, "%s answered: %s; %s", cli.WholeLine(m.ID), r.Action, agnsource.EffectOf(t, r))
}

// resumeDry shows what an answer would write and change.
func (j *Commands) resumeDry(snap *ssot.Snapshot, t *ssot.Task, m *agn.Message, r agn.Resume, record []byte, path string) error {
	if i := slices.IndexFunc(t.History.Resumes, func(have agn.Resume) bool { return have.MsgID == r.MsgID }); i >= 0 {
		there := &t.History.Resumes[i]
		if void := snap.CheckResume(*there, r.Millis); void != nil {
			return &ssot.ExistsError{Path: ssot.ResumePath(r.MsgID), Resume: there, Void: void.Reason}
		}
		return fmt.Errorf("task: %s was answered already; an answer is not replaced (X9)", r.MsgID)
	}
	if before := t.State(r.Millis); !before.Opens(m) {
		return fmt.Errorf("task: %s is not open: there is nothing to answer (X9)", r.MsgID)
	}
	w := j.Writer()
	if j.JSON {
		_ = cli.Print(w, printed.Resumed{ // flushing tells
			ID: r.MsgID, Action: string(r.Action), Task: t.ID, File: path, DryRun: true, Record: record, Effect: agnsource.EffectOf(t, r),
		})
		return w.Flush()
	}
	w.Write(cli.ShownJSON(record))
	if err := w.Flush(); err != nil {
		return err
	}
	j.Warn("would be written to %s; %s", path, agnsource.EffectOf(t, r))
	return nil
}

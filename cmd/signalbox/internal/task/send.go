package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/agn"
	agnsource "github.com/signalbox-dev/signalbox/lsp/agn/source"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/spf13/cobra"
)

// sending holds the flags of the command send.
type sending struct {
	*Commands
	task, file, whole, role string
	set, follows            []string
	ack                     int64
	dry                     bool
}

func (j *Commands) sendCommand() *cobra.Command {
	s := &sending{Commands: j}
	cmd := &cobra.Command{
		Use:   "send TYPE",
		Short: "Write a message of a task, once it keeps every rule",
		Long: `Write a message of a task into the task directory and print its id. TYPE is
task_dispatch, task_result, review_request, review_verdict or escalation, or the last
word of one. The payload comes from a JSON or YAML file (--file), from --set, or from
both; --dry-run says what is missing. What the task's history tells is filled in where
it is not given: the messages that a review request refers to, the number of
rejections, the messages before.

--set PATH=VALUE sets a member to a JSON value, or to a text if it is none:
"branch=fix/login", "confidence=0.9", "subtasks[0].estimated_lines=40".

--whole takes the file of a whole message instead, which is written byte for byte.

A message that breaks a rule is refused: each fault is printed with its rule and
logged in errors.jsonl of the directory, and the exit code is 1. --dry-run prints the
message and where it would be written, and writes nothing.

A directory that --ssot or SIGNALBOX_SSOT names is made if it is not there.`,
		Example: `  signalbox task send dispatch --file plan.yaml --ssot .ssot
  signalbox task send result --task T-2026-044 --set completion_status=complete
  signalbox task send request --task T-2026-044 --set diff_url=main...fix/login
  signalbox task send --whole verdict.json`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: messageTypes(),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if s.whole != "" {
				return s.sendWhole(cmd, args)
			}
			if len(args) == 0 {
				return cli.Usage(errors.New("usage: task send TYPE [flags], or task send --whole FILE"))
			}
			kind, err := messageType(args[0])
			if err != nil {
				return err
			}
			return s.send(cmd.Context(), kind)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&s.task, "task", "", "`id` of the task (a dispatch without one begins the next of the year)")
	f.StringVar(&s.file, "file", "", "`file` of the payload, in JSON or YAML; - is stdin")
	f.StringArrayVar(&s.set, "set", nil, "`PATH=VALUE` of a member of the payload; may be repeated")
	f.StringVar(&s.whole, "whole", "", "`file` of a whole message, sent as it is; - is stdin")
	f.StringVar(&s.role, "role", "", "your `role` in an escalation: coordinator, executor, reviewer or system (SIGNALBOX_ROLE)")
	f.StringArrayVar(&s.follows, "follows", nil, "`id` of a message before this one; may be repeated (default: from the history)")
	f.Int64Var(&s.ack, "ack-timeout", 0, "`seconds` until the ACK is missed (default: the type's)")
	f.BoolVar(&s.dry, "dry-run", false, "show what would be written, and write nothing")
	cli.CompleteFlag(cmd, "task", s.offerTasks)
	return cmd
}

// sendWhole sends the file of a whole message, byte for byte.
func (s *sending) sendWhole(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return cli.Usage(errors.New("--whole is a whole message, which has a type: give none"))
	}
	for _, name := range []string{"file", "set", "task", "role", "follows", "ack-timeout"} {
		if cmd.Flags().Changed(name) {
			return cli.Usage(fmt.Errorf("--whole is a whole message: --%s cannot be given with it", name))
		}
	}
	data, err := s.ReadInput(s.whole, agn.MaxMessage)
	if err != nil {
		return err
	}
	b, err := s.readOrEmpty(cmd.Context())
	if err != nil {
		return err
	}
	return s.deliver(cmd.Context(), b, s.whole, func(*agnsource.Box) ([]byte, error) { return data, nil })
}

// readOrEmpty reads the task directory, which may not exist yet.
func (s *sending) readOrEmpty(ctx context.Context) (*agnsource.Box, error) {
	where, err := s.Place()
	if err != nil {
		return nil, err
	}
	return agnsource.Read(ctx, where.Value, s.Now())
}

// send builds a message around the payload and sends it.
func (s *sending) send(ctx context.Context, kind string) error {
	if s.file == "" && len(s.set) == 0 && kind != agn.TypeRequest {
		return cli.Usage(errors.New("nothing to send: give the payload with --file or --set"))
	}
	if s.task != "" && !agn.ValidTaskID(s.task) {
		return cli.Usage(fmt.Errorf("the task id %q does not have the form T-YYYY-NNN (E6)", s.task))
	}
	from, err := s.sender(kind)
	if err != nil {
		return err
	}
	given, err := s.payload()
	if err != nil {
		return err
	}
	b, err := s.readOrEmpty(ctx)
	if err != nil {
		return err
	}
	return s.deliver(ctx, b, cmp.Or(s.file, sourceFlags), func(b *agnsource.Box) ([]byte, error) {
		v, err := s.view(b, kind)
		if err != nil {
			return nil, err
		}
		h := agn.Head{TaskID: v.id, Millis: v.millis(kind), AckTimeout: s.ack, ContextRef: s.follows}
		if len(s.follows) == 0 {
			h.ContextRef = v.context(kind)
		}
		return s.message(h, kind, from, v.fill(kind, from, s.repository(), given))
	})
}

// sender returns the role that sends messages of a type. Only an escalation can come from
// several roles.
func (s *sending) sender(kind string) (string, error) {
	from, _, _ := agn.Route(kind)
	if from != "" {
		if s.role != "" && s.role != from {
			return "", cli.Usage(fmt.Errorf("a %s comes from the %s: --role is %q (R1)", kind, from, s.role))
		}
		return from, nil
	}
	switch role, _ := s.Commands.role(s.role); role {
	case agn.Coordinator, agn.Executor, agn.Reviewer, agn.System:
		return role, nil
	}
	return "", cli.Usage(errors.New("an escalation needs --role: coordinator, executor, reviewer or system (R1)"))
}

// repository returns the root of the working directory's repository, or "" outside one.
func (j *Commands) repository() string {
	top := who.Tree(j.Env.Work)
	if _, err := os.Lstat(filepath.Join(top, ".git")); err != nil {
		return ""
	}
	return top
}

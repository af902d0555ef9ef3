package task

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
	"github.com/spf13/cobra"
)

// sending is the state that the commands which send a message share.
type sending struct {
	*Commands
	task, file, whole string
	context           []string
	// lines are what -m gave, and text is what they say.
	lines []string
	text  string
	ack   int64
	dry   bool
}

func (j *Commands) sendCommand() *cobra.Command {
	s := &sending{Commands: j}
	cmd := &cobra.Command{
		Use:   "send TYPE",
		Short: "Write a message of a task, once it keeps every rule",
		Long: `Write a message of a task into the task directory and print its id. The payload
comes from a JSON or YAML file (--file), from flags, or from both; "task send TYPE
--help" lists the flags of a type. What the task's history tells is filled in
where it is not given: the messages that a review request refers to, the number
of rejections, the messages before.

--whole takes the file of a whole message instead, which is written byte for byte.

A message that breaks a rule is refused: each fault is printed with its rule and
logged in errors.jsonl of the directory, and the exit code is 1. --dry-run prints the
message and where it would be written, and writes nothing.

A directory that --ssot or SIGNALBOX_SSOT names is made if it is not there.`,
		Example: `  signalbox task send dispatch --file plan.yaml --ssot .ssot
  signalbox task send request --task T-2026-044 --diff main...fix/login
  signalbox task send --whole verdict.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				_, err := messageType(args[0])
				return cmp.Or(err, cli.Usage(errors.New("usage: task send TYPE [flags]")))
			}
			return nil
		},
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			if s.whole == "" {
				return cli.Usage(errors.New("usage: task send TYPE [flags], or task send --whole FILE"))
			}
			return s.send(cmd, outgoing{})
		}),
	}
	s.register(cmd)
	cmd.AddCommand(s.dispatchCommand(), s.resultCommand(), s.requestCommand(), s.verdictCommand(), s.escalationCommand())
	return cmd
}

func (s *sending) register(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVar(&s.task, "task", "", "`id` of the task (a dispatch without one begins the next of the year)")
	f.StringVar(&s.file, "file", "", "`file` of the payload, in JSON or YAML; - is stdin")
	f.StringVar(&s.whole, "whole", "", "`file` of a whole message, sent as it is; - is stdin")
	f.StringArrayVar(&s.context, "follows", nil, "`id` of a message before this one; may be repeated (default: from the history)")
	f.Int64Var(&s.ack, "ack-timeout", 0, "`seconds` until the ACK is missed (default: the type's)")
	f.BoolVar(&s.dry, "dry-run", false, "show what would be written, and write nothing")
	cli.CompleteFlag(cmd, "task", s.offerTasks)
}

// outgoing says how flags make a payload of one type.
type outgoing struct {
	kind, from string
	// flags adds the members that flags set, and rest members from the history.
	flags, rest func(d *draft, v *taskView) error
	// needs maps each member that only the user can give to its flag.
	needs map[string]string
}

// typeCommand returns the command for one type of message. Its short name is the last
// word of the type.
func (s *sending) typeCommand(kind, short string, out func(cmd *cobra.Command) (outgoing, error)) *cobra.Command {
	return &cobra.Command{
		Use: kind, Aliases: []string{kind[strings.LastIndexByte(kind, '_')+1:]}, Short: short,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			var err error
			if s.text, err = s.Text(s.lines); err != nil {
				return err
			}
			o, err := out(cmd)
			if err != nil {
				return err
			}
			o.kind = kind
			return s.send(cmd, o)
		}),
	}
}

// own lists the given flags that only this type has.
func own(cmd *cobra.Command) (names []string) {
	for _, f := range changed(cmd) {
		if cmd.LocalNonPersistentFlags().Lookup(f) != nil {
			names = append(names, f)
		}
	}
	return names
}

func (s *sending) send(cmd *cobra.Command, out outgoing) error {
	if s.whole != "" {
		for _, name := range append(own(cmd), "file", "task", "follows", "ack-timeout") {
			if cmd.Flags().Changed(name) {
				return cli.Usage(fmt.Errorf("--whole is a whole message: --%s cannot be given with it", name))
			}
		}
		return s.sendWhole(cmd.Context(), out.kind)
	}
	if s.file == "" && len(own(cmd)) == 0 && out.kind != agn.TypeRequest {
		return cli.Usage(fmt.Errorf("nothing to send: give --file, or the flags that %q lists", cmd.CommandPath()+" --help"))
	}
	if s.task != "" && !agn.ValidTaskID(s.task) {
		return cli.Usage(fmt.Errorf("the task id %q does not have the form T-YYYY-NNN (E6)", s.task))
	}
	return s.sendDraft(cmd.Context(), out)
}

func (s *sending) sendWhole(ctx context.Context, kind string) error {
	data, err := s.ReadInput(s.whole, agn.MaxMessage)
	if err != nil {
		return err
	}
	if m, err := agn.ParseMessage(data); err == nil && kind != "" && m.Type != kind {
		return cli.Usage(fmt.Errorf("%s holds a %q, not a %s", s.whole, m.Type, kind))
	}
	where, err := s.Place()
	if err != nil {
		return err
	}
	snap, err := scanIfThere(ctx, where.Value)
	if err != nil {
		return err
	}
	return s.deliver(ctx, where.Value, snap, data, s.whole, nil)
}

func (s *sending) sendDraft(ctx context.Context, out outgoing) error {
	begun, err := s.newDraft(out.kind, s.file)
	if err != nil {
		return err
	}
	where, err := s.Place()
	if err != nil {
		return err
	}
	snap, err := scanIfThere(ctx, where.Value)
	if err != nil {
		return err
	}
	compose := func(snap *ssot.Snapshot) ([]byte, error) { return s.compose(begun.clone(), out, snap) }
	data, err := compose(snap)
	if err != nil {
		return err
	}
	return s.deliver(ctx, where.Value, snap, data, cmp.Or(s.file, sourceFlags), compose)
}

// compose makes a message from a draft and the task's history.
func (s *sending) compose(d *draft, out outgoing, snap *ssot.Snapshot) ([]byte, error) {
	v, err := s.view(snap, out.kind)
	if err != nil {
		return nil, err
	}
	for _, add := range []func(*draft, *taskView) error{out.flags, out.rest} {
		if err := add(d, v); err != nil {
			return nil, err
		}
	}
	if missing := lacking(d, out.needs); len(missing) > 0 && s.file == "" {
		return nil, cli.Usage(fmt.Errorf("a %s needs %s, too", out.kind, strings.Join(missing, ", ")))
	}
	h := agn.Head{TaskID: v.id, Millis: v.millis(out.kind), AckTimeout: s.ack, ContextRef: v.context(out.kind)}
	if len(s.context) > 0 {
		h.ContextRef = s.context
	}
	return d.message(h, out.from)
}

// lacking lists the flags of members that are missing.
func lacking(d *draft, needs map[string]string) (flags []string) {
	for member, flag := range needs {
		if !d.names[member] {
			flags = append(flags, "--"+flag)
		}
	}
	slices.Sort(flags)
	return flags
}

package thread

import (
	"context"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
	"github.com/spf13/cobra"
)

// newMessage is a message given on the command line.
type newMessage struct {
	role, model, stop, whole string
	lines, images            []string
}

func (t *commands) appendCommand() *cobra.Command {
	var s newMessage
	cmd := &cobra.Command{
		Use:   "append <thread> [text…|-]",
		Short: "Add a message to a thread, and print the message's id",
		Long: `Add a message at the end of a thread and print its id. The text comes from the
arguments, from -m (each one a line), or from stdin. --whole takes the file of a
whole message as JSON instead: members that nobody knows are kept, inline images
are moved to assets/, and one that breaks a rule is refused.

With --image and no text, stdin is not read; "-" says that the text is there.`,
		Example: `  signalbox threads append 3f2a "Fix the login bug" --image shot.png
  signalbox threads append 3f2a --role agent --stop-reason end_turn -m "Done."`,
		Args:              textArgs,
		ValidArgsFunction: cli.Completing(1, t.offer(true, false)),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if s.whole != "" {
				for _, name := range []string{"role", "model", "stop-reason", "image", "message"} {
					if cmd.Flags().Changed(name) {
						return cli.Usage(fmt.Errorf("--whole is a whole message: --%s cannot be given with it", name))
					}
				}
				if len(args) > 1 {
					return cli.Usage(errors.New("--whole is a whole message: no text can be given with it"))
				}
			}
			return t.append(cmd.Context(), args[0], args[1:], &s)
		}),
	}
	f := cmd.Flags()
	f.StringVar(&s.role, "role", atsf.RoleUser, "`role` of the writer: user, agent or system")
	f.StringVar(&s.model, "model", "", "`name` of the model that wrote it")
	f.StringVar(&s.stop, "stop-reason", "", "`why` the agent stopped, such as end_turn")
	f.StringVar(&s.whole, "whole", "", "`file` of a whole message as JSON; - is stdin")
	cli.MessageFlag(f, &s.lines, "the text")
	f.StringArrayVar(&s.images, "image", nil, "`file` of a PNG, JPEG, GIF or WebP image; may be repeated")
	cli.Complete(cmd, "role", atsf.RoleUser, atsf.RoleAgent, atsf.RoleSystem)
	return cmd
}

func (t *commands) append(ctx context.Context, ref string, args []string, s *newMessage) error {
	if s.whole != "" {
		whole, err := t.ReadInput(s.whole, talk.MaxLine)
		if err != nil {
			return err
		}
		return t.appendWhole(ctx, ref, whole)
	}
	switch s.role {
	case atsf.RoleUser, atsf.RoleAgent, atsf.RoleSystem:
	default:
		return cli.Usage(fmt.Errorf("unknown role %q: a role is user, agent or system (M2)", s.role))
	}
	m := atsf.Message{ID: talk.NewID(), Role: s.role, Model: s.model, StopReason: s.stop}
	if len(args) > 0 || len(s.lines) > 0 || len(s.images) == 0 {
		text, err := t.Body("threads append "+ref, args, s.lines)
		if err != nil {
			return err
		}
		if text == "" && len(s.images) == 0 {
			return cli.Usage(errors.New("the text is empty"))
		}
		if text != "" {
			m.Content = append(m.Content, atsf.Block{Type: atsf.TypeText, Text: text})
		}
	}
	for _, path := range s.images {
		content, err := t.ReadInput(t.Absolute(path), talk.MaxImage)
		if err != nil {
			return err
		}
		image, err := talk.Image(content)
		if err != nil {
			return fmt.Errorf("%q %w", path, err)
		}
		m.Content = append(m.Content, image)
	}
	open, err := t.at().Open(ctx, ref)
	if err != nil {
		return err
	}
	defer open.Close()
	return t.appended(open.Name, m.ID, open.Append(ctx, open.Name, m))
}

func (t *commands) appendWhole(ctx context.Context, ref string, whole []byte) error {
	m, err := atsf.ParseMessage(whole)
	if err != nil {
		return fmt.Errorf("threads: append: %w", err)
	}
	open, err := t.at().Open(ctx, ref)
	if err != nil {
		return err
	}
	defer open.Close()
	return t.appended(open.Name, m.ID, open.AppendRaw(ctx, open.Name, whole))
}

// appended prints the id of a stored message.
func (t *commands) appended(thread, id string, err error) error {
	if stale, ok := errors.AsType[*talk.StaleError](err); ok {
		// Only thread.json is stale: the message was stored.
		t.Warn("%v", stale)
	} else if err != nil {
		return err
	}
	return t.Result(printed.Appended{ID: id, Thread: thread, Stale: err != nil}, "%s", cli.WholeLine(id))
}

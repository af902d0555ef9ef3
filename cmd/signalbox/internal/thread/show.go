package thread

import (
	"context"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
	"github.com/spf13/cobra"
)

func (t *commands) showCommand() *cobra.Command {
	var limit int
	var raw bool
	cmd := &cobra.Command{
		Use: "show <thread>",
		Example: `  signalbox threads show 3f2a --limit 5
  signalbox threads show 3f2a --raw`,
		Short: "Show a conversation, the oldest message first",
		Long: `Show a conversation: text, thinking, tool calls with input, output and diff, the
names of images. A line that cannot be read is a gap with its number.

Nothing that a message says can move the cursor or hide text. --raw prints the
lines of the log, byte for byte.`,
		Args:              cli.Args(1, 1),
		ValidArgsFunction: cli.Completing(1, t.offer(true, true)),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("limit") && limit < 1 {
				return cli.Usage(fmt.Errorf("--limit is %d, and must be 1 or more", limit))
			}
			for _, all := range []bool{false, true} {
				list, it, err := t.session(cmd.Context(), args[0], all)
				if err != nil {
					return err
				}
				if it != nil && !raw {
					return t.showSession(cmd.Context(), list, it, limit)
				}
				if err := t.show(cmd.Context(), args[0], limit, raw); all || !errors.Is(err, talk.ErrNotFound) {
					return err
				}
			}
			return nil
		}),
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "only the newest `n` messages")
	cmd.Flags().BoolVar(&raw, "raw", false, "the JSON lines of the log")
	return cmd
}

func (t *commands) show(ctx context.Context, ref string, limit int, raw bool) error {
	open, err := t.at().Open(ctx, ref)
	if err != nil {
		return err
	}
	defer open.Close()
	w := t.Writer()
	torn := false
	if raw {
		torn, err = open.Raw(ctx, limit, w)
	} else {
		p := t.printer(w, open.Name)
		torn, err = open.Each(ctx, limit, func(it *talk.Thread) { p.head(open, it) }, p.entries)
	}
	if flushed := w.Flush(); flushed != nil {
		return flushed
	}
	if torn && err == nil {
		t.Warn("the last line is not finished and not shown: somebody is writing it, or was interrupted (M5)")
	}
	return err
}

package thread

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
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
		ValidArgsFunction: cli.Completing(1, t.offerBoth),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("limit") && limit < 1 {
				return cli.Usage(fmt.Errorf("--limit is %d, and must be 1 or more", limit))
			}
			for _, all := range []bool{false, true} {
				snap, it, err := t.session(cmd.Context(), args[0], all)
				if err != nil {
					return err
				}
				if it != nil && !raw {
					return t.showSession(cmd.Context(), snap, it, limit)
				}
				if err := t.show(cmd.Context(), args[0], limit, raw); all || !errors.Is(err, threads.ErrNotFound) {
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
	found, err := t.find(ctx, ref)
	if err != nil {
		return err
	}
	defer found.dir.Close()
	w := t.Writer()
	last, starts, err := found.pages(ctx, limit)
	if err != nil {
		return err
	}
	torn := last.Torn
	switch {
	case raw:
		from := int64(0)
		if limit > 0 {
			if len(starts) > 0 {
				if last, err = found.dir.Page(ctx, found.name, starts[len(starts)-1]); err != nil {
					return err
				}
			}
			if len(last.Entries) > 0 {
				from = last.Entries[0].Offset
			}
		}
		torn, err = found.dir.CopyLog(ctx, found.name, from, w)
	default:
		err = t.writePages(ctx, w, found, last, starts)
	}
	if flushed := w.Flush(); flushed != nil {
		return flushed
	}
	if torn && err == nil {
		t.Warn("the last line is not finished and not shown: somebody is writing it, or was interrupted (M5)")
	}
	return err
}

// pages returns the newest page and the queries for the pages before it, newest first,
// for limit entries in all or for the whole thread.
func (f *talk) pages(ctx context.Context, limit int) (last threads.Page, before []threads.Query, err error) {
	size := func(had int) int {
		if limit > 0 {
			return min(limit-had, threads.MaxLimit)
		}
		return threads.MaxLimit
	}
	if last, err = f.dir.Page(ctx, f.name, threads.Query{Limit: size(0)}); err != nil {
		return last, nil, err
	}
	had := len(last.Entries)
	for at := last.Before; at != "" && size(had) > 0; {
		q := threads.Query{Before: at, Limit: size(had)}
		page, err := f.dir.Page(ctx, f.name, q)
		if err != nil {
			return last, nil, err
		}
		// The page is read again when it is written, so that a long conversation need
		// not fit in memory.
		before = append(before, q)
		had += len(page.Entries)
		at = page.Before
	}
	return last, before, nil
}

func (t *commands) writePages(ctx context.Context, w *bufio.Writer, found *talk, last threads.Page, before []threads.Query) error {
	s := &talkPrinter{w: w, paint: t.Paint(), json: t.JSON, thread: found.name}
	if !t.JSON {
		s.head(found, last.Item)
	}
	for i := len(before) - 1; i >= 0; i-- {
		page, err := found.dir.Page(ctx, found.name, before[i])
		if err != nil {
			return err
		}
		s.entries(page.Entries)
	}
	s.entries(last.Entries)
	return nil
}

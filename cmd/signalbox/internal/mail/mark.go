package mail

import (
	"context"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/spf13/cobra"
)

func (o *commands) inboxMarkCommand() *cobra.Command {
	s := &seeking{Options: o.Options}
	var filter panel.InboxFilter
	var all bool
	cmd := &cobra.Command{
		Use:         "mark --all",
		Annotations: cli.Uses("dir", "as", "json"),
		Example: `  signalbox inbox mark --all
  signalbox inbox mark --protocol amp
  signalbox inbox mark --text nightly`,
		Short: "Mark mail as read, as the inbox of an editor does",
		Long: `Mark the threads as read that wait in an editor's inbox: mail and signed mail, in
every directory that the editor shows. The other flags narrow what is marked.

This is what "signalbox search is:unread" goes by. What "signalbox inbox" shows as
new stays new.`,
		Args: cobra.NoArgs,
		RunE: o.Working("reading mail", func(cmd *cobra.Command, _ []string) error {
			if !all && filter == (panel.InboxFilter{}) {
				return cli.Usage(errors.New("usage: signalbox inbox mark --all, or with --protocol, --text or --mine"))
			}
			return s.mark(cmd.Context(), filter)
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&all, "all", false, "everything that is unread")
	f.StringVar(&filter.Protocol, "protocol", "", "threads of one `format`: samp or amp")
	f.StringVar(&filter.Text, "text", "", "threads with this `text` in their name, subject or sender")
	f.BoolVar(&filter.Mine, "mine", false, "threads that you take part in")
	f.StringVar(&s.amp, "amp", "", "`directory` of the mailboxes (AMP_DIR)")
	_ = cmd.MarkFlagDirname("amp")
	return cmd
}

func (s *seeking) mark(ctx context.Context, filter panel.InboxFilter) error {
	switch filter.Protocol {
	case "", "samp", "amp":
	default:
		return cli.Usage(fmt.Errorf("--protocol is %q, and must be samp or amp", filter.Protocol))
	}
	p, err := s.open(ctx, "mark", panel.Options{})
	if err != nil {
		return err
	}
	defer p.Close()
	done, err := p.MarkMatching(ctx, panel.MarkParams{Filter: filter})
	if err != nil {
		return err
	}
	text := "nothing to mark: no unread thread matches"
	if done.Threads > 0 {
		text = fmt.Sprintf("marked %s as read; %s left", cli.Plural(done.Threads, "thread"), cli.Plural(done.Unread, "unread message"))
	}
	return s.Result(printed.Marked{Threads: done.Threads, Unread: done.Unread, NeedsReply: done.NeedsReply}, "%s", text)
}

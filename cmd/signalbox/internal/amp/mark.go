package amp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/amp"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
	"github.com/spf13/cobra"
)

func (a *Commands) archiveCommand() *cobra.Command {
	var undo bool
	cmd := &cobra.Command{
		Use: "archive ID…",
		Example: `  signalbox amp archive 30328b7b
  signalbox amp archive 30328b7b --undo`,
		Short: "Put mail in your inbox away, or with --undo take it back",
		Long: `Put mail in your own inbox away: "signalbox amp inbox" leaves it out, and
--archived lists it. --undo takes it back, as read.`,
		Args: cli.Args(1, -1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			return a.archive(cmd.Context(), args, undo)
		}),
		ValidArgsFunction: cli.Completing(-1, a.offerIDs),
	}
	cmd.Flags().BoolVar(&undo, "undo", false, "take it back into the inbox")
	return cmd
}

func (a *Commands) archive(ctx context.Context, refs []string, undo bool) error {
	p, err := a.reads(ctx)
	if err != nil {
		return err
	}
	status, done := amp.Archived, "archived"
	if undo {
		status, done = amp.Read, "taken back"
	}
	// Look up all messages before changing the first.
	list, err := p.findAll(refs, ampsource.Inbox)
	if err != nil {
		return err
	}
	w := a.Writer()
	for _, f := range list {
		change := slices.DeleteFunc(p.mine(f, ampsource.Inbox), func(m *ampsource.Message) bool { return (m.Status == amp.Archived) != undo })
		if err := p.SetStatus(ctx, change, status, time.UnixMilli(p.Now)); err != nil {
			return errors.Join(w.Flush(), err)
		}
		what := done
		if len(change) == 0 {
			what = "unchanged: it is " + f.Status
		}
		a.Row(w, printed.Archived{ID: f.ID, File: f.Key, Status: status, Changed: len(change) > 0}, "%s %s", cli.WholeLine(f.ID), what)
	}
	return w.Flush()
}

// findAll returns the messages that refs name, each once. It refuses messages without a
// file in the user's own mailbox. An empty box means inbox and sent.
func (p *mailboxes) findAll(refs []string, box string) (list []*ampsource.Found, _ error) {
	for _, ref := range refs {
		f, err := p.find(ref)
		if err != nil {
			return nil, err
		}
		if len(p.mine(f, box)) == 0 {
			return nil, p.notMine(f, ref)
		}
		if !slices.ContainsFunc(list, func(g *ampsource.Found) bool { return g.Message == f.Message }) {
			list = append(list, f)
		}
	}
	return list, nil
}

func (p *mailboxes) notMine(f *ampsource.Found, ref string) error {
	switch {
	case p.Own.Mailbox == nil:
		return p.needOwn()
	case p.Own.Has(f.Mailbox):
		return fmt.Errorf("amp: %q is mail that you sent, and not in your inbox", ref)
	}
	return fmt.Errorf("amp: %q is in the mailbox of %s, and only yours (%s) is written to", ref, f.Mailbox.Name, p.Own.Mailbox.Name)
}

func (a *Commands) deleteCommand() *cobra.Command {
	var expired, yes bool
	cmd := &cobra.Command{
		Use:   "delete ID…|--expired",
		Short: "Delete mail from your mailbox with its attachments, for good",
		Long: `Delete messages from your own mailbox, received or sent, with the attachments that
no other message names; --expired means all that have expired.

What will be deleted is listed first, and has to be confirmed. It cannot be undone.`,
		Example: `  signalbox amp delete 30328b7b
  signalbox amp delete --expired --yes`,
		Args: cli.Args(0, -1),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if (len(args) > 0) == expired {
				return cli.Usage(errors.New("give ids, or --expired, and not both"))
			}
			return a.delete(cmd.Context(), args, yes)
		}),
		ValidArgsFunction: cli.Completing(-1, a.offerIDs),
	}
	f := cmd.Flags()
	f.BoolVar(&expired, "expired", false, "all mail in your mailbox that has expired")
	f.BoolVarP(&yes, "yes", "y", false, "do not ask")
	return cmd
}

// delete deletes the messages that refs name, or all expired ones if refs is empty.
func (a *Commands) delete(ctx context.Context, refs []string, yes bool) error {
	p, err := a.reads(ctx)
	if err != nil {
		return err
	}
	if err := p.needOwn(); err != nil {
		return err
	}
	list, err := p.toDelete(refs)
	if err != nil {
		return err
	}
	w := a.Writer()
	if len(list) == 0 {
		if !a.JSON {
			w.WriteString("nothing to delete\n")
		}
		return w.Flush()
	}
	if err := a.showDeletions(p, list); err != nil {
		return err
	}
	if err := a.Confirm(yes); err != nil {
		return err
	}
	defer a.remember(ctx, p)
	for _, m := range list {
		if err := p.Delete(ctx, m); err != nil {
			return errors.Join(w.Flush(), err)
		}
		a.Row(w, printed.Deleted{ID: m.ID, File: m.Key}, "%s deleted", cli.WholeLine(m.Key))
	}
	return w.Flush()
}

func (p *mailboxes) toDelete(refs []string) (list []*ampsource.Message, _ error) {
	if len(refs) == 0 {
		p.Each(func(f ampsource.Found) bool {
			for _, m := range p.mine(&f, "") {
				if m.Err == nil && m.Expires != 0 && m.Expires < p.Now {
					list = append(list, m)
				}
			}
			return true
		})
		return list, nil
	}
	named, err := p.findAll(refs, "")
	for _, f := range named {
		list = append(list, p.mine(f, "")...)
	}
	return list, err
}

func (a *Commands) showDeletions(p *mailboxes, list []*ampsource.Message) error {
	s := a.Sheet()
	s.W.WriteString("This will be deleted, for good:\n")
	for _, m := range list {
		s.Row("message", "%s", m.Key)
		s.Row("", "%q, from %s, %s", cli.Fit(m.Subject, 60), m.From, clockOf(m.When()))
		if m.Err != nil || m.Attachments == 0 {
			continue
		}
		msg, _ := p.Judge(m)
		files, _ := p.Attachments(m, &msg)
		for _, f := range files {
			if f.File != "" {
				s.Row("attachment", "%s, unless another message names it", f.File)
			}
		}
	}
	return s.W.Flush()
}

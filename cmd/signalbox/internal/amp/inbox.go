package amp

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/amp"
	ampsource "github.com/signalbox-dev/signalbox/lsp/amp/source"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/spf13/cobra"
)

type inboxFlags struct {
	all, unread, archived bool
	mailbox               string
}

func (a *Commands) inboxCommand() *cobra.Command {
	var flags inboxFlags
	var filter cli.Filter
	cmd := &cobra.Command{
		Use:   "inbox",
		Short: "List the mail that you received, the newest first",
		Long: `List your inbox without archived mail, the newest first. Unread mail begins
with "*". Of each message the subject is shown, from whom it came and when,
how far it can be trusted, when it expires, and how many files came with it. Lines
have at most 80 columns.

Where no mailbox is yours, or with --mailbox, other agents' inboxes are shown: they
can be read, and are not changed.`,
		Example: `  signalbox amp inbox --unread
  signalbox amp inbox --mailbox reviewer --all`,
		Args: cobra.NoArgs,
		RunE: cli.Action(func(cmd *cobra.Command, _ []string) error {
			if err := filter.Read(a.Options, cmd); err != nil {
				return err
			}
			return a.inbox(cmd.Context(), flags, &filter)
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&flags.all, "all", false, "what is archived, too")
	f.BoolVar(&flags.unread, "unread", false, "unread mail alone")
	f.BoolVar(&flags.archived, "archived", false, "archived mail alone")
	f.StringVar(&flags.mailbox, "mailbox", "", "the mailbox of another agent: its `name` or address")
	cmd.MarkFlagsMutuallyExclusive("all", "unread", "archived")
	cli.CompleteFlag(cmd, "mailbox", a.offerMailboxes)
	filter.Register(cmd, "from", "thread", "since", "until")
	return a.Page(cmd)
}

func (f *inboxFlags) shows(status string) bool {
	switch {
	case f.all:
		return true
	case f.unread:
		return status == amp.Unread
	case f.archived:
		return status == amp.Archived
	}
	return status != amp.Archived
}

func (a *Commands) inbox(ctx context.Context, flags inboxFlags, filter *cli.Filter) error {
	p, err := a.reads(ctx)
	if err != nil {
		return err
	}
	boxes, err := a.inboxes(p, flags.mailbox)
	if err != nil {
		return err
	}
	defer a.remember(ctx, p)
	list := p.received(boxes, &flags, filter)
	total := len(list)
	list = list[:filter.Most(total)]
	w := a.Writer()
	out := mailList{mailboxes: p, w: w, paint: a.Paint(), several: len(boxes) != 1}
	if a.OnScreen() {
		out.table, out.when, out.address = mailTable(a.Options, w), a.When, a.Columns()/4
	}
	if !a.JSON {
		out.names = p.shortNames()
	}
	for _, m := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		_, t := p.Judge(m)
		if a.JSON {
			_ = cli.Print(w, printed.ListedLetter{Letter: p.printed(m, &t), Attachments: m.Attachments, Faults: m.Faults}) // Flush returns the error
			continue
		}
		out.entry(m, &t)
	}
	if out.table != nil {
		out.table.Write()
	}
	if len(list) == 0 && !a.JSON {
		w.WriteString("no messages\n")
	}
	filter.More(a.Options, w, len(list), total, "message")
	if err := w.Flush(); err != nil {
		return err
	}
	if len(list) == 0 && len(boxes) == 1 {
		a.Warn("looked in the inbox of %s in %q", boxes[0].Name, boxes[0].Path)
	}
	return nil
}

// inboxes returns the mailboxes whose mail is listed: the named one if there is a name,
// otherwise the user's own, or all if the user has none.
func (a *Commands) inboxes(p *mailboxes, name string) ([]*ampsource.Mailbox, error) {
	if name != "" {
		m := p.Mailbox(name)
		if m == nil {
			return nil, cli.Usage(fmt.Errorf("amp: no mailbox here is %q; there are these%s%s", name, p.names(), p.suggestion(name)))
		}
		a.warnProblems(p, p.inOther(m))
		return []*ampsource.Mailbox{m}, nil
	}
	if p.Own.Mailbox != nil {
		return []*ampsource.Mailbox{p.Own.Mailbox}, nil
	}
	a.Warn("%s; what others received is shown, and nothing can be signed or marked", p.Own.Why)
	return p.Mailboxes, nil
}

// received lists the messages in the inboxes, newest first. A message that is in an
// inbox twice is listed once.
func (p *mailboxes) received(boxes []*ampsource.Mailbox, flags *inboxFlags, filter *cli.Filter) []*ampsource.Message {
	var list []*ampsource.Message
	p.Each(func(f ampsource.Found) bool {
		for _, box := range boxes {
			files := f.Placed.Files()
			at := slices.IndexFunc(files, func(m *ampsource.Message) bool { return m.Mailbox == box && m.Box == ampsource.Inbox })
			if at >= 0 && flags.shows(files[at].Status) && wanted(filter, &f, files[at]) {
				list = append(list, files[at])
			}
		}
		return true
	})
	slices.SortStableFunc(list, func(a, b *ampsource.Message) int {
		return cmp.Or(cmp.Compare(b.When(), a.When()), cmp.Compare(b.Received, a.Received), strings.Compare(b.Key, a.Key))
	})
	return list
}

func wanted(filter *cli.Filter, f *ampsource.Found, m *ampsource.Message) bool {
	return filter.Query.From(m.From) && filter.Query.Thread(m.Subject, f.Thread) && filter.Query.Time(m.When())
}

type mailList struct {
	*mailboxes
	w       *bufio.Writer
	paint   cli.Paint
	names   map[string]string
	several bool       // set if the mail of more than one agent is listed
	table   *cli.Table // set on a screen, with when and address
	when    func(millis int64) string
	address int // the width of addresses in the table
}

func mailTable(o *cli.Options, w *bufio.Writer) *cli.Table {
	return o.Table(w, cli.Column{Title: "ID"}, cli.Column{}, cli.Column{Title: "FROM"}, cli.Column{Title: "WHEN"},
		cli.Column{Title: "SUBJECT", Least: 16}, cli.Column{Title: "TRUST", Least: 16})
}

// entry writes a message as a row of the table, or in lines of at most ampColumns.
func (l *mailList) entry(m *ampsource.Message, t *ampsource.Judged) {
	mark, style := "", ""
	if m.Status == amp.Unread {
		mark, style = "*", cli.Bold
	}
	head, who, subject := cli.WholeLine(cmp.Or(l.names[m.Key], m.Key)), cmp.Or(m.From, "(nobody)"), cmp.Or(cli.Line(m.Subject), "(no subject)")
	if l.several {
		who += " -> " + m.Mailbox.Name
	}
	word, colour := shown(t)
	if l.table != nil {
		if m.Priority == amp.Urgent {
			mark, style = "!", cli.Red
		}
		l.table.Row(
			cli.Cell{Text: head, Style: cli.Yellow}, cli.Cell{Text: mark, Style: style},
			cli.Cell{Text: cli.Fit(who, l.address), Style: cli.Bold}, cli.Cell{Text: l.when(m.When())},
			cli.Cell{Text: subject}, cli.Cell{Text: cli.Line(word + l.further(m, t)), Style: colour},
		)
		return
	}
	when := clockOf(m.When())
	room := ampColumns - 2 - show.Columns(head) - 2 - len(when) - 2
	if room < minSender {
		// A file name can be long. It is never cut, because users type it.
		fmt.Fprintf(l.w, "%-2s%s\n", mark, l.paint.In(cli.Yellow, head))
		head, mark, room = "", "", ampColumns-4-len(when)-2
	}
	fmt.Fprintf(l.w, "%-2s%s  %s  %s\n", mark, l.paint.In(cli.Yellow, head), when, cli.Fit(who, room))
	fmt.Fprintf(l.w, "    %s\n", l.paint.In(style, cli.Fit(subject, ampColumns-4)))
	fmt.Fprintf(l.w, "    %s%s\n", l.paint.In(colour, word), cli.Fit(l.further(m, t), ampColumns-4-show.Columns(word)))
}

const minSender = 30

func (l *mailList) further(m *ampsource.Message, t *ampsource.Judged) string {
	text := ""
	add := func(fact string, shown bool) {
		if shown {
			text += ", " + fact
		}
	}
	add(m.Priority, m.Priority != amp.Normal && m.Priority != "")
	add(expiry(m, l.Now), m.Expires != 0)
	add(cli.Plural(m.Attachments, "attachment"), m.Attachments > 0)
	add("archived", m.Status == amp.Archived)
	add(cli.Plural(m.Faults, "fault"), m.Faults > 0)
	if t.Err != nil {
		text = ": " + t.Why() + text
	}
	return text
}

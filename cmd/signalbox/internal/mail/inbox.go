package mail

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/spf13/cobra"
)

func (o *commands) inboxCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:         "inbox [default|all|raw|N]",
		Annotations: cli.Uses("dir", "as", "profile", "json", "color"),
		Example: `  signalbox inbox
  signalbox inbox 5
  signalbox inbox all --json`,
		Short: "Show mail addressed to you",
		Long: `Show mail addressed to you, one line a message, oldest first.

  default  what is new since you last looked; only this marks mail as read
  all      everything
  raw      everything, as the JSON lines in the logs, byte for byte
  N        the N latest

A line that is not shown whole ends in "…" or says how many lines follow;
"signalbox cat ID" shows all of it. Mail that arrived late, with a time before
what you have read, is listed after the rest.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.FixedCompletions([]string{"default", "all", "raw"}, cobra.ShellCompDirectiveNoFileComp),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			mode, err := parseMode(args)
			if err != nil {
				return cli.Usage(err)
			}
			return o.inbox(cmd.Context(), mode)
		}),
	}
	cmd.AddCommand(o.inboxMarkCommand())
	return cmd
}

// mode says which messages an inbox shows.
type mode struct {
	name string
	// latest is N of the mode N, else 0.
	latest int
}

const (
	modeDefault = "default"
	modeAll     = "all"
	modeRaw     = "raw"
	modeLatest  = "N"
)

const modeHelp = " (a mode is default, all, raw or a number of messages)"

func parseMode(args []string) (mode, error) {
	if len(args) == 0 {
		return mode{name: modeDefault}, nil
	}
	switch a := args[0]; a {
	case modeDefault, modeAll, modeRaw:
		return mode{name: a}, nil
	default:
		for _, c := range []byte(a) {
			if c < '0' || c > '9' {
				return mode{}, fmt.Errorf("unknown mode: %s"+modeHelp, a)
			}
		}
		n, err := strconv.Atoi(a)
		switch {
		case a == "":
			return mode{}, errors.New(`unknown mode: ""` + modeHelp)
		case err == nil && n == 0:
			return mode{}, errors.New("count must be >= 1")
		case err != nil:
			n = 1<<31 - 1
		}
		return mode{modeLatest, n}, nil
	}
}

func (o *commands) inbox(ctx context.Context, m mode) error {
	me, err := o.Alias()
	if err != nil {
		return err
	}
	d, err := o.Open()
	if err != nil {
		return err
	}
	w := o.Writer()
	if d == nil {
		return o.none(w, m, d, me)
	}
	defer d.Close()
	if m.name == modeDefault {
		return o.inboxNew(ctx, d, me, w)
	}
	p, err := o.Form(ctx, d)
	if err != nil {
		return err
	}
	mail, err := d.Lines(ctx, me, p)
	if err != nil {
		return err
	}
	defer mail.Close()
	o.report(&mail.Mail)
	if mail.Len() == 0 {
		return cmp.Or(readAny(d, &mail.Mail), o.none(w, m, d, me))
	}
	return o.list(ctx, w, m, mail)
}

func (o *commands) nothing(w *bufio.Writer, m mode) {
	switch {
	case o.JSON:
	case m.name == modeDefault:
		w.WriteString("no new messages\n")
	default:
		w.WriteString("no messages\n")
	}
}

// none says that there is nothing to show, for whom and where.
func (o *commands) none(w *bufio.Writer, m mode, d *store.Dir, me string) error {
	o.nothing(w, m)
	if err := w.Flush(); err != nil {
		return err
	}
	o.lookedFor(d, me)
	return nil
}

// readAny returns an error if no log of a directory could be read. An empty inbox
// would otherwise look as if there were no mail.
func readAny(d *store.Dir, m *store.Mail) error {
	if len(m.Problems) == 0 {
		return nil
	}
	unread := make(map[string]bool)
	for _, p := range m.Problems {
		unread[p.File] = true
	}
	logs, _, err := d.Logs()
	for _, l := range logs {
		if !unread[l.Name] {
			return nil
		}
	}
	return cmp.Or(err, fmt.Errorf("see \"signalbox doctor\": none of the logs in %q can be read, and there may be mail in them", d.Path()))
}

// list shows an inbox in a mode other than the default.
func (o *commands) list(ctx context.Context, w *bufio.Writer, m mode, mail *store.Lines) error {
	total := mail.Len()
	if m.name == modeLatest {
		mail.Newest(m.latest)
	}
	if m.name == modeRaw {
		return cmp.Or(mail.Verbatim(w), w.Flush())
	}
	p := o.printer(w)
	from := make(senders)
	for message, err := range mail.All(ctx) {
		if err != nil {
			return cmp.Or(w.Flush(), err)
		}
		p.message(message)
		from.add(message.From)
	}
	switch {
	case o.JSON:
	case m.name == modeLatest:
		fmt.Fprintf(w, "%d of %d from: %s\n", mail.Len(), total, from)
	default:
		fmt.Fprintf(w, "%d %s from: %s\n", total, o.totalWord(), from)
	}
	return w.Flush()
}

// totalWord returns the word for the total in a summary. The published tool says
// "new", and scripts match that.
func (o *commands) totalWord() string {
	if o.Scripted {
		return "new"
	}
	return "total"
}

// inboxNew shows new mail and then marks it as read (rules N2, N5, N6).
func (o *commands) inboxNew(ctx context.Context, d *store.Dir, me string, w *bufio.Writer) error {
	if sig, err := d.Signature(); err == nil && d.Unchanged(me, sig) {
		// Nothing has changed since the last look.
		return o.none(w, mode{name: modeDefault}, d, me)
	}
	form, err := o.Form(ctx, d)
	if err != nil {
		return err
	}
	state, err := store.OpenReadState(o.Env.StateDir(), d, me)
	if err != nil {
		o.Warn("%v", err)
		state = nil
	}
	r, err := d.ReadNew(ctx, me, form, o.Now(), state)
	if err != nil {
		return err
	}
	defer r.Close()
	if r.Len() == 0 {
		if err := readAny(d, &r.Mail); err != nil {
			o.report(&r.Mail)
			return err
		}
	}
	if err := cmp.Or(ShowNew(ctx, o.Options, w, r), w.Flush()); err != nil {
		// Nobody saw the mail, so it is not marked as read.
		return err
	}
	if o.Unseen && len(r.Fresh)+len(r.Late) > 0 {
		return cli.ErrUnseen
	}
	for _, err := range r.Commit() {
		o.Warn("not marked as read, and shown again next time: %v", err)
	}
	if len(r.Fresh)+len(r.Late) == 0 {
		o.lookedFor(d, me)
	}
	return nil
}

// ShowNew writes new mail and the warnings about it.
func ShowNew(ctx context.Context, opts *cli.Options, w *bufio.Writer, r *store.Reading) error {
	o := &commands{opts}
	for _, warning := range r.Warnings {
		o.Warn("%s", warning)
	}
	o.report(&r.Mail)
	p := o.printer(w)
	for m, err := range r.Messages(ctx, r.Fresh) {
		if err != nil {
			return err
		}
		p.message(m)
	}
	switch {
	case len(r.Fresh) == 0:
		o.nothing(w, mode{name: modeDefault})
	case !o.JSON:
		fmt.Fprintf(w, "%d new from: %s\n", len(r.Fresh), sendersOf(r.Fresh))
	}
	if len(r.Late) > 0 && !o.JSON {
		fmt.Fprintf(w, "%d arrived late, with a time before what you have read, from: %s\n", len(r.Late), sendersOf(r.Late))
	}
	for m, err := range r.Messages(ctx, r.Late) {
		if err != nil {
			return err
		}
		p.message(m, markLate)
	}
	return nil
}

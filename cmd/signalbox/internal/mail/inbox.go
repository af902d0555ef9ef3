package mail

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/signalbox-dev/signalbox/lsp/who"
	"github.com/spf13/cobra"
)

func (o *commands) inboxCommand() *cobra.Command {
	var f cli.Filter
	take := false
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
what you have read, is listed after the rest.

Once "signalbox setup" knows who you are, this is your mail in every folder. In a
command that an agent's program runs it is the agent's. --as shows somebody else's
mail, and marks nothing as read unless --take is given.

On a terminal the newest 50 are listed, each with a number and a short id, which
"signalbox cat" and "signalbox reply" take. Only what was listed is marked as read.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.FixedCompletions([]string{"default", "all", "raw"}, cobra.ShellCompDirectiveNoFileComp),
		RunE: o.Working("reading mail", func(cmd *cobra.Command, args []string) error {
			mode, err := parseMode(args)
			if err != nil {
				return cli.Usage(err)
			}
			if err := f.Read(o.Options, cmd); err != nil {
				return err
			}
			return o.inbox(cmd.Context(), mode, &f, take)
		}),
	}
	f.Register(cmd, "from", "thread", "since", "until")
	cmd.Flags().BoolVar(&take, "take", false, "mark as read what is shown, also with --as of somebody else")
	cmd.AddCommand(o.inboxMarkCommand())
	return o.Page(cmd)
}

// mode selects the messages that an inbox shows.
type mode struct {
	name string
	// latest is N in mode N, and otherwise 0.
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

// enoughMemory is what the list of a million new messages takes, in bytes. Without this
// limit the garbage of reading them would take as much again.
const enoughMemory = 112 << 20

func (o *commands) inbox(ctx context.Context, m mode, f *cli.Filter, take bool) error {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(enoughMemory))
	me, err := o.reads()
	if err != nil {
		return err
	}
	d, err := o.Open()
	if err != nil {
		return err
	}
	w := o.Writer()
	keep := o.ReadsOthersMail() && !take
	o.identify(w, m, keep)
	if d == nil {
		return o.none(w, m, d, me)
	}
	defer d.Close()
	if err := o.inboxOf(ctx, d, me, w, m, f, keep); err != nil {
		return err
	}
	o.elsewhere(ctx, me)
	also := o.Who().Also
	if also == "" || o.Scripted || m.name == modeDefault && !o.waits(ctx, d, also) {
		return nil
	}
	if !o.JSON && m.name != modeRaw {
		fmt.Fprintf(w, "to %s, the name that other tools give this work tree:\n", also)
	}
	return o.inboxOf(ctx, d, also, w, m, f, keep)
}

func (o *commands) identify(w *bufio.Writer, m mode, keep bool) {
	me := o.Who()
	if o.Scripted || o.JSON || m.name == modeRaw || me.Person == "" || me.Value == me.Person && !me.Agent {
		return
	}
	text := fmt.Sprintf("the mail of %s (%s)", me.Value, cli.Line(me.Origin))
	if keep && m.name == modeDefault {
		text += "; nothing is marked as read (--take does that)"
	}
	w.WriteString(text + "\n")
}

func (o *commands) waits(ctx context.Context, d *box.Dir, alias string) bool {
	n, err := d.Count(ctx, alias)
	return n > 0 && err == nil
}

// elsewhere warns if mail waits in the other one of the two default directories.
func (o *commands) elsewhere(ctx context.Context, me string) {
	if o.Scripted {
		return
	}
	place := o.Locate()
	text, err := place.Elsewhere(ctx, me, o.Env.StateDir(), o.Now())
	if err != nil {
		o.Warn("%s: %v", place.Other, err)
	}
	if text != "" {
		o.Warn("%s", text)
	}
}

func (o *commands) inboxOf(ctx context.Context, d *box.Dir, me string, w *bufio.Writer, m mode, f *cli.Filter, keep bool) error {
	if m.name == modeDefault {
		o.hintCase(ctx, d, me)
		return o.inboxNew(ctx, d, me, w, f, keep)
	}
	var worker func() box.Row
	if m.name == modeAll && !o.JSON && !o.OnScreen() && !f.Given() && !f.Narrows() {
		worker = o.row
	}
	mail, err := d.AllWithRows(ctx, me, worker)
	if err != nil {
		return err
	}
	defer mail.Close()
	if !o.Scripted {
		o.warnCase(d, me, mail.OtherCase(ctx))
	}
	o.report(d, &mail.Mail)
	if mail.Len() == 0 {
		return cmp.Or(d.ReadAny(&mail.Mail), o.none(w, m, d, me))
	}
	return o.list(ctx, w, d, me, m, mail, f)
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

func (o *commands) none(w *bufio.Writer, m mode, d *box.Dir, me string) error {
	o.nothing(w, m)
	if err := w.Flush(); err != nil {
		return err
	}
	o.lookedFor(d, me)
	return nil
}

func (o *commands) list(ctx context.Context, w *bufio.Writer, d *box.Dir, me string, m mode, mail *box.Lines, f *cli.Filter) error {
	if f.Narrows() {
		if err := mail.Filter(ctx, func(m *samp.Found) bool { return wanted(f, m) }); err != nil {
			return err
		}
	}
	total := mail.Len()
	if m.name == modeLatest {
		mail.Newest(m.latest)
	} else if m.name != modeRaw || f.Given() {
		mail.Newest(f.Most(total))
	}
	switch {
	case m.name == modeRaw:
		return cmp.Or(mail.Verbatim(w), w.Flush())
	case total == 0:
		return o.none(w, m, d, me)
	}
	from, err := o.rows(ctx, w, d, me, mail)
	if err != nil {
		return cmp.Or(w.Flush(), err)
	}
	switch {
	case o.JSON:
	case m.name == modeLatest || mail.Len() < total:
		fmt.Fprintf(w, "%d of %d from: %s\n", mail.Len(), total, from)
	default:
		fmt.Fprintf(w, "%d %s from: %s\n", total, o.totalWord(), from)
	}
	if m.name != modeLatest {
		f.More(o.Options, w, mail.Len(), total, "message")
	}
	return w.Flush()
}

// rows writes the messages and returns who sent them.
func (o *commands) rows(ctx context.Context, w *bufio.Writer, d *box.Dir, me string, mail *box.Lines) (senders, error) {
	from := make(senders)
	p := o.lister(ctx, w, d, me, mail.Len())
	if !mail.HasRows() {
		for message, err := range mail.All(ctx) {
			if err != nil {
				return nil, err
			}
			p.add(message)
			from.add(message.From)
		}
		p.end()
		return from, nil
	}
	for rows, err := range mail.Rows(ctx) {
		if err != nil {
			return nil, err
		}
		w.Write(rows)
	}
	return mail.Senders(), nil
}

func wanted(f *cli.Filter, m *samp.Found) bool {
	return f.Query.From(m.From) && f.Query.Thread(m.Thread) && f.Query.Time(show.Millis(m.TS))
}

// totalWord returns the word for the total in a summary. The published tool says
// "new", and scripts match that.
func (o *commands) totalWord() string {
	if o.Scripted {
		return "new"
	}
	return "total"
}

// inboxNew shows new mail and then marks it as read (rules N2, N5, N6), unless keep is set.
func (o *commands) inboxNew(ctx context.Context, d *box.Dir, me string, w *bufio.Writer, f *cli.Filter, keep bool) error {
	if d.NothingNew(me) {
		return o.none(w, mode{name: modeDefault}, d, me)
	}
	r, err := d.New(ctx, me)
	if err != nil {
		return err
	}
	defer r.Close()
	if r.Len() == 0 {
		if err := d.ReadAny(&r.Mail); err != nil {
			o.report(d, &r.Mail)
			return err
		}
	}
	page, err := newPage(ctx, r, f)
	if err != nil {
		return err
	}
	if err := cmp.Or(o.showNew(ctx, w, d, me, r, page), w.Flush(), o.Written()); err != nil {
		// Nobody saw the mail, so it is not marked as read.
		return err
	}
	switch listed := len(page.fresh) + len(page.late); {
	case listed == 0:
		o.lookedFor(d, me)
		if page.total > 0 || keep {
			return nil
		}
	case keep:
		return nil
	case o.Unseen:
		return cli.ErrUnseen
	}
	o.noteRead(ctx, me, r, &page)
	for _, err := range page.commit(r) {
		o.Warn("not marked as read, and shown again next time: %v", err)
	}
	return nil
}

// noteRead records what an agent's session read, for other sessions of the same name.
func (o *commands) noteRead(ctx context.Context, me string, r *box.Reading, page *newMail) {
	if s := who.Calling(o.Env, o.Above).Session; s.ID != "" {
		o.Box().NoteRead(ctx, me, s.Client+" "+s.ID, r, page.late, page.fresh)
	}
}

// ShowNew writes all new mail and the warnings about it.
func ShowNew(ctx context.Context, o *cli.Options, w *bufio.Writer, r *box.Reading) error {
	page := newMail{fresh: r.Fresh, late: r.Late, total: len(r.Fresh) + len(r.Late), filter: &cli.Filter{}}
	return (&commands{o}).showNew(ctx, w, nil, "", r, page)
}

// newMail is the part of the new mail that is shown.
type newMail struct {
	fresh, late []box.Unread
	// found is how many new messages match the filter, and total how many there are.
	found, total int
	filter       *cli.Filter
}

// newPage returns the new mail that the flags ask for: the newest, if there is more than the limit.
func newPage(ctx context.Context, r *box.Reading, f *cli.Filter) (page newMail, err error) {
	page = newMail{fresh: r.Fresh, late: r.Late, total: len(r.Fresh) + len(r.Late), filter: f}
	if f.Narrows() {
		for _, list := range []*[]box.Unread{&page.fresh, &page.late} {
			if *list, err = narrowed(ctx, r, *list, f); err != nil {
				return page, err
			}
		}
	}
	page.found = len(page.fresh) + len(page.late)
	room := f.Most(page.found)
	page.fresh = page.fresh[max(0, len(page.fresh)-room):]
	room -= len(page.fresh)
	page.late = page.late[max(0, len(page.late)-room):]
	return page, nil
}

func narrowed(ctx context.Context, r *box.Reading, list []box.Unread, f *cli.Filter) (kept []box.Unread, err error) {
	i := 0
	for m, err := range r.Messages(ctx, list) {
		if err != nil {
			return nil, err
		}
		if wanted(f, m) {
			kept = append(kept, list[i])
		}
		i++
	}
	return kept, nil
}

func (p *newMail) commit(r *box.Reading) []error {
	if len(p.late)+len(p.fresh) == p.total {
		return r.Commit()
	}
	return r.Take(slices.Concat(p.late, p.fresh))
}

// showNew writes the warnings, then the new messages and a line that counts them, then a line that
// counts the late messages and those messages. It marks nothing as read.
func (o *commands) showNew(ctx context.Context, w *bufio.Writer, d *box.Dir, me string, r *box.Reading, page newMail) error {
	for _, warning := range r.Warnings {
		o.Warn("%s", warning)
	}
	o.report(d, &r.Mail)
	p := o.lister(ctx, w, d, me, len(page.fresh)+len(page.late))
	from := make(senders) // fresh messages may have no sender in their keys
	for m, err := range r.Messages(ctx, page.fresh) {
		if err != nil {
			return err
		}
		p.add(m)
		from.add(m.From)
	}
	p.flush()
	switch {
	case len(page.fresh) == 0:
		o.nothing(w, mode{name: modeDefault})
	case !o.JSON:
		fmt.Fprintf(w, "%d new from: %s\n", len(page.fresh), from)
	}
	if len(page.late) > 0 && !o.JSON {
		fmt.Fprintf(w, "%d arrived late, with a time before what you have read, from: %s\n", len(page.late), sendersOf(page.late))
	}
	for m, err := range r.Messages(ctx, page.late) {
		if err != nil {
			return err
		}
		p.add(m, markLate)
	}
	p.end()
	page.filter.More(o.Options, w, len(page.fresh)+len(page.late), page.found, "new message")
	return nil
}

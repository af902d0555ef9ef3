package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	"github.com/signalbox-dev/signalbox/lsp/samp/box"
	"github.com/spf13/cobra"
)

func (o *commands) sendCommand() *cobra.Command {
	var lines []string
	cmd := &cobra.Command{
		Use:         "send <to> [text…]",
		Annotations: cli.Uses("dir", "as", "profile", "json"),
		Short:       "Send a message",
		Long: `Send a message. Its text comes from the arguments, from -m (each one a line), or
from stdin. A text that begins with "[thread:NAME]" goes to that thread; any
other begins one.`,
		Example: `  signalbox send bob "the build is red"
  git diff | signalbox send reviewer`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.WrongUse(cmd)
			}
			return nil
		},
		ValidArgsFunction: cli.Completing(1, o.OfferAliases),
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if err := samp.CheckAlias(args[0]); err != nil {
				return cli.Usage(fmt.Errorf("recipient: %w", err))
			}
			if _, err := o.Alias(); err != nil {
				return err
			}
			text, err := o.Body("send "+args[0], args[1:], lines)
			if err != nil {
				return err
			}
			return o.send(cmd.Context(), args[0], text)
		}),
	}
	cli.MessageFlag(cmd.Flags(), &lines, "the text")
	return cmd
}

func (o *commands) send(ctx context.Context, to, text string) error {
	return o.write(ctx, "sent", func(w *box.Writing) (samp.Record, error) {
		r, err := o.Box().Compose(w, to, "", text)
		if err == nil && !o.hint(ctx, w.Dir, to) {
			o.hintNobody(w.Dir, &r)
		}
		if err == nil && to != w.Me {
			o.hint(ctx, w.Dir, w.Me)
		}
		return r, o.bodyFault("send", err, func() string {
			_, stored := samp.DeriveThread(text, w.Me, "", w.Profile)
			return stored
		})
	})
}

func (o *commands) replyCommand() *cobra.Command {
	var lines []string
	var id string
	cmd := &cobra.Command{
		Use:         "reply [number] [text…]",
		Annotations: cli.Uses("dir", "as", "profile", "json"),
		Example: `  signalbox reply "on it"
  signalbox reply 3 -m "on it"
  signalbox reply --to-id 89f2 -m "Thanks." -m "Deploying now."`,
		Short: "Answer the newest message addressed to you, or the one with an id or number",
		Long: `Answer the newest message addressed to you, in its thread. Where several senders
tie at the newest second they are listed and nothing is sent: choose one with
--to-id.

A number before -m names a message of the list that this terminal showed last. In
"signalbox reply 3 thanks" it might be a part of the text, so you are asked.`,
		RunE: cli.Action(func(cmd *cobra.Command, args []string) error {
			if _, err := o.reads(); err != nil {
				return err
			}
			if cmd.Flags().Changed("to-id") && len(id) < cli.MinPrefix {
				return cli.Usage(fmt.Errorf("--to-id needs at least %d characters of an id", cli.MinPrefix))
			}
			return o.replyTo(cmd.Context(), id, args, lines)
		}),
	}
	cli.MessageFlag(cmd.Flags(), &lines, "the text")
	cmd.Flags().StringVar(&id, "to-id", "", "answer the message with this `id`, the beginning of one, or SENDER:ID")
	cli.CompleteFlag(cmd, "to-id", o.offerMine)
	return cmd
}

// replyTo answers the message with an id, or the one with a number before the text, or the newest.
func (o *commands) replyTo(ctx context.Context, id string, args, lines []string) error {
	var to shownMessage
	if id == "" && len(args) > 0 && isNumber(args[0]) {
		var err error
		if to, err = o.numberedTarget(args, lines); err != nil {
			return err
		}
		if to.ID != "" {
			args = args[1:]
		}
	}
	text, err := o.Body("reply", args, lines)
	if err != nil {
		return err
	}
	return o.reply(ctx, cmp.Or(to.ID, id), to.From, text)
}

// numberedTarget returns the message with the number before a text, or nothing if the
// number is part of the text. If it may be either, the user is asked.
func (o *commands) numberedTarget(args, lines []string) (shownMessage, error) {
	number := args[0]
	if len(lines) == 0 && !o.OnScreen() {
		return shownMessage{}, nil // in a script it is text
	}
	d, err := o.Box().Open()
	if err != nil {
		return shownMessage{}, err
	}
	defer d.Close()
	me, err := o.Alias()
	if err != nil {
		return shownMessage{}, err
	}
	m, err := o.numbered(d, me, number)
	switch {
	case len(lines) > 0:
		return m, err
	case errors.Is(err, errNoList):
		return shownMessage{}, nil
	case err != nil:
		return m, cli.Usage(fmt.Errorf("%w; or give the text with -m", err))
	case len(args) == 1 || !cli.IsTerminal(o.In):
		return m, cli.Usage(fmt.Errorf("%s may be the number of a message or the text: \"signalbox reply %s -m TEXT\" answers that message, and \"signalbox reply -m\" with the whole text the newest", number, number))
	}
	o.Warn("this answers message %s, %s from %s, with: %s", number, m.ID, m.From, strings.Join(args[1:], " "))
	return m, o.Confirm(false)
}

func (o *commands) reply(ctx context.Context, id, from, text string) error {
	return o.write(ctx, "reply", func(w *box.Writing) (samp.Record, error) {
		if w.Dir == nil {
			return samp.Record{}, errors.New(nothingToReply)
		}
		mail, err := w.Dir.Answerable(ctx, w.Me, id)
		if err != nil {
			return samp.Record{}, err
		}
		if also := o.Who().Also; also != "" {
			second, err := w.Dir.Answerable(ctx, also, id)
			if err != nil {
				return samp.Record{}, err
			}
			mail.Messages = append(mail.Messages, second.Messages...)
			slices.SortStableFunc(mail.Messages, func(a, b samp.Found) int { return cmp.Compare(a.TS, b.TS) })
		}
		o.report(w.Dir, &mail)
		if len(mail.Messages) == 0 {
			if err := w.Dir.ReadAny(&mail); err != nil {
				return samp.Record{}, err
			}
			o.hint(ctx, w.Dir, w.Me)
		}
		if from != "" {
			mail.Messages = slices.DeleteFunc(mail.Messages, func(m samp.Found) bool { return m.Key != id || m.From != from })
		}
		target, err := o.target(mail.Messages, id)
		if err != nil {
			return samp.Record{}, err
		}
		r, err := o.Box().Answers(w, target, text)
		return r, o.bodyFault("reply", err, func() string { return text })
	})
}

const nothingToReply = "no inbox messages to reply to"

// target returns the message to reply to (§7, rules P1 and P2).
func (o *commands) target(messages []samp.Found, id string) (*samp.Found, error) {
	if id != "" {
		return oneWithID(messages, id)
	}
	now := o.Now().Unix()
	target, tied := samp.ReplyTarget(messages, now)
	if newest := len(messages) - 1; newest >= 0 && samp.Ahead(messages[newest].TS, now) {
		o.Warn("%s", o.ahead(&messages[newest], samp.Tokens(messages)[newest]))
	}
	if target != nil {
		return target, nil
	}
	if len(tied) == 0 {
		return nil, errors.New(nothingToReply)
	}
	var b strings.Builder
	tokens := samp.Tokens(tied)
	fmt.Fprintf(&b, "reply: %d senders tie at newest ts=%d; refusing ambiguous reply\n", len(tied), tied[0].TS)
	for i := range tied {
		t := &tied[i]
		fmt.Fprintf(&b, "  %s  [thread:%s]  %s\n", cli.Line(t.From), cli.Line(t.Thread), appendFirst(nil, t.Body, maxFirst))
		if !o.Scripted {
			fmt.Fprintf(&b, "      signalbox reply --to-id %s\n", cli.Line(tokens[i]))
		}
	}
	if o.Scripted {
		b.WriteString("pick one: send <alias>, with a body that begins with its [thread:...]")
	} else {
		b.WriteString("choose one with --to-id")
	}
	return nil, errors.New(b.String())
}

// ahead returns the warning that a message is not answered because its time is in the
// future, with the way to answer it.
func (o *commands) ahead(m *samp.Found, token string) string {
	text := fmt.Sprintf("the message of %s in %s has a time in the future and is not answered",
		cli.Minute(show.Millis(m.TS)), samp.LogName(cli.Line(m.Stem)))
	if !o.Scripted {
		text += fmt.Sprintf("; \"signalbox reply --to-id %s\" answers it", cli.Line(token))
	}
	return text
}

// oneWithID returns the message with an id, given in full, by its beginning, or with the
// sender. It is an error if there are several.
func oneWithID(messages []samp.Found, id string) (*samp.Found, error) {
	hits := samp.Matches(messages, id)
	switch len(hits) {
	case 0:
		return nil, fmt.Errorf("no message addressed to you has an id that begins with %q", id)
	case 1:
		return &hits[0], nil
	}
	const most = 5
	var b strings.Builder
	fmt.Fprintf(&b, "%q begins the ids of %d messages addressed to you; choose one with --to-id:", id, len(hits))
	tokens := samp.Tokens(hits)
	for i := len(hits) - 1; i >= max(0, len(hits)-most); i-- {
		m := &hits[i]
		fmt.Fprintf(&b, "\n  %s  (%s, from %s: %s)", cli.Line(tokens[i]), cli.Minute(m.TS*1000), cli.Line(m.From), appendFirst(nil, m.Body, maxFirst))
	}
	return nil, errors.New(b.String())
}

// write composes a message, appends it, and prints the line that scripts match.
func (o *commands) write(ctx context.Context, verb string, compose func(*box.Writing) (samp.Record, error)) error {
	where := o.Locate()
	r, err := o.Box().Write(ctx, compose)
	if _, taken := errors.AsType[*box.TakenError](err); taken {
		return cli.Usage(err) // another alias can write here
	}
	if r.Made != "" && !o.Scripted {
		o.Warn("made the message directory %q (%s); other tools may look elsewhere: set AGENT_MESSAGE_DIR to it for them, too", r.Made, where.Origin)
	}
	if err != nil {
		return err
	}
	err = o.written(verb, &r.Record)
	if notice := r.Reach.Outcome(); notice != "" {
		o.Warn("%s", cli.Line(notice))
	}
	return err
}

func (o *commands) written(verb string, r *samp.Record) error {
	w := o.Writer()
	if o.JSON {
		o.printer(w).message(&samp.Found{Record: *r, Key: r.ID, Stem: r.From})
	} else {
		fmt.Fprintf(w, "%s %s→%s thread=%s id=%s\n", verb, r.From, r.To, cli.WholeLine(r.Thread), r.ID)
	}
	return w.Flush()
}

// bodyFault returns the error for a refused body; the drop-in's is in the words that
// scripts expect.
func (o *commands) bodyFault(command string, err error, stored func() string) error {
	f, ok := errors.AsType[*canon.Fault](err)
	if !ok || !o.Scripted || f.Rule != "R4" {
		return err
	}
	return fmt.Errorf("%s: body is %d chars, limit %d; send a path or a link", command, utf8.RuneCountInString(stored()), samp.MaxBody)
}

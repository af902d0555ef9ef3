package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/spf13/cobra"
)

func (o *options) sendCommand() *cobra.Command {
	var lines []string
	cmd := &cobra.Command{
		Use:   "send <to> [text…]",
		Short: "Send a message",
		Long: `Send a message. Its text comes from the arguments, from -m (each one a line), or
from stdin. A text that begins with "[thread:NAME]" goes to that thread; any
other begins one.`,
		Example: `  signalbox send bob "the build is red"
  git diff | signalbox send reviewer`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage(errors.New("usage: send <to> [text…]"))
			}
			return nil
		},
		ValidArgsFunction: o.completeAliases,
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := samp.CheckAlias(args[0]); err != nil {
				return usage(fmt.Errorf("recipient: %w", err))
			}
			if _, err := o.alias(); err != nil {
				return err
			}
			text, err := o.body("send "+args[0], args[1:], lines)
			if err != nil {
				return err
			}
			return o.send(cmd.Context(), args[0], text)
		}),
	}
	cmd.Flags().StringArrayVarP(&lines, "message", "m", nil, "a `line` of the text; may be repeated")
	return cmd
}

func (o *options) send(ctx context.Context, to, text string) error {
	return o.write(ctx, "sent", func(w *writing) (samp.Record, error) {
		r, err := store.Compose(o.now(), w.profile, w.me, to, "", text)
		if err == nil {
			o.hint(w.dir, to)
		}
		if err == nil && to != w.me {
			o.hint(w.dir, w.me)
		}
		return r, o.bodyFault("send", err, func() string {
			_, stored := samp.DeriveThread(text, w.me, "", w.profile)
			return stored
		})
	})
}

func (o *options) replyCommand() *cobra.Command {
	var lines []string
	var id string
	cmd := &cobra.Command{
		Use:   "reply [text…]",
		Short: "Answer the newest message addressed to you, or the one with an id",
		Long: `Answer the newest message addressed to you, in its thread. Where several senders
tie at the newest second they are listed and nothing is sent: choose one with
--to-id.`,
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if _, err := o.alias(); err != nil {
				return err
			}
			if cmd.Flags().Changed("to-id") && len(id) < minPrefix {
				return usage(fmt.Errorf("--to-id needs at least %d characters of an id", minPrefix))
			}
			text, err := o.body("reply", args, lines)
			if err != nil {
				return err
			}
			return o.reply(cmd.Context(), id, text)
		}),
	}
	cmd.Flags().StringArrayVarP(&lines, "message", "m", nil, "a `line` of the text; may be repeated")
	cmd.Flags().StringVar(&id, "to-id", "", "answer the message with this `id`, or the beginning of one")
	return cmd
}

func (o *options) reply(ctx context.Context, id, text string) error {
	return o.write(ctx, "reply", func(w *writing) (samp.Record, error) {
		if w.dir == nil {
			return samp.Record{}, errors.New(nothingToReply)
		}
		mail, err := w.dir.Inbox(ctx, w.me, w.profile)
		if err != nil {
			return samp.Record{}, err
		}
		o.report(&mail)
		if len(mail.Messages) == 0 {
			if err := readAny(w.dir, &mail); err != nil {
				return samp.Record{}, err
			}
			o.hint(w.dir, w.me)
		}
		target, err := o.target(mail.Messages, id)
		if err != nil {
			return samp.Record{}, err
		}
		// Not Compose: a reply inherits its thread whatever it is, and its
		// body names none (rule T3).
		r, err := samp.Build(w.me, target.From, target.Thread, text, o.now().Unix(), w.profile)
		if err := samp.CheckAlias(target.From); err != nil {
			// The sender's fault, not the caller's.
			return r, &failure{exitFailed, fmt.Errorf("reply: the sender cannot be answered: %w", err)}
		}
		return r, o.bodyFault("reply", err, func() string { return text })
	})
}

const nothingToReply = "no inbox messages to reply to"

// target is the message that is answered (§7, rules P1 and P2).
func (o *options) target(messages []samp.Found, id string) (*samp.Found, error) {
	if id != "" {
		return oneWithID(messages, id)
	}
	now := o.now().Unix()
	target, tied := samp.ReplyTarget(messages, now)
	if newest := len(messages) - 1; newest >= 0 && samp.Ahead(messages[newest].TS, now) {
		o.warn("%s", o.ahead(&messages[newest]))
	}
	if target != nil {
		return target, nil
	}
	if len(tied) == 0 {
		return nil, errors.New(nothingToReply)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "reply: %d senders tie at newest ts=%d; refusing ambiguous reply\n", len(tied), tied[0].TS)
	for i := range tied {
		t := &tied[i]
		fmt.Fprintf(&b, "  %s  [thread:%s]  %s\n", line(t.From), line(t.Thread), appendFirst(nil, t.Body))
		if !o.scripted {
			fmt.Fprintf(&b, "      signalbox reply --to-id %s\n", line(t.Key))
		}
	}
	if o.scripted {
		b.WriteString("pick one: send <alias>, with a body that begins with its [thread:...]")
	} else {
		b.WriteString("choose one with --to-id")
	}
	return nil, errors.New(b.String())
}

// ahead says that a message is not answered because of its time, and how it can be.
func (o *options) ahead(m *samp.Found) string {
	text := fmt.Sprintf("the message of %s in %s is from the future and is not the one answered",
		time.Unix(m.TS, 0).Format("2006-01-02 15:04"), samp.LogName(line(m.Stem)))
	if !o.scripted {
		text += fmt.Sprintf("; \"signalbox reply --to-id %s\" answers it", line(m.Key))
	}
	return text
}

// oneWithID finds the one message whose id is this, or else begins so.
func oneWithID(messages []samp.Found, id string) (*samp.Found, error) {
	var hits []samp.Found
	for i := range messages {
		if strings.HasPrefix(messages[i].Key, id) {
			hits = append(hits, messages[i])
		}
	}
	hits = exact(hits, id)
	switch len(hits) {
	case 0:
		return nil, fmt.Errorf("no message addressed to you has an id that begins with %q", id)
	case 1:
		return &hits[0], nil
	}
	return nil, fmt.Errorf("%q begins the ids of %d messages addressed to you, among them %s from %s and %s from %s: give more of it",
		id, len(hits), line(hits[0].Key), line(hits[0].From), line(hits[1].Key), line(hits[1].From))
}

// writing is what composing a message needs. dir is nil where the directory
// does not exist yet: it is made only for a message that may be written.
type writing struct {
	dir     *store.Dir
	me      string
	profile samp.Profile
}

// write composes a message, appends it, and says so in the words that scripts
// match.
func (o *options) write(ctx context.Context, verb string, compose func(*writing) (samp.Record, error)) error {
	me, err := o.alias()
	if err != nil {
		return err
	}
	where, note := o.locate()
	if note != "" {
		o.warn("%s", note)
	}
	w := writing{me: me}
	w.dir, err = store.Open(where.Value)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.profile, _ = samp.ParseProfile(o.profile)
		err = samp.CheckAlias(me)
	case err == nil:
		defer w.dir.Close()
		if err = w.dir.CheckWriter(me); err == nil {
			w.profile, err = o.form(ctx, w.dir)
		}
	}
	if err != nil {
		return err
	}
	r, err := compose(&w)
	if err != nil {
		return err
	}
	d := w.dir
	if d == nil {
		if d, err = store.Create(where.Value); err != nil {
			return err
		}
		defer d.Close()
		if !o.scripted {
			o.warn("made the message directory %q (%s); other tools may look elsewhere: set AGENT_MESSAGE_DIR to it for them, too", d.Path(), where.Origin)
		}
	}
	if _, err := d.Append(&r); err != nil {
		return err
	}
	return o.written(verb, &r)
}

func (o *options) written(verb string, r *samp.Record) error {
	w := o.writer()
	if o.json {
		o.printer(w).message(&samp.Found{Record: *r, Key: r.ID, Stem: r.From})
	} else {
		fmt.Fprintf(w, "%s %s→%s thread=%s id=%s\n", verb, r.From, r.To, threadName(r.Thread), r.ID)
	}
	return w.Flush()
}

// bodyFault words a refused body as the drop-in's scripts expect it.
func (o *options) bodyFault(command string, err error, stored func() string) error {
	f, ok := errors.AsType[*canon.Fault](err)
	if !ok || !o.scripted || f.Rule != "R4" {
		return err
	}
	return fmt.Errorf("%s: body is %d chars, limit %d; send a path or a link", command, utf8.RuneCountInString(stored()), samp.MaxBody)
}

// threadName shows a thread's name whole, since scripts cut it out of the
// result line.
func threadName(s string) string {
	s, _ = render.Line(s, 0)
	return s
}

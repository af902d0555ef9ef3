package box

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/agents"
	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// Writing is the context for composing a message.
type Writing struct {
	// Dir is nil if the message directory does not exist yet. It is created for the first message.
	Dir     *Dir
	Me      string
	Profile samp.Profile
}

// Compose returns a message. If thread is empty, the text names or begins a thread.
func (b *Box) Compose(w *Writing, to, thread, text string) (samp.Record, error) {
	return sampstore.Compose(b.Now(), w.Profile, w.Me, to, thread, text)
}

// Answers returns the answer to a message, in the same thread: a thread that the text names is
// ignored (rule T3).
func (b *Box) Answers(w *Writing, m *samp.Found, text string) (samp.Record, error) {
	if err := samp.CheckAlias(m.From); err != nil {
		return samp.Record{}, fmt.Errorf("the sender cannot be answered: %w", err)
	}
	return samp.Build(w.Me, m.From, m.Thread, text, b.Now().Unix(), w.Profile)
}

// Written is a message that was written.
type Written struct {
	samp.Record
	// Made is the path of the directory that was created for it, or "" if it existed.
	Made string
	// Reach is how the recipient is reached.
	Reach agents.Party
}

// TakenError reports that an alias may not write here, because it isn't valid or another alias
// uses the name (rule L2).
type TakenError struct{ error }

func (e *TakenError) Unwrap() error { return e.error }

// Write composes a message, appends it to the writer's log and wakes the recipient.
func (b *Box) Write(ctx context.Context, compose func(*Writing) (samp.Record, error)) (Written, error) {
	me, err := b.Alias()
	if err != nil {
		return Written{}, err
	}
	w := Writing{Me: me}
	if w.Dir, err = b.openIfExists(); err != nil {
		return Written{}, err
	}
	if w.Dir == nil {
		w.Profile, _ = samp.ParseProfile(b.Profile)
	} else {
		defer w.Dir.Close()
		if err := w.Dir.CheckWriter(me); err != nil {
			return Written{}, err
		}
		if w.Profile, err = w.Dir.Form(ctx); err != nil {
			return Written{}, err
		}
	}
	r, err := compose(&w)
	if err != nil {
		return Written{}, err
	}
	done := Written{Record: r}
	if err := b.append(&w, &done); err != nil {
		return done, err
	}
	done.Reach = b.wakeRecipient(ctx, r.To)
	return done, nil
}

// append appends a message, and creates the directory for the first one.
func (b *Box) append(w *Writing, done *Written) error {
	if w.Dir != nil {
		_, err := w.Dir.dir.Append(&done.Record)
		return err
	}
	d, err := sampstore.Create(b.Place().Value)
	if err != nil {
		return err
	}
	defer d.Close()
	done.Made = d.Path()
	_, err = d.Append(&done.Record)
	return err
}

// CheckWriter returns a [TakenError] if an alias may not write here.
func (d *Dir) CheckWriter(alias string) error {
	err := d.dir.CheckWriter(alias)
	if _, taken := errors.AsType[*canon.Fault](err); taken {
		return &TakenError{err}
	}
	return err
}

// Sent is a message that was written.
type Sent struct {
	samp.Record
	// Warning is set if no one has read or written mail as the recipient yet, or if another
	// name differs from it only in case.
	Warning string
	// Reach is how the recipient is reached.
	Reach agents.Party
}

// Send writes a message. If thread is empty, the text names or begins a thread.
func (b *Box) Send(ctx context.Context, to, thread, text string) (Sent, error) {
	if err := samp.CheckAlias(to); err != nil {
		return Sent{}, fmt.Errorf("recipient: %w", err)
	}
	return b.write(ctx, func(w *Writing) (samp.Record, error) {
		return b.Compose(w, to, thread, text)
	})
}

// Answer writes the answer to a message, in its thread (rule T3).
func (b *Box) Answer(ctx context.Context, m *samp.Found, text string) (Sent, error) {
	return b.write(ctx, func(w *Writing) (samp.Record, error) {
		return b.Answers(w, m, text)
	})
}

func (b *Box) write(ctx context.Context, compose func(*Writing) (samp.Record, error)) (Sent, error) {
	if _, err := b.Alias(); err != nil {
		return Sent{}, err
	}
	warning := ""
	r, err := b.Write(ctx, func(w *Writing) (samp.Record, error) {
		r, err := compose(w)
		if err == nil && w.Dir != nil {
			if other := w.Dir.OtherCase(ctx, r.To); other != "" {
				warning = fmt.Sprintf("%s differs only in case from %s: they are two names", r.To, other)
			}
		}
		return r, err
	})
	if err == nil && warning == "" && r.Made == "" && r.Reach.Way == "" {
		warning = b.unknown(r.To)
	}
	return Sent{r.Record, warning, r.Reach}, err
}

// unknown returns a warning that no one has read or written mail as an alias, with names that may
// have been meant, or "". The person counts as known before they write.
func (b *Box) unknown(alias string) string {
	d, err := b.openIfExists()
	if err != nil || d == nil {
		return ""
	}
	defer d.Close()
	aliases, err := d.dir.Aliases()
	if err != nil || alias == b.Person() || d.dir.Known(alias) {
		return ""
	}
	for _, t := range b.reach().Trees() {
		aliases = append(aliases, t.Name)
	}
	text := fmt.Sprintf("nobody has read or written mail as %s yet", alias)
	if near := names.Near(alias, aliases); near != "" {
		return text + fmt.Sprintf("; did you mean %s?", near)
	}
	aliases = slices.DeleteFunc(aliases, func(a string) bool { return a == b.Who().Value })
	if len(aliases) == 0 {
		return text
	}
	slices.Sort(aliases)
	aliases = slices.Compact(aliases)
	return text + "; there are " + strings.Join(aliases[:min(len(aliases), maxSuggested)], ", ")
}

// maxSuggested is the largest number of names that are suggested for an unknown name.
const maxSuggested = 10

// AnswerHere writes the person's answer to an agent's question as mail, after the person gave it
// in the agent's own program. So the question is answered wherever else it is shown. AnswerHere
// marks the question as read by the person.
func (b *Box) AnswerHere(ctx context.Context, asked *samp.Record, text string) error {
	if asked.To != b.Person() {
		return fmt.Errorf("%s is not the person", asked.To)
	}
	d, err := b.Open()
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.CheckWriter(asked.To); err != nil {
		return err
	}
	form, err := d.Form(ctx)
	if err != nil {
		return err
	}
	r, err := samp.Build(asked.To, asked.From, asked.Thread, text, b.Now().Unix(), form)
	if err != nil {
		return err
	}
	if _, err := d.dir.Append(&r); err != nil {
		return err
	}
	d.markRead(ctx, asked)
	return nil
}

// markRead marks a message as read by its receiver. If this fails, the message stays unread.
func (d *Dir) markRead(ctx context.Context, m *samp.Record) {
	r, err := d.read(ctx, m.To, false)
	if err != nil {
		return
	}
	defer r.Close()
	for _, u := range r.Waiting() {
		if u.From == m.From && u.ID == m.ID {
			_ = r.Take([]Unread{u})
		}
	}
}

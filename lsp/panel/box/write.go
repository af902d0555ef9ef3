package box

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

// Writing is what composing a message needs.
type Writing struct {
	// Dir is nil if the message directory does not exist yet. It is made when there is a
	// message to write.
	Dir     *Dir
	Me      string
	Profile samp.Profile
}

// Compose returns a message whose text names or begins a thread, unless one is given.
func (b *Box) Compose(w *Writing, to, thread, text string) (samp.Record, error) {
	return store.Compose(b.Now(), w.Profile, w.Me, to, thread, text)
}

// Answers returns the answer to a message, in its thread whatever that is. Its text names
// none (rule T3).
func (b *Box) Answers(w *Writing, m *samp.Found, text string) (samp.Record, error) {
	if err := samp.CheckAlias(m.From); err != nil {
		return samp.Record{}, fmt.Errorf("the sender cannot be answered: %w", err)
	}
	return samp.Build(w.Me, m.From, m.Thread, text, b.Now().Unix(), w.Profile)
}

// Written is a message that was written.
type Written struct {
	samp.Record
	// Made is the directory that was made for it, "" if it was there.
	Made string
}

// TakenError says that another alias keeps this one from writing here (rule L2).
type TakenError struct{ error }

func (e *TakenError) Unwrap() error { return e.error }

// Write composes a message and appends it to the log of the alias that is written as.
func (b *Box) Write(ctx context.Context, compose func(*Writing) (samp.Record, error)) (Written, error) {
	me, err := b.Alias()
	if err != nil {
		return Written{}, err
	}
	w := Writing{Me: me}
	if w.Dir, err = b.there(); err != nil {
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
	if w.Dir != nil {
		_, err = w.Dir.dir.Append(&done.Record)
		return done, err
	}
	d, err := store.Create(b.Place().Value)
	if err != nil {
		return Written{}, err
	}
	defer d.Close()
	done.Made = d.Path()
	_, err = d.Append(&done.Record)
	return done, err
}

// CheckWriter returns a [TakenError] if another alias keeps one from writing here.
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
	// Warning is set if nobody has read or written mail as the recipient yet.
	Warning string
}

// Send writes a message. Without a thread its text names or begins one.
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
			warning = b.unknown(ctx, w.Dir, r.To)
		}
		return r, err
	})
	return Sent{r.Record, warning}, err
}

// unknown says that nobody has read or written mail as an alias, and who may have been
// meant. The person is known before they write.
func (b *Box) unknown(ctx context.Context, d *Dir, alias string) string {
	if other := d.OtherCase(ctx, alias); other != "" {
		return fmt.Sprintf("%s differs only in case from %s: they are two names", alias, other)
	}
	aliases, err := d.dir.Aliases()
	if err != nil || alias == b.Person() || slices.Contains(aliases, alias) {
		return ""
	}
	if _, err := os.Lstat(filepath.Join(d.Path(), samp.WatermarkName(alias))); err == nil {
		return ""
	}
	for _, t := range b.trees() {
		if t.Name == alias {
			return "" // whoever begins to work there reads it
		}
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

// maxSuggested is how many names an unknown one is answered with.
const maxSuggested = 10

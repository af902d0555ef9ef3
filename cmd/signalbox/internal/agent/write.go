package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

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
	return b.write(ctx, func(me string, p samp.Profile) (samp.Record, error) {
		return store.Compose(b.Now(), p, me, to, thread, text)
	})
}

// Answer writes the answer to a message, in its thread (rule T3).
func (b *Box) Answer(ctx context.Context, m *samp.Found, text string) (Sent, error) {
	if err := samp.CheckAlias(m.From); err != nil {
		return Sent{}, fmt.Errorf("the sender cannot be answered: %w", err)
	}
	return b.write(ctx, func(me string, p samp.Profile) (samp.Record, error) {
		return samp.Build(me, m.From, m.Thread, text, b.Now().Unix(), p)
	})
}

func (b *Box) write(ctx context.Context, build func(me string, p samp.Profile) (samp.Record, error)) (Sent, error) {
	me, err := b.Alias()
	if err != nil {
		return Sent{}, err
	}
	where, _ := b.Locate()
	// A directory that is not there yet is made only when there is a message to write.
	profile, _ := samp.ParseProfile(b.Profile)
	d, err := store.Open(where.Value)
	if err == nil {
		defer d.Close()
		if err = d.CheckWriter(me); err == nil {
			profile, err = b.Form(ctx, d)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Sent{}, err
	}
	r, err := build(me, profile)
	if err != nil {
		return Sent{}, err
	}
	if d == nil {
		if d, err = store.Create(where.Value); err != nil {
			return Sent{}, err
		}
		defer d.Close()
	}
	sent := Sent{Record: r, Warning: b.unknown(d, r.To)}
	_, err = d.Append(&sent.Record)
	return sent, err
}

// unknown says that nobody has read or written mail as an alias, and who may have been
// meant.
func (b *Box) unknown(d *store.Dir, alias string) string {
	aliases, err := d.Aliases()
	if err != nil || slices.Contains(aliases, alias) {
		return ""
	}
	if _, err := os.Lstat(filepath.Join(d.Path(), samp.WatermarkName(alias))); err == nil {
		return ""
	}
	text := fmt.Sprintf("nobody has read or written mail as %s yet", alias)
	if near := cli.Near(alias, aliases); near != "" {
		text += fmt.Sprintf("; did you mean %s?", near)
	}
	return text
}

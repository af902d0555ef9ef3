package agent

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	return b.write(ctx, func(w *cli.Writing) (samp.Record, error) {
		return store.Compose(b.Now(), w.Profile, w.Me, to, thread, text)
	})
}

// Answer writes the answer to a message, in its thread (rule T3).
func (b *Box) Answer(ctx context.Context, m *samp.Found, text string) (Sent, error) {
	if err := samp.CheckAlias(m.From); err != nil {
		return Sent{}, fmt.Errorf("the sender cannot be answered: %w", err)
	}
	return b.write(ctx, func(w *cli.Writing) (samp.Record, error) {
		return samp.Build(w.Me, m.From, m.Thread, text, b.Now().Unix(), w.Profile)
	})
}

func (b *Box) write(ctx context.Context, compose func(*cli.Writing) (samp.Record, error)) (Sent, error) {
	if _, err := b.Alias(); err != nil {
		return Sent{}, err
	}
	warning := ""
	r, err := b.Write(ctx, func(w *cli.Writing) (samp.Record, error) {
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
func (b *Box) unknown(ctx context.Context, d *store.Dir, alias string) string {
	if other := d.OtherCase(ctx, alias); other != "" {
		return fmt.Sprintf("%s differs only in case from %s: they are two names", alias, other)
	}
	aliases, err := d.Aliases()
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
	if near := cli.Near(alias, aliases); near != "" {
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

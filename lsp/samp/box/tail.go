package box

import (
	"context"
	"time"

	sampstore "github.com/signalbox-dev/signalbox/lsp/samp"
)

// Tail follows the logs of a directory, and shows new messages that the reader may see.
type Tail struct {
	dir  *Dir
	tail *sampstore.Tail
}

// Tail begins to follow the logs: for one name, or for everybody if name is empty. Unless all is
// set, it skips existing mail. The caller closes it.
func (d *Dir) Tail(ctx context.Context, name string, all bool) (*Tail, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return nil, err
	}
	t := &Tail{d, sampstore.NewTail(d.Path(), name, form)}
	if !all {
		// Without this, everything in an old directory would be new.
		if _, err := t.tail.Poll(ctx); err != nil {
			t.Close()
			return nil, err
		}
	}
	return t, nil
}

// Close releases the directory.
func (t *Tail) Close() error { return t.tail.Close() }

// Follow calls show with new mail until ctx ends or show fails.
func (t *Tail) Follow(ctx context.Context, every time.Duration, show func(Mail) error) error {
	reader := Reader(t.dir.Who())
	return t.tail.Follow(ctx, every, func(m Mail) error {
		kept := m.Messages[:0]
		for i := range m.Messages {
			if reader.Sees(route(&m.Messages[i])) {
				kept = append(kept, m.Messages[i])
			}
		}
		m.Messages = kept
		return show(m)
	})
}

package threads

import (
	"context"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// Edit changes the title or members of metadata in a thread's thread.json and
// leaves every other byte (rules T5, T6 and X4). The other members are those of
// the messages, or say what the thread is: they are refused.
//
// It waits for other writers as [Dir.Append] does, and fails as [atsf.Edit]
// does: what cannot be read is not overwritten.
func (d *Dir) Edit(ctx context.Context, name string, changes ...atsf.Change) error {
	for _, c := range changes {
		title := len(c.Path) == 1 && c.Path[0] == "title" && strings.HasPrefix(strings.TrimSpace(string(c.Value)), `"`)
		if !title && (len(c.Path) < 2 || c.Path[0] != "metadata") {
			return fmt.Errorf("threads: set in %q: %w", name, &canon.Fault{Rule: "X4", Field: strings.Join(c.Path, "."), Reason: "only a title, which is text, and members of metadata can be set"})
		}
	}
	w, err := d.write(ctx, name)
	if err != nil {
		return err
	}
	defer w.end()
	if err := w.change(func(raw []byte) ([]byte, error) { return atsf.Edit(raw, changes...) }); err != nil {
		return fmt.Errorf("threads: set in %q: %w", name, trimmed(err))
	}
	return nil
}

package threads

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// Repair brings stats and updatedAt of a thread's thread.json in line with its
// messages (rule T4) and changes nothing else. It returns the figures that were
// wrong; nil means that nothing was written.
//
// It waits for other writers as [Dir.Append] does. A thread.json that cannot be
// read is not overwritten, nor are figures whose messages are not here: the error is
// [ErrNoLog].
func (d *Dir) Repair(ctx context.Context, name string) (changed []atsf.Mismatch, err error) {
	w, err := d.write(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() {
		w.end()
		if err != nil {
			changed, err = nil, fmt.Errorf("threads: repair %q: %w", name, trimmed(err))
		}
	}()
	if err := w.logged(); err != nil {
		return nil, err
	}
	count, err := w.count(ctx)
	if err != nil {
		return nil, err
	}
	err = w.change(func(raw []byte) ([]byte, error) {
		t, err := atsf.ParseThread(raw)
		if err != nil {
			return nil, err
		}
		changed = atsf.Compare(&t, count.Tally)
		return atsf.Repair(raw, count.Tally)
	})
	return changed, err
}

// ErrNoLog is the error of writing where thread.json counts messages, and there is no
// log that they could be in, as in a clone whose logs git ignores. The figures are
// all that is left of them there, and are not replaced by a new count.
var ErrNoLog = errors.New("they are elsewhere or lost, and nothing was written")

// logged returns [ErrNoLog] unless there is a log, or nothing to be in it.
func (w *writing) logged() error {
	lost := "is not there"
	switch info, err := w.root.Lstat(atsf.MessagesName); {
	case err == nil && info.Size() > 0, err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		lost = "is empty"
	}
	raw, _, err := w.meta()
	if err != nil {
		return nil //nolint:nilerr // who needs it says so
	}
	t, err := atsf.ParseThread(raw)
	if err != nil || t.Stats == (atsf.Stats{}) {
		return nil //nolint:nilerr // as above
	}
	return fmt.Errorf("%s %s, and %s counts %d messages: %w. Bring the log here, or go on with \"signalbox threads fork\" (T4)", atsf.MessagesName, lost, atsf.ThreadName, t.Stats.Messages, ErrNoLog)
}

// count counts the messages of the thread.
func (w *writing) count(ctx context.Context) (c counter, err error) {
	log, info, err := openFile(w.root, atsf.MessagesName)
	if errors.Is(err, ErrNotFound) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	defer log.Close()
	return c, c.read(ctx, log, info.Size())
}

package threads

import (
	"context"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// Repair brings stats and updatedAt of a thread's thread.json in line with its
// messages (rule T4) and changes nothing else. It gives the figures that were
// wrong; nil means that nothing was written.
//
// It waits for other writers as [Dir.Append] does. A thread.json that cannot be
// read is not overwritten.
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
	if d.core != nil {
		return d.repairBy(ctx, w)
	}
	count, err := d.countLog(ctx, w)
	if err != nil {
		return nil, err
	}
	err = w.change(func(raw []byte) ([]byte, error) {
		t, err := atsf.ParseThread(raw)
		if err != nil {
			return nil, err
		}
		changed = atsf.Compare(&t, count.tally)
		return atsf.Repair(raw, count.tally)
	})
	return changed, err
}

// countLog counts the messages of a thread.
func (d *Dir) countLog(ctx context.Context, w *writing) (*counter, error) {
	log, info, err := openFile(w.root, atsf.MessagesName)
	if errors.Is(err, ErrNotFound) {
		return &counter{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer log.Close()
	return d.tally(ctx, w.name, log, info.Size())
}

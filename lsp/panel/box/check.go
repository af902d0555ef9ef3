package box

import (
	"context"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store"
)

type (
	// Log is one log of a directory.
	Log = store.Log
	// Compacted says what compacting did to one log.
	Compacted = store.Compacted
	// HeldError is the error of compacting a log that programs keep open to write to it.
	HeldError = store.HeldError
)

// Clone returns a message in memory of its own.
func Clone(m *samp.Found) samp.Found { return store.CloneFound(m) }

// Examine checks every line of every log, and calls emit for what is wrong.
func (d *Dir) Examine(ctx context.Context, emit func(Problem)) (Report, error) {
	return d.dir.Examine(ctx, emit)
}

// Logs lists the logs, and what is wrong with those that are not read.
func (d *Dir) Logs() ([]Log, []Problem, error) { return d.dir.Logs() }

// Compact rewrites a log without its duplicates and with ids filled in (rule C2). One that a
// program has open is left as it is, with a [HeldError], unless held is set.
func (d *Dir) Compact(ctx context.Context, log Log, held bool) (Compacted, error) {
	form, err := d.Form(ctx)
	if err != nil {
		return Compacted{}, err
	}
	if held {
		return d.dir.CompactHeld(ctx, log, form)
	}
	return d.dir.Compact(ctx, log, form)
}

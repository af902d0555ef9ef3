// Package verify compares a WebAssembly module with the native core over somebody's
// own files: it makes every call that reads such a file in both and compares the
// bytes. Start with [New] and [Verifier.File].
//
// The package imports wasm/conformance, which lists the calls, and wasm/engine.
// Any host's Module serves.
package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/signalbox-dev/signalbox/wasm/conformance"
	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// Verifier makes calls in one instance of a module. One goroutine uses it.
type Verifier struct {
	module *engine.Module
	// Calls counts the calls, and Differing the calls whose answers differed.
	Calls, Differing int
}

// New returns a Verifier of a module.
func New(m *engine.Module) *Verifier { return &Verifier{module: m} }

// Difference is a call with both answers. Failed is set if the native answer is an
// error. Trap is set if the module stopped instead of answering.
type Difference struct {
	Call           conformance.Case
	Module, Native []byte
	Failed         bool
	Trap           error
}

// File makes the calls that read a file of a format, which is one of
// [conformance.Formats]. name is the file's base name. If lines is set, each line
// is a record and is also read by itself. Differences are passed to report.
//
// The error is the context's, says that there was no instance, or is
// [engine.ErrTimeout]: what goes on for ever in one call does so in the next.
func (v *Verifier) File(ctx context.Context, format, name, text string, lines bool, report func(Difference)) error {
	return v.All(ctx, conformance.Of(format, name, text, lines), report)
}

// All makes calls and passes those that differ to report.
func (v *Verifier) All(ctx context.Context, calls iter.Seq[conformance.Case], report func(Difference)) error {
	for c := range calls {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, same, err := v.one(ctx, c)
		if err != nil {
			return err
		}
		v.Calls++
		if !same {
			v.Differing++
			report(d)
		}
	}
	return nil
}

// one makes a call. An instance that stopped is replaced.
func (v *Verifier) one(ctx context.Context, c conformance.Case) (d Difference, same bool, err error) {
	instance, release, err := v.module.Take(ctx)
	if err != nil {
		return d, false, fmt.Errorf("verify: no instance of the module: %w", err)
	}
	defer release()
	return Compare(ctx, instance, c)
}

// Compare makes a call in an instance and natively. The error is the context's or
// [engine.ErrTimeout].
func Compare(ctx context.Context, instance engine.Raw, c conformance.Case) (d Difference, same bool, err error) {
	want, ok := conformance.Answer(c)
	d = Difference{Call: c, Native: want, Failed: !ok}
	params, input := []byte(c.Params), []byte(c.Input)
	if d.Trap = instance.Fill(ctx, params, input); d.Trap != nil {
		return d, false, ended(ctx, d.Trap)
	}
	got, failed, trap := instance.Call(ctx, c.Op, uint32(len(params)), uint32(len(input)))
	if d.Trap = trap; trap != nil {
		return d, false, ended(ctx, trap)
	}
	if failed != ok && bytes.Equal(got, want) {
		return d, true, nil
	}
	d.Module = bytes.Clone(got)
	return d, false, nil
}

// ended returns why no more calls are to be made after one that the module stopped in.
func ended(ctx context.Context, trap error) error {
	if errors.Is(trap, engine.ErrTimeout) {
		return engine.ErrTimeout
	}
	return ctx.Err()
}

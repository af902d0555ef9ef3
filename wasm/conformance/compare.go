package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// Difference is a call with both results. Failed is set if the native result is an
// error. Trap is set if the module stopped without a result.
type Difference struct {
	Call           Case
	Module, Native []byte
	Failed         bool
	Trap           error
}

// Compare makes a call in an instance of a module and natively, and reports whether the
// results are the same. The error is the context's, or says that there was no instance,
// or is [engine.ErrTimeout], after which further calls would only time out too.
func Compare(ctx context.Context, m *engine.Module, c Case) (d Difference, same bool, err error) {
	instance, release, err := m.Take(ctx)
	if err != nil {
		return d, false, fmt.Errorf("conformance: no instance of the module: %w", err)
	}
	defer release()
	want, ok := Answer(c)
	d = Difference{Call: c, Native: want, Failed: !ok}
	got, failed, trap := instance.Exchange(ctx, c.Op, []byte(c.Params), []byte(c.Input))
	switch d.Trap = trap; {
	case errors.Is(trap, engine.ErrTimeout):
		return d, false, engine.ErrTimeout
	case trap != nil:
		return d, false, ctx.Err()
	case failed != ok && bytes.Equal(got, want):
		return d, true, nil
	}
	d.Module = bytes.Clone(got)
	return d, false, nil
}

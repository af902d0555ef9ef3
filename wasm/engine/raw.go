package engine

import (
	"context"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Raw is one instance of a Module for callers that use the ABI directly, such as tests:
// the input is not checked, and only [Raw.Call] checks the result.
type Raw struct{ i *instance }

// Take returns an instance that nobody else uses until release is called.
func (m *Module) Take(ctx context.Context) (raw Raw, release func(), err error) {
	i, err := m.pool.get(ctx)
	if err != nil {
		return Raw{}, nil, err
	}
	return Raw{i}, func() { m.pool.put(i, i.sound) }, nil
}

// In asks for an input buffer.
func (r Raw) In(ctx context.Context, n int32) (ptr uint32, err error) {
	r.i.room = 0 // the instance's own buffer is gone
	ptr, err = r.i.In(ctx, uint32(n))
	return ptr, r.watch(err)
}

// Fill copies the arguments into a new input buffer of exactly their length.
func (r Raw) Fill(ctx context.Context, a, b []byte) error {
	err := r.i.ask(ctx, len(a)+len(b))
	if err == nil {
		r.i.write(a, b)
	}
	return r.watch(err)
}

// Call runs an op with any lengths. The result is in the instance's own memory, and
// valid until the next call.
func (r Raw) Call(ctx context.Context, op abi.Op, n1, n2 uint32) (result []byte, failed bool, err error) {
	result, failed, err = r.i.raw(ctx, op, n1, n2)
	return result, failed, r.watch(err)
}

// Exchange fills in the arguments and runs an op over them. The result is in the
// instance's own memory, and valid until the next call.
func (r Raw) Exchange(ctx context.Context, op abi.Op, a, b []byte) (result []byte, failed bool, err error) {
	if err := r.Fill(ctx, a, b); err != nil {
		return nil, false, err
	}
	return r.Call(ctx, op, uint32(len(a)), uint32(len(b)))
}

// Init calls _initialize again, which stops the instance.
func (r Raw) Init(ctx context.Context) error { return r.watch(r.i.Init(ctx)) }

// Version returns the result of the abi export.
func (r Raw) Version(ctx context.Context) (uint32, error) {
	v, err := r.i.Version(ctx)
	return v, r.watch(err)
}

// watch marks the instance as unusable if err is an error, and returns err.
func (r Raw) watch(err error) error {
	if err != nil {
		r.i.sound = false
	}
	return err
}

package wasmtime

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/bytecodealliance/wasmtime-go/v44"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// instance is one instance in its own store, which is freed with it.
type instance struct {
	store                   *wasmtime.Store
	init, in, call, version *wasmtime.Func
	memory                  *wasmtime.Memory
	stderr                  engine.StderrHead
	clock                   *clock
}

// bounded calls enter, and stops the guest at the time limit.
func (i *instance) bounded(enter func() error) error {
	if i.clock != nil {
		i.store.SetEpochDeadline(i.clock.ticks)
	}
	err := enter()
	if trap, ok := errors.AsType[*wasmtime.Trap](err); ok {
		if code := trap.Code(); code != nil && *code == wasmtime.Interrupt {
			return fmt.Errorf("%w: %w", engine.ErrTimeout, err)
		}
	}
	return err
}

// run calls a function of the guest.
func (i *instance) run(f *wasmtime.Func, args ...any) (result any, err error) {
	err = i.bounded(func() error {
		result, err = f.Call(i.store, args...)
		return err
	})
	return result, err
}

// number runs a function that returns an i32.
func (i *instance) number(f *wasmtime.Func, args ...any) (uint32, error) {
	result, err := i.run(f, args...)
	if err != nil {
		return 0, err
	}
	n, ok := result.(int32)
	if !ok {
		return 0, engine.ErrBrokenABI
	}
	return uint32(n), nil
}

func (i *instance) Init(context.Context) error {
	_, err := i.run(i.init)
	return err
}

func (i *instance) In(_ context.Context, n uint32) (uint32, error) { return i.number(i.in, int32(n)) }

func (i *instance) Version(context.Context) (uint32, error) { return i.number(i.version) }

func (i *instance) Call(_ context.Context, op abi.Op, n1, n2 uint32) (uint64, error) {
	result, err := i.run(i.call, int32(op), int32(n1), int32(n2))
	if err != nil {
		return 0, err
	}
	packed, ok := result.(int64)
	if !ok {
		return 0, engine.ErrBrokenABI
	}
	return uint64(packed), nil
}

func (i *instance) Memory() []byte { return i.memory.UnsafeData(i.store) }

func (i *instance) StderrHead() string { return i.stderr.FirstLine() }

func (i *instance) Close() { i.store.Close() }

// The errors of WASI that fdWrite returns.
const (
	badDescriptor = 8
	badAddress    = 21
)

// fdWrite is WASI's fd_write for standard output and error: it keeps the beginning of the text in
// the store's [engine.StderrHead]. All numbers come from the guest and may be wrong.
func fdWrite(c *wasmtime.Caller, fd, list, n, written int32) int32 {
	if fd != 1 && fd != 2 {
		return badDescriptor
	}
	stderr, known := c.Data().(*engine.StderrHead)
	export := c.GetExport(abi.ExportMemory)
	if !known || export == nil || export.Memory() == nil {
		return badAddress
	}
	memory := export.Memory().UnsafeData(c)
	total := uint32(0)
	for k := range uint64(uint32(n)) {
		entry, ok := part(memory, uint64(uint32(list))+8*k, 8)
		if !ok {
			return badAddress
		}
		text, ok := part(memory, uint64(binary.LittleEndian.Uint32(entry)), uint64(binary.LittleEndian.Uint32(entry[4:])))
		if !ok {
			return badAddress
		}
		_, _ = stderr.Write(text) // never fails
		total += uint32(len(text))
	}
	count, ok := part(memory, uint64(uint32(written)), 4)
	if !ok {
		return badAddress
	}
	binary.LittleEndian.PutUint32(count, total)
	return 0
}

// part returns n bytes of memory, and whether they are in range.
func part(memory []byte, at, n uint64) ([]byte, bool) {
	if at > uint64(len(memory)) || n > uint64(len(memory))-at {
		return nil, false
	}
	return memory[at : at+n], true
}

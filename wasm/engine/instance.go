package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

const (
	// leastInput is the size in bytes of the first input buffer. A call that fits into
	// the buffer enters the module once instead of twice.
	leastInput = 64 << 10
	// keepInput is the size in bytes up to which an input buffer is reused. A larger
	// one is released by asking for another.
	keepInput = 1 << 20
)

// instance is an Instance that was initialized.
type instance struct {
	Instance
	// input points to the module's input buffer, and room is its size in bytes.
	input uint32
	room  int
	// memory is the instance's memory after the last call into the module. It cannot
	// have moved since, and getting it again would take time.
	memory []byte
	// sound is false once a call failed without an answer from the guest: the instance
	// may still seem to work, but must not be used again.
	sound bool
}

// start returns a new instance after calling its _initialize.
func (m *Module) start(ctx context.Context) (*instance, error) {
	// A context that is done must not stop the guest halfway.
	ctx = context.WithoutCancel(ctx)
	started, err := m.program.Start(ctx)
	if err != nil {
		return nil, trapped(0, err, "")
	}
	if err := started.Init(ctx); err != nil {
		err = trapped(0, err, started.StderrHead())
		started.Close()
		return nil, err
	}
	return &instance{Instance: started, sound: true}, nil
}

func (i *instance) checkVersion(ctx context.Context) error {
	v, err := i.Version(ctx)
	if err != nil {
		return i.failed(0, err)
	}
	if v>>16 != abi.Major {
		return badModule("it speaks version " + strconv.Itoa(int(v>>16)) + " of the ABI, and this host version " + strconv.Itoa(abi.Major))
	}
	return nil
}

// run makes one call: it copies the arguments in, runs the op, and copies the result out.
func (i *instance) run(ctx context.Context, op abi.Op, a, b []byte) ([]byte, error) {
	// The guest runs on the caller's stack. A context that is done must not stop it
	// halfway, or the instance would be lost.
	ctx = context.WithoutCancel(ctx)
	if err := i.fill(ctx, a, b); err != nil {
		return nil, i.failed(op, err)
	}
	result, failed, err := i.raw(ctx, op, uint32(len(a)), uint32(len(b)))
	if err != nil {
		return nil, i.failed(op, err)
	}
	if failed {
		return nil, i.decodeError(op, result)
	}
	return bytes.Clone(result), nil
}

// fill copies the arguments into an input buffer.
func (i *instance) fill(ctx context.Context, a, b []byte) error {
	size := len(a) + len(b)
	if size > i.room || i.room > keepInput {
		if err := i.ask(ctx, max(size, leastInput)); err != nil {
			return err
		}
	}
	i.write(a, b)
	return nil
}

// ask asks the module for an input buffer.
func (i *instance) ask(ctx context.Context, size int) error {
	i.room = 0
	ptr, err := i.In(ctx, uint32(size))
	if err != nil {
		return err
	}
	if ptr == 0 {
		return &Error{Code: abi.TooLarge, Message: "the input is larger than the module's limit"}
	}
	i.input, i.room, i.memory = ptr, size, i.Memory()
	if uint64(ptr)+uint64(size) > uint64(len(i.memory)) {
		return ErrBrokenABI
	}
	return nil
}

// write copies the arguments into the input buffer, which has room for them.
func (i *instance) write(a, b []byte) {
	copy(i.memory[i.input:], a)
	copy(i.memory[int(i.input)+len(a):], b)
}

// raw calls the guest with any numbers. The result is in the guest's own memory, and
// valid until the next call.
func (i *instance) raw(ctx context.Context, op abi.Op, n1, n2 uint32) (result []byte, failed bool, err error) {
	packed, err := i.Call(ctx, op, n1, n2)
	if err != nil {
		return nil, false, err
	}
	ptr, length, failed := abi.Unpack(packed)
	i.memory = i.Memory()
	if uint64(ptr)+uint64(length) > uint64(len(i.memory)) {
		return nil, false, ErrBrokenABI
	}
	return i.memory[ptr : ptr+length], failed, nil
}

// failed turns the cause of a failed call into an *Error, and marks the instance as
// unusable unless the guest only refused the input.
func (i *instance) failed(op abi.Op, err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Code == abi.TooLarge {
		return &Error{Op: op, Code: e.Code, Message: e.Message}
	}
	i.sound = false
	return trapped(op, err, i.StderrHead())
}

func (i *instance) decodeError(op abi.Op, text []byte) error {
	var e struct {
		Code          abi.Code
		Rule, Message string
	}
	if err := json.Unmarshal(text, &e); err != nil || e.Code == "" {
		return i.failed(op, ErrBrokenABI)
	}
	return &Error{Op: op, Code: e.Code, Rule: e.Rule, Message: e.Message}
}

func trapped(op abi.Op, cause error, stderr string) error {
	if errors.Is(cause, ErrTimeout) {
		return &Error{Op: op, Code: abi.Timeout, Message: "the call took longer than the host allows", Cause: cause}
	}
	message := "the instance stopped"
	if stderr != "" {
		message += ": " + strconv.Quote(stderr)
	}
	return &Error{Op: op, Code: abi.Trap, Message: message, Cause: cause}
}

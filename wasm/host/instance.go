package host

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// instance is one instance of the module. It serves one call at a time.
type instance struct {
	module   api.Module
	in, call api.Function
	stack    [3]uint64
	stderr   *lastWords
	// sound is false once anything went wrong that the guest did not answer
	// itself: the instance may look callable, and is not to be trusted.
	sound bool
}

// instantiate starts an instance. wazero calls _initialize, once.
func (m *Module) instantiate(ctx context.Context) (*instance, error) {
	stderr := new(lastWords)
	// wazero's defaults are deterministic: predictable map seeds, and a clock
	// that ticks per question.
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions(abi.ExportInit).
		WithRandSource(rand.Reader).WithSysWalltime().WithSysNanotime().WithStderr(stderr)
	module, err := m.runtime.InstantiateModule(ctx, m.compiled, config)
	if err != nil {
		return nil, trapped(0, err, stderr)
	}
	return &instance{
		module: module,
		in:     module.ExportedFunction(abi.ExportIn),
		call:   module.ExportedFunction(abi.ExportCall),
		stderr: stderr,
		sound:  true,
	}, nil
}

func (i *instance) checkVersion(ctx context.Context) error {
	results, err := i.module.ExportedFunction(abi.ExportABI).Call(ctx)
	if err != nil {
		return trapped(0, err, i.stderr)
	}
	if v := uint32(results[0]); v>>16 != abi.Major {
		return badModule("it speaks version " + strconv.Itoa(int(v>>16)) + " of the ABI, and this host version " + strconv.Itoa(abi.Major))
	}
	return nil
}

// run is one call: copy the arguments in, run, copy the result out.
func (i *instance) run(ctx context.Context, op abi.Op, a, b []byte) ([]byte, error) {
	// The guest runs on the caller's stack; a context that is done must not
	// stop it half way, after which it would be lost.
	ctx = context.WithoutCancel(ctx)
	if err := i.write(ctx, a, b); err != nil {
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

func (i *instance) write(ctx context.Context, a, b []byte) error {
	i.stack[0] = uint64(len(a) + len(b))
	if err := i.in.CallWithStack(ctx, i.stack[:]); err != nil {
		return err
	}
	ptr := uint32(i.stack[0])
	if ptr == 0 {
		return &Error{Code: abi.TooLarge, Message: "the input is larger than the module's limit"}
	}
	memory := i.module.Memory()
	if !memory.Write(ptr, a) || !memory.Write(ptr+uint32(len(a)), b) {
		return errBrokenABI
	}
	return nil
}

// raw runs call with whatever numbers. The result is the guest's own memory and
// valid until the next call.
func (i *instance) raw(ctx context.Context, op abi.Op, n1, n2 uint32) (result []byte, failed bool, err error) {
	i.stack = [3]uint64{uint64(op), uint64(n1), uint64(n2)}
	if err := i.call.CallWithStack(ctx, i.stack[:]); err != nil {
		return nil, false, err
	}
	ptr, length, failed := abi.Unpack(i.stack[0])
	result, ok := i.module.Memory().Read(ptr, length)
	if !ok {
		return nil, false, errBrokenABI
	}
	return result, failed, nil
}

// failed turns what broke a call into an *Error and marks the instance, unless
// the guest merely refused.
func (i *instance) failed(op abi.Op, err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Code == abi.TooLarge {
		return &Error{Op: op, Code: e.Code, Message: e.Message}
	}
	i.sound = false
	return trapped(op, err, i.stderr)
}

func (i *instance) decodeError(op abi.Op, text []byte) error {
	var e struct {
		Code          abi.Code
		Rule, Message string
	}
	if err := json.Unmarshal(text, &e); err != nil || e.Code == "" {
		i.sound = false
		return trapped(op, errBrokenABI, i.stderr)
	}
	return &Error{Op: op, Code: e.Code, Rule: e.Rule, Message: e.Message}
}

func (i *instance) memorySize() int64 { return int64(i.module.Memory().Size()) }

func (i *instance) close() {
	// An instance holds no file and no listener, so there is nothing that
	// closing it could fail to save.
	_ = i.module.Close(context.Background())
}

// lastWords keeps the beginning of what the guest's runtime prints when it dies,
// which says why.
type lastWords struct{ text []byte }

func (w *lastWords) Write(p []byte) (int, error) {
	const most = 512
	w.text = append(w.text, p[:min(len(p), most-len(w.text))]...)
	return len(p), nil
}

// firstLine is all that is worth showing: a stack follows.
func (w *lastWords) firstLine() string {
	line, _, _ := bytes.Cut(w.text, []byte{'\n'})
	return string(line)
}

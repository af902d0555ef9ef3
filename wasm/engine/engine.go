// Package engine holds what the hosts of the core's WebAssembly module share: the
// limits, the pool of instances and the calls of wasm/abi. A host provides an engine,
// as a [Program] that starts each [Instance], and calls [Open]; programs that embed the
// core start with wasm/host or wasm/wasmtime instead.
//
// The package imports wasm/abi and nothing else of this project, and no engine.
package engine

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Options are the limits of a Module. The zero value means the defaults.
type Options struct {
	// Instances is how many calls run at a time; others wait. The default is GOMAXPROCS.
	Instances int
	// MaxMemory is the greatest linear memory of an instance in bytes, rounded down to
	// 64 KiB. A call that needs more fails with [abi.Trap]. The default is 1 GiB, the
	// maximum [abi.MaxMemory].
	MaxMemory int64
	// KeepMemory is the linear memory in bytes up to which an instance is reused. A
	// larger one is replaced after the call, since the memory of an instance never
	// shrinks. The default is 64 MiB.
	KeepMemory int64
	// MaxInput is the greatest length of both arguments of a call together, in bytes.
	// The default is 64 MiB, the maximum [abi.MaxInput].
	MaxInput int
	// Timeout is how long a call may run before it fails with [abi.Timeout] and
	// its instance is replaced; waiting for a free instance does not count. Zero
	// means that only the input's size limits a call. A time limit costs a tenth
	// to a third of the speed under wasmtime, and makes calls up to eleven times
	// slower under wazero.
	Timeout time.Duration
	// CacheDir keeps compiled code between runs of the program, which saves about a second each
	// time. Its content is executed: it must be private to the user, is created with mode 0700 if
	// missing, and is refused if others can enter it. Empty means no cache.
	CacheDir string
}

func (o Options) withDefaults() Options {
	if o.Instances <= 0 {
		o.Instances = runtime.GOMAXPROCS(0)
	}
	if o.MaxMemory <= 0 {
		o.MaxMemory = 1 << 30
	}
	o.MaxMemory = min(o.MaxMemory, abi.MaxMemory)
	if o.KeepMemory <= 0 {
		o.KeepMemory = 64 << 20
	}
	if o.MaxInput <= 0 {
		o.MaxInput = 64 << 20
	}
	o.MaxInput = min(o.MaxInput, abi.MaxInput)
	o.Timeout = max(o.Timeout, 0)
	return o
}

// Program is a module that an engine has compiled. Several goroutines call its methods,
// but Close is called by one, after all instances were closed.
type Program interface {
	// Imports lists the functions that the module imports.
	Imports() []Import
	// Exports lists what the module exports.
	Exports() []Export
	// Start returns a new instance. Its _initialize has not been called.
	Start(ctx context.Context) (Instance, error)
	Close() error
}

// Instance is one instance of a Program, used by one goroutine at a time. After an
// error it is closed and not called again. The error wraps [ErrTimeout] if the instance
// was stopped because of [Options.Timeout].
type Instance interface {
	// Init, In, Call and Version call the exports of wasm/abi.
	Init(ctx context.Context) error
	In(ctx context.Context, n uint32) (ptr uint32, err error)
	Call(ctx context.Context, op abi.Op, n1, n2 uint32) (result uint64, err error)
	Version(ctx context.Context) (uint32, error)
	// Memory is the instance's own memory, valid until the next call.
	Memory() []byte
	// StderrHead returns the beginning of what the module wrote to its standard error,
	// which says why it stopped.
	StderrHead() string
	Close()
}

// ErrTimeout is the error that an [Instance] wraps if it was stopped because of the time limit.
var ErrTimeout = errors.New("host: the call took longer than allowed")

// Import is a function that a module imports from its host.
type Import struct{ Module, Name string }

// Export is something that a module exports. The types of a function's parameters and
// results are written as in the text format: "i32 i32".
type Export struct {
	Name            string
	Kind            Kind
	Params, Results string
}

// Kind is the kind of an export.
type Kind int

// The kinds of exports that matter here.
const (
	Other Kind = iota
	Function
	Memory
)

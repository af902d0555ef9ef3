// Package host runs the protocol core's WebAssembly module in a Go program,
// on wazero, without cgo. Start with [Open], then [Module.SAMP] and
// [Module.ATSF] for the typed calls of these formats, or [Module.Call] for any op
// of wasm/abi.
//
// A Module compiles once and keeps a pool of instances, so it serves as many
// calls at a time as [Options.Instances] says, and any number of goroutines may
// use it. Everything runs in a sandbox without files, network or environment.
//
// The package imports wasm/abi and wazero and nothing else of this project.
package host

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// pageSize is WebAssembly's unit of memory.
const pageSize = 64 << 10

// Options are the limits of a Module. The zero value gives the defaults.
type Options struct {
	// Instances is how many calls run at a time; more wait. The default is
	// GOMAXPROCS.
	Instances int
	// MaxMemory is the linear memory in bytes that one instance may reach,
	// rounded down to 64 KiB. A call that needs more fails with [abi.Trap].
	// The default is 1 GiB, the most [abi.MaxMemory].
	MaxMemory int64
	// KeepMemory is the linear memory in bytes up to which an instance is
	// used again. A larger one is replaced after the call, since the memory
	// of an instance never shrinks. The default is 64 MiB.
	KeepMemory int64
	// MaxInput is the number of bytes that both arguments of a call may have
	// together. The default is 64 MiB, the most [abi.MaxInput].
	MaxInput int
	// CacheDir holds compiled code between runs of the program, which saves
	// about a second each. What is in it is executed: it must be private to
	// the user, is created with mode 0700 if missing, and is refused if others
	// can enter it. Empty means no cache.
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
	return o
}

// Module is a compiled module with its instances. Its methods may be called by
// several goroutines.
type Module struct {
	options  Options
	runtime  wazero.Runtime
	cache    wazero.CompilationCache // nil without a directory
	compiled wazero.CompiledModule
	pool     pool

	closing sync.Once
	closed  error
}

// Open compiles a module and starts its first instance, to see that it works
// and speaks this package's ABI. The errors are *[Error] with [abi.BadModule],
// or [abi.Trap] if the first instance does not start, for instance because
// MaxMemory is too small; and those of the file system for the cache. Compiling
// takes about a second, or 50 ms from the cache. The caller closes the Module.
func Open(ctx context.Context, module []byte, options Options) (*Module, error) {
	m := &Module{options: options.withDefaults()}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(m.options.MaxMemory / pageSize))
	if m.options.CacheDir != "" {
		var err error
		if m.cache, err = openCache(m.options.CacheDir); err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(m.cache)
	}
	m.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	m.pool.start(m.options.Instances, m.instantiate)
	if err := m.prepare(ctx, module); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

func (m *Module) prepare(ctx context.Context, module []byte) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return err
	}
	var err error
	compiling := experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0))
	if m.compiled, err = m.runtime.CompileModule(compiling, module); err != nil {
		return &Error{Code: abi.BadModule, Message: "the bytes do not compile", cause: err}
	}
	if err := check(m.compiled); err != nil {
		return err
	}
	first, err := m.pool.get(ctx)
	if err != nil {
		return err
	}
	err = first.checkVersion(ctx)
	m.pool.put(first, err == nil)
	return err
}

// check looks at imports and exports, so that a foreign module is refused by
// name and never runs.
func check(c wazero.CompiledModule) error {
	for _, f := range c.ImportedFunctions() {
		if module, name, _ := f.Import(); module != abi.ImportModule {
			return badModule("it imports " + module + "." + name)
		}
	}
	const i32, i64 = api.ValueTypeI32, api.ValueTypeI64
	for _, want := range []struct {
		name            string
		params, results []api.ValueType
	}{
		{abi.ExportInit, nil, nil},
		{abi.ExportIn, []api.ValueType{i32}, []api.ValueType{i32}},
		{abi.ExportCall, []api.ValueType{i32, i32, i32}, []api.ValueType{i64}},
		{abi.ExportABI, nil, []api.ValueType{i32}},
	} {
		f, ok := c.ExportedFunctions()[want.name]
		if !ok || !slices.Equal(f.ParamTypes(), want.params) || !slices.Equal(f.ResultTypes(), want.results) {
			return badModule("it has no function " + want.name + " of the right type")
		}
	}
	if _, ok := c.ExportedMemories()[abi.ExportMemory]; !ok {
		return badModule("it exports no memory")
	}
	return nil
}

// Call runs an op over its two arguments, whose shapes [abi.Ops] and the
// typed calls show, and gives the result, which the caller owns. It waits for a
// free instance, or until ctx is done. A call that runs is not interrupted: the
// size of the input bounds it.
//
// Errors are *[Error], or that of ctx.
func (m *Module) Call(ctx context.Context, op abi.Op, a, b []byte) ([]byte, error) {
	if len(a) > m.options.MaxInput || len(b) > m.options.MaxInput-len(a) {
		return nil, &Error{Op: op, Code: abi.TooLarge, Message: "the input is larger than the host's limit"}
	}
	i, err := m.pool.get(ctx)
	if err != nil {
		return nil, err
	}
	sound := false // stays false if the runtime itself should panic
	defer func() { m.pool.put(i, sound) }()
	result, err := i.run(ctx, op, a, b)
	sound = i.sound && i.memorySize() <= m.options.KeepMemory
	return result, err
}

// Close waits for the calls that run and frees everything. Calls that come
// after it, and those that wait for an instance, fail with [abi.Closed]. A
// second Close does nothing and gives the first one's error.
func (m *Module) Close() error {
	m.closing.Do(func() {
		m.pool.close()
		ctx := context.Background()
		m.closed = m.runtime.Close(ctx)
		if m.cache != nil {
			m.closed = errors.Join(m.closed, m.cache.Close(ctx))
		}
	})
	return m.closed
}

// Stats counts what a Module did with its instances.
type Stats struct {
	// Created counts all instances, and Discarded those that were thrown
	// away because they trapped or had grown beyond KeepMemory.
	Created, Discarded int
	// Idle is how many wait for a call, and Memory their linear memory in
	// bytes together.
	Idle   int
	Memory int64
}

// Stats tells how the pool stands. Instances that are at work are not counted
// in Idle and Memory.
func (m *Module) Stats() Stats { return m.pool.stats() }

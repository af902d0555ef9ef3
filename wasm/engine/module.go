package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Module is a compiled module with its instances. It may be used by several goroutines.
type Module struct {
	options Options
	program Program
	pool    pool

	closing sync.Once
	closed  error
}

// Open compiles a module with compile, which gets the options with defaults filled in. It
// starts the first instance to check that it works and has this package's ABI. If compile
// refuses the bytes, it returns an error from [NotCompiled].
func Open(ctx context.Context, options Options, compile func(Options) (Program, error)) (*Module, error) {
	m := &Module{options: options.withDefaults()}
	var err error
	if m.program, err = compile(m.options); err != nil {
		return nil, err
	}
	m.pool.start(m.options.Instances, m.start)
	if err := m.prepare(ctx); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// NotCompiled returns the error of an engine that cannot compile a module.
func NotCompiled(cause error) error {
	return &Error{Code: abi.BadModule, Message: "the bytes do not compile", Cause: cause}
}

func (m *Module) prepare(ctx context.Context) error {
	if err := check(m.program); err != nil {
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

// check checks the imports and exports, so that a foreign module is refused without running it.
func check(p Program) error {
	for _, f := range p.Imports() {
		if f.Module != abi.ImportModule {
			return badModule("it imports " + f.Module + "." + f.Name)
		}
	}
	exports := p.Exports()
	for _, want := range []Export{
		{abi.ExportInit, Function, "", ""},
		{abi.ExportIn, Function, "i32", "i32"},
		{abi.ExportCall, Function, "i32 i32 i32", "i64"},
		{abi.ExportABI, Function, "", "i32"},
	} {
		if !slices.Contains(exports, want) {
			return badModule("it has no function " + want.Name + " of the right type")
		}
	}
	if !slices.Contains(exports, Export{Name: abi.ExportMemory, Kind: Memory}) {
		return badModule("it exports no memory")
	}
	return nil
}

func badModule(reason string) error {
	return &Error{Code: abi.BadModule, Message: "the module is refused: " + reason}
}

// Call runs an op over its two arguments, which wasm/README.md describes, and returns the
// result, which the caller owns. It waits for a free instance, or until ctx is done. A
// running call is not interrupted by ctx. Errors are *[Error], or the error of ctx.
func (m *Module) Call(ctx context.Context, op abi.Op, a, b []byte) ([]byte, error) {
	if len(a) > m.options.MaxInput || len(b) > m.options.MaxInput-len(a) {
		return nil, &Error{Op: op, Code: abi.TooLarge, Message: "the input is larger than the host's limit"}
	}
	i, err := m.pool.get(ctx)
	if err != nil {
		return nil, err
	}
	sound := false // stays false if the engine itself panics
	defer func() { m.pool.put(i, sound) }()
	result, err := i.run(ctx, op, a, b)
	sound = i.sound && int64(len(i.memory)) <= m.options.KeepMemory
	return result, err
}

// Imports lists the functions that the module imports.
func (m *Module) Imports() []Import { return m.program.Imports() }

// Close waits for running calls and frees everything. Later calls, and calls that wait for an
// instance, fail with [abi.Closed]. A second Close does nothing and returns the error of the first.
func (m *Module) Close() error {
	m.closing.Do(func() {
		m.pool.close()
		m.closed = m.program.Close()
	})
	return m.closed
}

// Stats counts the instances of a Module.
type Stats struct {
	// Created counts all instances, and Discarded those that were discarded because they
	// trapped or had grown beyond KeepMemory.
	Created, Discarded int
	// Idle counts the instances that wait for a call, and Memory is their linear memory
	// together, in bytes.
	Idle   int
	Memory int64
}

// Stats returns the state of the pool. Idle and Memory do not include instances in use.
func (m *Module) Stats() Stats { return m.pool.stats() }

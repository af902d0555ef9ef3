// Package host runs the protocol core's WebAssembly module in a Go program, on wazero, without cgo.
// Start with [Open], then the Module's Call. A Go program that does not need the module itself
// imports core directly.
//
// A Module compiles once and keeps a pool of instances, so it runs as many calls at a time as
// [Options] allow, and any number of goroutines may use it. Everything runs in a sandbox without
// files, network or environment.
//
// Besides wasm/abi and wasm/engine the package imports wazero, and nothing else of this project.
package host

import (
	"context"

	"github.com/signalbox-dev/signalbox/wasm/engine"
)

type (
	// Options are limits, and a directory for compiled code.
	Options = engine.Options
	// Module is a compiled module and a pool of its instances.
	Module = engine.Module
	// Stats counts the instances of a Module.
	Stats = engine.Stats
)

// Open compiles a module and starts its first instance, to check that it works and has this
// package's ABI. The errors are *engine.Error with abi.BadModule, or with abi.Trap if the first
// instance does not start, for instance because MaxMemory is too small, and file system errors of
// the cache. Compiling takes about a second, or 50 ms from the cache. The caller closes the Module.
//
// With a Timeout, calls that take too long are stopped, but every call is many times slower. It is
// better to limit the input.
func Open(ctx context.Context, module []byte, options Options) (*Module, error) {
	return engine.Open(ctx, options, func(o Options) (engine.Program, error) { return compile(ctx, module, o) })
}

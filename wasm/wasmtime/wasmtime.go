// Package wasmtime runs the protocol core's WebAssembly module in a Go program, on
// wasmtime. It is for programs that use cgo anyway: it is about twice as fast as
// wasm/host, opens in a tenth of the time, and can stop a call that takes too long at
// an acceptable cost. Start with [Open], then the Module's Call.
//
// It is a Go module of its own, so that nothing else needs cgo. Besides wasm/abi and
// wasm/engine it imports wasmtime-go and nothing of this project.
package wasmtime

import (
	"context"

	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// Options are the limits of a Module. The zero value means the defaults.
type Options = engine.Options

// Module is a compiled module with its instances. It may be used by several goroutines.
type Module = engine.Module

// Open compiles a module and starts its first instance, to check that it works and has
// the ABI of wasm/abi. The errors are *[engine.Error] with abi.BadModule, or with
// abi.Trap if the first instance does not start, for instance because MaxMemory is too
// small, and file system errors of the cache. Compiling takes about a second, or a few
// milliseconds from the cache. The caller closes the Module.
func Open(ctx context.Context, module []byte, options Options) (*Module, error) {
	return engine.Open(ctx, options, func(o Options) (engine.Program, error) { return compile(module, o) })
}

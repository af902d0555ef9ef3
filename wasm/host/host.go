// Package host runs the protocol core's WebAssembly module in a Go program,
// on wazero, without cgo. Start with [Open], then the Module's SAMP, ATSF, AGN
// and AMP for the typed calls of these formats, Mail and Render for the calls about
// all of them, or its Call for any op of wasm/abi.
//
// A Module compiles once and keeps a pool of instances, so it serves as many
// calls at a time as [Options] say, and any number of goroutines may use it.
// Everything runs in a sandbox without files, network or environment.
//
// The types of the calls are in wasm/client, which other engines share. Besides it
// and wasm/engine the package imports wasm/abi and wazero, and nothing else of this
// project.
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
	// Stats is what a Module did with its instances.
	Stats = engine.Stats
)

// Open compiles a module and starts its first instance, to see that it works
// and speaks this package's ABI. The errors are *client.Error with abi.BadModule,
// or abi.Trap if the first instance does not start, for instance because
// MaxMemory is too small; and errors of the file system for the cache. Compiling
// takes about a second, or 50 ms from the cache. The caller closes the Module.
//
// With a Timeout a call that takes too long is stopped, and every call is many
// times slower. It is better to bound the input.
func Open(ctx context.Context, module []byte, options Options) (*Module, error) {
	return engine.Open(ctx, options, func(o Options) (engine.Program, error) { return compile(ctx, module, o) })
}

package host

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// pageSize is WebAssembly's unit of memory.
const pageSize = 64 << 10

// program is the module, compiled by wazero.
type program struct {
	runtime  wazero.Runtime
	cache    wazero.CompilationCache // nil without a directory
	compiled wazero.CompiledModule
	timeout  time.Duration
}

func compile(ctx context.Context, module []byte, o Options) (engine.Program, error) {
	p := &program{timeout: o.Timeout}
	// Being able to stop a guest when its context is done costs most of the speed.
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(o.MaxMemory / pageSize)).WithCloseOnContextDone(o.Timeout > 0)
	if o.CacheDir != "" {
		if err := engine.PrivateDir(o.CacheDir); err != nil {
			return nil, err
		}
		var err error
		if p.cache, err = wazero.NewCompilationCacheWithDir(o.CacheDir); err != nil {
			return nil, fmt.Errorf("host: compilation cache: %w", err)
		}
		config = config.WithCompilationCache(p.cache)
	}
	p.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	_, err := wasi_snapshot_preview1.Instantiate(ctx, p.runtime)
	if err == nil {
		ctx := experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0))
		if p.compiled, err = p.runtime.CompileModule(ctx, module); err != nil {
			err = engine.NotCompiled(err)
		}
	}
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

func (p *program) Imports() []engine.Import {
	var list []engine.Import
	for _, f := range p.compiled.ImportedFunctions() {
		module, name, _ := f.Import()
		list = append(list, engine.Import{Module: module, Name: name})
	}
	return list
}

func (p *program) Exports() []engine.Export {
	var list []engine.Export
	for name, f := range p.compiled.ExportedFunctions() {
		list = append(list, engine.Export{Name: name, Kind: engine.Function, Params: words(f.ParamTypes()), Results: words(f.ResultTypes())})
	}
	for name := range p.compiled.ExportedMemories() {
		list = append(list, engine.Export{Name: name, Kind: engine.Memory})
	}
	return list
}

func words(types []api.ValueType) string {
	var list []string
	for _, t := range types {
		list = append(list, api.ValueTypeName(t))
	}
	return strings.Join(list, " ")
}

func (p *program) Start(ctx context.Context) (engine.Instance, error) {
	i := &instance{timeout: p.timeout}
	// wazero's defaults are deterministic: predictable map seeds, and a clock
	// that advances with each reading.
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions().
		WithRandSource(rand.Reader).WithSysWalltime().WithSysNanotime().WithStderr(&i.stderr)
	err := i.bounded(ctx, func(ctx context.Context) (err error) {
		i.module, err = p.runtime.InstantiateModule(ctx, p.compiled, config)
		return err
	})
	if err != nil {
		return nil, err
	}
	i.in, i.call = i.module.ExportedFunction(abi.ExportIn), i.module.ExportedFunction(abi.ExportCall)
	return i, nil
}

func (p *program) Close() error {
	ctx := context.Background()
	err := p.runtime.Close(ctx)
	if p.cache != nil {
		err = errors.Join(err, p.cache.Close(ctx))
	}
	return err
}

type instance struct {
	module   api.Module
	in, call api.Function
	stack    [3]uint64
	stderr   engine.StderrHead
	timeout  time.Duration
}

// bounded calls enter, and stops the guest at the time limit.
func (i *instance) bounded(ctx context.Context, enter func(context.Context) error) error {
	if i.timeout == 0 {
		return enter(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, i.timeout)
	defer cancel()
	err := enter(ctx)
	if e, ok := errors.AsType[*sys.ExitError](err); ok && e.ExitCode() == sys.ExitCodeDeadlineExceeded {
		return fmt.Errorf("%w: %w", engine.ErrTimeout, err)
	}
	return err
}

// run calls a function of the guest over the stack.
func (i *instance) run(ctx context.Context, f api.Function) error {
	if i.timeout == 0 { // avoids an allocation
		return f.CallWithStack(ctx, i.stack[:])
	}
	return i.bounded(ctx, func(ctx context.Context) error { return f.CallWithStack(ctx, i.stack[:]) })
}

func (i *instance) Init(ctx context.Context) error {
	return i.run(ctx, i.module.ExportedFunction(abi.ExportInit))
}

func (i *instance) In(ctx context.Context, n uint32) (uint32, error) {
	i.stack[0] = uint64(n)
	err := i.run(ctx, i.in)
	return uint32(i.stack[0]), err
}

func (i *instance) Call(ctx context.Context, op abi.Op, n1, n2 uint32) (uint64, error) {
	i.stack = [3]uint64{uint64(op), uint64(n1), uint64(n2)}
	err := i.run(ctx, i.call)
	return i.stack[0], err
}

func (i *instance) Version(ctx context.Context) (uint32, error) {
	err := i.run(ctx, i.module.ExportedFunction(abi.ExportABI))
	return uint32(i.stack[0]), err
}

func (i *instance) Memory() []byte {
	memory := i.module.Memory()
	all, _ := memory.Read(0, memory.Size()) // cannot fail: this is all of it
	return all
}

func (i *instance) StderrHead() string { return i.stderr.FirstLine() }

func (i *instance) Close() {
	// An instance has no open file or listener, so closing it cannot lose anything.
	_ = i.module.Close(context.Background())
}

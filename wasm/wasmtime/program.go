package wasmtime

import (
	"context"
	"strings"

	"github.com/bytecodealliance/wasmtime-go/v44"

	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// program is the module, compiled by wasmtime.
type program struct {
	engine *wasmtime.Engine
	module *wasmtime.Module
	linker *wasmtime.Linker
	memory int64
	// clock is nil if there is no time limit.
	clock *clock
}

func compile(module []byte, o Options) (engine.Program, error) {
	config := wasmtime.NewConfig()
	// Without a time limit the code does not check the epoch, which would cost a tenth
	// to a third of the speed.
	config.SetEpochInterruption(o.Timeout > 0)
	p := &program{engine: wasmtime.NewEngineWithConfig(config), memory: o.MaxMemory}
	var err error
	if p.module, err = load(p.engine, module, o); err != nil {
		p.engine.Close()
		return nil, err
	}
	if p.linker, err = link(p.engine); err != nil {
		p.module.Close()
		p.engine.Close()
		return nil, err
	}
	if o.Timeout > 0 {
		p.clock = newClock(p.engine.IncrementEpoch, o.Timeout)
	}
	return p, nil
}

// link returns the imports of instances: wasmtime's WASI, with our own fd_write, which
// keeps the text in memory. wasmtime could only write standard error to a file.
func link(e *wasmtime.Engine) (*wasmtime.Linker, error) {
	l := wasmtime.NewLinker(e)
	if err := l.DefineWasi(); err != nil {
		l.Close()
		return nil, err
	}
	l.AllowShadowing(true)
	if err := l.FuncWrap(abi.ImportModule, "fd_write", fdWrite); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

func (p *program) Imports() []engine.Import {
	var list []engine.Import
	for _, i := range p.module.Imports() {
		imported := engine.Import{Module: i.Module()}
		if name := i.Name(); name != nil {
			imported.Name = *name
		}
		list = append(list, imported)
	}
	return list
}

func (p *program) Exports() []engine.Export {
	var list []engine.Export
	for _, e := range p.module.Exports() {
		exported := engine.Export{Name: e.Name()}
		kind := e.Type()
		if f := kind.FuncType(); f != nil {
			exported.Kind, exported.Params, exported.Results = engine.Function, words(f.Params()), words(f.Results())
		} else if kind.MemoryType() != nil {
			exported.Kind = engine.Memory
		}
		list = append(list, exported)
	}
	return list
}

func words(types []*wasmtime.ValType) string {
	var list []string
	for _, t := range types {
		list = append(list, t.Kind().String())
	}
	return strings.Join(list, " ")
}

func (p *program) Start(context.Context) (engine.Instance, error) {
	i := &instance{clock: p.clock}
	i.store = wasmtime.NewStoreWithData(p.engine, &i.stderr)
	// One memory, one table, one instance: a negative number is the default.
	i.store.Limiter(p.memory, -1, 1, -1, 1)
	i.store.SetWasi(wasmtime.NewWasiConfig()) // no files, arguments or environment
	var started *wasmtime.Instance
	err := i.bounded(func() (err error) {
		started, err = p.linker.Instantiate(i.store, p.module)
		return err
	})
	if err != nil {
		i.Close()
		return nil, err
	}
	i.init = started.GetFunc(i.store, abi.ExportInit)
	i.in = started.GetFunc(i.store, abi.ExportIn)
	i.call = started.GetFunc(i.store, abi.ExportCall)
	i.version = started.GetFunc(i.store, abi.ExportABI)
	i.memory = started.GetExport(i.store, abi.ExportMemory).Memory()
	return i, nil
}

func (p *program) Close() error {
	if p.clock != nil {
		p.clock.close()
	}
	p.linker.Close()
	p.module.Close()
	p.engine.Close()
	return nil
}

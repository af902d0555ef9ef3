package host

import (
	"context"
	"fmt"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/signalbox-dev/signalbox/wasm/linked"
)

// later is one of the module's later parts, compiled when an instance first needs it.
type later struct {
	mu       sync.Mutex
	compiled wazero.CompiledModule // nil until then; guarded by mu
}

// doors finds the instance whose door was knocked at. The engine tells its host
// functions only which module calls.
type doors struct {
	mu sync.Mutex
	of map[api.Module]*instance // guarded by mu
}

func (d *doors) add(door api.Module, i *instance) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of == nil {
		d.of = map[api.Module]*instance{}
	}
	d.of[door] = i
}

func (d *doors) remove(door api.Module) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.of, door)
}

func (d *doors) get(door api.Module) *instance {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.of[door]
}

// split takes the module apart and prepares for its later parts to be loaded.
func (p *program) split(ctx context.Context, module []byte) (first []byte, err error) {
	parts, err := linked.Split(module)
	if err != nil || parts.Door == nil {
		return parts.First, err
	}
	p.parts, p.later = parts, make([]later, parts.Count)
	_, err = p.runtime.NewHostModuleBuilder(linked.HostModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(p.load), []api.ValueType{api.ValueTypeI32}, nil).
		Export(linked.Load).Instantiate(ctx)
	if err == nil {
		p.door, err = p.compileModule(ctx, parts.Door)
	}
	return parts.First, err
}

// load is called by a door, in the middle of a call of the module.
func (p *program) load(ctx context.Context, door api.Module, stack []uint64) {
	i, number := p.doors.get(door), api.DecodeU32(stack[0])
	compiled, err := p.compilePart(ctx, int(number))
	if err == nil {
		err = i.join(ctx, p, compiled)
	}
	if err != nil {
		// The engine ends the call with it.
		panic(fmt.Errorf("part %d of the module: %w", number, err))
	}
}

func (p *program) compilePart(ctx context.Context, number int) (wazero.CompiledModule, error) {
	l := &p.later[number]
	l.mu.Lock()
	defer l.mu.Unlock()
	var err error
	if l.compiled == nil {
		l.compiled, err = p.compileModule(ctx, p.parts.Later(number))
	}
	return l.compiled, err
}

// join instantiates a piece of the module beside the instance's first part.
func (i *instance) join(ctx context.Context, p *program, piece wazero.CompiledModule) error {
	ctx = experimental.WithImportResolver(ctx, func(name string) api.Module {
		if name == linked.FirstModule {
			return i.module
		}
		return nil
	})
	joined, err := p.runtime.InstantiateModule(ctx, piece, i.config)
	if err == nil {
		i.joined = append(i.joined, joined)
	}
	return err
}

package host

import (
	"context"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Instance is one instance of a Module, for tests that speak the raw ABI.
type Instance struct{ i *instance }

// Take gives an instance from the pool; release gives it back.
func (m *Module) Take(ctx context.Context) (in Instance, release func(), err error) {
	i, err := m.pool.get(ctx)
	if err != nil {
		return Instance{}, nil, err
	}
	return Instance{i}, func() { m.pool.put(i, i.sound) }, nil
}

// In asks for an input buffer.
func (in Instance) In(ctx context.Context, n int32) (ptr uint32, err error) {
	results, err := in.i.in.Call(ctx, uint64(uint32(n)))
	if err != nil {
		return 0, err
	}
	return uint32(results[0]), nil
}

// Fill copies the arguments into a fresh input buffer.
func (in Instance) Fill(ctx context.Context, a, b []byte) error { return in.i.write(ctx, a, b) }

// Call runs an op with lengths that need not be true.
func (in Instance) Call(ctx context.Context, op abi.Op, n1, n2 uint32) (result []byte, failed bool, err error) {
	return in.i.raw(ctx, op, n1, n2)
}

// Init calls _initialize once more.
func (in Instance) Init(ctx context.Context) error {
	_, err := in.i.module.ExportedFunction(abi.ExportInit).Call(ctx)
	return err
}

// Version is what the abi export says.
func (in Instance) Version(ctx context.Context) (uint32, error) {
	results, err := in.i.module.ExportedFunction(abi.ExportABI).Call(ctx)
	if err != nil {
		return 0, err
	}
	return uint32(results[0]), nil
}

// Imports lists what the module takes from its host.
func (m *Module) Imports() []string {
	var names []string
	for _, f := range m.compiled.ImportedFunctions() {
		module, name, _ := f.Import()
		names = append(names, module+"."+name)
	}
	return names
}

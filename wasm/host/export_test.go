package host

import (
	"context"

	"github.com/signalbox-dev/signalbox/wasm/engine"
)

// OpenCounting is [Open], and a function that lists the later parts of the module
// that were loaded so far.
func OpenCounting(ctx context.Context, module []byte, options Options) (*Module, func() []int, error) {
	var opened *program
	m, err := engine.Open(ctx, options, func(o Options) (engine.Program, error) {
		p, err := compile(ctx, module, o)
		if err == nil {
			opened = p.(*program)
		}
		return p, err
	})
	return m, func() (list []int) {
		for number := range opened.later {
			if opened.later[number].compiled != nil {
				list = append(list, number)
			}
		}
		return list
	}, err
}

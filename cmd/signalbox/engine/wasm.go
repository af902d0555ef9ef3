//go:build !noengine

package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/lsp/store"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/signalbox-dev/signalbox/wasm/abi"
	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/host"
)

// Built tells whether this program has the engine that [Open] starts.
const Built = true

// Open runs the core inside a WebAssembly module, whose bytes are given. Compiled
// code is kept in cache, a private directory of the user's, unless that is empty.
//
// It fails for bytes that are no module of this ABI, and for a cache that cannot
// be made or that others can enter.
func Open(ctx context.Context, module []byte, cache string) (Core, error) {
	m, err := host.Open(ctx, module, host.Options{CacheDir: cache, Instances: 1, MaxInput: abi.MaxInput, MaxMemory: abi.MaxMemory})
	if _, refused := errors.AsType[*client.Error](err); err != nil && !refused && cache != "" && ctx.Err() == nil {
		return nil, fmt.Errorf("%w: %w", ErrCache, err)
	}
	if err != nil {
		return nil, engineError(err)
	}
	return &guest{module: m, mail: mail{samp: m.SAMP(), forms: make(map[place]client.Form)}, talk: talk{m.ATSF()}}, nil
}

// guest is the core in a module.
type guest struct {
	module *host.Module
	mail   mail
	talk   talk
}

func (g *guest) Store() store.Core     { return &g.mail }
func (g *guest) Threads() threads.Core { return g.talk }
func (g *guest) Close() error          { return g.module.Close() }

// malformed gives the rule that bytes break, and the reason, where an error says
// that; ok is false for what the engine itself could not do.
func malformed(err error) (rule, reason string, ok bool) {
	e, is := errors.AsType[*client.Error](err)
	if !is || e.Code != abi.Malformed {
		return "", "", false
	}
	return e.Rule, e.Message, true
}

// engineError words an error that says nothing about the bytes.
func engineError(err error) error {
	if e, ok := errors.AsType[*client.Error](err); ok {
		name := ""
		if e.Op != 0 {
			name = e.Op.String() + ": "
		}
		return fmt.Errorf("wasm: %s%s (%s)", name, e.Message, e.Code)
	}
	return fmt.Errorf("wasm: %w", err)
}

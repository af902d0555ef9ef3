package filelock

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"syscall/js"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Lock is a held lock. A browser's file systems have no locks, so it is a lock of the Web
// Locks API, which excludes this program's goroutines and all other windows of the same
// origin. It does not exclude programs on the machine, so a writer checks what it overwrites.
type Lock struct {
	free func()
}

// Take waits for the lock of a name in root, until the context ends, or for [Timeout] if the
// context has no deadline. The error is then [ErrLocked].
func Take(ctx context.Context, root *disk.Root, name string, _ fs.FileMode) (*Lock, error) {
	if _, set := ctx.Deadline(); !set {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, Timeout)
		defer cancel()
	}
	path := filepath.Join(root.Name(), name)
	inside, err := takeHere(ctx, path)
	if err != nil {
		return nil, err
	}
	outside, err := takeAcross(ctx, path)
	if err != nil {
		inside()
		return nil, err
	}
	return &Lock{func() { outside(); inside() }}, nil
}

// Release frees the lock for the next writer.
func (l *Lock) Release() { l.free() }

// here holds a channel for each lock that is held in this program. The channel is closed when
// the lock is released.
var (
	mu   sync.Mutex
	here = map[string]chan struct{}{}
)

func takeHere(ctx context.Context, path string) (release func(), err error) {
	for {
		mu.Lock()
		held, busy := here[path]
		if !busy {
			mine := make(chan struct{})
			here[path] = mine
			mu.Unlock()
			return func() {
				mu.Lock()
				delete(here, path)
				mu.Unlock()
				close(mine)
			}, nil
		}
		mu.Unlock()
		select {
		case <-held:
		case <-ctx.Done():
			return nil, fmt.Errorf("%w: %w", ErrLocked, ctx.Err())
		}
	}
}

// takeAcross takes the lock among all windows of the origin. Hosts without the Web Locks API
// have one window.
func takeAcross(ctx context.Context, path string) (release func(), err error) {
	locks := js.Global().Get("navigator")
	if locks.Truthy() {
		locks = locks.Get("locks")
	}
	if !locks.Truthy() {
		return func() {}, nil
	}
	held := make(chan js.Value, 1)
	var resolver, callback, ended js.Func
	resolver = js.FuncOf(func(_ js.Value, args []js.Value) any { held <- args[0]; return nil })
	callback = js.FuncOf(func(js.Value, []js.Value) any { return js.Global().Get("Promise").New(resolver) })
	// The request ends when the lock is released, and fails when it is aborted.
	ended = js.FuncOf(func(js.Value, []js.Value) any {
		resolver.Release()
		callback.Release()
		ended.Release()
		return nil
	})
	abort := js.Global().Get("AbortController").New()
	options := map[string]any{"signal": abort.Get("signal")}
	locks.Call("request", "signalbox:"+path, options, callback).Call("then", ended, ended)
	select {
	case free := <-held:
		return func() { free.Invoke() }, nil
	case <-ctx.Done():
		abort.Call("abort")
		select {
		case free := <-held: // the lock was granted meanwhile
			free.Invoke()
		default:
		}
		return nil, fmt.Errorf("%w: %w", ErrLocked, ctx.Err())
	}
}

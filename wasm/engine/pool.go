package engine

import (
	"context"
	"sync"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// pool hands out instances, most recently used first, so that a program that makes one
// call at a time needs only one.
type pool struct {
	create func(context.Context) (*instance, error)
	// places holds a token for every instance in use.
	places chan struct{}
	// done is closed by close, and wakes waiting callers.
	done chan struct{}

	mu sync.Mutex
	// The rest is guarded by mu.
	idle               []*instance
	created, discarded int
}

func (p *pool) start(size int, create func(context.Context) (*instance, error)) {
	p.create = create
	p.places = make(chan struct{}, size)
	p.done = make(chan struct{})
}

// get returns an instance that nobody else uses until put.
func (p *pool) get(ctx context.Context) (*instance, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.done:
		return nil, errClosed()
	case p.places <- struct{}{}:
	}
	select {
	case <-p.done: // both were ready, and select took the token
		<-p.places
		return nil, errClosed()
	default:
	}
	if i := p.pop(); i != nil {
		return i, nil
	}
	i, err := p.create(ctx)
	if err != nil {
		<-p.places
		return nil, err
	}
	p.mu.Lock()
	p.created++
	p.mu.Unlock()
	return i, nil
}

func (p *pool) pop() *instance {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	if n == 0 {
		return nil
	}
	i := p.idle[n-1]
	p.idle[n-1] = nil
	p.idle = p.idle[:n-1]
	return i
}

// put takes an instance back, or discards it if it must not be used again.
func (p *pool) put(i *instance, again bool) {
	if !again {
		i.Close()
	}
	p.mu.Lock()
	if again {
		p.idle = append(p.idle, i)
	} else {
		p.discarded++
	}
	p.mu.Unlock()
	<-p.places
}

// close stops handing out instances, waits until all are back, and closes them. It is called once.
func (p *pool) close() {
	close(p.done)
	for range cap(p.places) {
		p.places <- struct{}{}
	}
	for i := p.pop(); i != nil; i = p.pop() {
		i.Close()
	}
}

func (p *pool) stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := Stats{Created: p.created, Discarded: p.discarded, Idle: len(p.idle)}
	for _, i := range p.idle {
		s.Memory += int64(len(i.Memory()))
	}
	return s
}

func errClosed() error { return &Error{Code: abi.Closed, Message: "the module was closed"} }

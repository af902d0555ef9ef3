// Package dispatch runs the calls of one connection: notifications in order, and requests
// concurrently, each answered once. Start with [New]. The package is independent of what the
// methods do.
package dispatch

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/server/codec"
)

const (
	// MaxRunning is how many requests run at once. Further requests wait in order.
	MaxRunning = 16
	// exitTimeout is how long running requests may take to end after exit or Stop.
	exitTimeout = 2 * time.Second
)

// Handler runs one method. A notification's result is dropped.
type Handler func(ctx context.Context, params json.RawMessage) (any, error)

// Method is one entry of the registry: either Run or Prepare is set.
type Method struct {
	Run Handler
	// Prepare runs in order with the notifications, so that it sees the state at that
	// point, and returns the handler for the rest.
	Prepare      func(params json.RawMessage) (Handler, error)
	Notification bool
	// Inline is set if the request must end before the next call begins, as every
	// notification does.
	Inline bool
}

// phase is a phase of the connection.
type phase uint8

const (
	fresh phase = iota // before initialize
	serving
	shut // after shutdown
)

// job is one call on its way through the queue.
type job struct {
	method string
	params json.RawMessage
	call   *call  // nil for a notification
	turn   func() // a job of the server itself, instead of a call
}

// Config holds what a dispatcher needs from its connection.
type Config struct {
	Log     *slog.Logger
	Methods map[string]Method
	Send    func(*codec.Reply)
	HangUp  func() // closes the connection
}

// Dispatcher runs the calls of one connection. The reading goroutine calls Handle, which queues
// each call. One worker takes calls in order, runs notifications itself and starts a goroutine for
// each request. So a request sees the effect of every earlier notification. Handle obeys
// $/cancelRequest at once, ahead of the queue. Every request is answered exactly once, by answer.
type Dispatcher struct {
	Config

	ctx    context.Context // ends with the connection
	cancel context.CancelFunc
	queue  *queue
	slots  chan struct{} // one token for each running request
	work   sync.WaitGroup

	phase  phase // used only by the worker
	exited bool  // used only by the worker until Stop has returned

	mu      sync.Mutex
	pending map[string]*call // by codec.IDKey; guarded by mu
}

// New returns a dispatcher that runs nothing before Start.
func New(ctx context.Context, c Config) *Dispatcher {
	d := &Dispatcher{
		Config: c, queue: newQueue(), slots: make(chan struct{}, MaxRunning), pending: map[string]*call{},
	}
	d.ctx, d.cancel = context.WithCancel(ctx)
	return d
}

// Start starts the worker that runs the queued calls.
func (d *Dispatcher) Start() {
	d.work.Go(func() {
		for {
			j, ok := d.queue.pop()
			if !ok {
				return
			}
			switch {
			case j.turn != nil:
				d.runTurn(j)
			case j.call == nil:
				d.notification(j)
			default:
				d.request(j)
			}
		}
	})
}

// Stop drops waiting calls, cancels running ones and waits for them. It returns
// false if some did not end in time: their goroutines go on.
func (d *Dispatcher) Stop() bool {
	d.cancel()
	d.queue.close()
	ended := make(chan struct{})
	go func() {
		d.work.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return true
	case <-time.After(exitTimeout):
		return false
	}
}

// Handle queues a call. It blocks while the queue is full.
func (d *Dispatcher) Handle(m *codec.Message) {
	j := job{method: m.Method, params: m.Params}
	if m.ID == nil {
		if m.Method == "$/cancelRequest" {
			d.cancelRequest(j.params)
			return
		}
		d.queue.push(j)
		return
	}
	ctx, cancel := context.WithCancel(d.ctx)
	j.call = &call{id: m.ID, key: codec.IDKey(m.ID), ctx: ctx, cancel: cancel}
	if !d.admit(j.call) {
		cancel()
		d.Send(codec.ReplyError(m.ID, codec.Errorf(codec.CodeInvalidRequest, "id %s is in use by a request that has not been answered", m.ID)))
		return
	}
	d.queue.push(j)
}

// InTurn makes the worker run f between notifications, so that f may use the state that
// only notifications use. The name is for the log.
func (d *Dispatcher) InTurn(name string, f func()) { d.queue.push(job{method: name, turn: f}) }

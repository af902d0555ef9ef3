// Package dispatch runs the calls of one connection: notifications in order, requests
// beside each other, each answered once. Start with [New]. It knows methods by name
// and nothing of what they do.
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
	// MaxRunning is how many requests run at once; those beyond wait in order.
	MaxRunning = 16
	// exitPatience is how long running requests may take to end after exit.
	exitPatience = 2 * time.Second
)

// Handler runs one method. A notification's result is dropped.
type Handler func(ctx context.Context, params json.RawMessage) (any, error)

// Method is one entry of the registry: either Run or Prepare is set.
type Method struct {
	Run Handler
	// Prepare runs in order with the notifications, to take what the request
	// is about as it is at that point, and returns the handler for the rest.
	Prepare      func(params json.RawMessage) (Handler, error)
	Notification bool
	// Inline requests end before anything behind them begins. Notifications
	// always do.
	Inline bool
}

// phase is where the connection is in its life.
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
	turn   func() // what the server itself has to do in order, instead of a call
}

// Config holds what a dispatcher needs from its connection.
type Config struct {
	Log     *slog.Logger
	Methods map[string]Method
	Send    func(*codec.Reply)
	HangUp  func() // closes the connection
}

// Dispatcher runs the calls of one connection. The goroutine that reads calls
// Handle, which queues; one worker takes calls in order, runs notifications
// itself and starts a goroutine for each request. So a request sees every
// notification before it, and $/cancelRequest, which Handle obeys at once,
// overtakes everything. Every request is answered exactly once, by answer.
type Dispatcher struct {
	Config

	ctx    context.Context // ends with the connection
	cancel context.CancelFunc
	queue  *queue
	slots  chan struct{} // one token for each running request
	work   sync.WaitGroup

	phase  phase // only the worker
	exited bool  // only the worker, until stop returned

	mu      sync.Mutex
	pending map[string]*call // by idKey; guarded by mu
}

// New returns a dispatcher that does nothing before start.
func New(ctx context.Context, c Config) *Dispatcher {
	d := &Dispatcher{
		Config: c, queue: newQueue(), slots: make(chan struct{}, MaxRunning), pending: map[string]*call{},
	}
	d.ctx, d.cancel = context.WithCancel(ctx)
	return d
}

// Start begins to work on what Handle queues.
func (d *Dispatcher) Start() {
	d.work.Go(func() {
		for {
			j, ok := d.queue.pop()
			if !ok {
				return
			}
			switch {
			case j.turn != nil:
				d.takeTurn(j)
			case j.call == nil:
				d.notification(j)
			default:
				d.request(j)
			}
		}
	})
}

// Stop ends all work: waiting calls are dropped, running ones cancelled and
// waited for. It is false if some did not end in time; their goroutines stay.
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
	case <-time.After(exitPatience):
		return false
	}
}

// Handle takes a call. It blocks while too much waits.
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

// InTurn has the worker run f between notifications, so that it may use what is
// theirs. The name is for the log.
func (d *Dispatcher) InTurn(name string, f func()) { d.queue.push(job{method: name, turn: f}) }

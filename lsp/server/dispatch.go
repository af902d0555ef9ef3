package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

const (
	// maxRunning is how many requests run at once; those beyond wait in order.
	maxRunning = 16
	// exitPatience is how long running requests may take to end after exit.
	exitPatience = 2 * time.Second
)

// handler runs one method. A notification's result is dropped.
type handler func(ctx context.Context, params json.RawMessage) (any, error)

// method is one entry of the registry: either run or prepare is set.
type method struct {
	run handler
	// prepare runs in order with the notifications, to take what the request
	// is about as it is at that point, and gives the handler for the rest.
	prepare      func(params json.RawMessage) (handler, error)
	notification bool
	// inline requests end before anything behind them begins. Notifications
	// always do.
	inline bool
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

// dispatcher runs the calls of one connection. The goroutine that reads calls
// Handle, which queues; one worker takes calls in order, runs notifications
// itself and gives each request a goroutine. So a request sees every
// notification before it, and $/cancelRequest, which Handle obeys at once,
// overtakes everything. Every request is answered exactly once, by answer.
type dispatcher struct {
	log     *slog.Logger
	clock   Clock
	methods map[string]method
	take    func() json.RawMessage // the params of the call being handled
	send    func(*reply)
	hangUp  func() // closes the connection

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

func newDispatcher(ctx context.Context, log *slog.Logger, clock Clock) *dispatcher {
	d := &dispatcher{
		log: log, clock: clock, methods: map[string]method{},
		queue: newQueue(), slots: make(chan struct{}, maxRunning), pending: map[string]*call{},
	}
	d.ctx, d.cancel = context.WithCancel(ctx)
	return d
}

// start begins to work on what Handle queues.
func (d *dispatcher) start() {
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

// stop ends all work: waiting calls are dropped, running ones cancelled and
// waited for. It is false if some did not end in time; their goroutines stay.
func (d *dispatcher) stop() bool {
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
	case <-d.clock.After(exitPatience):
		return false
	}
}

// Handle implements jsonrpc2.Handler.
func (d *dispatcher) Handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	j := job{method: req.Method, params: d.take()}
	if req.Notif {
		if req.Method == "$/cancelRequest" {
			d.cancelRequest(j.params)
			return
		}
		d.queue.push(j)
		return
	}
	id := json.RawMessage(req.ID.Str)
	ctx, cancel := context.WithCancel(d.ctx)
	j.call = &call{id: id, key: idKey(id), ctx: ctx, cancel: cancel}
	if !d.admit(j.call) {
		cancel()
		d.send(replyError(id, failf(codeInvalidRequest, "id %s is in use by a request that has not been answered", id)))
		return
	}
	d.queue.push(j)
}

// inTurn has the worker run f between notifications, so that it may use what is
// theirs. The name is for the log.
func (d *dispatcher) inTurn(name string, f func()) { d.queue.push(job{method: name, turn: f}) }

// takeTurn runs such a job, unless nothing may be sent any more.
func (d *dispatcher) takeTurn(j job) {
	defer d.queue.done(j)
	if d.phase == serving {
		_, _ = d.guarded(j, func() (any, error) { j.turn(); return nil, nil })
	}
}

// request starts one request, or refuses it.
func (d *dispatcher) request(j job) {
	m, err := d.find(j)
	switch {
	case j.call.ctx.Err() != nil:
		d.answer(j, nil, j.call.ctx.Err())
	case err != nil:
		d.answer(j, nil, err)
	case m.inline:
		if d.run(m, j) == nil {
			d.advance(j.method)
		}
	default:
		d.spawn(m, j)
	}
}

// spawn runs a request beside others, once there is a slot.
func (d *dispatcher) spawn(m method, j job) {
	select {
	case d.slots <- struct{}{}:
	case <-d.ctx.Done():
		d.answer(j, nil, d.ctx.Err())
		return
	}
	if m.prepare != nil {
		_, err := d.guarded(j, func() (_ any, err error) {
			m.run, err = m.prepare(j.params)
			return nil, err
		})
		if err != nil {
			d.answer(j, nil, err)
			<-d.slots
			return
		}
	}
	d.work.Go(func() {
		defer func() { <-d.slots }()
		_ = d.run(m, j) // answered and logged
	})
}

// run runs a request and answers it, also when its handler panics.
func (d *dispatcher) run(m method, j job) error {
	result, err := d.guarded(j, func() (any, error) { return m.run(j.call.ctx, j.params) })
	d.answer(j, result, err)
	return err
}

// advance notes what a request that succeeded means for the connection.
func (d *dispatcher) advance(method string) {
	switch method {
	case "initialize":
		d.phase = serving
	case "shutdown":
		d.phase = shut
	}
}

// find gives the method of a request that may run now.
func (d *dispatcher) find(j job) (method, error) {
	m, known := d.methods[j.method]
	switch {
	case d.phase == shut:
		return m, failf(codeInvalidRequest, "the server is shutting down")
	case d.phase == fresh && j.method != "initialize":
		return m, failf(codeNotInitialized, "initialize comes first")
	case d.phase == serving && j.method == "initialize":
		return m, failf(codeInvalidRequest, "initialize comes only once")
	case !known || m.notification:
		return m, failf(codeMethodNotFound, "no request is called %s", strconv.Quote(short(j.method)))
	}
	return m, nil
}

// notification runs one notification. Nothing can be answered, so faults are
// logged.
func (d *dispatcher) notification(j job) {
	defer d.queue.done(j)
	if j.method == "exit" {
		d.exit()
		return
	}
	m, known := d.methods[j.method]
	name := strconv.Quote(short(j.method))
	switch {
	case d.phase != serving:
		d.log.Warn("ignoring a notification out of its time", "method", name)
	case !known && strings.HasPrefix(j.method, "$/"): // optional by definition
	case !known || !m.notification:
		d.log.Warn("ignoring an unknown notification", "method", name)
	default:
		if _, err := d.guarded(j, func() (any, error) { return m.run(d.ctx, j.params) }); err != nil {
			d.log.Warn("notification failed", "method", name, "error", err)
		}
	}
}

// exit lets running requests answer, then closes the connection.
func (d *dispatcher) exit() {
	d.mu.Lock()
	for _, c := range d.pending {
		c.cancel()
	}
	d.mu.Unlock()
	late := d.clock.After(exitPatience)
	for range cap(d.slots) {
		select {
		case d.slots <- struct{}{}:
			continue
		case <-late:
			d.log.Error("requests did not end in time for exit")
		case <-d.ctx.Done():
		}
		break
	}
	d.exited = true
	d.hangUp()
}

// guarded calls a handler and turns a panic into an internal error: one broken
// request must not take the user's editor with it.
func (d *dispatcher) guarded(j job, f func() (any, error)) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("panic", "method", j.method, "panic", p, "stack", string(debug.Stack()))
			result, err = nil, failf(codeInternal, "the server failed at %s; its log says how", j.method)
		}
	}()
	return f()
}

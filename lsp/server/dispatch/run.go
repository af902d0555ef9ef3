package dispatch

import (
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/server/codec"
)

// runTurn runs one of the server's own jobs, if the connection is still being served.
func (d *Dispatcher) runTurn(j job) {
	defer d.queue.done(j)
	if d.phase == serving {
		_, _ = d.Guarded(j.method, func() (any, error) { j.turn(); return nil, nil })
	}
}

// request starts one request, or refuses it.
func (d *Dispatcher) request(j job) {
	m, err := d.find(j)
	switch {
	case j.call.ctx.Err() != nil:
		d.answer(j, nil, j.call.ctx.Err())
	case err != nil:
		d.answer(j, nil, err)
	case m.Inline:
		if d.run(m, j) == nil {
			d.setPhase(j.method)
		}
	default:
		d.spawn(m, j)
	}
}

// spawn runs a request concurrently with others, once there is a free slot.
func (d *Dispatcher) spawn(m Method, j job) {
	select {
	case d.slots <- struct{}{}:
	case <-d.ctx.Done():
		d.answer(j, nil, d.ctx.Err())
		return
	}
	if m.Prepare != nil {
		_, err := d.Guarded(j.method, func() (_ any, err error) {
			m.Run, err = m.Prepare(j.params)
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

// run runs a request and answers it, even if its handler panics.
func (d *Dispatcher) run(m Method, j job) error {
	result, err := d.Guarded(j.method, func() (any, error) { return m.Run(j.call.ctx, j.params) })
	d.answer(j, result, err)
	return err
}

// setPhase sets the phase of the connection after a successful request.
func (d *Dispatcher) setPhase(method string) {
	switch method {
	case "initialize":
		d.phase = serving
	case "shutdown":
		d.phase = shut
	}
}

// find returns the method of a request, or an error if it may not run now.
func (d *Dispatcher) find(j job) (Method, error) {
	m, known := d.Methods[j.method]
	switch {
	case d.phase == shut:
		return m, codec.Errorf(codec.CodeInvalidRequest, "the server is shutting down")
	case d.phase == fresh && j.method != "initialize":
		return m, codec.Errorf(codec.CodeNotInitialized, "initialize comes first")
	case d.phase == serving && j.method == "initialize":
		return m, codec.Errorf(codec.CodeInvalidRequest, "initialize comes only once")
	case !known || m.Notification:
		return m, codec.Errorf(codec.CodeMethodNotFound, "no request is called %s", strconv.Quote(codec.Short(j.method)))
	}
	return m, nil
}

// notification runs one notification. It logs faults, since they cannot be answered.
func (d *Dispatcher) notification(j job) {
	defer d.queue.done(j)
	if j.method == "exit" {
		d.exit()
		return
	}
	m, known := d.Methods[j.method]
	name := strconv.Quote(codec.Short(j.method))
	switch {
	case d.phase != serving:
		d.Log.Warn("ignoring a notification out of its time", "method", name)
	case !known && strings.HasPrefix(j.method, "$/"): // optional by definition
	case !known || !m.Notification:
		d.Log.Warn("ignoring an unknown notification", "method", name)
	default:
		if _, err := d.Guarded(j.method, func() (any, error) { return m.Run(d.ctx, j.params) }); err != nil {
			d.Log.Warn("notification failed", "method", name, "error", err)
		}
	}
}

// Aborted reports whether the client sent exit without shutdown. It is valid once
// [Dispatcher.Stop] has returned.
func (d *Dispatcher) Aborted() bool { return d.exited && d.phase != shut }

// exit cancels pending requests, lets running ones answer, and closes the connection.
func (d *Dispatcher) exit() {
	d.mu.Lock()
	for _, c := range d.pending {
		c.cancel()
	}
	d.mu.Unlock()
	late := time.After(exitTimeout)
	for range cap(d.slots) {
		select {
		case d.slots <- struct{}{}:
			continue
		case <-late:
			d.Log.Error("requests did not end in time for exit")
		case <-d.ctx.Done():
		}
		break
	}
	d.exited = true
	d.HangUp()
}

// Guarded calls a handler and turns a panic into an internal error: one broken
// request must not take the user's editor with it.
func (d *Dispatcher) Guarded(name string, f func() (any, error)) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			d.Log.Error("panic", "method", name, "panic", p, "stack", string(debug.Stack()))
			result, err = nil, codec.Errorf(codec.CodeInternal, "the server failed at %s; its log says how", name)
		}
	}()
	return f()
}

package server

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// call is a request that has not been answered.
type call struct {
	id     json.RawMessage
	key    string
	ctx    context.Context
	cancel context.CancelFunc
}

// admit makes a request known, unless another has its id.
func (d *dispatcher) admit(c *call) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pending[c.key] != nil {
		return false
	}
	d.pending[c.key] = c
	return true
}

// cancelRequest cancels a request that waits or runs. It is answered by whoever
// has it: a result that is ready anyway is sent, since what was done (a message
// sent) is not undone by a late cancel.
func (d *dispatcher) cancelRequest(params json.RawMessage) {
	p, err := decode[struct {
		ID json.RawMessage `json:"id"`
	}](params)
	if err != nil || !validID(p.ID) {
		d.log.Warn("ignoring a $/cancelRequest without an id")
		return
	}
	d.mu.Lock()
	c := d.pending[idKey(p.ID)]
	d.mu.Unlock()
	if c != nil {
		c.cancel()
	}
}

// answer ends a request. The id is free before the answer is written, since the
// client may use it again from then on.
func (d *dispatcher) answer(j job, result any, err error) {
	c := j.call
	r := &reply{Version: "2.0", ID: c.id}
	if err == nil {
		r.Result, err = marshal(result)
	}
	if err == nil && len(r.Result) > maxFrame-maxID-64 {
		err = failKind(panel.TooLarge, "ask for a smaller page", "the result of %s is too large to send", j.method)
	}
	if err != nil {
		r.Result, r.Error = nil, toWire(c.ctx, err)
		if r.Error.Code == codeInternal {
			d.log.Error("request failed", "method", strconv.Quote(j.method), "error", err)
		}
	}
	c.cancel()
	d.mu.Lock()
	delete(d.pending, c.key)
	d.mu.Unlock()
	d.send(r)
	d.queue.done(j)
}

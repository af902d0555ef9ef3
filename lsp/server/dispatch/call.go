package dispatch

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/codec"
)

// call is a request that has not been answered.
type call struct {
	id     json.RawMessage
	key    string
	ctx    context.Context
	cancel context.CancelFunc
}

// admit makes a request known, unless another has its id.
func (d *Dispatcher) admit(c *call) bool {
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
func (d *Dispatcher) cancelRequest(params json.RawMessage) {
	p, err := codec.Decode[struct {
		ID json.RawMessage `json:"id"`
	}](params)
	if err != nil || !codec.ValidID(p.ID) {
		d.Log.Warn("ignoring a $/cancelRequest without an id")
		return
	}
	d.mu.Lock()
	c := d.pending[codec.IDKey(p.ID)]
	d.mu.Unlock()
	if c != nil {
		c.cancel()
	}
}

// answer ends a request. The id is free before the answer is written, since the
// client may use it again from then on.
func (d *Dispatcher) answer(j job, result any, err error) {
	c := j.call
	r := &codec.Reply{Version: "2.0", ID: c.id}
	if err == nil {
		r.Result, err = codec.Marshal(result)
	}
	if err == nil && len(r.Result) > codec.MaxFrame-codec.MaxID-64 {
		err = codec.KindError(panel.TooLarge, "ask for a smaller page", "the result of %s is too large to send", j.method)
	}
	if err != nil {
		r.Result, r.Error = nil, codec.ErrorOf(c.ctx, err)
		if r.Error.Code == codec.CodeInternal {
			d.Log.Error("request failed", "method", strconv.Quote(j.method), "error", err)
		}
	}
	c.cancel()
	d.mu.Lock()
	delete(d.pending, c.key)
	d.mu.Unlock()
	d.Send(r)
	d.queue.done(j)
}

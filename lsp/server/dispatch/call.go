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

// admit registers a request. It returns false if another pending request has its id.
func (d *Dispatcher) admit(c *call) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pending[c.key] != nil {
		return false
	}
	d.pending[c.key] = c
	return true
}

// cancelRequest cancels a waiting or running request. The request is still answered, and a result
// that is already there is sent: a late cancel does not undo an effect, such as a sent message.
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

// answer ends a request. It frees the id before it writes the answer, since the
// client may reuse the id once it has the answer.
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

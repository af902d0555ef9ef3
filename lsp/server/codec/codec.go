// Package codec turns a stream into the messages of JSON-RPC 2.0 in LSP's frames, and
// back. Start with [New]. What a frame holds is checked here as far as that does not
// depend on its method.
package codec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"
)

// codec is the jsonrpc2.ObjectCodec of a connection. It answers a frame that holds
// no message and reads on. Only a broken frame or the end of the stream is an error,
// with which jsonrpc2.Conn closes the connection.
type codec struct {
	frames frames
	log    *slog.Logger
	// inbound holds the params of the call that ReadObject gave last. They do
	// not go through Conn, which would decode and encode them again, five times
	// the work of reading them.
	inbound json.RawMessage
	// broken is the error of a broken frame, once one was read. The connection may
	// end for another reason while ReadObject still runs.
	broken atomic.Pointer[error]
}

var _ jsonrpc2.ObjectCodec = (*codec)(nil)

// New returns the codec of one connection. complain answers a frame that is
// not a message; it is called by ReadObject and may write to the same stream.
func New(log *slog.Logger, complain func(id json.RawMessage, e *Error)) *codec {
	return &codec{log: log, frames: frames{log: log, complain: complain}}
}

// Take returns the params of the call that was read last. Conn handles a call
// before it reads the next, in the same goroutine.
func (c *codec) Take() json.RawMessage {
	p := c.inbound
	c.inbound = nil
	return p
}

// Broken returns what was wrong with the frame that ended the connection, or nil.
func (c *codec) Broken() error {
	if err := c.broken.Load(); err != nil {
		return *err
	}
	return nil
}

// ReadObject implements jsonrpc2.ObjectCodec.
func (c *codec) ReadObject(r *bufio.Reader, v any) error {
	for {
		content, err := c.frames.next(r)
		if err != nil {
			if errors.Is(err, errFrame) {
				c.broken.Store(&err)
			}
			return err
		}
		m, id, fault := parseMessage(content)
		switch {
		case fault != nil:
			c.log.Warn("bad message", "fault", fault.Message)
			c.frames.complain(id, fault)
		case m.isCall():
			if err := json.Unmarshal(m.head(), v); err != nil {
				c.frames.complain(m.ID, Errorf(CodeInvalidRequest, "content is not a message"))
				continue
			}
			c.inbound = m.Params
			return nil
		case ValidID(m.ID) && json.Unmarshal(content, v) == nil:
			return nil
		default:
			// Never answer a response: two peers could do so for ever.
			c.log.Warn("ignoring a response that cannot be read", "id", strconv.Quote(string(m.ID[:min(len(m.ID), MaxID)])))
		}
	}
}

// head is the call as Conn gets to see it. Its id is a string that holds the
// id's JSON, because a jsonrpc2.ID has no negative numbers.
func (m *message) head() []byte {
	head := map[string]any{"jsonrpc": "2.0", "method": m.Method}
	if m.ID != nil {
		head["id"] = string(m.ID)
	}
	data, err := json.Marshal(head)
	if err != nil {
		return nil // cannot be: both values came out of valid JSON
	}
	return data
}

// WriteObject implements jsonrpc2.ObjectCodec. The stream around the codec
// serialises calls.
func (c *codec) WriteObject(w io.Writer, obj any) error {
	var data []byte
	if r, ok := obj.(*Reply); ok && r.Result != nil {
		data = r.whole()
	} else {
		var err error
		if data, err = Marshal(obj); err != nil {
			return err
		}
	}
	frame := make([]byte, 0, len(data)+40)
	frame = append(frame, lengthName+": "...)
	frame = strconv.AppendInt(frame, int64(len(data)), 10)
	frame = append(frame, "\r\n\r\n"...)
	_, err := w.Write(append(frame, data...))
	return err
}

// Marshal is json.Marshal without escaping < > &, which triples the size of
// HTML and serves only JSON inside script elements.
func Marshal(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

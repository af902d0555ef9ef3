package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine is the length in bytes of the longest line that is read.
const maxLine = 4 << 20

// lines is the transport: a message is one line. The SDK's own transport ends the session
// at the first line that it cannot read. This one answers such a line with an error, and
// the next line is read.
type lines struct {
	in  io.ReadCloser
	out *written
}

// Connect starts the reading. The connection is for one session, which closes it.
func (t *lines) Connect(context.Context) (mcp.Connection, error) {
	c := &connection{lines: t, incoming: make(chan line), closed: make(chan struct{}), batches: make(map[jsonrpc.ID]*batch)}
	go c.pump()
	return c, nil
}

// line is a line without its end, the beginning of one that is too long, or the error
// that ends the input.
type line struct {
	text []byte
	long bool
	err  error
}

type connection struct {
	*lines
	incoming chan line
	closing  sync.Once
	closed   chan struct{}
	// queue is what is still to be read of a batch. One goroutine reads.
	queue []jsonrpc.Message

	mu sync.Mutex // guards everything below
	// initialize is the id of the request that agrees on a version, and version what was
	// agreed on.
	initialize jsonrpc.ID
	version    string
	// batches are those that a request without an answer came in.
	batches map[jsonrpc.ID]*batch
}

// batch is several messages in one line, which are answered by one line.
type batch struct {
	answers []json.RawMessage
	missing int
}

// batchesUntil is the version of the protocol that has no batches any more.
const batchesUntil = "2025-06-18"

// SessionID is empty: there is one session.
func (c *connection) SessionID() string { return "" }

// Close ends the reading. A read of a terminal or pipe may go on until the process ends.
func (c *connection) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return c.in.Close()
}

// pump reads lines until the input or the session ends.
func (c *connection) pump() {
	r := bufio.NewReaderSize(c.in, 64<<10)
	for {
		l := readLine(r)
		select {
		case c.incoming <- l:
		case <-c.closed:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// readLine returns the next line, in memory of its own. What is over the limit is passed
// over.
func readLine(r *bufio.Reader) (l line) {
	for {
		part, err := r.ReadSlice('\n')
		room := maxLine - len(l.text)
		l.long = l.long || len(bytes.TrimRight(part, "\r\n")) > room
		l.text = append(l.text, part[:min(len(part), room)]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(l.text) == 0:
			l.err = err
		}
		l.text = bytes.TrimSpace(l.text)
		return l
	}
}

// Read returns the next message. It answers what is none.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for len(c.queue) == 0 {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case l := <-c.incoming:
			if l.err != nil {
				return nil, l.err
			}
			if err := c.take(l); err != nil {
				return nil, err
			}
		}
	}
	next := c.queue[0]
	c.queue = c.queue[1:]
	return next, nil
}

// mark is what Windows programs put before the first line of a text in UTF-8.
var mark = []byte("\ufeff")

// take queues what a line holds, or answers it. Its error is one of writing.
func (c *connection) take(l line) error {
	text := l.text
	if rest := bytes.TrimSpace(bytes.TrimPrefix(text, mark)); len(rest) > 0 {
		text = rest
	}
	switch {
	case len(text) == 0:
		return nil
	case l.long:
		return c.refuse(text, jsonrpc.CodeInvalidRequest, fmt.Errorf("the line is longer than %d bytes", maxLine))
	case !utf8.Valid(text):
		return c.refuse(text, jsonrpc.CodeParseError, errors.New("the line is not UTF-8"))
	case !json.Valid(text):
		return c.refuse(text, jsonrpc.CodeParseError, errors.New("the line is not JSON"))
	case text[0] == '[':
		return c.takeBatch(text)
	}
	m, err := message(text)
	switch {
	case err != nil && isAnswer(text):
		return nil
	case err != nil:
		return c.refuse(text, jsonrpc.CodeInvalidRequest, err)
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.Method == "initialize" {
		c.mu.Lock()
		c.initialize = r.ID
		c.mu.Unlock()
	}
	c.queue = append(c.queue, m)
	return nil
}

// message decodes one message. What the SDK would pass over in silence is an error: the
// client waits for an answer.
func message(text []byte) (jsonrpc.Message, error) {
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, err
	}
	switch m := m.(type) {
	case *jsonrpc.Request:
		var members struct {
			ID json.RawMessage `json:"id"`
		}
		if err := json.Unmarshal(text, &members); err != nil {
			return nil, err
		}
		switch id := m.ID.Raw().(type) {
		case nil:
			if members.ID != nil {
				return nil, errors.New("the id is null")
			}
		case int64:
			if string(members.ID) != strconv.FormatInt(id, 10) {
				return nil, errors.New("the id is a number that cannot be answered: give a whole one, or a string")
			}
		}
	case *jsonrpc.Response:
		if m.Result == nil && m.Error == nil {
			return nil, errors.New("there is no method")
		}
	}
	return m, nil
}

// isAnswer reports whether a message is an answer. One that cannot be read is passed over:
// two sides that answer each other's errors would never end.
func isAnswer(text []byte) bool {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return false
	}
	return members["method"] == nil && (members["result"] != nil || members["error"] != nil)
}

// takeBatch queues the messages of a batch, where the version has batches.
func (c *connection) takeBatch(text []byte) error {
	var parts []json.RawMessage
	c.mu.Lock()
	allowed := c.version != "" && c.version < batchesUntil
	c.mu.Unlock()
	switch err := json.Unmarshal(text, &parts); {
	case err != nil:
		return c.refuse(nil, jsonrpc.CodeParseError, err)
	case len(parts) == 0:
		return c.refuse(nil, jsonrpc.CodeInvalidRequest, errors.New("the batch is empty"))
	case !allowed:
		return c.refuse(nil, jsonrpc.CodeInvalidRequest, errors.New("batches are not read in this version of the protocol: send each message in a line of its own"))
	}
	b := &batch{}
	c.mu.Lock()
	for _, part := range parts {
		m, err := message(part)
		r, asks := m.(*jsonrpc.Request)
		if asks = asks && r.IsCall(); err == nil && asks && c.batches[r.ID] != nil {
			err = errors.New("the id is in use")
		}
		switch {
		case err != nil && isAnswer(part):
			continue
		case err != nil:
			b.answers = append(b.answers, refusal(part, jsonrpc.CodeInvalidRequest, err))
			continue
		case asks:
			c.batches[r.ID] = b
			b.missing++
		}
		c.queue = append(c.queue, m)
	}
	waits := b.missing > 0
	c.mu.Unlock()
	if waits || len(b.answers) == 0 {
		return nil
	}
	return c.writeLine(b.answers)
}

// Write writes a message. An answer to a batch waits for the others of the batch.
func (c *connection) Write(ctx context.Context, m jsonrpc.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if r, ok := m.(*jsonrpc.Response); ok {
		b, whole := c.answered(r, data)
		switch {
		case whole:
			return c.writeLine(b.answers)
		case b != nil:
			return nil
		}
	}
	_, err = c.out.Write(append(data, '\n'))
	return err
}

// answered notes an answer. It returns the batch that the request came in, if it came in
// one, and whether the batch has all its answers.
func (c *connection) answered(r *jsonrpc.Response, data []byte) (b *batch, whole bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.ID == c.initialize && r.Error == nil && c.version == "" {
		var agreed mcp.InitializeResult
		if err := json.Unmarshal(r.Result, &agreed); err == nil {
			c.version = agreed.ProtocolVersion
		}
	}
	if b = c.batches[r.ID]; b == nil {
		return nil, false
	}
	delete(c.batches, r.ID)
	b.answers = append(b.answers, data)
	b.missing--
	return b, b.missing == 0
}

// refuse answers a line that is no message.
func (c *connection) refuse(text []byte, code int64, why error) error {
	return c.writeLine(refusal(text, code, why))
}

func (c *connection) writeLine(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = c.out.Write(append(data, '\n'))
	return err
}

// refusal is the answer to what is no message, with its id where that can be told: a
// client that gets none waits for its answer.
func refusal(text []byte, code int64, why error) json.RawMessage {
	data, _ := json.Marshal(struct { // which cannot fail
		Version string        `json:"jsonrpc"`
		ID      any           `json:"id"`
		Error   jsonrpc.Error `json:"error"`
	}{"2.0", idOf(text), jsonrpc.Error{Code: code, Message: why.Error()}})
	return data
}

// idOf returns the id of a message that may be cut or too long to be read, or nil. The id
// stands before the params in what clients write.
func idOf(text []byte) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil
		}
		var v any
		if name != "id" {
			v = &json.RawMessage{}
		}
		if err := d.Decode(&v); err != nil {
			return nil
		}
		switch v.(type) {
		case string, json.Number:
			return v
		}
	}
	return nil
}

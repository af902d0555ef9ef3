// Package appserver speaks to the server in which Codex runs the turns of its terminals, as a
// second client beside the terminal: it is asked what the terminal's dialog asks, while that
// stays open, and the first answer counts.
//
// Start with [Dial] and [Conn.Join]; [Event.Request] is what a person can decide. The server
// is the person's own program, but what it sends is read like a stranger's: bounded, and within
// time limits. Of this project the package imports lsp/agents/ask and lsp/disk.
package appserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

const (
	// callLimit is how long the server may take to answer.
	callLimit = 10 * time.Second
	// maxQueue is how much of what the server asks and tells may wait to be heard by [Conn.Events],
	// and maxParams the length in bytes of the longest that is passed on: a person could not
	// read what is longer, and the terminal asks for it as well.
	maxQueue  = 64
	maxParams = 4 << 20
	// maxShown is the length in bytes to which a text of the server's is cut in an error.
	maxShown = 300
)

// ErrNotLoaded is returned for a thread that no terminal has open. It would be loaded only by
// asking for it.
var ErrNotLoaded = errors.New("appserver: the server does not run that thread")

// Socket returns where the server listens whose files are in Codex's folder.
func Socket(home string) string {
	return filepath.Join(home, "app-server-control", "app-server-control.sock")
}

// Event is what the server asks or tells. Of a request it has all members, else only those
// that it needs.
type Event struct {
	// Method is the server's word for it.
	Method string
	// ID is set for what is to be answered, and for [Resolved].
	ID json.RawMessage
	// Params are as the server sent them.
	Params json.RawMessage
}

// Words of the server for what it tells.
const (
	// Resolved says that somebody answered a request, or that the turn went on without.
	Resolved = "serverRequest/resolved"
	// TurnCompleted says that a turn is over.
	TurnCompleted = "turn/completed"
)

// unheard is what the server need not tell: it is much, and no part of what it asks.
var unheard = []string{
	"item/agentMessage/delta", "item/plan/delta", "item/commandExecution/outputDelta", "item/fileChange/outputDelta",
	"item/reasoning/summaryTextDelta", "item/reasoning/summaryPartAdded", "item/reasoning/textDelta",
	"item/mcpToolCall/progress", "item/started", "item/completed", "thread/tokenUsage/updated", "turn/diff/updated", "turn/plan/updated",
	"account/rateLimits/updated", "hook/started", "hook/completed",
}

// Conn is a connection to the server. Its methods may be called from everywhere.
type Conn struct {
	wire   *wire
	events chan Event
	ended  chan struct{} // closed when nothing more is read

	mu    sync.Mutex // guards what follows
	calls map[int]chan reply
	last  int
	err   error // why it ended
}

type reply struct {
	result json.RawMessage
	err    error
}

// message is what goes over the wire: a call, its answer, or what is told.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Dial connects to the server at a socket. Whoever calls it closes the connection.
func Dial(ctx context.Context, socket string) (*Conn, error) {
	// Codex makes a link there to where it has room for the name.
	info, err := os.Stat(socket)
	switch {
	case err != nil:
	case info.Mode().Type() != os.ModeSocket:
		err = fmt.Errorf("%q is no socket", socket)
	default:
		err = disk.Unshared(info)
	}
	var conn net.Conn
	if err == nil {
		conn, err = new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	if err != nil {
		return nil, fmt.Errorf("appserver: %w", err)
	}
	return start(ctx, conn)
}

// start introduces us at the other end of a connection.
func start(ctx context.Context, conn net.Conn) (*Conn, error) {
	w, err := newWire(ctx, conn)
	if err != nil {
		return nil, fmt.Errorf("appserver: %w", err)
	}
	c := &Conn{wire: w, events: make(chan Event, maxQueue), ended: make(chan struct{}), calls: make(map[int]chan reply)}
	go c.read()
	_, err = c.call(ctx, "initialize", map[string]any{
		"clientInfo":   map[string]string{"name": "signalbox", "version": "0"},
		"capabilities": map[string]any{"experimentalApi": true, "optOutNotificationMethods": unheard},
	})
	if err == nil {
		err = c.send(message{Method: "initialized"})
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Close ends the connection, and waits until nothing is read any more.
func (c *Conn) Close() {
	c.wire.close()
	<-c.ended
}

// Events returns what the server asks and tells. It is closed when the connection ends.
func (c *Conn) Events() <-chan Event { return c.events }

// Join has the server ask and tell of a thread, beginning with what it has asked already and
// nobody has answered. It is [ErrNotLoaded] if no terminal has the thread open.
func (c *Conn) Join(ctx context.Context, thread string) error {
	loaded, err := c.call(ctx, "thread/loaded/list", struct{}{})
	if err != nil {
		return err
	}
	var list struct {
		Data []string `json:"data"`
	}
	if err := json.Unmarshal(loaded, &list); err != nil {
		return fmt.Errorf("appserver: what is loaded: %w", err)
	}
	if !slices.Contains(list.Data, thread) {
		return ErrNotLoaded
	}
	_, err = c.call(ctx, "thread/resume", map[string]any{"threadId": thread, "excludeTurns": true})
	return err
}

// Answer answers a request. That somebody else was first is no error: [Resolved] tells.
func (c *Conn) Answer(id json.RawMessage, result any) error {
	data, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("appserver: answer: %w", err)
	}
	return c.send(message{ID: id, Result: data})
}

// Steer adds a text of the person's to a turn that is under way.
func (c *Conn) Steer(ctx context.Context, thread, turn, text string) error {
	_, err := c.call(ctx, "turn/steer", map[string]any{
		"threadId": thread, "expectedTurnId": turn, "input": []map[string]string{{"type": "text", "text": text}},
	})
	return err
}

// call calls a method of the server, and returns its result.
func (c *Conn) call(ctx context.Context, method string, params any) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	data, err := json.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("appserver: %s: %w", method, err)
	}
	answer := make(chan reply, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.calls[id] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.calls, id)
		c.mu.Unlock()
	}()
	var r reply
	if err = c.send(message{ID: json.RawMessage(fmt.Sprint(id)), Method: method, Params: data}); err == nil {
		select {
		case r = <-answer:
			err = r.err
		case <-c.ended:
			err = c.why()
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("appserver: %s: %w", method, err)
	}
	return r.result, nil
}

func (c *Conn) send(m message) error {
	data, err := json.Marshal(m)
	if err == nil {
		err = c.wire.write(opText, data)
	}
	if err != nil {
		return fmt.Errorf("appserver: send: %w", err)
	}
	return nil
}

func (c *Conn) why() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// read reads until the connection ends.
func (c *Conn) read() {
	var err error
	for err == nil {
		var data []byte
		if data, err = c.wire.read(); err == nil {
			err = c.take(data)
		}
	}
	c.wire.close()
	c.mu.Lock()
	c.err = err
	c.mu.Unlock()
	close(c.ended)
	close(c.events)
}

// take takes one message. What is of no use is passed over, and what is no message ends the
// connection: nobody knows what would come after it.
func (c *Conn) take(data []byte) error {
	var m message
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("it sent no message: %w", err)
	}
	if string(m.ID) == "null" {
		m.ID = nil
	}
	switch {
	case m.Method == "":
		c.answered(&m)
		return nil
	case m.Method == Resolved:
		var p struct {
			ID json.RawMessage `json:"requestId"`
		}
		if json.Unmarshal(m.Params, &p) != nil || p.ID == nil {
			return nil
		}
		m.ID = p.ID
	case m.ID == nil && m.Method != TurnCompleted, len(m.Params) > maxParams:
		return nil
	}
	select {
	case c.events <- Event{m.Method, m.ID, m.Params}:
		return nil
	default:
		return errors.New("it tells more than is heard")
	}
}

// answered passes an answer on to who waits for it, if anybody does.
func (c *Conn) answered(m *message) {
	var id int
	if json.Unmarshal(m.ID, &id) != nil {
		return
	}
	c.mu.Lock()
	answer := c.calls[id]
	delete(c.calls, id)
	c.mu.Unlock()
	if answer == nil {
		return
	}
	r := reply{result: m.Result}
	if m.Error != nil {
		r.err = fmt.Errorf("the server says %.*q", maxShown, m.Error.Message)
	}
	answer <- r
}

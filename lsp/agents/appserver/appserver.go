// Package appserver connects to the server in which Codex runs the turns of its terminals, as a
// second client beside the terminal. The server sends it the same requests that the terminal's
// dialog shows. The dialog stays open, and the first answer counts.
//
// Start with [Dial] and [Conn.Join]. [Event.Request] returns what a person can decide. The server
// is the person's own program, but its messages are read as untrusted: with limits on size and
// time. From this project, the package imports lsp/agents/ask and lsp/disk.
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
	// maxQueue is how many events may wait until they are read from [Conn.Events]. maxParams is the
	// length in bytes of the longest params that are passed on. A person could not read a longer
	// request, and the terminal shows it as well.
	maxQueue  = 64
	maxParams = 4 << 20
	// maxShown is the length in bytes to which a text from the server is cut in an error.
	maxShown = 300
)

// ErrNotLoaded is returned for a thread that no terminal has open. Joining it would make the server
// load it.
var ErrNotLoaded = errors.New("appserver: the server does not run that thread")

// Socket returns the path of the server's socket in Codex's folder.
func Socket(home string) string {
	return filepath.Join(home, "app-server-control", "app-server-control.sock")
}

// Event is a request or a notification of the server.
type Event struct {
	// Method is the server's name of the request or notification.
	Method string
	// ID identifies a request to answer or, for [Resolved], the resolved request.
	ID json.RawMessage
	// Params are as the server sent them.
	Params json.RawMessage
}

// Methods of the server's notifications.
const (
	// Resolved reports that a request was answered, or that the turn went on without an answer.
	Resolved = "serverRequest/resolved"
	// TurnCompleted reports that a turn is over.
	TurnCompleted = "turn/completed"
)

// optOut lists the notifications that the server need not send: they are many, and no request
// depends on them.
var optOut = []string{
	"item/agentMessage/delta", "item/plan/delta", "item/commandExecution/outputDelta", "item/fileChange/outputDelta",
	"item/reasoning/summaryTextDelta", "item/reasoning/summaryPartAdded", "item/reasoning/textDelta",
	"item/mcpToolCall/progress", "item/started", "item/completed", "thread/tokenUsage/updated", "turn/diff/updated", "turn/plan/updated",
	"account/rateLimits/updated", "hook/started", "hook/completed",
}

// Conn is a connection to the server. Its methods are safe for concurrent use.
type Conn struct {
	wire   *wire
	events chan Event
	ended  chan struct{} // closed when nothing more is read

	mu    sync.Mutex // guards the fields below
	calls map[int]chan reply
	last  int
	err   error // why the connection ended
}

type reply struct {
	result json.RawMessage
	err    error
}

// message is a message on the wire: a call, its answer, or a notification.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Dial connects to the server at a socket. The caller closes the connection.
func Dial(ctx context.Context, socket string) (*Conn, error) {
	// The socket may be a link: Codex puts the real one where the path is short enough.
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

// start sets up a connection as a client of the server.
func start(ctx context.Context, conn net.Conn) (*Conn, error) {
	w, err := newWire(ctx, conn)
	if err != nil {
		return nil, fmt.Errorf("appserver: %w", err)
	}
	c := &Conn{wire: w, events: make(chan Event, maxQueue), ended: make(chan struct{}), calls: make(map[int]chan reply)}
	go c.read()
	_, err = c.call(ctx, "initialize", map[string]any{
		"clientInfo":   map[string]string{"name": "signalbox", "version": "0"},
		"capabilities": map[string]any{"experimentalApi": true, "optOutNotificationMethods": optOut},
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

// Close ends the connection and waits until reading has stopped.
func (c *Conn) Close() {
	c.wire.close()
	<-c.ended
}

// Events returns the server's requests and notifications. The channel is closed when the connection
// ends.
func (c *Conn) Events() <-chan Event { return c.events }

// Join makes the server send the requests and notifications of a thread, beginning with its
// unanswered requests. The error is [ErrNotLoaded] if no terminal has the thread open.
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

// Answer answers a request. It is not an error if the request was answered before: [Resolved]
// reports that.
func (c *Conn) Answer(id json.RawMessage, result any) error {
	data, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("appserver: answer: %w", err)
	}
	return c.send(message{ID: id, Result: data})
}

// Steer adds a text from the person to a running turn.
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
			err = c.handle(data)
		}
	}
	c.wire.close()
	c.mu.Lock()
	c.err = err
	c.mu.Unlock()
	close(c.ended)
	close(c.events)
}

// handle handles one message. Messages that are not needed are ignored. Anything that is not a
// message ends the connection, since what follows it cannot be trusted.
func (c *Conn) handle(data []byte) error {
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

// answered passes an answer on to the call that waits for it, if there is one.
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

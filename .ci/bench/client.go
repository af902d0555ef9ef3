package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// client is the other end of a server's pipes: an editor or an agent's program as simple as
// can be, with one request at a time.
type client struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	framed bool // by headers, as the Language Server Protocol has it; else by lines
	last   int
	start  time.Time
}

func connect(p process, framed bool) (*client, error) {
	cmd := exec.Command(p.args[0], p.args[1:]...)
	cmd.Env, cmd.Dir = p.env, p.dir
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c := &client{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<16), framed: framed, start: time.Now()}
	return c, cmd.Start()
}

// message is what either side sends.
type message struct {
	JSONRPC string           `json:"jsonrpc"`
	ID      *json.RawMessage `json:"id,omitempty"`
	Method  string           `json:"method,omitempty"`
	Params  any              `json:"params,omitempty"`
	Result  json.RawMessage  `json:"result,omitempty"`
	Error   json.RawMessage  `json:"error,omitempty"`
}

func (c *client) send(m message) error {
	m.JSONRPC = "2.0"
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if c.framed {
		_, err = fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(data), data)
	} else {
		_, err = fmt.Fprintf(c.in, "%s\n", data)
	}
	return err
}

func (c *client) notify(method string, params any) error {
	return c.send(message{Method: method, Params: params})
}

// call asks and waits for the answer, and decodes it into result, which may be nil. What the
// server tells meanwhile goes to seen, which may be nil; what it asks is answered by null.
func (c *client) call(method string, params, result any, seen func(raw []byte)) error {
	c.last++
	id := json.RawMessage(strconv.Itoa(c.last))
	if err := c.send(message{ID: &id, Method: method, Params: params}); err != nil {
		return err
	}
	for {
		raw, err := c.read()
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		if seen != nil {
			seen(raw)
		}
		switch {
		case m.Method != "" && m.ID != nil:
			err = c.send(message{ID: m.ID, Result: json.RawMessage("null")})
		case m.ID != nil && bytes.Equal(*m.ID, id) && m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error)
		case m.ID != nil && bytes.Equal(*m.ID, id):
			if result == nil {
				return nil
			}
			return json.Unmarshal(m.Result, result)
		}
		if err != nil {
			return err
		}
	}
}

func (c *client) read() ([]byte, error) {
	if !c.framed {
		return c.out.ReadBytes('\n')
	}
	length := -1
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if n, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.Atoi(n); err != nil {
				return nil, err
			}
		}
	}
	if length < 0 {
		return nil, fmt.Errorf("a frame without a length")
	}
	data := make([]byte, length)
	_, err := io.ReadFull(c.out, data)
	return data, err
}

// stop ends the server and returns its peak memory.
func (c *client) stop() (int64, error) {
	if c.framed {
		if err := c.call("shutdown", nil, nil, nil); err != nil {
			return 0, err
		}
		if err := c.notify("exit", nil); err != nil {
			return 0, err
		}
	}
	if err := c.in.Close(); err != nil {
		return 0, err
	}
	if _, err := io.Copy(io.Discard, c.out); err != nil {
		return 0, err
	}
	err := c.cmd.Wait()
	return peakOf(c.cmd), err
}

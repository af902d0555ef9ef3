// Package appservertest plays Codex's server at the other end of a connection, for tests.
//
// Start with [Server.Introduced]. The package imports nothing from this project.
package appservertest

import (
	"bufio"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// Server is the server's end of a connection. A client's mistake is an error of the test.
type Server struct {
	T    testing.TB
	Conn net.Conn
	in   *bufio.Reader
}

// Message is a message from a client.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
}

// Upgrade answers a client's upgrade request. change maps the key that the client expects to the
// key that is sent.
func (s *Server) Upgrade(change func(accept string) string) {
	s.in = bufio.NewReader(s.Conn)
	r, err := http.ReadRequest(s.in)
	if err != nil {
		s.T.Error(err)
		return
	}
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	s.Raw([]byte("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + change(base64.StdEncoding.EncodeToString(sum[:])) + "\r\n\r\n"))
}

// Raw sends bytes. The client may be gone.
func (s *Server) Raw(b []byte) { _, _ = s.Conn.Write(b) }

// Frame returns a frame with a first byte and a text.
func Frame(first byte, text string) []byte {
	b := []byte{first}
	switch n := len(text); {
	case n < 126:
		b = append(b, byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 127), uint64(n))
	}
	return append(b, text...)
}

// Send sends a message.
func (s *Server) Send(text string) { s.Raw(Frame(0x81, text)) }

// Receive reads a frame from the client. The text is empty once the client is gone.
func (s *Server) Receive() (op byte, text string) {
	head := make([]byte, 2)
	if _, err := io.ReadFull(s.in, head); err != nil {
		return 0, ""
	}
	n := int(head[1] & 0x7f)
	if n == 126 {
		long := make([]byte, 2)
		_, _ = io.ReadFull(s.in, long) // if it fails, so does the next read
		n = int(binary.BigEndian.Uint16(long))
	}
	data := make([]byte, 4+n)
	if _, err := io.ReadFull(s.in, data); err != nil || head[1]&0x80 == 0 {
		s.T.Errorf("the client's frame is not masked, or cut: %v", err)
		return 0, ""
	}
	mask, data := data[:4], data[4:]
	for i := range data {
		data[i] ^= mask[i%4]
	}
	return head[0] & 0x0f, string(data)
}

// Expect reads a call and answers it. "ID" in the answer is replaced by the call's id.
func (s *Server) Expect(method, answer string) (params string) {
	_, text := s.Receive()
	var m Message
	if err := json.Unmarshal([]byte(text), &m); err != nil || m.Method != method {
		s.T.Errorf("the client sent %s, want %s", text, method)
	}
	if answer != "" {
		s.Send(strings.Replace(answer, "ID", string(m.ID), 1))
	}
	return string(m.Params)
}

// Introduced answers a client up to the end of its initialization.
func (s *Server) Introduced() {
	s.Upgrade(func(accept string) string { return accept })
	s.Expect("initialize", `{"id":ID,"result":{}}`)
	s.Expect("initialized", "")
}

// Joined answers a client that joins the thread T.
func (s *Server) Joined() {
	s.Introduced()
	s.Expect("thread/loaded/list", `{"id":ID,"result":{"data":["S","T"]}}`)
	if p := s.Expect("thread/resume", `{"id":ID,"result":{}}`); p != `{"excludeTurns":true,"threadId":"T"}` {
		s.T.Errorf("it resumes with %s", p)
	}
}

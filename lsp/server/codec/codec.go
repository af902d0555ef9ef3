// Package codec reads and writes the messages of JSON-RPC 2.0 in LSP's frames. Start with
// [New]. The package checks everything about a message that does not depend on its method.
package codec

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"strconv"
	"sync"
)

// Stream is one end of a connection.
type Stream struct {
	in  *bufio.Reader
	log *slog.Logger

	mu  sync.Mutex // held while a frame is written
	out io.Writer
}

// New returns the stream of messages on a connection.
func New(rw io.ReadWriter, log *slog.Logger) *Stream {
	return &Stream{in: bufio.NewReader(rw), out: rw, log: log}
}

// Next returns the next message. It answers a frame without a valid message and reads on. The
// error is io.EOF at a clean end of the stream, wraps [ErrFrame], or is the stream's.
func (s *Stream) Next() (*Message, error) {
	for {
		content, err := s.content()
		if err != nil {
			return nil, err
		}
		m, id, fault := parseMessage(content)
		switch {
		case fault != nil:
			s.log.Warn("bad message", "fault", fault.Message)
			if err := s.Write(ReplyError(id, fault)); err != nil {
				return nil, err
			}
		case m.Method != "" || ValidID(m.ID):
			return m, nil
		default:
			// Never answer a response: two peers could do so forever.
			s.log.Warn("ignoring a response that cannot be read", "id", strconv.Quote(string(m.ID[:min(len(m.ID), MaxID)])))
		}
	}
}

// Write writes a message in its frame.
func (s *Stream) Write(message any) error {
	var data []byte
	if r, ok := message.(*Reply); ok && r.Result != nil {
		data = r.withResult()
	} else {
		var err error
		if data, err = Marshal(message); err != nil {
			return err
		}
	}
	frame := make([]byte, 0, len(data)+40)
	frame = append(frame, lengthName+": "...)
	frame = strconv.AppendInt(frame, int64(len(data)), 10)
	frame = append(frame, "\r\n\r\n"...)
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.out.Write(append(frame, data...))
	return err
}

// Marshal is json.Marshal without the escaping of < > &, which triples the size of
// HTML and is needed only in script elements.
func Marshal(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

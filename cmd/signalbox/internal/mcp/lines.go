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
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxLine is the length in bytes of the longest line that is read.
const maxLine = 4 << 20

// lines is the transport: a message is one line. The SDK's own transport ends the session at
// the first line that it cannot read, so it gets only valid lines. Others are answered with
// an error here.
type lines struct {
	in  io.ReadCloser
	out *written
}

// Connect starts reading, for one session. A read of a terminal or pipe may block until the
// process ends.
func (t *lines) Connect(ctx context.Context) (mcp.Connection, error) {
	r, good := io.Pipe()
	go func() { good.CloseWithError(t.pass(good)) }()
	return (&mcp.IOTransport{Reader: input{r, t.in}, Writer: t.out}).Connect(ctx)
}

// input reads the valid lines, and also closes their source.
type input struct {
	*io.PipeReader
	in io.Closer
}

func (i input) Close() error { return errors.Join(i.PipeReader.Close(), i.in.Close()) }

// pass passes valid lines on until the input or the session ends.
func (t *lines) pass(good io.Writer) error {
	r := bufio.NewReaderSize(t.in, 64<<10)
	for {
		text, long, err := readLine(r)
		if err == nil {
			err = t.take(text, long, good)
		}
		if err != nil {
			return err
		}
	}
}

// readLine returns the next line without the blanks around it, in memory of its own. It
// skips what is over the limit.
func readLine(r *bufio.Reader) (text []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		room := maxLine - len(text)
		long = long || len(bytes.TrimRight(part, "\r\n")) > room
		text = append(text, part[:min(len(part), room)]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(text) == 0:
			return nil, false, err
		}
		return bytes.TrimSpace(text), long, nil
	}
}

// mark is the byte order mark that Windows programs put before the first line.
var mark = []byte("\ufeff")

// take passes on the messages of a line, or answers an invalid line. It returns only errors
// of writing.
func (t *lines) take(text []byte, long bool, good io.Writer) error {
	if rest := bytes.TrimSpace(bytes.TrimPrefix(text, mark)); len(rest) > 0 {
		text = rest
	}
	var batch []json.RawMessage
	switch {
	case len(text) == 0:
		return nil
	case long:
		return t.refuse(text, jsonrpc.CodeInvalidRequest, fmt.Errorf("the line is longer than %d bytes", maxLine))
	case !utf8.Valid(text):
		return t.refuse(text, jsonrpc.CodeParseError, errors.New("the line is not UTF-8"))
	case !json.Valid(text):
		return t.refuse(text, jsonrpc.CodeParseError, errors.New("the line is not JSON"))
	case text[0] != '[':
		return t.message(text, good)
	case json.Unmarshal(text, &batch) != nil || len(batch) == 0:
		return t.refuse(nil, jsonrpc.CodeInvalidRequest, errors.New("the batch is empty"))
	}
	// An old version of the protocol has batches. Their messages are handled one by one.
	for _, part := range batch {
		if err := t.message(part, good); err != nil {
			return err
		}
	}
	return nil
}

// message passes one message on, or answers an invalid one. It ignores an invalid answer:
// two sides that answer each other's errors would never stop.
func (t *lines) message(text []byte, good io.Writer) error {
	err := check(text)
	switch {
	case err == nil:
		_, err = good.Write(append(bytes.Clone(text), '\n'))
		return err
	case isAnswer(text):
		return nil
	}
	return t.refuse(text, jsonrpc.CodeInvalidRequest, err)
}

// check returns why a text isn't a valid message. It also refuses messages that the SDK
// would silently ignore, since the client waits for an answer.
func check(text []byte) error {
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return err
	}
	switch m := m.(type) {
	case *jsonrpc.Request:
		var members struct {
			ID json.RawMessage `json:"id"`
		}
		if err := json.Unmarshal(text, &members); err != nil {
			return err
		}
		switch id := m.ID.Raw().(type) {
		case nil:
			if members.ID != nil {
				return errors.New("the id is null")
			}
		case int64:
			if string(members.ID) != strconv.FormatInt(id, 10) {
				return errors.New("the id is a number that cannot be answered: give a whole one, or a string")
			}
		}
	case *jsonrpc.Response:
		if m.Result == nil && m.Error == nil {
			return errors.New("there is no method")
		}
	}
	return nil
}

func isAnswer(text []byte) bool {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return false
	}
	return members["method"] == nil && (members["result"] != nil || members["error"] != nil)
}

// refuse answers an invalid message, with its id if that can be read: without the id, the
// client would go on waiting.
func (t *lines) refuse(text []byte, code int64, why error) error {
	data, err := json.Marshal(struct {
		Version string        `json:"jsonrpc"`
		ID      any           `json:"id"`
		Error   jsonrpc.Error `json:"error"`
	}{"2.0", idOf(text), jsonrpc.Error{Code: code, Message: why.Error()}})
	if err != nil {
		return err
	}
	_, err = t.out.Write(append(data, '\n'))
	return err
}

// idOf returns the id of a message that may be cut off or invalid, or nil. Clients write the
// id before the params.
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

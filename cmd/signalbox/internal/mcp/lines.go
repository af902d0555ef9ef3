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

// lines is the transport: a message is one line. The SDK's own ends the session at the first
// line that it cannot read, so that it is given only lines that it can. Others are answered
// with an error here.
type lines struct {
	in  io.ReadCloser
	out *written
}

// Connect starts the reading, for one session. A read of a terminal or pipe may go on until
// the process ends.
func (t *lines) Connect(ctx context.Context) (mcp.Connection, error) {
	r, good := io.Pipe()
	go func() { good.CloseWithError(t.pass(good)) }()
	return (&mcp.IOTransport{Reader: input{r, t.in}, Writer: t.out}).Connect(ctx)
}

// input reads the good lines, and closes what they come from as well.
type input struct {
	*io.PipeReader
	in io.Closer
}

func (i input) Close() error { return errors.Join(i.PipeReader.Close(), i.in.Close()) }

// pass passes lines on until the input or the session ends.
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

// readLine returns the next line without the blanks around it, in memory of its own. What is
// over the limit is passed over.
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

// mark is what Windows programs put before the first line of a text in UTF-8.
var mark = []byte("\ufeff")

// take passes on what a line holds, or answers it. Its error is one of writing.
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
	// An old version of the protocol has batches. Their messages are taken one by one.
	for _, part := range batch {
		if err := t.message(part, good); err != nil {
			return err
		}
	}
	return nil
}

// message passes one message on, or answers what is none. An answer that cannot be read is
// passed over: two sides that answer each other's errors would never end.
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

// check says why a text is no message. What the SDK would pass over in silence is an error:
// the client waits for an answer.
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

// refuse answers what is no message, with its id where that can be told: a client that gets
// none waits for its answer.
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

package codec

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// MaxID is the longest id that is echoed, in bytes of JSON.
const MaxID = 256

// Message is the content of a frame, taken apart as JSON-RPC 2.0 has it but not further:
// params, result and error are raw JSON. What is absent is empty.
type Message struct {
	Method string
	parts
}

// parts are raw JSON, nil where absent.
type parts struct {
	Version json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Name    json.RawMessage `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// Call is a request, or a notification if it has no id, as it is written.
type Call struct {
	Version string `json:"jsonrpc"`
	ID      *int64 `json:"id,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// Reply is a response as it is written.
type Reply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// whole returns a reply that has a result as JSON. The encoder would look through
// the result once more, which came from marshal.
func (r *Reply) whole() []byte {
	data := make([]byte, 0, len(r.Result)+len(r.ID)+40)
	data = append(data, `{"jsonrpc":"2.0","id":`...)
	data = append(data, r.ID...)
	data = append(data, `,"result":`...)
	data = append(data, r.Result...)
	return append(data, '}')
}

// ReplyError returns the answer that a request failed. A nil id is sent as null.
func ReplyError(id json.RawMessage, e *Error) *Reply {
	if id == nil {
		id = json.RawMessage("null")
	}
	return &Reply{Version: "2.0", ID: id, Error: e}
}

// parseMessage checks everything about a content that does not depend on its
// method. The fault comes with the id to answer it with, nil where the content
// has none that can be trusted. A batch is refused: LSP has none.
func parseMessage(content []byte) (*Message, json.RawMessage, *Error) {
	switch {
	case !utf8.Valid(content):
		return nil, nil, Errorf(codeParse, "content is not UTF-8")
	case !json.Valid(content):
		return nil, nil, Errorf(codeParse, "content is not JSON")
	}
	content = bytes.TrimLeft(content, " \t\r\n")
	switch content[0] {
	case '{':
	case '[':
		return nil, nil, Errorf(CodeInvalidRequest, "batches are not supported")
	default:
		return nil, nil, Errorf(CodeInvalidRequest, "content is not an object")
	}
	var m Message
	if err := json.Unmarshal(content, &m.parts); err != nil {
		return nil, nil, Errorf(CodeInvalidRequest, "content is not a message")
	}
	id, fault := m.check()
	return &m, id, fault
}

// check looks at the message's shape.
func (m *Message) check() (json.RawMessage, *Error) {
	id, call := m.ID, m.Name != nil
	if !ValidID(id) {
		id = nil
	}
	switch {
	case string(m.Version) != `"2.0"`:
		return id, Errorf(CodeInvalidRequest, `jsonrpc is not "2.0"`)
	case m.ID != nil && id == nil && call:
		return nil, Errorf(CodeInvalidRequest, "id is neither a short string nor an integer")
	case call && (m.Result != nil || m.Error != nil):
		return id, Errorf(CodeInvalidRequest, "message is both a request and a response")
	case !call && m.Result == nil && m.Error == nil:
		return id, Errorf(CodeInvalidRequest, "message has no method")
	case call && (m.Name[0] != '"' || json.Unmarshal(m.Name, &m.Method) != nil || m.Method == ""):
		return id, Errorf(CodeInvalidRequest, "method is not a name")
	}
	switch {
	case m.Params == nil || m.Params[0] == '{' || m.Params[0] == '[':
	case string(m.Params) == "null": // not in JSON-RPC, but many clients send it
		m.Params = nil
	default:
		return id, Errorf(CodeInvalidRequest, "params are neither an object nor an array")
	}
	return nil, nil
}

// ValidID reports whether raw is a string or an integer of reasonable length.
func ValidID(raw json.RawMessage) bool {
	if len(raw) == 0 || len(raw) > MaxID {
		return false
	}
	if raw[0] == '"' {
		return true
	}
	digits := strings.TrimPrefix(string(raw), "-")
	if digits == "" || len(digits) > 19 {
		return false
	}
	return strings.Trim(digits, "0123456789") == ""
}

// IDKey makes ids comparable: however a string is escaped, it is the same id,
// and the string "1" is not the number 1.
func IDKey(raw json.RawMessage) string {
	var s string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil {
		return `"` + s
	}
	if string(raw) == "-0" {
		return "0"
	}
	return string(raw)
}

// requestID finds the id in the beginning of a request, so that a request too large to
// be read is still answered by its id. It returns nil if the beginning does not show
// both an id and a method.
func requestID(head []byte) json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(head))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var id json.RawMessage
	called := false
	for id == nil || !called {
		name, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil
		}
		switch name {
		case "id":
			if !ValidID(value) {
				return nil
			}
			id = value
		case "method":
			called = true
		}
	}
	return id
}

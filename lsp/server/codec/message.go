package codec

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// MaxID is the longest id that is sent back, in bytes of JSON.
const MaxID = 256

// Message is the content of a frame, split into the members of JSON-RPC 2.0. Params, result
// and error are raw JSON. Absent members are empty.
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

// withResult returns a reply with a result as JSON. The encoder would scan the result again,
// although it comes from [Marshal].
func (r *Reply) withResult() []byte {
	data := make([]byte, 0, len(r.Result)+len(r.ID)+40)
	data = append(data, `{"jsonrpc":"2.0","id":`...)
	data = append(data, r.ID...)
	data = append(data, `,"result":`...)
	data = append(data, r.Result...)
	return append(data, '}')
}

// ReplyError returns the reply to a failed request. A nil id is sent as null.
func ReplyError(id json.RawMessage, e *Error) *Reply {
	if id == nil {
		id = json.RawMessage("null")
	}
	return &Reply{Version: "2.0", ID: id, Error: e}
}

// parseMessage checks everything about a content that does not depend on its
// method. A fault is returned with the id for the answer, which is nil if the
// content has no valid id. A batch is refused, since LSP has none.
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

// check checks which members the message has. It returns a fault and the id to answer.
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

// IDKey returns a text that is the same for equal ids, however a string is escaped.
// The string "1" is not the number 1.
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

// requestID returns the id from the beginning of a request, so that a request that is too
// large to read is still answered by its id. It is nil if the beginning does not have
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

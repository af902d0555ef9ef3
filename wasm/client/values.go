package client

import (
	"encoding/json"
	"strconv"
)

// Value is a JSON value as a file has it, or nil.
type Value []byte

// MarshalJSON writes the value, or null for none.
func (v Value) MarshalJSON() ([]byte, error) { return json.RawMessage(v).MarshalJSON() }

// UnmarshalJSON keeps the value's bytes. null becomes nil.
func (v *Value) UnmarshalJSON(data []byte) error {
	*v = nil
	if string(data) != "null" {
		*v = append(Value{}, data...)
	}
	return nil
}

// Mode is how much of an inbox is asked for. The zero value is what the
// watermark lets through.
type Mode struct{ text string }

// Default shows what the watermark lets through, and advances it.
func Default() Mode { return Mode{} }

// All shows everything.
func All() Mode { return Mode{"all"} }

// Raw shows everything, and the line of every message with it.
func Raw() Mode { return Mode{"raw"} }

// Newest shows the newest n messages. The module refuses an n below 1.
func Newest(n int) Mode { return Mode{strconv.Itoa(n)} }

// MarshalJSON writes the mode as the op takes it.
func (m Mode) MarshalJSON() ([]byte, error) {
	switch m.text {
	case "":
		return []byte(`"default"`), nil
	case "all", "raw":
		return json.Marshal(m.text)
	}
	return []byte(m.text), nil
}

// Negated is a flag whose opposite the module takes, so that its zero value is the
// default.
type Negated bool

// MarshalJSON writes the opposite.
func (n Negated) MarshalJSON() ([]byte, error) { return strconv.AppendBool(nil, !bool(n)), nil }

// MarshalJSON writes the text, since the module takes nothing else.
func (t Time) MarshalJSON() ([]byte, error) { return json.Marshal(t.Text) }

// MarshalJSON writes the watermark as its file holds it, with an array even if the
// list is nil.
func (w Watermark) MarshalJSON() ([]byte, error) {
	type plain Watermark
	if w.IDs == nil {
		w.IDs = []string{}
	}
	return json.Marshal(plain(w))
}

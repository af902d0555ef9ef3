package atsf

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// MaxItems is the number of content blocks, of tool calls and of locations of
// one tool call that are read. More are counted, not shown.
const MaxItems = 4096

// Message is one line of messages.jsonl (Message Object, rules M2 and M3).
// Members that are missing or of the wrong kind are zero and listed in
// Findings.
type Message struct {
	// Raw is the line without its \n. It aliases the input.
	Raw []byte
	// ID is any text; the text asks for a UUID and shows "msg-001" (rule Z4).
	ID string
	// Role is one of the Role constants, or what the file says.
	Role    string
	Time    Time
	Content []Block
	Tools   []ToolCall
	// Blocks and ToolCalls count what the line has, beyond [MaxItems] too.
	Blocks, ToolCalls int
	StopReason, Model string
	// Tokens is nil where the line has none.
	Tokens *Tokens
	canon.Findings
}

// The roles of a message.
const (
	RoleUser   = "user"
	RoleAgent  = "agent"
	RoleSystem = "system"
)

// Tokens is what a message cost. Both are 0 where the line has none.
type Tokens struct{ Input, Output int64 }

var (
	messageShape = shape{
		what: "the message", rule: "M2", optional: "M3", required: 4,
		names: []string{"id", "role", "timestamp", "content", "toolCalls", "stopReason", "model", "tokens"},
	}
	tokensShape = shape{what: "tokens", rule: "M3", optional: "M3", names: []string{"input", "output"}}
)

// ParseMessage reads one line of messages.jsonl, without its \n. It returns a
// *[canon.Fault] for what is no message at all: text that is no JSON object (M1) or
// not UTF-8 (X1). Every other fault is listed in the Message.
func ParseMessage(line []byte) (Message, error) {
	m, bad := readMessage(line)
	if bad != nil {
		return Message{}, bad
	}
	return m, nil
}

func readMessage(line []byte) (Message, *canon.Fault) {
	msg := Message{Raw: line}
	if bad := readLine(&msg.Findings, line, &messageShape, "M1", "the line", msg.member); bad != nil {
		return Message{}, bad
	}
	return msg, nil
}

func (msg *Message) member(m *member) {
	switch m.at {
	case 0:
		if msg.ID = m.text(); msg.ID == "" && m.v.Kind == canon.String {
			m.fault("the id is empty")
		}
	case 1:
		msg.Role = m.text()
		if r := msg.Role; m.v.Kind == canon.String && !validRole(r) {
			m.fault("role " + quote(r) + " is none of user, agent and system")
		}
	case 2:
		msg.Time = m.time()
	case 3:
		msg.Content = nil
		msg.Blocks = m.elements(MaxItems, func(i int, v canon.Value) {
			msg.Content = append(msg.Content, msg.block(v, i))
		})
	case 4:
		msg.Tools = nil
		msg.ToolCalls = m.elements(MaxItems, func(i int, v canon.Value) {
			msg.Tools = append(msg.Tools, msg.tool(v, i))
		})
	case 5:
		msg.StopReason = m.text()
	case 6:
		msg.Model = m.text()
	case 7:
		if m.is(canon.Mapping) {
			msg.tokens(m.v)
		}
	}
}

func validRole(s string) bool { return s == RoleUser || s == RoleAgent || s == RoleSystem }

func (msg *Message) tokens(v canon.Value) {
	msg.Tokens = new(Tokens)
	readObject(&msg.Findings, v, &tokensShape, "tokens.", func(m *member) {
		if m.at == 0 {
			msg.Tokens.Input = m.count()
		} else {
			msg.Tokens.Output = m.count()
		}
	})
}

func indexed(name string, i int, suffix string) string {
	return name + "[" + strconv.Itoa(i) + "]" + suffix
}

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
	messageShape = canon.Shape{What: "the message", Fields: []canon.Field{
		{Name: "id", Rule: "M2"},
		{Name: "role", Rule: "M2"},
		{Name: "timestamp", Rule: "M2"},
		{Name: "content", Rule: "M2"},
		{Name: "toolCalls", Rule: "M3", Optional: true},
		{Name: "stopReason", Rule: "M3", Optional: true},
		{Name: "model", Rule: "M3", Optional: true},
		{Name: "tokens", Rule: "M3", Optional: true},
	}}
	tokensShape = canon.Shape{What: "tokens", Fields: []canon.Field{
		{Name: "input", Rule: "M3", Optional: true},
		{Name: "output", Rule: "M3", Optional: true},
	}}
)

// ParseMessage reads one line of messages.jsonl, without its \n. It returns a
// *[canon.Fault] for text that is not a JSON object (M1) or not UTF-8 (X1). All other
// faults are listed in the Message.
func ParseMessage(line []byte) (Message, error) {
	m, bad := readMessage(line)
	if bad != nil {
		return Message{}, bad
	}
	return m, nil
}

func readMessage(line []byte) (Message, *canon.Fault) {
	msg := Message{Raw: line}
	if bad := readLine(&msg.Findings, line, &messageShape, msg.member); bad != nil {
		return Message{}, bad
	}
	return msg, nil
}

func (msg *Message) member(m *canon.Member) {
	switch m.Name {
	case "id":
		if msg.ID = m.Text(); msg.ID == "" && m.Kind == canon.String {
			m.Fault("the id is empty")
		}
	case "role":
		msg.Role = m.Text()
		if r := msg.Role; m.Kind == canon.String && !validRole(r) {
			m.Fault("role " + quote(r) + " is none of user, agent and system")
		}
	case "timestamp":
		msg.Time = readTime(m)
	case "content":
		msg.Content = nil
		msg.Blocks = m.List(MaxItems, func(e *canon.Member) {
			msg.Content = append(msg.Content, readBlock(e))
		})
	case "toolCalls":
		msg.Tools = nil
		msg.ToolCalls = m.List(MaxItems, func(e *canon.Member) {
			msg.Tools = append(msg.Tools, readTool(e))
		})
	case "stopReason":
		msg.StopReason = m.Text()
	case "model":
		msg.Model = m.Text()
	case "tokens":
		if m.Is(canon.Mapping) {
			msg.tokens(m)
		}
	}
}

func validRole(s string) bool { return s == RoleUser || s == RoleAgent || s == RoleSystem }

func (msg *Message) tokens(m *canon.Member) {
	msg.Tokens = new(Tokens)
	object(m, &tokensShape, func(m *canon.Member) {
		if m.Name == "input" {
			msg.Tokens.Input = count(m)
		} else {
			msg.Tokens.Output = count(m)
		}
	})
}

func indexed(name string, i int, suffix string) string {
	return name + "[" + strconv.Itoa(i) + "]" + suffix
}

package atsf

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// MaxItems is the largest number of content blocks, of tool calls, and of locations of one tool
// call that are read. The others are only counted.
const MaxItems = 4096

// Message is one line of messages.jsonl (Message Object, rules M2 and M3).
// Members that are missing or of the wrong kind are zero and listed in
// Findings.
type Message struct {
	// Raw is the line without its \n. It aliases the input.
	Raw []byte
	// ID is any text; the spec requires a UUID and shows "msg-001" (rule Z4).
	ID string
	// Role is one of the Role constants, or an unknown role as written.
	Role    string
	Time    Time
	Content []Block
	Tools   []ToolCall
	// Blocks and ToolCalls are the numbers in the line, including any beyond [MaxItems].
	Blocks, ToolCalls int
	StopReason, Model string
	// Tokens is nil if the line has none.
	Tokens *Tokens
	canon.Findings
}

// The roles of a message.
const (
	RoleUser   = "user"
	RoleAgent  = "agent"
	RoleSystem = "system"
)

// Tokens counts the tokens of a message. Both are 0 if the line has none.
type Tokens struct{ Input, Output int64 }

var (
	messageShape = canon.Shape[*Message]{What: "the message", Fields: []canon.Field[*Message]{
		{Name: "id", Rule: "M2", Set: func(msg *Message, m *canon.Member) {
			if msg.ID = m.Text(); msg.ID == "" && m.Kind == canon.String {
				m.Fault("the id is empty")
			}
		}},
		{Name: "role", Rule: "M2", Set: func(msg *Message, m *canon.Member) {
			msg.Role = m.Text()
			if r := msg.Role; m.Kind == canon.String && r != RoleUser && r != RoleAgent && r != RoleSystem {
				m.Fault("role " + quote(r) + " is none of user, agent and system")
			}
		}},
		{Name: "timestamp", Rule: "M2", Set: func(msg *Message, m *canon.Member) { msg.Time = readTime(m) }},
		{Name: "content", Rule: "M2", Set: func(msg *Message, m *canon.Member) {
			msg.Content = nil
			msg.Blocks = m.List(MaxItems, func(e *canon.Member) { msg.Content = append(msg.Content, readBlock(e)) })
		}},
		{Name: "toolCalls", Rule: "M3", Optional: true, Set: func(msg *Message, m *canon.Member) {
			msg.Tools = nil
			msg.ToolCalls = m.List(MaxItems, func(e *canon.Member) { msg.Tools = append(msg.Tools, readTool(e)) })
		}},
		{Name: "stopReason", Rule: "M3", Optional: true, Set: func(msg *Message, m *canon.Member) { msg.StopReason = m.Text() }},
		{Name: "model", Rule: "M3", Optional: true, Set: func(msg *Message, m *canon.Member) { msg.Model = m.Text() }},
		{Name: "tokens", Rule: "M3", Optional: true, Set: func(msg *Message, m *canon.Member) {
			if m.Is(canon.Mapping) {
				msg.Tokens = new(Tokens)
				tokensShape.Read(m, msg.Tokens)
			}
		}},
	}}
	tokensShape = canon.Shape[*Tokens]{What: "tokens", Fields: []canon.Field[*Tokens]{
		{Name: "input", Rule: "M3", Optional: true, Set: func(t *Tokens, m *canon.Member) { t.Input = count(m) }},
		{Name: "output", Rule: "M3", Optional: true, Set: func(t *Tokens, m *canon.Member) { t.Output = count(m) }},
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
	if bad := readLine(&msg.Findings, line, &messageShape, &msg); bad != nil {
		return Message{}, bad
	}
	return msg, nil
}

func indexed(name string, i int, suffix string) string {
	return name + "[" + strconv.Itoa(i) + "]" + suffix
}

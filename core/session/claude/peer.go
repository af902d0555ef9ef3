package claude

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/core/session"
)

// lead is what a team calls the session that it belongs to.
const lead = "team-lead"

// stranger is the sender of a message whose tag cannot be read.
const stranger = "another session"

// me is what other agents call the one whose transcript this is.
func me(l *session.Log) string {
	if l.Parent == "" {
		return lead
	}
	return cmp.Or(l.Name, l.ID)
}

// called is what sessions that are no part of the same team call the one whose transcript
// this is.
func called(l *session.Log) string {
	if l.Parent == "" {
		return cmp.Or(l.Alias, l.ID, lead)
	}
	return me(l)
}

// send adds a message to another agent, which the program has as a call of a tool.
func send(l *session.Log, r *record, b *block) {
	in := &b.Input
	var s string
	if len(in.Message) > 0 && in.Message[0] == '"' {
		decode(in.Message, &s)
	} else {
		s = plain(string(in.Message))
	}
	m := l.Say(r.UUID, atsf.RoleAgent, r.at)
	m.From, m.To = me(l), cmp.Or(in.To, in.Recipient)
	m.Text(cmp.Or(s, in.Content))
}

// sent reads the end of a call that sent a message, and reports whether it was one.
func sent(l *session.Log, r *record, b *block) bool {
	to := &r.ToolUseResult.Routing
	if _, m := l.Called(b.ToolUseID); m != nil {
		return false
	}
	m := l.Said(r.SourceToolAssistantUUID)
	switch {
	case (m == nil || m.From == "") && to.Sender == "":
		return false
	case m == nil || m.From == "": // what was read begins after the call
		m = l.Say("", atsf.RoleAgent, r.at)
		m.Text(to.Content)
	}
	why, failed := undelivered(r, b)
	if r.ToolUseResult.MsgID != "" || failed { // only what goes to a session of its own has an id
		m.From = called(l)
	}
	m.From = cmp.Or(to.Sender, m.From)
	m.To = cmp.Or(strings.TrimPrefix(to.Target, "@"), m.To)
	if m.Sent = r.ToolUseResult.MsgID; failed {
		m.Lose(session.FirstLine(why))
	}
	if strings.HasPrefix(r.ToolUseResult.Message, "Shutdown approved") {
		l.Be(session.Ended, "")
	}
	return true
}

// maxSought is how much of a message is looked for in its receiver's transcript.
const maxSought = 200

// trace knows the receiver's record of a message by the message's id, else by its text. What
// waits in the queue has no id.
func trace(line []byte, m *session.Message) session.Trace {
	if bytes.Contains(line, []byte(m.Sent)) || !bytes.Contains(line, []byte(`"msg_id"`)) && quotes(line, m) {
		if bytes.Contains(line, []byte(`"queue-operation"`)) {
			return session.Queued
		}
		return session.Arrived
	}
	return session.NoTrace
}

// quotes reports whether a line has the beginning of a message's text.
func quotes(line []byte, m *session.Message) bool {
	for i := range m.Content {
		if b := &m.Content[i]; b.Type == atsf.TypeText {
			return bytes.Contains(line, canon.Escape(nil, excerpt.Head(b.Text, maxSought)))
		}
	}
	return false
}

// undelivered reports whether a message to another agent did not reach it, and why. The
// program calls that no error.
func undelivered(r *record, b *block) (why string, failed bool) {
	told := b.Content.text()
	answer := struct {
		Success *bool
		Message string
	}{r.ToolUseResult.Success, r.ToolUseResult.Message}
	if answer.Success == nil {
		decode([]byte(told), &answer)
	}
	return cmp.Or(answer.Message, told), b.IsError || answer.Success != nil && !*answer.Success
}

// peerTags are the elements that messages of other agents stand in, the first one those of
// the same team.
var peerTags = []string{"teammate-message", "cross-session-message", "agent-message"}

// peers adds the messages of other agents in a text, and reports whether it is made of
// them. Before them may stand a line of the program's, and after them its advice.
func (p *said) peers(s string) bool {
	first, rest, _ := strings.Cut(s, "\n")
	wrapped := strings.HasSuffix(first, ":") &&
		(strings.HasPrefix(first, "Another Claude session sent ") || strings.HasPrefix(first, "A peer session sent "))
	if wrapped {
		s = strings.TrimSpace(rest)
	}
	found := false
	for {
		from, body, after, ok := peer(s)
		if !ok {
			break
		}
		p.from(from, p.receiver(s), body)
		s, found = strings.TrimSpace(after), true
	}
	if wrapped && !found {
		p.from(stranger, p.receiver(s), s)
	}
	return wrapped || found
}

// receiver returns what the sender of the message that begins a text calls this session.
func (p *said) receiver(s string) string {
	if strings.HasPrefix(s, "<"+peerTags[0]) {
		return me(p.l)
	}
	return called(p.l)
}

// peer takes the first message off a text. One that is cut has no end.
func peer(s string) (from, body, after string, ok bool) {
	for _, tag := range peerTags {
		rest, is := strings.CutPrefix(s, "<"+tag+" ")
		if !is {
			continue
		}
		head, rest, is := strings.Cut(rest, ">")
		if !is {
			continue
		}
		body, after, _ = strings.Cut(rest, "</"+tag+">")
		from = cmp.Or(attribute(head, "teammate_id"), attribute(head, "from-name"), attribute(head, "from"), stranger)
		return from, strings.TrimSpace(body), after, true
	}
	return "", "", "", false
}

func attribute(head, name string) string {
	_, value, _ := strings.Cut(" "+head, " "+name+`="`)
	value, _, _ = strings.Cut(value, `"`)
	return html.UnescapeString(value)
}

// from adds one message of another agent. The program itself is called system there.
func (p *said) from(from, to, body string) {
	body = plain(body)
	if from == "system" {
		p.l.Note(p.at, session.FirstLine(body))
		p.l.Be(session.Working, "")
		return
	}
	m := p.l.Rewrite(p.next(), atsf.RoleUser, p.at)
	m.From, m.To = from, to
	m.Text(body)
	p.l.Prompted(body)
}

// plain puts what a team's own messages say, which are JSON, as a text. Other texts stay
// as they are.
func plain(s string) string {
	if !strings.HasPrefix(s, "{") {
		return s
	}
	var m struct {
		Type, Subject, Description, Message, Reason, IdleReason, Result, Summary, Content string
		Approve                                                                           *bool
	}
	decode([]byte(s), &m)
	if m.Type == "" || !json.Valid([]byte(s)) {
		return s
	}
	said := []string{strings.ReplaceAll(m.Type, "_", " ")}
	if m.Approve != nil {
		said = append(said, map[bool]string{true: "approved", false: "refused"}[*m.Approve])
	}
	for _, part := range []string{m.Subject, m.Description, m.Message, m.Reason, m.IdleReason, m.Result, m.Summary, m.Content} {
		if part != "" {
			said = append(said, part)
		}
	}
	return strings.Join(said, ": ")
}

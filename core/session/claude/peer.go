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

// lead is the name by which a team knows the session that started it.
const lead = "team-lead"

// unknownSender is the sender of a message whose tag cannot be read.
const unknownSender = "another session"

// teamName returns the name by which the agents of its team know the agent of this transcript.
func teamName(l *session.Log) string {
	if l.Parent == "" {
		return lead
	}
	return cmp.Or(l.Name, l.ID)
}

// outsideName returns the name by which sessions outside the team know the session of this
// transcript.
func outsideName(l *session.Log) string {
	if l.Parent == "" {
		return cmp.Or(l.Alias, l.ID, lead)
	}
	return teamName(l)
}

// send adds a message to another agent. The program records it as a tool call.
func send(l *session.Log, r *record, b *block) {
	in := &b.Input
	var s string
	if len(in.Message) > 0 && in.Message[0] == '"' {
		decode(in.Message, &s)
	} else {
		s = plain(string(in.Message))
	}
	m := l.FindOrAdd(r.UUID, atsf.RoleAgent, r.at)
	m.From, m.To = teamName(l), cmp.Or(in.To, in.Recipient)
	m.Text(cmp.Or(s, in.Content))
}

// endSend reads the end of a call that sent a message, and reports whether the call did so.
func endSend(l *session.Log, r *record, b *block) bool {
	to := &r.ToolUseResult.Routing
	if _, m := l.FindCall(b.ToolUseID); m != nil {
		return false
	}
	m := l.Lookup(r.SourceToolAssistantUUID)
	switch {
	case (m == nil || m.From == "") && to.Sender == "":
		return false
	case m == nil || m.From == "": // the call is before the lines read
		m = l.FindOrAdd("", atsf.RoleAgent, r.at)
		m.Text(to.Content)
	}
	why, failed := undelivered(r, b)
	if r.ToolUseResult.MsgID != "" || failed { // only messages to a separate session have an id
		m.From = outsideName(l)
	}
	m.From = cmp.Or(to.Sender, m.From)
	m.To = cmp.Or(strings.TrimPrefix(to.Target, "@"), m.To)
	if m.Sent = r.ToolUseResult.MsgID; failed {
		m.Lose(session.FirstLine(why))
	}
	if strings.HasPrefix(r.ToolUseResult.Message, "Shutdown approved") {
		l.SetState(session.Ended, "")
	}
	return true
}

// maxSought is how many bytes of a message are searched for in its receiver's transcript.
const maxSought = 200

// trace returns how far a message got, according to a line of its receiver's transcript. It
// recognises the message by its id or, since messages in the queue have no ids, by its text.
func trace(line []byte, m *session.Message) session.Trace {
	if bytes.Contains(line, []byte(m.Sent)) || !bytes.Contains(line, []byte(`"msg_id"`)) && quotes(line, m) {
		if bytes.Contains(line, []byte(`"queue-operation"`)) {
			return session.Queued
		}
		return session.Arrived
	}
	return session.NoTrace
}

// quotes reports whether a line contains the beginning of a message's text.
func quotes(line []byte, m *session.Message) bool {
	for i := range m.Content {
		if b := &m.Content[i]; b.Type == atsf.TypeText {
			return bytes.Contains(line, canon.Escape(nil, excerpt.Head(b.Text, maxSought)))
		}
	}
	return false
}

// undelivered reports whether a message to another agent did not reach it, and why. The program
// does not record that as an error.
func undelivered(r *record, b *block) (why string, failed bool) {
	text := b.Content.text()
	answer := struct {
		Success *bool
		Message string
	}{r.ToolUseResult.Success, r.ToolUseResult.Message}
	if answer.Success == nil {
		decode([]byte(text), &answer)
	}
	return cmp.Or(answer.Message, text), b.IsError || answer.Success != nil && !*answer.Success
}

// peerTags lists the elements that contain messages of other agents, first the one used
// within a team.
var peerTags = []string{"teammate-message", "cross-session-message", "agent-message"}

// peers adds the messages of other agents in a text, and reports whether it found any. The program
// may add a line before them and advice after them.
func (p *promptReader) peers(s string) bool {
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
		p.addPeer(from, p.receiver(s), body)
		s, found = strings.TrimSpace(after), true
	}
	if wrapped && !found {
		p.addPeer(unknownSender, p.receiver(s), s)
	}
	return wrapped || found
}

// receiver returns the name of this session as the receiver of the first message in a text.
func (p *promptReader) receiver(s string) string {
	if strings.HasPrefix(s, "<"+peerTags[0]) {
		return teamName(p.l)
	}
	return outsideName(p.l)
}

// peer returns the sender and the body of the message that begins a text, and the text after it.
// A message that was cut has no closing tag.
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
		from = cmp.Or(attribute(head, "teammate_id"), attribute(head, "from-name"), attribute(head, "from"), unknownSender)
		return from, strings.TrimSpace(body), after, true
	}
	return "", "", "", false
}

func attribute(head, name string) string {
	_, value, _ := strings.Cut(" "+head, " "+name+`="`)
	value, _, _ = strings.Cut(value, `"`)
	return html.UnescapeString(value)
}

// addPeer adds one message from another agent. The sender "system" is the program itself.
func (p *promptReader) addPeer(from, to, body string) {
	body = plain(body)
	if from == "system" {
		p.l.Note(p.at, session.FirstLine(body))
		p.l.SetState(session.Working, "")
		return
	}
	m := p.l.Rewrite(p.nextID(), atsf.RoleUser, p.at)
	m.From, m.To = from, to
	m.Text(body)
	p.l.Prompted(body)
}

// plain converts a message of a team's protocol, which is a JSON object, to text. It returns any
// other text unchanged.
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
	texts := []string{strings.ReplaceAll(m.Type, "_", " ")}
	if m.Approve != nil {
		texts = append(texts, map[bool]string{true: "approved", false: "refused"}[*m.Approve])
	}
	for _, part := range []string{m.Subject, m.Description, m.Message, m.Reason, m.IdleReason, m.Result, m.Summary, m.Content} {
		if part != "" {
			texts = append(texts, part)
		}
	}
	return strings.Join(texts, ": ")
}

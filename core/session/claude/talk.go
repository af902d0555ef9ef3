package claude

import (
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
)

// user reads a message to the model from the person, another agent or a tool.
func user(l *session.Log, r *record) {
	if r.IsCompactSummary {
		return
	}
	for i := range r.Message.Content {
		if b := &r.Message.Content[i]; b.Type == "tool_result" {
			end(l, r, b)
		}
	}
	prompt(l, r, r.UUID, r.Message.Content, r.IsMeta)
}

// addedTags lists the tags around texts that the program and hooks add to a prompt.
var addedTags = []string{
	"system-reminder", "local-command-caveat", "ide_opened_file", "ide_selection", "ide_diagnostics",
	"user-prompt-submit-hook", "hook_context", "session_context", "user-memory-input", "tick",
}

// prompt adds a prompt. From a prompt by the program itself, it adds only other agents' messages.
func prompt(l *session.Log, r *record, id string, c content, byProgram bool) {
	p := promptReader{l: l, at: r.at, id: id, typed: r.Type == "user"}
	for i := range c {
		switch b := &c[i]; b.Type {
		case "text":
			s := b.Text
			if hookWoke(l, r, s) {
				continue
			}
			for _, tag := range addedTags {
				s = without(s, tag)
			}
			if s = strings.TrimSpace(s); s != "" && !p.programText(s) && !byProgram {
				p.message().Text(s)
				l.Prompted(s)
			}
		case "image", "document":
			if !byProgram {
				show(p.message(), &b.leaf)
				l.SetState(session.Working, "")
			}
		case "tool_result":
		default:
			l.Unknown(r.at, b.Type)
		}
	}
}

// hookWoke reports whether a text comes from a background hook that woke the agent, and adds a note
// if so. The program records the hook as a finished task and its output as a reminder.
func hookWoke(l *session.Log, r *record, s string) bool {
	const feedback = "Stop hook feedback"
	if !strings.HasPrefix(s, "<task-notification>") || tagged(s, "summary") != feedback {
		return false
	}
	text := tagged(s, "system-reminder")
	if rest, ok := strings.CutPrefix(text, `Stop hook blocking error from command "`); ok {
		if _, reason, ok := strings.Cut(rest, `": `); ok {
			text = reason
		}
	}
	l.Note(r.at, strings.TrimSuffix("a hook woke the agent: "+session.FirstLine(text), ": "))
	l.SetState(session.Working, "")
	return true
}

// promptReader adds the messages in one record to a log.
type promptReader struct {
	l  *session.Log
	at int64
	id string
	// typed is set if the person wrote the prompt while the agent was idle or stopped.
	typed bool
	// added is set once the person's message was added, and ownID is its id.
	added bool
	ownID string
	// parts counts the messages of the record.
	parts int
}

// nextID counts a message of the record and returns its id: the record's id, with ".2" from the
// second message on.
func (p *promptReader) nextID() string {
	p.parts++
	if p.parts == 1 || p.id == "" {
		return p.id
	}
	return p.id + "." + strconv.Itoa(p.parts)
}

// message returns the person's message. The first call adds it, or empties the message of an
// earlier record with the same id.
func (p *promptReader) message() *session.Message {
	if !p.added {
		p.added, p.ownID = true, p.nextID()
		if p.typed {
			abandon(p.l)
		}
		return p.l.Rewrite(p.ownID, atsf.RoleUser, p.at)
	}
	if m := p.l.Lookup(p.ownID); m != nil {
		return m
	}
	return &p.l.Messages[len(p.l.Messages)-1]
}

// programText reports whether a text is something other than a typed prompt, and if so reads it.
func (p *promptReader) programText(s string) bool {
	switch {
	case strings.HasPrefix(s, "[Request interrupted"):
		abandon(p.l)
		p.l.Note(p.at, "the agent was interrupted")
		p.l.Interrupt(p.at)
	case strings.HasPrefix(s, "<task-notification>"):
		p.l.Note(p.at, strings.TrimSpace("a task in the background: "+session.FirstLine(tagged(s, "summary"))))
		p.l.SetState(session.Working, "")
	case strings.HasPrefix(s, "<local-command-stdout>"), strings.HasPrefix(s, "<local-command-stderr>"):
		// The previous prompt was a command for the program, which is not used as a title.
		if strings.HasPrefix(p.l.Prompt, "/") {
			p.l.Prompt = ""
		}
		p.l.SetState(session.Idle, "")
	case strings.HasPrefix(s, "<bash-input>"):
		p.message().Text("! " + tagged(s, "bash-input"))
	case strings.HasPrefix(s, "<bash-stdout>"):
		p.l.FindOrAdd("", atsf.RoleSystem, p.at).Text(strings.Trim(tagged(s, "bash-stdout")+"\n"+tagged(s, "bash-stderr"), "\n"))
	case strings.HasPrefix(s, "<command-"):
		command := strings.TrimSpace(tagged(s, "command-name") + " " + tagged(s, "command-args"))
		p.message().Text(command)
		p.l.Prompted(command)
	default:
		return p.peers(s)
	}
	return true
}

// tagged returns the text in the first element with the name.
func tagged(s, name string) string {
	_, s, _ = strings.Cut(s, "<"+name+">")
	s, _, ok := strings.Cut(s, "</"+name+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(s)
}

// without returns a text without the elements with the name.
func without(s, name string) string {
	open, shut := "<"+name+">", "</"+name+">"
	if !strings.Contains(s, open) {
		return s
	}
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(s, open)
		_, after, closed := strings.Cut(rest, shut)
		if !ok || !closed {
			out.WriteString(s)
			return out.String()
		}
		out.WriteString(before)
		s = after
	}
}

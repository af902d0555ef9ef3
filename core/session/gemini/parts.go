package gemini

import (
	"encoding/json"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/fields"
	"github.com/signalbox-dev/signalbox/core/session"
)

// Texts that the program writes into messages of the person or the agent.
const (
	snapshot       = "<state_snapshot>"
	sessionContext = "<session_context>"
	// accepted is the answer to a snapshot that the program writes for the agent.
	accepted = "Got it. Thanks for the additional context!"

	hookStart, hookEnd           = "<hook_context>", "</hook_context>"
	untrustedStart, untrustedEnd = "<untrusted_context>\n", "\n</untrusted_context>"
)

// isProgramText reports whether the program wrote a text.
func isProgramText(text string) bool {
	for _, p := range []string{
		sessionContext,
		"Here is the user's editor context as a JSON object",
		"Here is a summary of changes in the user's editor context",
		"Binary content received.", // before images
		"You have stopped calling tools without finishing.",
		accepted,
	} {
		if strings.HasPrefix(text, p) {
			return true
		}
	}
	return false
}

// isSummary reports whether a text replaces messages that were compacted.
func isSummary(text string) bool { return strings.HasPrefix(text, snapshot) || text == accepted }

// parts is the content of a message: a text, a part, or a list of texts and parts.
type parts struct {
	list []part
	// listed is set if the content was a list. A new message of the model is written as a text.
	listed bool
}

type part struct {
	Text     string    `json:"text"`
	Thought  bool      `json:"thought"`
	Inline   *blob     `json:"inlineData"`
	Call     *toolCall `json:"functionCall"`
	Response *response `json:"functionResponse"`
}

type blob struct {
	MIME string `json:"mimeType"`
	Data string `json:"data"`
}

type response struct {
	ID       string          `json:"id"`
	Response json.RawMessage `json:"response"`
	Parts    []struct {
		Inline *blob `json:"inlineData"`
	} `json:"parts"`
}

// ReadFields reads the known members and ignores all others.
func (p *parts) ReadFields(c *canon.Cursor) error {
	v, err := c.Value()
	if err != nil {
		return err
	}
	var items []json.RawMessage
	if p.listed = fields.Read(v.Raw, &items); !p.listed {
		items = []json.RawMessage{v.Raw}
	}
	p.list = make([]part, len(items))
	for i, item := range items {
		if one := &p.list[i]; !fields.Read(item, &one.Text) {
			fields.Read(item, one) // a member of a wrong kind stays empty
		}
	}
	return nil
}

// text returns the texts of the parts, without thoughts.
func (p *parts) text() string {
	var texts []string
	for i := range p.list {
		if t := p.list[i].Text; t != "" && !p.list[i].Thought {
			texts = append(texts, t)
		}
	}
	return strings.Join(texts, "\n")
}

// prompt returns the person's text, and whether a part contains only a hook's addition.
func (p *parts) prompt() (text string, hooked bool) {
	var texts []string
	for i := range p.list {
		t, cut := unhook(p.list[i].Text)
		hooked = hooked || cut && t == ""
		if t != "" && !isProgramText(t) {
			texts = append(texts, t)
		}
	}
	return strings.Join(texts, "\n"), hooked
}

// unhook cuts the texts that hooks put before a prompt.
func unhook(text string) (rest string, cut bool) {
	for strings.HasPrefix(text, hookStart) {
		_, after, ok := strings.Cut(text, hookEnd)
		if !ok {
			break
		}
		text, cut = strings.TrimSpace(after), true
	}
	return text, cut
}

// images returns the images among the parts and in tools' responses.
func (p *parts) images() []*blob {
	var images []*blob
	add := func(b *blob) {
		if b != nil && strings.HasPrefix(b.MIME, "image/") && onlyBase64(b.Data) {
			images = append(images, b)
		}
	}
	for i := range p.list {
		add(p.list[i].Inline)
		if r := p.list[i].Response; r != nil {
			for _, inner := range r.Parts {
				add(inner.Inline)
			}
		}
	}
	return images
}

// onlyBase64 reports whether a text has only characters of base64, in either alphabet.
func onlyBase64(data string) bool {
	return !strings.ContainsFunc(data, func(c rune) bool {
		return (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("+/=-_", c)
	})
}

func show(m *session.Message, images []*blob) {
	for _, b := range images {
		m.Image(b.MIME, b.Data)
	}
}

// hasResponse reports whether a tool's response is among the parts.
func (p *parts) hasResponse() bool {
	for i := range p.list {
		if p.list[i].Response != nil {
			return true
		}
	}
	return false
}

// endCalls sets the outputs of calls that have none from their tools' responses, and ends them.
func endCalls(l *session.Log, p *parts) {
	for i := range p.list {
		r := p.list[i].Response
		if r == nil {
			continue
		}
		c, _ := l.FindCall(r.ID)
		if c == nil || c.HasOutput {
			continue
		}
		text, failed := r.text()
		end := atsf.Completed
		if failed {
			end = atsf.Failed
		}
		if s := c.State(); s != atsf.Completed && s != atsf.Failed {
			l.End(r.ID, end)
		}
		c.Output, c.HasOutput = text, true
	}
}

// text returns the text of a tool's response, and whether it is an error.
func (r *response) text() (text string, failed bool) {
	var known struct {
		Output *string `json:"output"`
		Error  *string `json:"error"`
	}
	fields.Read(r.Response, &known)
	switch {
	case known.Error != nil:
		return unwrap(*known.Error), true
	case known.Output != nil:
		return unwrap(*known.Output), false
	}
	return compact(r.Response), false
}

// unwrap removes the tags for the model from a tool's output, and the text that hooks added.
func unwrap(s string) string {
	if strings.HasSuffix(s, hookEnd) {
		if i := strings.LastIndex(s, hookStart); i >= 0 {
			s = strings.TrimSuffix(s[:i], "\n\n")
		}
	}
	if strings.HasPrefix(s, untrustedStart) {
		s = strings.ReplaceAll(s[len(untrustedStart):], untrustedStart, "")
		s = strings.ReplaceAll(s, untrustedEnd, "")
	}
	return s
}

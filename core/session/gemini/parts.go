package gemini

import (
	"encoding/json"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/fields"
	"github.com/signalbox-dev/signalbox/core/session"
)

// Texts that the program puts where a person's or the agent's would stand.
const (
	snapshot       = "<state_snapshot>"
	sessionContext = "<session_context>"
	// accepted is what the program lets the agent answer to a snapshot.
	accepted = "Got it. Thanks for the additional context!"

	hookStart, hookEnd           = "<hook_context>", "</hook_context>"
	untrustedStart, untrustedEnd = "<untrusted_context>\n", "\n</untrusted_context>"
)

// isProgramText reports whether a text is the program's own.
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

// isSummary reports whether a text stands for what was compacted.
func isSummary(text string) bool { return strings.HasPrefix(text, snapshot) || text == accepted }

// parts is what a message consists of: a text, a part, or a list of both.
type parts struct {
	list []part
	// listed is set for a list. What the model says as it goes is a text.
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

// ReadFields takes what it knows and passes over the rest.
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

// text returns the text, without thoughts.
func (p *parts) text() string {
	var texts []string
	for i := range p.list {
		if t := p.list[i].Text; t != "" && !p.list[i].Thought {
			texts = append(texts, t)
		}
	}
	return strings.Join(texts, "\n")
}

// prompt returns what a person wrote, and whether a hook added to it.
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

// unhook cuts what hooks put before a prompt.
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

// images returns the images among the parts and in the answers of tools.
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

// onlyBase64 reports whether a text has only characters of base64, of either alphabet.
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

// hasResponse reports whether a tool's answer is among the parts.
func (p *parts) hasResponse() bool {
	for i := range p.list {
		if p.list[i].Response != nil {
			return true
		}
	}
	return false
}

// endCalls ends the calls that the message of their tools' answers is about, // message of the calls told the end.
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

// text returns what a tool answered, and whether it was an error.
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

// unwrap cuts the marks for the model around what a tool said, and what hooks added.
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

package session

import (
	"strconv"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// ATSF returns the message in the form of ATSF. Sender and receiver become a line of text, since
// ATSF has no senders. Notes become text, and each tool call gets an id. Images stay inline, and
// a missing time stays missing.
func (m *Message) ATSF() atsf.Message {
	out := m.Message
	out.Content = make([]atsf.Block, 0, len(m.Content)+1)
	if m.From != "" || m.To != "" {
		out.Content = append(out.Content, atsf.Block{Type: atsf.TypeText, Known: true, Text: "From " + m.From + " to " + m.To + ":"})
	}
	for _, b := range m.Content {
		if b.Type == TypeNote {
			b = atsf.Block{Type: atsf.TypeText, Known: true, Text: b.Text}
			if m.repeats > 0 {
				b.Text += " (and " + strconv.Itoa(m.repeats) + " more times)"
			}
		}
		out.Content = append(out.Content, b)
	}
	out.Tools = make([]atsf.ToolCall, len(m.Tools))
	for i, c := range m.Tools {
		if c.ID == "" {
			c.ID = "call-" + strconv.Itoa(i+1)
		}
		c.HasInput, c.HasOutput = c.Input != "", c.Output != ""
		out.Tools[i] = c
	}
	return out
}

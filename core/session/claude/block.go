package claude

import (
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/fields"
	"github.com/signalbox-dev/signalbox/core/session"
)

// content is a list of blocks. A plain text is read as one block.
type content []block

// block is a part of a message.
type block struct {
	leaf
	ID, Name, Thinking string
	Input              input
	ToolUseID          string `json:"tool_use_id"`
	IsError            bool   `json:"is_error"`
	Content            leaves
}

// leaves is a tool's output, or the text of one of the program's own records.
type leaves []leaf

// leaf is a block that contains no other blocks.
type leaf struct {
	Type, Text, Title string
	ToolName          string `json:"tool_name"`
	Source            source
}

type source struct {
	Type, Data string
	MediaType  string `json:"media_type"`
}

// ReadFields reads a list or a text, and nothing else.
func (c *content) ReadFields(in *canon.Cursor) error {
	if in.Kind() == canon.String {
		*c = content{{leaf: leaf{Type: "text"}}}
		return fields.From(in, &(*c)[0].Text)
	}
	return fields.From(in, (*[]block)(c))
}

// ReadFields reads a list or a text, and nothing else.
func (c *leaves) ReadFields(in *canon.Cursor) error {
	if in.Kind() == canon.String {
		*c = leaves{{Type: "text"}}
		return fields.From(in, &(*c)[0].Text)
	}
	return fields.From(in, (*[]leaf)(c))
}

func (c content) text() string {
	var all []string
	for i := range c {
		if c[i].Text != "" {
			all = append(all, c[i].Text)
		}
	}
	return strings.Join(all, "\n")
}

func (c leaves) text() string {
	var all []string
	for i := range c {
		if s := c[i].Text + c[i].ToolName; s != "" {
			all = append(all, s)
		}
	}
	return strings.Join(all, "\n")
}

// show adds an image to a message, or the title of a document.
func show(m *session.Message, b *leaf) {
	switch b.Type {
	case "image":
		m.Image(b.Source.MediaType, b.Source.Data)
	case "document":
		m.Text(strings.TrimSpace("[document] " + b.Title))
	}
}

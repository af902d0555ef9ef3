package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/server/limits"
)

// attachments has the methods that the command about attachments needs.
type attachments interface {
	OpenAttachment(ctx context.Context, p panel.AttachmentParams) (panel.AttachmentFile, error)
	SaveAttachment(ctx context.Context, p panel.SaveParams) (panel.AttachmentFile, error)
}

func (c *Set) attachmentCommands() map[string]*Command {
	return map[string]*Command{"signalbox.attachment": {Run: c.attachmentCommand}}
}

// attachmentCommand is signalbox.attachment [{ref or id, attachment, path?, confirmed?}]. It
// saves the file to path or, without a path, makes a copy to view.
func (c *Set) attachmentCommand(ctx context.Context, args []json.RawMessage) (Answer, error) {
	a, err := Argument[struct {
		Ref        json.RawMessage `json:"ref"`
		ID         string          `json:"id"`
		Attachment string          `json:"attachment"`
		Path       string          `json:"path"`
		Confirmed  bool            `json:"confirmed"`
	}](args[0])
	if err != nil {
		return Answer{}, err
	}
	p := panel.SaveParams{AttachmentParams: panel.AttachmentParams{Attachment: a.Attachment, Confirmed: a.Confirmed}, Path: a.Path}
	if a.ID != "" {
		p.Ref, err = c.named(ctx, a.ID)
	} else {
		p.Ref, err = c.refArgument(ctx, a.Ref)
	}
	if err == nil {
		err = limits.Params("", p.AttachmentParams)
	}
	if err != nil {
		return Answer{}, err
	}
	var file panel.AttachmentFile
	if p.Path == "" {
		file, err = c.panel.OpenAttachment(ctx, p.AttachmentParams)
	} else if err = limits.Params("", p); err == nil {
		file, err = c.panel.SaveAttachment(ctx, p)
	}
	return Answer{fmt.Sprintf("%s, %d bytes, is what was sent: %s\n", markup.Code(file.Name), file.Size, markup.Code(file.Path)), file}, err
}

// letterText returns everything about a signed message except its text.
func letterText(m *panel.AmpMessage, trust panel.Trust) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- Subject: %s\n- Trust: %s: %s\n", markup.Escape(m.Subject), markup.Escape(trust.Label), markup.Escape(trust.Detail))
	if m.Priority != "normal" && m.Priority != "" {
		b.WriteString("- Priority: " + markup.Escape(string(m.Priority)) + "\n")
	}
	b.WriteString("- Type: " + markup.Escape(m.Type) + "\n")
	switch {
	case m.Expired:
		b.WriteString("- **Expired** " + panel.When(m.Expires) + "\n")
	case m.Expires != 0:
		b.WriteString("- Expires " + panel.When(m.Expires) + "\n")
	}
	if m.Missing != "" {
		b.WriteString("- In reply to " + markup.Code(m.Missing) + ", which is not here\n")
	}
	for i := range m.Attachments {
		a := &m.Attachments[i]
		fmt.Fprintf(&b, "- Attachment %s: %s, %s, %d bytes, %s", markup.Code(a.ID), markup.Code(a.Name), markup.Escape(a.Type), a.Size, markup.Escape(a.Scan))
		if a.Problem != "" {
			b.WriteString("; " + markup.Escape(a.Problem))
		}
		b.WriteString("\n")
	}
	if len(m.Flags) > 0 {
		b.WriteString("- Suspicious words: " + markup.Escape(strings.Join(m.Flags, ", ")) + "\n")
	}
	warn(&b, m.Faults)
	b.WriteString("\n")
	if m.Context != "" {
		b.WriteString(markup.Block(m.Context) + "\n\n")
	}
	return b.String()
}

// letterLine returns the words about a thread of signed mail in a list.
func letterLine(a *panel.AmpThread) string {
	words := []string{a.Trust.Label}
	if a.Priority == "urgent" || a.Priority == "high" {
		words = append(words, string(a.Priority))
	}
	if a.Attachments > 0 {
		words = append(words, count(a.Attachments, "attachment"))
	}
	if a.Expired {
		words = append(words, "expired")
	}
	return ", " + markup.Escape(strings.Join(words, ", "))
}

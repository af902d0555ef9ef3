package commands

import (
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/mail"
	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

func sentText(s panel.Sent, to string) string {
	return "Sent " + markup.Code(s.ID) + " to " + markup.Escape(to) + " in " + markup.Code(s.ThreadName) + ".\n"
}

func countsText(c panel.Counts) string { return counts(c.Unread, c.NeedsReply) + "\n" }

func counts(unread, needsReply int) string {
	if needsReply == 1 {
		return fmt.Sprintf("%d unread, 1 needs a reply", unread)
	}
	return fmt.Sprintf("%d unread, %d need a reply", unread, needsReply)
}

func warn(b *strings.Builder, ws []panel.Warning) {
	for i, w := range ws {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString("- Warning: " + markup.Escape(w.Message) + " (" + markup.Escape(w.Rule) + ")\n")
	}
}

func marks(ms []string) string {
	if len(ms) == 0 {
		return ""
	}
	return " [" + markup.Escape(strings.Join(ms, ", ")) + "]"
}

// threadLink returns the address of the thread in a ref. It is empty if the thread has none,
// such as a thread with a long name.
func threadLink(r panel.Ref) string {
	if name, ok := r.Thread(); ok && name != "" {
		return mail.FormatLink(mail.LinkThread, name)
	}
	return ""
}

// linked returns a Markdown link to an address. text is already Markdown.
func linked(text, address string) string {
	if address == "" {
		return text
	}
	return "[" + text + "](" + address + ")"
}

// messageLink returns a Markdown link to the message with an id. text is already Markdown.
func messageLink(id, text string) string {
	if id == "" {
		return text
	}
	return linked(text, mail.FormatLink(mail.LinkMessage, id))
}

// count returns a number of things in words, such as "1 unread" or "2 threads".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

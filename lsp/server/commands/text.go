package commands

import (
	"fmt"
	"strings"

	"github.com/signalbox-dev/signalbox/core/render/markup"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// maxCommandBody is how many bytes of one message a command's text shows.
const maxCommandBody = 16 << 10

// The texts of commands are Markdown. The panel's strings are safe as plain text. Here
// each is escaped, so that it is also safe as Markdown.

func inboxText(p panel.InboxPage) string {
	var b strings.Builder
	b.WriteString("# Inbox: " + counts(p.Unread, p.NeedsReply) + "\n\n")
	for _, t := range p.Threads {
		if t.Agent != nil {
			b.WriteString("- " + agentLine(&t, p.Groups) + "\n")
			continue
		}
		mark := ""
		if t.Unread > 0 {
			mark = fmt.Sprintf("**%d unread** ", t.Unread)
		}
		switch {
		case t.Returned:
			mark += "**back from snooze** "
		case t.NeedsReply:
			mark += "**needs reply** "
		}
		letter := ""
		if t.Amp != nil {
			letter = letterLine(t.Amp)
		}
		fmt.Fprintf(&b, "- %s%s%s, %s to %s, %s%s%s%s\n  %s\n", mark, linked(markup.Escape(t.Title), threadLink(t.Ref)), nameText(&t), markup.Escape(t.LastFrom),
			markup.Escape(t.LastTo), panel.When(t.LastTime), letter, shelfWords(&t), marks(t.Marks), markup.Escape(t.Preview))
	}
	switch {
	case len(p.Threads) == 0:
		b.WriteString("No threads.\n")
	case p.NextCursor != "":
		b.WriteString("\nThere are more.\n")
	}
	if p.Suspicious > 0 {
		fmt.Fprintf(&b, "\n%d suspicious records are not shown.\n", p.Suspicious)
	}
	warn(&b, p.Warnings)
	return b.String()
}

// nameText returns the name of a mail thread if it differs from the title. It is empty for
// signed mail, whose names are ids.
func nameText(t *panel.ThreadItem) string {
	if t.Name == "" || t.Name == t.Title || t.Amp != nil {
		return ""
	}
	return " (" + markup.Code(t.Name) + ")"
}

// shelfWords returns ", archived" or the time until which a thread is snoozed.
func shelfWords(t *panel.ThreadItem) string {
	switch {
	case t.Archived:
		return ", archived"
	case t.Snoozed != 0:
		return ", snoozed until " + panel.When(t.Snoozed)
	}
	return ""
}

// agentLine returns the line of an agent's own thread in a list: its title, agent, group,
// number of messages and time.
func agentLine(t *panel.ThreadItem, groups []panel.Group) string {
	where := ""
	for _, g := range groups {
		if g.ID == t.Group {
			where = " in " + markup.Code(g.Title)
		}
	}
	line := fmt.Sprintf("%s, %s%s, %d messages, %s%s", linked(markup.Code(t.Title), threadLink(t.Ref)), markup.Escape(t.Agent.Name), where, t.Count,
		panel.When(t.LastTime), marks(t.Marks))
	line += shelfWords(t)
	if t.Returned {
		line = "**back from snooze** " + line
	}
	if t.Agent.Fault != "" {
		line += ": " + markup.Escape(t.Agent.Fault)
	}
	return line
}

// heading returns the sender and recipient of a message.
func heading(m *panel.MessageItem) string {
	if m.To == "" {
		return markup.Escape(m.From)
	}
	return markup.Escape(m.From) + " to " + markup.Escape(m.To)
}

// outcomeText returns whether a question was answered, and the receipt of a message.
func outcomeText(m *panel.MessageItem) string {
	text := ""
	switch m.Asked {
	case panel.AskedOpen:
		text = ", **not answered**"
	case panel.AskedAnswered:
		text = ", answered: " + markup.Escape(m.Answer)
	case panel.AskedOvertaken:
		text = ", overtaken"
	}
	if m.Receipt != nil {
		text += ", " + markup.Escape(m.Receipt.Words(panel.When))
	}
	return text
}

func threadText(p panel.ThreadPage) string {
	var b strings.Builder
	b.WriteString("# " + linked(markup.Escape(p.Thread.Title), threadLink(p.Thread.Ref)) + "\n")
	if p.Before != "" {
		b.WriteString("\nThere are older messages.\n")
	}
	for _, m := range p.Messages {
		unread := ""
		if m.Unread {
			unread = ", **unread**"
		}
		fmt.Fprintf(&b, "\n## %s, %s\n\n%s, %s%s%s\n\n", heading(&m), panel.When(m.Time),
			messageLink(m.ID, markup.Code(m.ID)), markup.Escape(m.Trust.Label), unread+outcomeText(&m), marks(m.Marks))
		if m.Amp != nil {
			b.WriteString(letterText(m.Amp, m.Trust))
		}
		b.WriteString(strings.TrimRight(markup.Markdown(m.Text, markup.Options{MaxBytes: maxCommandBody, TopHeading: 3}), "\n") + "\n")
		if m.Truncated {
			fmt.Fprintf(&b, "\nShortened: the message has %d characters.\n", m.Chars)
		}
	}
	warn(&b, p.Warnings)
	return b.String()
}

func statusText(s panel.Status) string {
	var b strings.Builder
	alias := "none"
	if s.Alias != "" {
		alias = markup.Code(s.Alias)
	}
	fmt.Fprintf(&b, "# Signalbox %s\n\n- Your name: %s (%s)\n- Profile: %s (%s)\n- %s\n", markup.Escape(s.Version),
		alias, markup.Escape(s.AliasOrigin), markup.Escape(s.Profile), markup.Escape(s.ProfileOrigin), s.Waits())
	for _, d := range s.Directories {
		fmt.Fprintf(&b, "- Directory: %s (%s): %d logs, %d messages, %d malformed, %d suspicious", markup.Code(d.Path),
			markup.Escape(d.Origin), d.Logs, d.Messages, d.Malformed, d.Suspicious)
		if d.Error != "" {
			b.WriteString("; **" + markup.Escape(d.Error) + "**")
		}
		b.WriteString("\n")
	}
	for i := range s.MailRoots {
		r := &s.MailRoots[i]
		fmt.Fprintf(&b, "- Mailboxes: %s (%s): %d messages\n", markup.Code(r.Path), markup.Escape(r.Origin), r.Messages)
		for _, box := range r.Boxes {
			own := ""
			if box.Own {
				own = ", **yours**"
			}
			fmt.Fprintf(&b, "  - %s %s: %d messages, %d unread%s\n", markup.Escape(box.Name), markup.Escape(box.Address), box.Messages, box.Unread, own)
		}
	}
	for _, d := range s.SSOTs {
		fmt.Fprintf(&b, "- Tasks: %s (%s): %d tasks, %d messages, %d rejected", markup.Code(d.Path), markup.Escape(d.Origin), d.Tasks, d.Messages, d.Rejected)
		if d.Error != "" {
			b.WriteString("; **" + markup.Escape(d.Error) + "**")
		}
		b.WriteString("\n")
	}
	if s.Critical+s.Overdue > 0 {
		fmt.Fprintf(&b, "- **%d critical escalations, %d overdue**\n", s.Critical, s.Overdue)
	}
	if s.ReadOnly {
		b.WriteString("- Read-only\n")
	}
	if s.Indexing {
		b.WriteString("- Indexing\n")
	}
	warn(&b, s.Warnings)
	return b.String()
}

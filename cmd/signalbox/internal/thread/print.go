package thread

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/printed"
	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/session/talk"
)

// talkPrinter writes a conversation, made safe.
type talkPrinter struct {
	w      *bufio.Writer
	paint  cli.Paint
	json   bool
	thread string
}

func (t *commands) printer(w *bufio.Writer, thread string) *talkPrinter {
	return &talkPrinter{w: w, paint: t.Paint(), json: t.JSON, thread: thread}
}

// head writes the fields of the thread.
func (p *talkPrinter) head(open *talk.Open, item *talk.Thread) {
	if p.json {
		return
	}
	th := &item.Thread
	p.w.WriteString(p.paint.In(cli.Yellow, "thread "+cli.WholeLine(open.Name)) + "\n")
	p.field("Folder", open.Path)
	if item.Fault != nil {
		p.field("Fault", "thread.json cannot be read: "+faultText(item.Fault))
	} else {
		p.field("Title", th.Title)
		p.field("Agent", strings.TrimSpace(th.Agent.Name+" ("+strings.TrimSpace(th.Agent.ID+" "+th.Agent.Version)+")"))
		p.field("Branch", th.Context.GitBranch)
		p.field("Created", shownTime(th.Created))
		p.field("Updated", shownTime(th.Updated))
		p.field("Parent", th.ParentID)
		p.field("Count", fmt.Sprintf("%s (%d user, %d agent), %s", cli.Plural(int(th.Stats.Messages), "message"), th.Stats.User, th.Stats.Agent, cli.Plural(int(th.Stats.ToolCalls), "tool call")))
	}
	if item.Odd != nil {
		p.field("Fault", faultText(item.Odd))
	}
	for i := range th.Faults {
		p.field("Fault", th.Faults[i].Error())
	}
}

func (p *talkPrinter) field(name, value string) {
	if value != "" {
		p.paint.Field(p.w, 10, name, cli.Line(value))
	}
}

// shownTime formats a time in the local zone, or returns the file's text if it is invalid.
func shownTime(at atsf.Time) string {
	if at.OK {
		return cli.Second(at.Millis)
	}
	return at.Text
}

func (p *talkPrinter) entries(list []talk.Entry) {
	for i := range list {
		e := &list[i]
		switch {
		case p.json:
			p.object(e)
		case e.Fault != nil:
			p.w.WriteString("\n" + p.paint.In(cli.Red, "-- "+e.Place()+" cannot be read: ") + cli.Line(e.Fault.Error()) + "\n")
		default:
			p.message(e)
		}
	}
}

// object writes an entry as JSON, with the message as it is in the log.
func (p *talkPrinter) object(e *talk.Entry) {
	out := printed.Entry{Thread: p.thread, Line: e.Number}
	if e.Fault != nil {
		out.Rule, out.Reason = e.Fault.Rule, e.Fault.Reason
	} else {
		out.Message = e.Message.Raw
	}
	_ = cli.Print(p.w, out) // Flush returns the error
}

// message writes a message: a heading with its role, time and id, and the text
// indented, so that no text looks like a heading.
func (p *talkPrinter) message(e *talk.Entry) {
	m := &e.Message
	style := cli.Bold
	if m.Role == atsf.RoleSystem {
		style = cli.Dim
	}
	head := "-- " + cli.Line(orUnknown(m.Role)) + "  " + cli.Line(shownTime(m.Time)) + "  " + cli.Line(m.ID)
	p.w.WriteString("\n" + p.paint.In(style, head))
	if m.Model != "" {
		p.w.WriteString("  " + cli.Line(m.Model))
	}
	if m.Tokens != nil {
		fmt.Fprintf(p.w, "  %d+%d tokens", m.Tokens.Input, m.Tokens.Output)
	}
	if m.StopReason != "" && m.StopReason != "end_turn" && m.StopReason != "tool_use" {
		p.w.WriteString("  [stopped: " + cli.Line(m.StopReason) + "]")
	}
	p.w.WriteByte('\n')
	placed := make(map[string]bool)
	for i := range m.Content {
		b := &m.Content[i]
		if b.Type == atsf.TypeToolCallRef && p.toolByID(m, b.ToolCallID) {
			placed[b.ToolCallID] = true
			continue
		}
		p.block(b)
	}
	for i := range m.Tools {
		if c := &m.Tools[i]; !placed[c.ID] {
			p.tool(c)
		}
	}
	p.rest(m.Blocks-len(m.Content), "block")
	p.rest(m.ToolCalls-len(m.Tools), "tool call")
	for i := range m.Faults {
		p.mark(cli.Red, "fault "+m.Faults[i].Error())
	}
}

func orUnknown(role string) string {
	if role == "" {
		return "(no role)"
	}
	return role
}

// rest writes how many parts of a very long message were not read.
func (p *talkPrinter) rest(n int, what string) {
	if n > 0 {
		p.mark(cli.Dim, cli.Plural(n, "further "+what)+" not shown")
	}
}

// mark writes a line of our own inside a message.
func (p *talkPrinter) mark(style, text string) {
	p.w.WriteString("  " + p.paint.In(style, "["+cli.Line(text)+"]") + "\n")
}

// block writes one block of content.
func (p *talkPrinter) block(b *atsf.Block) {
	switch b.Type {
	case atsf.TypeText:
		cli.WriteText(p.w, b.Text, "    ")
	case session.TypeNote:
		p.mark(cli.Dim, b.Text)
	case atsf.TypeThinking:
		p.mark(cli.Dim, "thinking")
		cli.WriteText(p.w, b.Text, "    | ")
	case atsf.TypeImage, atsf.TypeAudio:
		p.mark(cli.Dim, b.Type+" "+strings.TrimSpace(source(b)+" "+b.MimeType))
	case atsf.TypeResource, atsf.TypeResourceLink:
		p.mark(cli.Dim, b.Type+" "+strings.TrimSpace(strings.Join([]string{b.Name, b.URI, b.MimeType, b.AssetRef}, " ")))
		if b.Text != "" {
			cli.WriteText(p.w, b.Text, "    | ")
		}
	case atsf.TypeToolCallRef:
		p.mark(cli.Dim, "tool call "+b.ToolCallID+", which is not there")
	default:
		p.mark(cli.Dim, "block of the unknown type "+strconv.QuoteToASCII(b.Type)+", "+strconv.Itoa(len(b.Raw))+" bytes")
	}
}

// source returns where an image is, or why there is none.
func source(b *atsf.Block) string {
	switch {
	case b.Inline != nil:
		return "inline in the line"
	case b.AssetRef == "":
		return "without a source"
	}
	if _, err := atsf.ParseAssetName(b.AssetRef); err != nil {
		return "not opened: " + faultText(err)
	}
	return b.AssetRef
}

func (p *talkPrinter) toolByID(m *atsf.Message, id string) bool {
	for i := range m.Tools {
		if m.Tools[i].ID == id {
			p.tool(&m.Tools[i])
			return true
		}
	}
	return false
}

// tool writes a tool call with its input and output.
func (p *talkPrinter) tool(c *atsf.ToolCall) {
	name := c.Name
	if c.Title != "" {
		name = c.Title + " (" + c.Name + ")"
	}
	status := c.State().String()
	if c.State() == atsf.StateUnknown {
		status = strconv.QuoteToASCII(c.Status)
	}
	text := "tool " + name + ": " + status
	if c.Duration >= 0 {
		text += " in " + (time.Duration(min(c.Duration, int64(1<<43))) * time.Millisecond).String()
	}
	style := cli.Dim
	if c.State() == atsf.Failed {
		style = cli.Red
	}
	p.mark(style, text)
	for _, l := range c.Locations {
		where := l.Path
		if l.Line > 0 {
			where += ":" + strconv.FormatInt(l.Line, 10)
		}
		p.part("at " + where)
	}
	if c.HasInput {
		p.part("input")
		cli.WriteText(p.w, c.Input, "      | ")
	}
	if c.HasOutput {
		p.part("output")
		cli.WriteText(p.w, c.Output, "      | ")
	}
	if c.Diff != nil {
		p.diff(c.Diff)
	}
}

func (p *talkPrinter) part(text string) {
	p.w.WriteString("    " + p.paint.In(cli.Dim, cli.Line(text)) + "\n")
}

package main

import (
	"bufio"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/lsp/store/threads"
	"github.com/spf13/cobra"
)

func (t *talks) showCommand() *cobra.Command {
	var limit int
	var raw bool
	cmd := &cobra.Command{
		Use:   "show <thread>",
		Short: "Show a conversation, the oldest message first",
		Long: `Show a conversation: text, thinking, tool calls with input, output and diff, the
names of images. A line that cannot be read is a gap with its number.

Nothing that a message says can move the cursor or hide text. --raw prints the
lines as they stand in the log, byte for byte.`,
		Args: threadArgs("show <thread>", 1, 1),
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := given(cmd); err != nil {
				return err
			}
			if cmd.Flags().Changed("limit") && limit < 1 {
				return usage(fmt.Errorf("--limit is %d, and must be 1 or more", limit))
			}
			return t.show(cmd.Context(), args[0], limit, raw)
		}),
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "the newest `n` messages alone")
	cmd.Flags().BoolVar(&raw, "raw", false, "the JSON lines as they stand in the log")
	return cmd
}

func (t *talks) show(ctx context.Context, ref string, limit int, raw bool) error {
	found, err := t.find(ctx, ref)
	if err != nil {
		return err
	}
	defer found.dir.Close()
	w := t.writer()
	last, starts, err := found.pages(ctx, limit)
	if err != nil {
		return err
	}
	torn := last.Torn
	switch {
	case raw:
		from := int64(0)
		if limit > 0 {
			if len(starts) > 0 {
				if last, err = found.dir.Page(ctx, found.name, starts[len(starts)-1]); err != nil {
					return err
				}
			}
			if len(last.Entries) > 0 {
				from = last.Entries[0].Offset
			}
		}
		torn, err = found.dir.CopyLog(ctx, found.name, from, w)
	default:
		err = t.writePages(ctx, w, found, last, starts)
	}
	if flushed := w.Flush(); flushed != nil {
		return flushed
	}
	if torn && err == nil {
		t.warn("the last line is not finished and not shown: somebody is writing it, or was interrupted (M5)")
	}
	return err
}

// pages gives the newest page and how to ask for the ones before it, the newest
// first, back to the beginning or for limit entries in all.
func (f *talk) pages(ctx context.Context, limit int) (last threads.Page, before []threads.Query, err error) {
	size := func(had int) int {
		if limit > 0 {
			return min(limit-had, threads.MaxLimit)
		}
		return threads.MaxLimit
	}
	if last, err = f.dir.Page(ctx, f.name, threads.Query{Limit: size(0)}); err != nil {
		return last, nil, err
	}
	had := len(last.Entries)
	for at := last.Before; at != "" && size(had) > 0; {
		q := threads.Query{Before: at, Limit: size(had)}
		page, err := f.dir.Page(ctx, f.name, q)
		if err != nil {
			return last, nil, err
		}
		// The same page once more when it is its turn: a long conversation need
		// not fit in memory.
		before = append(before, q)
		had += len(page.Entries)
		at = page.Before
	}
	return last, before, nil
}

func (t *talks) writePages(ctx context.Context, w *bufio.Writer, found *talk, last threads.Page, before []threads.Query) error {
	s := &talkPrinter{w: w, paint: t.paint(), json: t.json, thread: found.name}
	if !t.json {
		s.head(found, last.Item)
	}
	for i := len(before) - 1; i >= 0; i-- {
		page, err := found.dir.Page(ctx, found.name, before[i])
		if err != nil {
			return err
		}
		s.entries(page.Entries)
	}
	s.entries(last.Entries)
	return nil
}

// talkPrinter writes a conversation. All that it says of it is made safe.
type talkPrinter struct {
	w      *bufio.Writer
	paint  paint
	json   bool
	thread string
}

// head says what the thread is.
func (p *talkPrinter) head(found *talk, item *threads.Item) {
	th := &item.Thread
	p.w.WriteString(p.paint.in(yellow, "thread "+threadName(found.name)))
	if found.item.Gone {
		p.w.WriteString(" [gone]")
	}
	p.w.WriteByte('\n')
	p.field("Folder", found.folder.Path)
	if item.Fault != nil {
		p.field("Fault", "thread.json cannot be read: "+faultText(item.Fault))
	} else {
		p.field("Title", th.Title)
		p.field("Agent", strings.TrimSpace(th.Agent.Name+" ("+strings.TrimSpace(th.Agent.ID+" "+th.Agent.Version)+")"))
		p.field("Branch", th.Context.GitBranch)
		p.field("Created", shownTime(th.Created))
		p.field("Updated", shownTime(th.Updated))
		p.field("Parent", th.ParentID)
		p.field("Count", fmt.Sprintf("%s (%d user, %d agent), %s", plural(int(th.Stats.Messages), "message"), th.Stats.User, th.Stats.Agent, plural(int(th.Stats.ToolCalls), "tool call")))
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
		p.w.WriteString(p.paint.in(dim, name+":") + "         "[:9-len(name)] + line(value) + "\n")
	}
}

// shownTime is a time in the local zone, or what the file says.
func shownTime(at atsf.Time) string {
	if at.OK {
		return time.UnixMilli(at.Millis).Format("2006-01-02 15:04:05 -0700")
	}
	return at.Text
}

func (p *talkPrinter) entries(list []threads.Entry) {
	for i := range list {
		e := &list[i]
		switch {
		case p.json:
			p.object(e)
		case e.Fault != nil:
			p.w.WriteString("\n" + p.paint.in(red, "-- line "+strconv.FormatInt(e.Number, 10)+" cannot be read: ") + line(e.Fault.Error()) + "\n")
		default:
			p.message(e)
		}
	}
}

// object writes an entry with --json: the message as it stands in the log.
func (p *talkPrinter) object(e *threads.Entry) {
	o := object{w: p.w}
	o.text("thread", p.thread).number("line", e.Number)
	if e.Fault != nil {
		o.text("rule", e.Fault.Rule).text("fault", e.Fault.Reason).end()
		return
	}
	o.name("message")
	o.w.Write(shownJSON(e.Message.Raw))
	o.end()
}

// shownJSON gives a JSON text without what a terminal would act on or not show.
// Such characters stand in its strings alone, where an escape means the same.
func shownJSON(raw []byte) []byte {
	s := strings.Trim(string(raw), " \t\r")
	if render.Text(s) == s {
		return []byte(s)
	}
	var b []byte
	for _, r := range s {
		switch c := string(r); {
		case r == '\t' || r == '\r':
			b = append(b, ' ')
		case render.Text(c) == c:
			b = append(b, c...)
		case r > 0xffff:
			r -= 0x10000
			b = fmt.Appendf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
	}
	return b
}

// message writes one message: a line of its own that says whose it is, and what
// it says indented, so that no text can pass for such a line.
func (p *talkPrinter) message(e *threads.Entry) {
	m := &e.Message
	style := bold
	if m.Role == atsf.RoleSystem {
		style = dim
	}
	head := "-- " + line(orUnknown(m.Role)) + "  " + line(shownTime(m.Time)) + "  " + line(m.ID)
	p.w.WriteString("\n" + p.paint.in(style, head))
	if m.Model != "" {
		p.w.WriteString("  " + line(m.Model))
	}
	if m.Tokens != nil {
		fmt.Fprintf(p.w, "  %d+%d tokens", m.Tokens.Input, m.Tokens.Output)
	}
	if m.StopReason != "" && m.StopReason != "end_turn" {
		p.w.WriteString("  [stopped: " + line(m.StopReason) + "]")
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
		p.mark(red, "fault "+m.Faults[i].Error())
	}
}

func orUnknown(role string) string {
	if role == "" {
		return "(no role)"
	}
	return role
}

// rest says what was not read of a message with very many parts.
func (p *talkPrinter) rest(n int, what string) {
	if n > 0 {
		p.mark(dim, plural(n, "further "+what)+" not shown")
	}
}

// mark writes a line of ours inside a message.
func (p *talkPrinter) mark(style, text string) {
	p.w.WriteString("  " + p.paint.in(style, "["+line(text)+"]") + "\n")
}

func (p *talkPrinter) text(s, indent string) { writeText(p.w, s, indent) }

// block writes one block of content.
func (p *talkPrinter) block(b *atsf.Block) {
	switch b.Type {
	case atsf.TypeText:
		p.text(b.Text, "    ")
	case atsf.TypeThinking:
		p.mark(dim, "thinking")
		p.text(b.Text, "    | ")
	case atsf.TypeImage, atsf.TypeAudio:
		p.mark(dim, b.Type+" "+strings.TrimSpace(source(b)+" "+b.MimeType))
	case atsf.TypeResource, atsf.TypeResourceLink:
		p.mark(dim, b.Type+" "+strings.TrimSpace(strings.Join([]string{b.Name, b.URI, b.MimeType, b.AssetRef}, " ")))
		if b.Text != "" {
			p.text(b.Text, "    | ")
		}
	case atsf.TypeToolCallRef:
		p.mark(dim, "tool call "+b.ToolCallID+", which is not there")
	default:
		p.mark(dim, "block of the unknown type "+strconv.QuoteToASCII(b.Type)+", "+strconv.Itoa(len(b.Raw))+" bytes")
	}
}

// source says where an image is, or why it is nowhere.
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

// tool writes a tool call with what it was given and gave.
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
	style := dim
	if c.State() == atsf.Failed {
		style = red
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
		p.text(c.Input, "      | ")
	}
	if c.HasOutput {
		p.part("output")
		p.text(c.Output, "      | ")
	}
	if c.Diff != nil {
		p.diff(c.Diff)
	}
}

func (p *talkPrinter) part(text string) {
	p.w.WriteString("    " + p.paint.in(dim, line(text)) + "\n")
}

// diff writes a change as the lines that went and those that came. What begins
// and ends alike is left out, but for a few lines around.
func (p *talkPrinter) diff(d *atsf.Diff) {
	what := "diff "
	if d.Created {
		what = "new file "
	}
	p.part(what + d.Path)
	was, now := diffLines(d.Old), diffLines(d.New)
	const around = 3
	same := 0
	for same < len(was) && same < len(now) && was[same] == now[same] {
		same++
	}
	end := 0
	for end < len(was)-same && end < len(now)-same && was[len(was)-1-end] == now[len(now)-1-end] {
		end++
	}
	if same == len(was) && same == len(now) {
		p.part("(no change)")
		return
	}
	from := max(0, same-around)
	to := min(end, around)
	p.part(fmt.Sprintf("@@ -%d,%d +%d,%d @@", from+1, len(was)-end+to-from, from+1, len(now)-end+to-from))
	p.diffPart(was[from:same], "      |  ", "")
	p.diffPart(was[same:len(was)-end], "      | -", red)
	p.diffPart(now[same:len(now)-end], "      | +", green)
	p.diffPart(was[len(was)-end:len(was)-end+to], "      |  ", "")
}

const green = "\x1b[32m"

func (p *talkPrinter) diffPart(lines []string, mark, style string) {
	for _, l := range lines {
		text := mark + render.Text(l)
		if style != "" {
			text = p.paint.in(style, text)
		}
		p.w.WriteString(text + "\n")
	}
}

// diffLines cuts a text into lines. A last line without an end is one, too.
func diffLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// Package turns prepares the messages of agents' own conversations for display: as the
// parts of a view, and as Markdown for a text. The sources of such conversations share it.
package turns

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
)

const (
	// turnBytes is how many bytes of text one message of an agent shows, over all
	// parts: tools put whole files into their output.
	turnBytes = 256 << 10
	// toolBytes is how many bytes of one tool's input, or of its output, are shown.
	toolBytes = 16 << 10
	// partBytes is what a part counts in bytes besides its text.
	partBytes = 256
)

// Format is what differs between formats.
type Format struct {
	// Image returns the name under which a client asks for the image in a block, or the reason why
	// it cannot be shown.
	Image func(block int, b *atsf.Block) (asset, fault string)
	// Started returns the thread of the subagent that a tool call started, or nil. It may itself
	// be nil.
	Started func(call string) *panel.Ref
}

// turn is a message while it is prepared for display. The Markdown is not sanitized yet.
type turn struct {
	panel.Turn
	format Format
	text   text
	room   int
	cut    bool
	m      *atsf.Message
}

// Set prepares a message for display and sets the item's parts and text.
func (f Format) Set(item *panel.MessageItem, m *atsf.Message) {
	t := f.turn(m)
	item.Turn = &t.Turn
	text, cut := show.Clip(t.text.b.String(), turnBytes)
	item.Text, item.Chars, item.Truncated = render.Text(text), utf8.RuneCountInString(text), t.cut || cut
}

// turn returns a message prepared for display: the content blocks in their order, each
// tool call at the first block that refers to it, and the other calls after them.
func (f Format) turn(m *atsf.Message) *turn {
	t := &turn{
		Turn:   panel.Turn{Role: show.Line(m.Role), Model: show.Line(m.Model), StopReason: show.Line(m.StopReason), Parts: []panel.Part{}},
		format: f, room: turnBytes, m: m,
	}
	shown := make(map[int]bool)
	for i := range m.Content {
		if !t.fits(m.Blocks + m.ToolCalls - i - len(shown)) {
			return t
		}
		b := &m.Content[i]
		if b.Type != atsf.TypeToolCallRef {
			t.block(i, b)
			continue
		}
		call := slices.IndexFunc(m.Tools, func(c atsf.ToolCall) bool { return c.ID == b.ToolCallID })
		if call < 0 || shown[call] {
			t.other("refers to tool call " + strconv.Quote(show.Line(b.ToolCallID)))
			continue
		}
		shown[call] = true
		t.tool(call)
	}
	for i := range m.Tools {
		if shown[i] {
			continue
		}
		if !t.fits(m.ToolCalls - len(shown)) {
			return t
		}
		shown[i] = true
		t.tool(i)
	}
	if n := m.Blocks - len(m.Content) + m.ToolCalls - len(m.Tools); n > 0 {
		t.more(n)
	}
	return t
}

// fits reports whether there is room for another part. If not, it adds a note of how
// many are left.
func (t *turn) fits(left int) bool {
	t.room -= partBytes
	if t.room > 0 {
		return true
	}
	t.more(left)
	return false
}

func (t *turn) more(n int) {
	t.cut = true
	t.other(show.Count(n, "more part is", "more parts are") + " not shown")
}

// take returns a text cut to most bytes and to the room that is left, and whether it
// was cut.
func (t *turn) take(s string, most int) (string, bool) {
	s, cut := show.Clip(s, max(0, min(most, t.room)))
	t.room -= len(s)
	t.cut = t.cut || cut
	return s, cut
}

func (t *turn) add(p panel.Part) { t.Parts = append(t.Parts, p) }

func (t *turn) other(label string) {
	t.add(panel.Part{Kind: panel.PartOther, Label: label})
	t.text.paragraph("[" + label + "]")
}

func (t *turn) block(at int, b *atsf.Block) {
	switch b.Type {
	case atsf.TypeText:
		s, cut := t.take(b.Text, show.BodyBytes(b.Text))
		t.add(panel.Part{Kind: panel.PartText, HTML: show.HTML(s), Cut: cut})
		t.text.paragraph(s)
	case atsf.TypeThinking:
		s, cut := t.take(b.Text, show.BodyBytes(b.Text))
		t.add(panel.Part{Kind: panel.PartThinking, HTML: show.HTML(s), Cut: cut})
		t.text.paragraph("*Thinking:*")
		t.text.quote(s)
	case atsf.TypeImage:
		t.image(at, b)
	case atsf.TypeResource, atsf.TypeResourceLink:
		label := "resource " + show.Line(b.Name+" "+b.URI)
		s, cut := t.take(b.Text, show.BodyBytes(b.Text))
		t.add(panel.Part{Kind: panel.PartOther, Label: label, HTML: show.HTML(s), Cut: cut})
		t.text.paragraph("[" + label + "]")
		t.text.paragraph(s)
	case session.TypeNote:
		s, _ := t.take(b.Text, show.BodyBytes(b.Text))
		t.other(show.Line(s))
	case atsf.TypeAudio:
		t.other("audio " + show.Line(b.MimeType))
	default:
		t.other("block of type " + strconv.Quote(show.Line(b.Type)))
	}
}

// image adds the part of an image. It opens no file: whether the image can be shown is
// checked when a view asks for it.
func (t *turn) image(at int, b *atsf.Block) {
	p := panel.Part{Kind: panel.PartImage, Label: "image"}
	if b.MimeType != "" {
		p.Label += " (" + show.Line(b.MimeType) + ")"
	}
	p.Asset, p.Fault = t.format.Image(at, b)
	t.add(p)
	t.text.paragraph("[" + p.Label + ": " + p.Asset + p.Fault + "]")
}

func (t *turn) tool(index int) {
	c := &t.m.Tools[index]
	p := panel.ToolPart{
		Index: index, Name: show.Line(c.Name), Title: show.Line(c.Title), Status: Status(c), Kind: show.Line(c.Kind),
		Duration: c.Duration, Locations: []panel.ToolLocation{},
	}
	p.Input, p.InputCut = t.take(c.Input, toolBytes)
	p.Output, p.OutputCut = t.take(c.Output, toolBytes)
	t.text.tool(&p)
	p.Input, p.Output = render.Text(p.Input), render.Text(p.Output)
	for _, l := range c.Locations[:min(len(c.Locations), locationsShown)] {
		p.Locations = append(p.Locations, panel.ToolLocation{Path: show.Line(l.Path), Line: l.Line})
	}
	if d := c.Diff; d != nil {
		p.Diff = &panel.DiffPart{Path: show.Line(d.Path), Created: d.Created}
		t.diff(d, p.Diff)
	}
	if t.format.Started != nil {
		p.Started = t.format.Started(c.ID)
	}
	t.add(panel.Part{Kind: panel.PartTool, Tool: &p})
}

// diff sets what is shown of a change, in the view and in the text.
func (t *turn) diff(d *atsf.Diff, p *panel.DiffPart) {
	full, ok := hunks(d)
	if ok {
		p.Added, p.Removed = countLines(full)
	} else {
		p.Added, p.Removed = changedLines(d.Old, d.New)
	}
	cut, _ := t.take(full, toolBytes)
	if len(cut) < len(full) {
		cut, p.Cut = cut[:strings.LastIndexByte(cut, '\n')+1], true
	}
	p.Hunks = render.Text(cut)
	t.text.diff(p, full)
}

// locationsShown is the largest number of locations that one tool call lists.
const locationsShown = 20

// Status returns the state of a tool call as ATSF spells it, or the text that another
// writer put there.
func Status(c *atsf.ToolCall) string {
	if s := c.State(); s != atsf.StateUnknown {
		return s.String()
	}
	return show.Line(c.Status)
}

// changedLines returns how many lines only one of the texts has. It does not count
// lines that only moved, so it is cheap: it is for texts that are too long for [hunks].
func changedLines(before, after string) (added, removed int) {
	lines := make(map[string]int)
	for l := range strings.Lines(before) {
		lines[strings.TrimSuffix(l, "\n")]++
	}
	for l := range strings.Lines(after) {
		l = strings.TrimSuffix(l, "\n")
		if lines[l] == 0 {
			added++
			continue
		}
		lines[l]--
	}
	for _, n := range lines {
		removed += n
	}
	return added, removed
}

// Texts returns the texts of a message and of its tool calls, for a search. A call's change
// comes before its arguments, which contain the same as JSON.
func Texts(m *atsf.Message) []string {
	var list []string
	for i := range m.Content {
		if b := &m.Content[i]; b.Text != "" {
			list = append(list, b.Text)
		}
	}
	for i := range m.Tools {
		list = append(list, callTexts(&m.Tools[i])...)
	}
	return list
}

func callTexts(t *atsf.ToolCall) []string {
	list := append([]string{t.Title, t.Name}, files(t)...)
	if t.Diff != nil {
		list = append(list, t.Diff.New, t.Diff.Old)
	}
	return append(list, t.Input, t.Output)
}

// Summary returns a message in short: its text and its tool calls, since an agent may act
// without writing. It is not sanitized.
func Summary(m *atsf.Message) string {
	var parts []string
	for i := range m.Content {
		if b := &m.Content[i]; b.Text != "" && (b.Type == atsf.TypeText || b.Type == session.TypeNote) {
			text, _ := show.Clip(b.Text, show.HoverBody)
			parts = append(parts, text)
		}
	}
	for i := range m.Tools[:min(len(m.Tools), show.HoverMost)] {
		c := &m.Tools[i]
		parts = append(parts, "["+cmp.Or(c.Title, c.Name)+": "+Status(c)+"]")
	}
	if len(parts) == 0 && len(m.Content) > 0 {
		parts = append(parts, "["+m.Content[0].Type+"]")
	}
	return strings.Join(parts, " ")
}

// Diff returns both texts of a file that a tool call of a message changed.
func Diff(m *atsf.Message, tool int) (panel.Diff, error) {
	if tool < 0 || tool >= len(m.Tools) || m.Tools[tool].Diff == nil {
		return panel.Diff{}, &panel.Error{Kind: panel.NotFound, Message: "the message has no such change to a file"}
	}
	d := m.Tools[tool].Diff
	if len(d.Old)+len(d.New) > show.PageBytes {
		return panel.Diff{}, &panel.Error{Kind: panel.TooLarge, Message: "the texts of the change are too long to be opened: " + show.Count(len(d.Old)+len(d.New), "byte", "bytes")}
	}
	return panel.Diff{Path: show.Line(d.Path), Created: d.Created, Old: d.Old, New: d.New}, nil
}

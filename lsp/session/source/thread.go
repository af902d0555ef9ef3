package source

import (
	"cmp"
	"context"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/render"
	"github.com/signalbox-dev/signalbox/core/session"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	atsfstore "github.com/signalbox-dev/signalbox/lsp/atsf"
	"github.com/signalbox-dev/signalbox/lsp/atsf/turns"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/show"
	sessionstore "github.com/signalbox-dev/signalbox/lsp/session"
)

func (v *view) Thread(ctx context.Context, q panel.ThreadParams) (panel.Page, error) {
	k, _, err := key(q.Ref)
	if err != nil {
		return panel.Page{}, err
	}
	page, err := v.of(k).Page(ctx, k, sessionstore.Query{Before: q.Before, After: q.After, Limit: panel.PageSize(q.Limit)})
	if err != nil {
		return panel.Page{}, failures.Failure(err, "session")
	}
	it := page.Item
	v.of(k).Lost(ctx, it, page.Messages, v.ended)
	if m := v.running(page, &q); m != nil {
		page.Messages = append(page.Messages, *m)
	}
	out := panel.Page{
		ThreadPage: panel.ThreadPage{Thread: v.threadItem(it), Messages: []panel.MessageItem{}, Warnings: []panel.Warning{}, Related: v.related(it)},
		Names:      names(it),
	}
	out.Before, out.After = page.Before, page.After
	turns.Fill(&out, len(page.Messages), &q, func(i int) panel.MessageItem { return v.message(it, &page.Messages[i], q.Secrets) },
		func(i int) string { return sessionstore.Cursor(&page.Messages[i]) })
	if page.Torn {
		out.Warnings = append(out.Warnings, panel.Warning{Message: "the last line is not finished and not shown: its writer is at work, or was interrupted"})
	}
	return out, nil
}

// subagentsMost is the largest number of related sessions that a session's page links to.
const subagentsMost = 20

// related returns links to the session that started this one and to those that it started.
func (v *view) related(it *sessionstore.Item) (links []panel.ThreadLink) {
	for _, o := range v.files.Items {
		if o.Format.Client != it.Format.Client || o == it || len(links) == subagentsMost {
			continue
		}
		if it.Parent != "" && o.ID == it.Parent && o.Parent == "" || it.ID != "" && o.Parent == it.ID {
			links = append(links, link(o))
		}
	}
	return links
}

// names returns the names that mail about a session may have.
func names(it *sessionstore.Item) []string {
	return append(panel.NamesIn(it.Title), it.Name, it.ID)
}

// ownLog is the trust of every message that can be read.
var ownLog = panel.Trust{
	Level: panel.TrustOK, Label: "the program's own record",
	Detail: "The agent's program wrote this about its session. It has no signatures.",
}

// message returns a message as an item. Keys and tokens in it are masked unless secrets
// is set.
func (v *view) message(it *sessionstore.Item, m *session.Message, secrets bool) panel.MessageItem {
	item := panel.MessageItem{Ref: messageRef(it, m), Marks: []string{}, Trust: ownLog}
	if m.Gap != "" {
		turns.Gap(&item, "the line at byte "+strconv.FormatInt(m.Offset, 10)+" is no record", m.Gap)
		return item
	}
	if !secrets && m.Mask() {
		item.Marks = append(item.Marks, "masked")
	}
	shorten(it, m)
	item.ID, item.From, item.To = show.Line(m.ID), speaker(it, m), show.Line(m.To)
	if m.Lost != "" {
		item.Receipt = &panel.Receipt{State: panel.ReceiptLost, Alias: v.mailOf(it, m), Text: words(m)}
	}
	item.Time, item.Mine = show.Time(m.Time.Millis), m.Role == atsf.RoleUser && m.From == ""
	turns.Format{
		Image: func(block int, _ *atsf.Block) (string, string) {
			return sessionstore.Cursor(m) + "." + strconv.Itoa(block), ""
		},
		Started: func(call string) *panel.Ref { return v.started(it, m.Started[call]) },
	}.Set(&item, &m.Message)
	if n := m.Repeats(); n > 0 {
		item.Turn.Parts = append(item.Turn.Parts, panel.Part{Kind: panel.PartOther, Label: show.Count(n, "more time", "more times")})
	}
	return item
}

// words returns a message's text, without notes about its delivery.
func words(m *session.Message) string {
	var parts []string
	for i := range m.Content {
		if b := &m.Content[i]; b.Type == atsf.TypeText {
			parts = append(parts, b.Text)
		}
	}
	all := strings.Join(parts, "\n\n")
	text, _ := show.Clip(all, show.BodyBytes(all))
	return render.Text(text)
}

// ended reports whether a session has ended.
func (v *view) ended(it *sessionstore.Item) bool {
	s, _ := v.known.Of(it)
	return s.State == activity.Ended
}

// mailOf returns the name under which the receiver of an undelivered message reads mail, or ""
// if no hooks reported it.
func (v *view) mailOf(from *sessionstore.Item, m *session.Message) string {
	for _, it := range v.of(from.Key()).Receivers(from, m) {
		if s := v.known.Hooked(it.Format.Client, it.ID); s != nil && s.Alias != "" {
			return show.Line(s.Alias)
		}
	}
	return ""
}

// shorten makes paths in the session's folder relative to it.
func shorten(it *sessionstore.Item, m *session.Message) {
	if it.Folder == "" {
		return
	}
	folder := strings.TrimRight(it.Folder, `/\`)
	cut := func(path *string) {
		if rest, ok := strings.CutPrefix(*path, folder); ok && len(rest) > 1 && (rest[0] == '/' || rest[0] == '\\') {
			*path = rest[1:]
		}
	}
	for i := range m.Tools {
		c := &m.Tools[i]
		cut(&c.Title)
		for k := range c.Locations {
			cut(&c.Locations[k].Path)
		}
		if c.Diff != nil {
			cut(&c.Diff.Path)
		}
	}
}

// started returns the thread of a subagent, or nil if there is none to show.
func (v *view) started(it *sessionstore.Item, id string) *panel.Ref {
	if id == "" {
		return nil
	}
	i := slices.IndexFunc(v.files.Items, func(o *sessionstore.Item) bool {
		return o.Format.Client == it.Format.Client && (o.ID == id || o.Name == id || o.Agent == id && o.File == it.File)
	})
	if i < 0 {
		return nil
	}
	ref := threadRef(v.files.Items[i])
	return &ref
}

// speaker returns the author of a message: the sender of a message between agents, the agent's
// name, or the role.
func speaker(it *sessionstore.Item, m *session.Message) string {
	if m.Role == atsf.RoleAgent && m.From == "" {
		return agent(it)
	}
	return cmp.Or(show.Line(m.From), show.Line(m.Role))
}

// Diff returns both texts of a file that a tool call changed.
func (v *view) Diff(ctx context.Context, q panel.DiffParams) (panel.Diff, error) {
	k, cursor, err := key(q.Ref)
	if err != nil {
		return panel.Diff{}, err
	}
	m, err := v.of(k).Message(ctx, k, cursor)
	if err != nil {
		return panel.Diff{}, failures.Failure(err, "message")
	}
	if !q.Secrets {
		m.Mask()
	}
	return turns.Diff(&m.Message, q.Tool)
}

// Asset returns an image in a transcript, by the cursor of its message and the number of its
// block.
func (v *view) Asset(ctx context.Context, q panel.AssetParams) (panel.Asset, error) {
	none := &panel.Error{Kind: panel.NotFound, Message: "there is no such image in the session"}
	k, _, err := key(q.Ref)
	if err != nil {
		return panel.Asset{}, err
	}
	dot := strings.LastIndexByte(q.Asset, '.')
	block, err := strconv.Atoi(q.Asset[dot+1:])
	if err != nil || dot < 0 {
		return panel.Asset{}, none
	}
	m, err := v.of(k).Message(ctx, k, q.Asset[:dot])
	if err != nil {
		return panel.Asset{}, failures.Failure(err, "the image")
	}
	if block < 0 || block >= len(m.Content) || len(m.Content[block].Inline) < 2 {
		return panel.Asset{}, none
	}
	inline := m.Content[block].Inline
	data, err := base64.StdEncoding.DecodeString(string(inline[1 : len(inline)-1]))
	if err != nil {
		return panel.Asset{}, &panel.Error{Kind: panel.Malformed, Message: "the image is no base64", Err: err}
	}
	mime, ok := atsf.ImageType(data)
	if !ok || len(data) > atsfstore.MaxAsset {
		return panel.Asset{}, &panel.Error{Kind: panel.Malformed, Message: "the image is none of the kinds that are shown, or too large"}
	}
	return panel.Asset{Asset: q.Asset, MimeType: panel.ImageType(mime), Base64: base64.StdEncoding.EncodeToString(data)}, nil
}

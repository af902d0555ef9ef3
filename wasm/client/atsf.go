package client

import (
	"context"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// The calls of this file are written by hand because they cut the input or the
// result at the places that the JSON of the op names.

// Message reads one line of a messages.jsonl, without its line end.
func (t ATSF) Message(ctx context.Context, line []byte) (AgentMessage, error) {
	m, err := decode[AgentMessage](ctx, t.caller, abi.ATSFMessage, struct{}{}, line)
	if err != nil {
		return m, err
	}
	return m, m.cut(line)
}

// Log reads lines, at most limit of them, or as many as the module reads at a
// time if that is 0.
func (t ATSF) Log(ctx context.Context, data []byte, limit int64) (AgentLog, error) {
	l, err := decode[AgentLog](ctx, t.caller, abi.ATSFLog, struct {
		Limit int64 `json:"limit,omitzero"`
	}{limit}, data)
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Message == nil || err != nil {
			continue
		}
		line, ok := part(data, e.Offset, e.Length)
		if !ok {
			return l, ErrBrokenABI
		}
		err = e.Message.cut(line)
	}
	return l, err
}

// cut fills in the raw bytes from the line that was read.
func (m *AgentMessage) cut(line []byte) error {
	m.Raw = line
	whole := true
	for i := range m.Content {
		b := &m.Content[i]
		raw, ok := part(line, b.Offset, b.Length)
		b.Raw, whole = raw, whole && ok
	}
	for i := range m.Tools {
		c := &m.Tools[i]
		raw, ok := part(line, c.Offset, c.Length)
		c.Raw, whole = raw, whole && ok
	}
	if !whole {
		return ErrBrokenABI
	}
	return nil
}

// part returns data[offset:offset+length], and whether it is there.
func part(data []byte, offset, length int64) ([]byte, bool) {
	if offset < 0 || length < 0 || offset > int64(len(data)) || length > int64(len(data))-offset {
		return nil, false
	}
	return data[offset : offset+length : offset+length], true
}

// Fork makes the two files of a thread that begins with its parent's messages.
func (t ATSF) Fork(ctx context.Context, files ThreadFiles, plan ForkPlan) (ThreadFiles, error) {
	var in input
	head, rest, err := header[ForkHead](ctx, t.caller, abi.ATSFFork, struct {
		ForkPlan
		ThreadLength int `json:"threadLength"`
	}{plan, in.one(files.Thread)}, in.join(files.Messages))
	if err != nil {
		return ThreadFiles{}, err
	}
	thread, first := part(rest, 0, head.ThreadLength)
	messages, second := part(rest, head.ThreadLength, head.MessagesLength)
	if !first || !second {
		return ThreadFiles{}, ErrBrokenABI
	}
	return ThreadFiles{thread, messages}, nil
}

// StoredAsset is content to be stored in assets/.
type StoredAsset struct {
	Name    string
	Content []byte
}

// TakeInline moves the base64 data of a line to assets. They must be stored
// before the line is.
func (t ATSF) TakeInline(ctx context.Context, line []byte) (out []byte, assets []StoredAsset, err error) {
	head, rest, err := header[InlineHead](ctx, t.caller, abi.ATSFTakeInline, struct{}{}, line)
	if err != nil {
		return nil, nil, err
	}
	out, ok := part(rest, 0, head.Length)
	at := head.Length
	for _, a := range head.Assets {
		content, there := part(rest, at, a.Length)
		ok = ok && there
		assets = append(assets, StoredAsset{a.Name, content})
		at += a.Length
	}
	if !ok {
		return nil, nil, ErrBrokenABI
	}
	return out, assets, nil
}

// CheckAsset compares content with the name that it was found by.
func (t ATSF) CheckAsset(ctx context.Context, name string, content []byte) (Asset, error) {
	return decode[Asset](ctx, t.caller, abi.ATSFAsset, AssetQuery{Name: &name}, content)
}

// NameAsset names new content. ext is its extension without the dot, or empty for
// the extension of the image it is.
func (t ATSF) NameAsset(ctx context.Context, content []byte, ext string) (Asset, error) {
	return decode[Asset](ctx, t.caller, abi.ATSFAsset, AssetQuery{Ext: ext}, content)
}

// BuildMessage makes the line of a message, with its line end. It writes ID,
// Role, Time.Millis, StopReason, Model, Tokens, and each block and tool call:
// from Raw where that is set, or else from its fields.
func (t ATSF) BuildMessage(ctx context.Context, m AgentMessage) ([]byte, error) {
	p := NewAgentMessage{
		ID: m.ID, Role: m.Role, Time: m.Time.Millis, Content: []NewBlock{},
		StopReason: m.StopReason, Model: m.Model, Tokens: m.Tokens,
	}
	for i := range m.Content {
		p.Content = append(p.Content, m.Content[i].params())
	}
	for i := range m.Tools {
		p.Tools = append(p.Tools, m.Tools[i].params())
	}
	return exchange(ctx, t.caller, abi.ATSFBuildMessage, p, nil)
}

func (b *Block) params() NewBlock {
	if b.Raw != nil {
		return NewBlock{Raw: b.Raw}
	}
	return NewBlock{
		Type: b.Type, Text: b.Text, AssetRef: b.AssetRef, MimeType: b.MimeType, URI: b.URI,
		Name: b.Name, Size: b.Size, ToolCallID: b.ToolCallID, Annotations: b.Annotations,
	}
}

func (c *ToolCall) params() NewToolCall {
	if c.Raw != nil {
		return NewToolCall{Raw: c.Raw}
	}
	p := NewToolCall{
		ID: c.ID, Name: c.Name, Status: c.Status, Title: c.Title, Kind: c.Kind,
		Input: c.Input, Output: c.Output, Duration: c.Duration, Locations: c.Locations,
	}
	if d := c.Diff; d != nil {
		p.Diff = &NewDiff{d.Path, d.Old, d.New}
	}
	return p
}

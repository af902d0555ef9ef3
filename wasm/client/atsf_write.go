package client

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// Change sets one member of a JSON file.
type Change struct {
	// Path names the member through the objects it stands in.
	Path []string `json:"path"`
	// Value is any JSON value.
	Value json.RawMessage `json:"value"`
}

// Edit makes changes to a thread.json or config.json and leaves every other
// byte.
func (t ATSF) Edit(ctx context.Context, file []byte, changes ...Change) ([]byte, error) {
	for _, c := range changes {
		if err := checkText(abi.ATSFEdit, c.Path...); err != nil {
			return nil, err
		}
	}
	return t.bytes(ctx, abi.ATSFEdit, struct {
		Changes []Change `json:"changes"`
	}{append([]Change{}, changes...)}, file)
}

// Repair is what repairing did to a thread.json.
type Repair struct {
	// Changed tells whether the file has to be rewritten with Data.
	Changed    bool
	Mismatches []Mismatch
	Data       []byte `json:"-"`
}

// Repair writes the figures that the messages bear out into thread.json.
func (t ATSF) Repair(ctx context.Context, thread, messages []byte) (Repair, error) {
	var r Repair
	a, b := two(thread, messages)
	rest, err := t.header(ctx, &r, abi.ATSFRepair, a, b)
	r.Data = rest
	return r, err
}

// NewThread is what a new thread.json says.
type NewThread struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Created and Updated are in Unix milliseconds; Updated is nil for a
	// thread without messages.
	Created  int64           `json:"created"`
	Updated  *int64          `json:"updated"`
	Agent    Agent           `json:"agent"`
	Context  ThreadContext   `json:"context"`
	Stats    Counts          `json:"stats"`
	ParentID string          `json:"parentId"`
	Metadata json.RawMessage `json:"metadata"`
}

// BuildThread makes a thread.json.
func (t ATSF) BuildThread(ctx context.Context, n NewThread) ([]byte, error) {
	texts := []string{
		n.ID, n.Title, n.ParentID, n.Agent.ID, n.Agent.Name, n.Agent.Version, n.Agent.Protocol,
		n.Context.WorkingDir, n.Context.RelativeDir, n.Context.GitBranch, n.Context.GitCommit,
	}
	if w := n.Context.Worktree; w != nil {
		texts = append(texts, w.Path, w.Branch)
	}
	if err := checkText(abi.ATSFBuildThread, texts...); err != nil {
		return nil, err
	}
	return t.bytes(ctx, abi.ATSFBuildThread, n, nil)
}

// BuildConfig makes a config.json that names the application.
func (t ATSF) BuildConfig(ctx context.Context, by Application) ([]byte, error) {
	if err := checkText(abi.ATSFBuildConfig, by.Name, by.Version); err != nil {
		return nil, err
	}
	return t.bytes(ctx, abi.ATSFBuildConfig, by, nil)
}

// BuildMessage makes the line of a message, with its line end. It writes ID,
// Role, Time.Millis, StopReason, Model, Tokens, and each block and tool call:
// from Raw where that is set, else from its fields.
func (t ATSF) BuildMessage(ctx context.Context, m AgentMessage) ([]byte, error) {
	if err := checkText(abi.ATSFBuildMessage, m.ID, m.Role, m.StopReason, m.Model); err != nil {
		return nil, err
	}
	content, tools := []blockParams{}, []toolParams{}
	for i := range m.Content {
		p, err := m.Content[i].params()
		if err != nil {
			return nil, err
		}
		content = append(content, p)
	}
	for i := range m.Tools {
		p, err := m.Tools[i].params()
		if err != nil {
			return nil, err
		}
		tools = append(tools, p)
	}
	return t.bytes(ctx, abi.ATSFBuildMessage, struct {
		ID         string        `json:"id"`
		Role       string        `json:"role"`
		Time       int64         `json:"time"`
		Content    []blockParams `json:"content"`
		Tools      []toolParams  `json:"tools"`
		StopReason string        `json:"stopReason"`
		Model      string        `json:"model"`
		Tokens     *Tokens       `json:"tokens"`
	}{m.ID, m.Role, m.Time.Millis, content, tools, m.StopReason, m.Model, m.Tokens}, nil)
}

type blockParams struct {
	Raw         json.RawMessage `json:"raw,omitempty"`
	Type        string          `json:"type,omitempty"`
	Text        string          `json:"text,omitempty"`
	AssetRef    string          `json:"assetRef,omitempty"`
	MimeType    string          `json:"mimeType,omitempty"`
	URI         string          `json:"uri,omitempty"`
	Name        string          `json:"name,omitempty"`
	Size        int64           `json:"size,omitempty"`
	ToolCallID  string          `json:"toolCallId,omitempty"`
	Annotations json.RawMessage `json:"annotations,omitempty"`
}

func (b *Block) params() (blockParams, error) {
	if b.Raw != nil {
		return blockParams{Raw: b.Raw}, nil
	}
	err := checkText(abi.ATSFBuildMessage, b.Type, b.Text, b.AssetRef, b.MimeType, b.URI, b.Name, b.ToolCallID)
	return blockParams{nil, b.Type, b.Text, b.AssetRef, b.MimeType, b.URI, b.Name, b.Size, b.ToolCallID, b.Annotations}, err
}

type toolParams struct {
	Raw       json.RawMessage `json:"raw,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Status    string          `json:"status,omitempty"`
	Title     string          `json:"title,omitempty"`
	Kind      string          `json:"kind,omitempty"`
	Input     *string         `json:"input,omitempty"`
	Output    *string         `json:"output,omitempty"`
	Duration  *int64          `json:"duration,omitempty"`
	Diff      *diffParams     `json:"diff,omitempty"`
	Locations []Location      `json:"locations,omitempty"`
}

type diffParams struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

func (c *ToolCall) params() (toolParams, error) {
	if c.Raw != nil {
		return toolParams{Raw: c.Raw}, nil
	}
	p := toolParams{
		ID: c.ID, Name: c.Name, Status: c.Status, Title: c.Title, Kind: c.Kind,
		Input: c.Input, Output: c.Output, Duration: c.Duration, Locations: c.Locations,
	}
	texts := []string{c.ID, c.Name, c.Status, c.Title, c.Kind}
	for _, s := range []*string{c.Input, c.Output} {
		if s != nil {
			texts = append(texts, *s)
		}
	}
	if d := c.Diff; d != nil {
		p.Diff = &diffParams{d.Path, d.Old, d.New}
		texts = append(texts, d.Path, d.Old, d.New)
	}
	for _, l := range c.Locations {
		texts = append(texts, l.Path)
	}
	return p, checkText(abi.ATSFBuildMessage, texts...)
}

// ForkPlan says how a thread is continued as another one.
type ForkPlan struct {
	// ID is the new thread's, Title its title: empty keeps the parent's.
	ID    string `json:"id"`
	Title string `json:"title"`
	// Created is in Unix milliseconds.
	Created int64 `json:"created"`
	// Through is the id of the last message that the fork takes over. Empty
	// takes over all of them.
	Through string `json:"through"`
}

// Fork makes the two files of a thread that begins with its parent's messages.
func (t ATSF) Fork(ctx context.Context, thread, messages []byte, p ForkPlan) (forked, log []byte, err error) {
	if err := checkText(abi.ATSFFork, p.ID, p.Title, p.Through); err != nil {
		return nil, nil, err
	}
	var r struct{ ThreadLength, MessagesLength int64 }
	files, b := two(thread, messages)
	rest, err := t.header(ctx, &r, abi.ATSFFork, struct {
		bothFiles
		ForkPlan
	}{files, p}, b)
	if err != nil {
		return nil, nil, err
	}
	forked, first := part(rest, 0, r.ThreadLength)
	log, second := part(rest, r.ThreadLength, r.MessagesLength)
	if !first || !second {
		return nil, nil, ErrBrokenABI
	}
	return forked, log, nil
}

// StoredAsset is content to be stored in assets/.
type StoredAsset struct {
	Name    string
	Content []byte
}

// TakeInline moves the base64 data of a line to assets. They must be stored
// before the line is.
func (t ATSF) TakeInline(ctx context.Context, line []byte) (out []byte, assets []StoredAsset, err error) {
	var r struct {
		Length int64
		Assets []struct {
			Name   string
			Length int64
		}
	}
	rest, err := t.header(ctx, &r, abi.ATSFTakeInline, struct{}{}, line)
	if err != nil {
		return nil, nil, err
	}
	out, ok := part(rest, 0, r.Length)
	at := r.Length
	for _, a := range r.Assets {
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

// header runs an op whose result is a line of JSON and bytes after it.
func (t ATSF) header(ctx context.Context, into any, op abi.Op, params any, b []byte) (rest []byte, err error) {
	result, err := t.bytes(ctx, op, params, b)
	if err != nil {
		return nil, err
	}
	head, rest, _ := bytes.Cut(result, []byte{'\n'})
	return rest, json.Unmarshal(head, into)
}

package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// ATSF are the ATSF ops with Go types. Every method is one call of the module;
// errors are as those of [SAMP]. Text of files and messages is a stranger's.
type ATSF struct{ caller Caller }

// NewATSF gives the ATSF ops of any engine.
func NewATSF(c Caller) ATSF { return ATSF{caller: c} }

// Thread reads a thread.json. dir is the name of its directory, or empty if
// that is not known.
func (t ATSF) Thread(ctx context.Context, file []byte, dir string) (AgentThread, error) {
	var r AgentThread
	if err := checkText(abi.ATSFThread, dir); err != nil {
		return r, err
	}
	err := t.decode(ctx, &r, abi.ATSFThread, struct {
		Dir string `json:"dir,omitempty"`
	}{dir}, file)
	r.Metadata = present(r.Metadata)
	return r, err
}

// Message reads one line of a messages.jsonl, without its line end.
func (t ATSF) Message(ctx context.Context, line []byte) (AgentMessage, error) {
	var m AgentMessage
	if err := t.decode(ctx, &m, abi.ATSFMessage, struct{}{}, line); err != nil {
		return m, err
	}
	return m, m.cut(line)
}

// Log reads lines, at most limit of them, or as many as the module reads at a
// time if that is 0.
func (t ATSF) Log(ctx context.Context, data []byte, limit int) (AgentLog, error) {
	var l AgentLog
	err := t.decode(ctx, &l, abi.ATSFLog, struct {
		Limit int `json:"limit"`
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
		var ok bool
		b.Raw, ok = part(line, b.Offset, b.Length)
		whole = whole && ok
		b.Annotations = present(b.Annotations)
	}
	for i := range m.Tools {
		var ok bool
		m.Tools[i].Raw, ok = part(line, m.Tools[i].Offset, m.Tools[i].Length)
		whole = whole && ok
	}
	if !whole {
		return ErrBrokenABI
	}
	return nil
}

// part gives data[offset:offset+length] if that is there.
func part(data []byte, offset, length int64) ([]byte, bool) {
	if offset < 0 || length < 0 || offset > int64(len(data)) || length > int64(len(data))-offset {
		return nil, false
	}
	return data[offset : offset+length : offset+length], true
}

// present gives nil for null.
func present(raw json.RawMessage) json.RawMessage {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// Config reads a config.json.
func (t ATSF) Config(ctx context.Context, file []byte) (AgentConfig, error) {
	var c AgentConfig
	err := t.decode(ctx, &c, abi.ATSFConfig, struct{}{}, file)
	c.AgentSettings = present(c.AgentSettings)
	return c, err
}

// Count derives the figures of a messages.jsonl.
func (t ATSF) Count(ctx context.Context, messages []byte) (Tally, error) {
	var r Tally
	return r, t.decode(ctx, &r, abi.ATSFCount, struct{}{}, messages)
}

// Compare holds a thread.json against its messages.jsonl.
func (t ATSF) Compare(ctx context.Context, thread, messages []byte) (Tally, []Mismatch, error) {
	var r struct {
		Tally
		Mismatches []Mismatch
	}
	a, b := two(thread, messages)
	err := t.decode(ctx, &r, abi.ATSFCompare, a, b)
	return r.Tally, r.Mismatches, err
}

// ThreadCheck is what a thread's files show about the rules.
type ThreadCheck struct {
	Tally
	// Torn tells that the last line has no line end.
	Torn     bool
	Findings []ThreadFinding
	// More counts the findings beyond the limit.
	More int64
}

// ThreadFinding is a [Finding] in one of a thread's files. Line is 0 in
// thread.json.
type ThreadFinding struct {
	Finding
	// File is thread.json or messages.jsonl.
	File string
}

// Check checks a thread. dir is the name of its directory, or empty if that is
// not known. At most limit findings are listed, or [abi.DefaultFindings] if it
// is 0.
func (t ATSF) Check(ctx context.Context, thread, messages []byte, dir string, limit int64) (ThreadCheck, error) {
	var c ThreadCheck
	if err := checkText(abi.ATSFCheck, dir); err != nil {
		return c, err
	}
	files, b := two(thread, messages)
	return c, t.decode(ctx, &c, abi.ATSFCheck, struct {
		bothFiles
		Dir   string `json:"dir,omitempty"`
		Limit int64  `json:"limit"`
	}{files, dir, cmp.Or(limit, abi.DefaultFindings)}, b)
}

// AssetName is a reference to a file in assets/.
type AssetName struct {
	Hex, Ext string
	// Fault is set for a reference that must not be opened.
	Fault *Fault
}

// AssetName reads an assetRef.
func (t ATSF) AssetName(ctx context.Context, ref string) (AssetName, error) {
	var n AssetName
	return n, t.decode(ctx, &n, abi.ATSFAssetName, struct{}{}, []byte(ref))
}

// Asset is what content is.
type Asset struct {
	// Name is that of a new asset with this content.
	Name string
	// ImageType is the MIME type of an image that may be shown, or empty.
	ImageType string
	// Fault is what is wrong with the content under the name it was found by.
	Fault *Fault
}

// CheckAsset holds content against the name that it was found by.
func (t ATSF) CheckAsset(ctx context.Context, name string, content []byte) (Asset, error) {
	var a Asset
	if err := checkText(abi.ATSFAsset, name); err != nil {
		return a, err
	}
	return a, t.decode(ctx, &a, abi.ATSFAsset, struct {
		Name string `json:"name"`
	}{name}, content)
}

// NameAsset names new content. ext is its extension without the dot, or empty
// for that of the image it is.
func (t ATSF) NameAsset(ctx context.Context, content []byte, ext string) (Asset, error) {
	var a Asset
	if err := checkText(abi.ATSFAsset, ext); err != nil {
		return a, err
	}
	return a, t.decode(ctx, &a, abi.ATSFAsset, struct {
		Ext string `json:"ext,omitempty"`
	}{ext}, content)
}

// NewID makes a thread's or message's id of 16 random bytes.
func (t ATSF) NewID(ctx context.Context, random [16]byte) (string, error) {
	id, err := t.bytes(ctx, abi.ATSFNewID, struct {
		Random string `json:"random"`
	}{hex.EncodeToString(random[:])}, nil)
	return string(id), err
}

// ValidID tells whether an id can be the name of a new thread's directory.
func (t ATSF) ValidID(ctx context.Context, id string) (bool, error) {
	var r struct{ Valid bool }
	err := t.decode(ctx, &r, abi.ATSFValidID, struct{}{}, []byte(id))
	return r.Valid, err
}

// bothFiles is the parameter of ops over a thread's two files.
type bothFiles struct {
	ThreadLength int `json:"threadLength"`
}

func two(thread, messages []byte) (bothFiles, []byte) {
	return bothFiles{len(thread)}, append(thread[:len(thread):len(thread)], messages...)
}

func (t ATSF) bytes(ctx context.Context, op abi.Op, params any, b []byte) ([]byte, error) {
	return exchange(ctx, t.caller, op, params, b)
}

// exchange runs an op. Parameters are written without the escapes for HTML, since
// raw values among them have to keep their bytes.
func exchange(ctx context.Context, c Caller, op abi.Op, params any, b []byte) ([]byte, error) {
	var a bytes.Buffer
	encoder := json.NewEncoder(&a)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(params); err != nil {
		return nil, &Error{Op: op, Code: abi.BadArgument, Message: "the parameters cannot be written: " + err.Error()}
	}
	return c.Call(ctx, op, a.Bytes(), b)
}

func (t ATSF) decode(ctx context.Context, into any, op abi.Op, params any, b []byte) error {
	result, err := t.bytes(ctx, op, params, b)
	if err != nil {
		return err
	}
	return json.Unmarshal(result, into)
}

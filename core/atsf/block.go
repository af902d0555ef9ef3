package atsf

import (
	"math/bits"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// The types of content blocks. Text, thinking and image are the text's (Content
// Block Types, rule B1); real tools write the others too.
const (
	TypeText         = "text"
	TypeThinking     = "thinking"
	TypeImage        = "image"
	TypeAudio        = "audio"
	TypeResource     = "resource"
	TypeResourceLink = "resource_link"
	TypeToolCallRef  = "tool_call_ref"
)

// Block is one content block. A block of an unknown type has only Type and Raw, and is
// shown as a placeholder (rule B2).
type Block struct {
	// Raw is the block as it was read, and is what a writer writes again. It aliases
	// the input. It is nil in a new block.
	Raw []byte
	// Offset is where Raw starts in the line, in bytes.
	Offset int
	Type   string
	// Known is set if Type is one of the Type constants.
	Known bool
	// Text is the text of text and thinking blocks, and of a resource that holds it
	// inline.
	Text string
	// AssetRef names a file in assets/, as the line has it: only
	// [ParseAssetName] makes it safe to open.
	AssetRef, MimeType string
	// URI and Name belong to resource and resource_link, Size in bytes to
	// resource_link. A URI is a stranger's word and is never fetched.
	URI, Name string
	Size      int64
	// ToolCallID is the call of this message that belongs at this place, in a
	// tool_call_ref.
	ToolCallID string
	// Inline is the raw JSON string of base64 data that is in the line instead of in
	// assets/ (rule B3), or nil.
	Inline []byte
	// Annotations is the raw value, or nil.
	Annotations []byte
}

var blockShape = canon.Shape{What: "the content block", Fields: []canon.Field{
	{Name: "type", Rule: "B1"},
	{Name: "text", Rule: "B1", Optional: true},
	{Name: "assetRef", Rule: "B1", Optional: true},
	{Name: "mimeType", Rule: "B1", Optional: true},
	{Name: "uri", Rule: "B1", Optional: true},
	{Name: "name", Rule: "B1", Optional: true},
	{Name: "size", Rule: "B1", Optional: true},
	{Name: "toolCallId", Rule: "B1", Optional: true},
	{Name: "annotations", Rule: "B1", Optional: true},
	{Name: "data", Rule: "B1", Optional: true},
	{Name: "blob", Rule: "B1", Optional: true},
}}

// Which members a type of block has to have and which it may have, as bits in
// the order of blockShape.
const (
	hasText = 1 << (iota + 1)
	hasAsset
	hasMime
	hasURI
	hasName
	hasSize
	hasCall
	hasAnnotations
	hasData
	hasBlob
)

func blockMembers(kind string) (must, may uint32, known bool) {
	switch kind {
	case TypeText, TypeThinking:
		return hasText, hasAnnotations, true
	case TypeImage, TypeAudio:
		return hasAsset | hasMime, hasURI | hasData | hasAnnotations, true
	case TypeResource:
		return hasURI, hasText | hasAsset | hasMime | hasName | hasBlob | hasAnnotations, true
	case TypeResourceLink:
		return hasURI, hasName | hasMime | hasSize | hasAnnotations, true
	case TypeToolCallRef:
		return hasCall, 0, true
	}
	return 0, 0, false
}

func readBlock(in *canon.Member) Block {
	b := Block{Raw: in.Raw, Offset: in.Offset}
	b.Type = blockType(in.Value)
	must, may, known := blockMembers(b.Type)
	b.Known = known
	if b.Type != "" && !known {
		in.Out.AddNote("B2", in.Path()+".type", in.Offset, "a content block of the unknown type "+quote(b.Type))
		return b
	}
	var have uint32
	object(in, &blockShape, func(m *canon.Member) {
		bit := uint32(1) << m.At
		if m.Name == "type" {
			m.Is(canon.String)
		} else if (must|may)&bit != 0 && b.set(m) {
			have |= bit
		}
	})
	if b.Inline != nil {
		must &^= hasAsset
	}
	if missing := must &^ have; missing != 0 {
		name := in.Path() + "." + blockShape.Fields[bits.TrailingZeros32(missing)].Name
		in.Out.AddFault("B1", name, in.Offset, "the "+b.Type+" block has no "+quote(name))
	}
	return b
}

// set takes one member over. It reports false for one of the wrong kind.
func (b *Block) set(m *canon.Member) bool {
	switch m.Name {
	case "text":
		b.Text = m.Text()
	case "assetRef":
		b.AssetRef = m.Text()
	case "mimeType":
		b.MimeType = m.Text()
	case "uri":
		b.URI = m.Text()
	case "name":
		b.Name = m.Text()
	case "size":
		b.Size = count(m)
		return m.Kind == canon.Number
	case "toolCallId":
		b.ToolCallID = m.Text()
	case "annotations":
		b.Annotations = m.Raw
		return true
	case "data", "blob":
		if m.Is(canon.String) {
			b.Inline = m.Raw
		}
	}
	return m.Kind == canon.String
}

// blockType looks for the type first, since it says what the others mean.
func blockType(v canon.Value) (kind string) {
	if v.Kind != canon.Mapping {
		return ""
	}
	_ = canon.Object(v.Raw, func(key []byte, e canon.Value) error {
		if string(key) == "type" {
			kind = ""
			if e.Kind == canon.String {
				kind, _ = canon.Unquote(e.Raw)
			}
		}
		return nil
	})
	return kind
}

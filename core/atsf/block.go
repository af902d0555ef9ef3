package atsf

import (
	"math/bits"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// The types of content blocks. Text, thinking and image are in the spec (Content Block Types,
// rule B1); real tools also write the others.
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
	// Raw is the block as it was read, and is written again. It aliases the input. It is nil in
	// a new block.
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
	// URI and Name belong to resource and resource_link, Size in bytes to resource_link. A URI
	// is untrusted and is never fetched.
	URI, Name string
	Size      int64
	// ToolCallID names the message's tool call that belongs here, in a tool_call_ref.
	ToolCallID string
	// Inline is the raw JSON string of base64 data that is in the line instead of in
	// assets/ (rule B3), or nil.
	Inline []byte
	// Annotations is the raw value, or nil.
	Annotations []byte
}

var blockShape = canon.Shape[*blockReader]{What: "the content block", Rule: "B1", Fields: []canon.Field[*blockReader]{
	{Name: "type", Rule: "B1", Set: func(_ *blockReader, m *canon.Member) { m.Is(canon.String) }}, // blockType has read it
	{Name: "text", Rule: "B1", Optional: true, Set: func(b *blockReader, m *canon.Member) { b.text(m, &b.Text) }},
	{Name: "assetRef", Rule: "B1", Optional: true, Set: func(b *blockReader, m *canon.Member) { b.text(m, &b.AssetRef) }},
	{Name: "mimeType", Rule: "B1", Optional: true, Set: func(b *blockReader, m *canon.Member) { b.text(m, &b.MimeType) }},
	{Name: "uri", Rule: "B1", Optional: true, Set: func(b *blockReader, m *canon.Member) { b.text(m, &b.URI) }},
	{Name: "name", Rule: "B1", Optional: true, Set: func(b *blockReader, m *canon.Member) { b.text(m, &b.Name) }},
	{Name: "size", Rule: "B1", Optional: true, Set: func(b *blockReader, m *canon.Member) {
		if b.takes(m, canon.Number) {
			b.Size = count(m)
		}
	}},
	{Name: "toolCallId", Rule: "B1", Optional: true, Set: func(b *blockReader, m *canon.Member) { b.text(m, &b.ToolCallID) }},
	{Name: "annotations", Rule: "B1", Optional: true, Set: func(b *blockReader, m *canon.Member) {
		if b.takes(m, m.Kind) {
			b.Annotations = m.Raw
		}
	}},
	{Name: "data", Rule: "B1", Optional: true, Set: (*blockReader).inline},
	{Name: "blob", Rule: "B1", Optional: true, Set: (*blockReader).inline},
}}

// The members that a type of block must or may have, as bits in the order of blockShape.
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

// blockReader is a block that is being read. must are the members that its type requires, may
// those that it allows, and have those that were read.
type blockReader struct {
	Block
	must, may, have uint32
}

func readBlock(in *canon.Member) Block {
	b := blockReader{Block: Block{Raw: in.Raw, Offset: in.Offset, Type: blockType(in.Value)}}
	b.must, b.may, b.Known = blockMembers(b.Type)
	if b.Type != "" && !b.Known {
		in.Out.AddNote("B2", in.Path()+".type", in.Offset, "a content block of the unknown type "+quote(b.Type))
		return b.Block
	}
	blockShape.Read(in, &b)
	if b.Inline != nil {
		b.must &^= hasAsset
	}
	if missing := b.must &^ b.have; missing != 0 {
		name := in.Path() + "." + blockShape.Fields[bits.TrailingZeros32(missing)].Name
		in.Out.AddFault("B1", name, in.Offset, "the "+b.Type+" block has no "+quote(name))
	}
	return b.Block
}

// takes reports whether the block's type has the member and the member has that kind.
func (b *blockReader) takes(m *canon.Member, k canon.Kind) bool {
	bit := uint32(1) << m.At
	if m.Kind == k {
		b.have |= bit
	}
	return (b.must|b.may)&bit != 0
}

func (b *blockReader) text(m *canon.Member, into *string) {
	if b.takes(m, canon.String) {
		*into = m.Text()
	}
}

func (b *blockReader) inline(m *canon.Member) {
	if b.takes(m, canon.String) && m.Is(canon.String) {
		b.Inline = m.Raw
	}
}

// blockType reads only the type, which determines the meaning of the other members.
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

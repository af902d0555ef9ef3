package atsf

import (
	"encoding/base64"

	"github.com/signalbox-dev/signalbox/core/canon"
)

// Asset is content that has to be stored under its name.
type Asset struct {
	Name    AssetName
	Content []byte
}

// TakeInline moves the base64 data in a message's line to assets (Image Assets, rule B3): each
// "data" or "blob" of an image, audio or resource block becomes an "assetRef", and every other
// byte of the line stays. The assets must be stored before the line is. A line without such
// data is returned unchanged.
//
// It returns a *[canon.Fault] as [ParseMessage] does, and of rule B3 for data that is not
// base64.
func TakeInline(line []byte) (out []byte, assets []Asset, err error) {
	m, bad := readMessage(line)
	if bad != nil {
		return nil, nil, bad
	}
	out = line
	// From the last to the first, so that earlier offsets stay right.
	for i := len(m.Content) - 1; i >= 0; i-- {
		b := &m.Content[i]
		if b.Inline == nil {
			continue
		}
		text, _ := canon.Unquote(b.Inline)
		content, ok := decode(text)
		if !ok {
			return nil, nil, &canon.Fault{Rule: "B3", Field: indexed("content", i, ""), Reason: "the inline data is not base64"}
		}
		name := NameAsset(content, ExtOf(b.MimeType))
		block, bad := withAssetRef(b, name)
		if bad != nil {
			return nil, nil, bad
		}
		out = canon.Splice(out, b.Offset, b.Offset+len(b.Raw), block)
		assets = append(assets, Asset{name, content})
	}
	return out, assets, nil
}

// decode reads base64 with or without padding, in both alphabets.
func decode(s string) ([]byte, bool) {
	for _, e := range [...]*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if out, err := e.DecodeString(s); err == nil {
			return out, true
		}
	}
	return nil, false
}

// withAssetRef returns the block with an assetRef instead of its data.
func withAssetRef(b *Block, name AssetName) ([]byte, *canon.Fault) {
	all := canon.Value{Kind: canon.Mapping, Raw: b.Raw}
	ref := canon.AppendString(nil, name.String())
	old, _, twice := canon.Find(all, "assetRef")
	for _, key := range [...]string{"data", "blob"} {
		found, _, again := canon.Find(all, key)
		if found == nil || found.Kind != canon.String {
			continue
		}
		if twice || again || old != nil {
			return nil, &canon.Fault{Rule: "B3", Field: key, Reason: "the block has inline data and an assetRef, or either twice"}
		}
		return canon.Splice(b.Raw, found.Key, found.End(), append([]byte(`"assetRef":`), ref...)), nil
	}
	return b.Raw, nil
}

package atsf

import (
	"bytes"
	"encoding/hex"
	"strings"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/digest"
	"github.com/signalbox-dev/signalbox/core/names"
)

const assetPrefix = "sha256-"

// AssetName is a checked name of a file in assets/ (Image Assets, rule L4). It contains no
// separator and is safe to open below that directory.
type AssetName struct {
	// Hex is the first 16 digits of the content's SHA-256, in lower case.
	Hex string
	// Ext is 1 to 16 letters and digits, without the dot.
	Ext string
}

// String returns the name as files and assetRef spell it.
func (n AssetName) String() string { return assetPrefix + n.Hex + "." + n.Ext }

// ParseAssetName reads an assetRef. It returns a *[canon.Fault] of rule L4 for anything
// but sha256-<16 lower-case hex digits>.<ext>.
func ParseAssetName(name string) (AssetName, error) {
	refuse := func(reason string) (AssetName, error) {
		return AssetName{}, &canon.Fault{Rule: "L4", Field: "assetRef", Reason: "the asset name " + quote(name) + " " + reason}
	}
	if strings.ContainsAny(name, "/\\:\x00") {
		return refuse("holds a path")
	}
	rest, ok := strings.CutPrefix(name, assetPrefix)
	digits, ext, dotted := strings.Cut(rest, ".")
	if !ok || !dotted || len(digits) != 16 {
		return refuse("is not sha256-, 16 digits, a dot and an extension")
	}
	if strings.Trim(digits, "0123456789abcdef") != "" {
		return refuse("has a digit that is not hexadecimal, in lower case")
	}
	if !validExt(ext) {
		return refuse("has no extension of 1 to 16 letters and digits")
	}
	return AssetName{Hex: digits, Ext: ext}, nil
}

func validExt(ext string) bool {
	for i := range len(ext) {
		if !names.Alphanumeric(ext[i]) {
			return false
		}
	}
	return ext != "" && len(ext) <= 16
}

// NameAsset returns the name that belongs to the digest of content. An ext that
// [ParseAssetName] would refuse becomes "bin".
func NameAsset(content []byte, ext string) AssetName {
	if !validExt(ext) {
		ext = "bin"
	}
	sum := digest.Sum(content)
	return AssetName{Hex: hex.EncodeToString(sum[:8]), Ext: ext}
}

// Check returns a *[canon.Fault] of rule L4 if the digest of content is not the name's. The
// digest has 64 bits: it finds damage and mistakes, and nothing else may rely on it (rule Z12).
func (n AssetName) Check(content []byte) error {
	if got := NameAsset(content, n.Ext); got != n {
		return &canon.Fault{Rule: "L4", Field: "assetRef", Reason: "the content of " + n.String() + " has the digest " + got.Hex}
	}
	return nil
}

// ImageType returns the type of a raster image by its first bytes: image/png,
// image/jpeg, image/gif or image/webp. ok is false for everything else: SVG and HTML
// can carry scripts, whatever the line calls them.
func ImageType(content []byte) (mime string, ok bool) {
	switch {
	case bytes.HasPrefix(content, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png", true
	case bytes.HasPrefix(content, []byte("\xff\xd8\xff")):
		return "image/jpeg", true
	case bytes.HasPrefix(content, []byte("GIF87a")), bytes.HasPrefix(content, []byte("GIF89a")):
		return "image/gif", true
	case len(content) >= 12 && string(content[:4]) == "RIFF" && string(content[8:12]) == "WEBP":
		return "image/webp", true
	}
	return "", false
}

// ExtOf returns the extension of new assets of a MIME type, or "bin" for an unknown type.
func ExtOf(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	switch strings.ToLower(strings.TrimSpace(mime)) {
	case "image/png":
		return "png"
	case "image/jpeg":
		return "jpg"
	case "image/gif":
		return "gif"
	case "image/webp":
		return "webp"
	}
	return "bin"
}

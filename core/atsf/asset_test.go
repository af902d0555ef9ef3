package atsf_test

import (
	"path"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// TestAssetName holds the only names that are opened.
func TestAssetName(t *testing.T) {
	const good = "sha256-f78324a3d1694c16"
	for _, c := range []struct{ name, reason string }{
		{good + ".png", ""},
		{good + ".PNG", ""},
		{good + ".7z", ""},
		{"sha256-0000000000000000.bin", ""},
		{"sha256-a1b2c3d4e5f6g7h8.png", "not hexadecimal"},
		{"sha256-F78324A3D1694C16.png", "not hexadecimal"},
		{"sha256-f78324a3d1694c1.png", "is not sha256-"},
		{"sha256-f78324a3d1694c166.png", "is not sha256-"},
		{"sha1-f78324a3d1694c16.png", "is not sha256-"},
		{"f78324a3d1694c16.png", "is not sha256-"},
		{good, "is not sha256-"},
		{good + ".", "no extension"},
		{good + ".tar.gz", "no extension"},
		{good + ".p g", "no extension"},
		{good + ".png\n", "no extension"},
		{good + "." + strings.Repeat("a", 17), "no extension"},
		{"", "is not sha256-"},
		{"../" + good + ".png", "holds a path"},
		{"../../../../secret.txt", "holds a path"},
		{`..\` + good + ".png", "holds a path"},
		{"/" + good + ".png", "holds a path"},
		{good + ".png/", "holds a path"},
		{good + ".png:x", "holds a path"},
		{good + ".png\x00", "holds a path"},
	} {
		t.Run("L4 Z4/"+strings.ReplaceAll(c.name, "/", "|"), func(t *testing.T) {
			n, err := atsf.ParseAssetName(c.name)
			if c.reason == "" {
				if err != nil || n.String() != c.name {
					t.Errorf("%v, %v", n, err)
				}
				return
			}
			if f := fault(t, err); f.Rule != "L4" || !strings.Contains(f.Reason, c.reason) {
				t.Errorf("%+v, want %q", f, c.reason)
			}
		})
	}
}

// TestDigests compares the names of the fixtures' assets with their content.
func TestDigests(t *testing.T) {
	checked := 0
	for file, data := range fixtures(t, "") {
		if path.Base(path.Dir(file)) != atsf.AssetsName {
			continue
		}
		checked++
		n, err := atsf.ParseAssetName(path.Base(file))
		if err != nil {
			t.Fatal(err)
		}
		if err := n.Check(data); err != nil || atsf.NameAsset(data, n.Ext) != n {
			t.Errorf("L4: %s: %v", file, err)
		}
		if f := fault(t, n.Check(append([]byte("x"), data...))); f.Rule != "L4" || !strings.Contains(f.Reason, "digest") {
			t.Errorf("L4: %+v", f)
		}
		if mime, ok := atsf.ImageType(data); ok != (n.Ext == "png") || ok && mime != "image/png" {
			t.Errorf("L4: %s is %q, %v", file, mime, ok)
		}
	}
	if checked != 7 {
		t.Errorf("%d assets", checked)
	}
	if n := atsf.NameAsset(nil, "../x"); n.String() != "sha256-e3b0c44298fc1c14.bin" {
		t.Errorf("L4: %s", n)
	}
}

// TestImageType accepts pictures, and nothing that only claims to be one.
func TestImageType(t *testing.T) {
	for content, want := range map[string]string{
		"\x89PNG\r\n\x1a\nx": "image/png", "\xff\xd8\xff\xe0": "image/jpeg", "GIF87a": "image/gif", "GIF89a": "image/gif", "RIFF\x00\x00\x00\x00WEBPVP8 ": "image/webp",
		"": "", "\x89PNG": "", "RIFF\x00\x00\x00\x00WAVE": "", "RIFF": "", "<svg xmlns='x'/>": "", "<!doctype html>": "", "BM": "", "GIF88a": "",
	} {
		if got, ok := atsf.ImageType([]byte(content)); got != want || ok != (want != "") {
			t.Errorf("B1: %q is %q, %v", content, got, ok)
		}
	}
	for mime, want := range map[string]string{"image/png": "png", "IMAGE/JPEG": "jpg", "image/gif; x=1": "gif", "image/webp": "webp", "image/svg+xml": "bin", "text/html": "bin", "": "bin"} {
		if got := atsf.ExtOf(mime); got != want {
			t.Errorf("B3: %q gets %q", mime, got)
		}
	}
}

// TestTakeInline moves base64 out of a line and leaves the rest of it.
func TestTakeInline(t *testing.T) {
	const name = "sha256-ba7816bf8f01cfea" // of "abc"
	head, tail := `{"id":"a","role":"user","timestamp":"2025-02-14T10:30:15Z","content":[`, `], "x" : 1.0 }`
	for _, c := range []struct {
		name, blocks, want string
		assets             int
		rule               string
	}{
		{"none", `{"type":"text","text":"data","data":"YWJj"}`, `{"type":"text","text":"data","data":"YWJj"}`, 0, ""},
		{"image", `{"x":1, "type":"image","data" : "YWJj","mimeType":"image/png"}`, `{"x":1, "type":"image","assetRef":"` + name + `.png","mimeType":"image/png"}`, 1, ""},
		{
			"two", `{"type":"image","mimeType":"image/png","data":"YWJj"},{"type":"audio","mimeType":"audio/wav","data":"YWJj"}`,
			`{"type":"image","mimeType":"image/png","assetRef":"` + name + `.png"},{"type":"audio","mimeType":"audio/wav","assetRef":"` + name + `.bin"}`, 2, "",
		},
		{"resource", `{"type":"resource","uri":"u","blob":"YWJj"}`, `{"type":"resource","uri":"u","assetRef":"` + name + `.bin"}`, 1, ""},
		{"escaped", `{"type":"image","mimeType":"x","data":"YWJ\u006a"}`, `{"type":"image","mimeType":"x","assetRef":"` + name + `.bin"}`, 1, ""},
		{"without padding", `{"type":"image","mimeType":"x","data":"YQ"}`, `{"type":"image","mimeType":"x","assetRef":"sha256-ca978112ca1bbdca.bin"}`, 1, ""},
		{"unknown type", `{"type":"video","data":"YWJj"}`, `{"type":"video","data":"YWJj"}`, 0, ""},
		{"not base64", `{"type":"image","mimeType":"x","data":"?"}`, "", 0, "B3"},
		{"data and ref", `{"type":"image","mimeType":"x","data":"YWJj","assetRef":"x"}`, "", 0, "B3"},
		{"data twice", `{"type":"image","mimeType":"x","data":"YWJj","data":"YWJj"}`, "", 0, "B3"},
	} {
		t.Run("B3/"+c.name, func(t *testing.T) {
			out, assets, err := atsf.TakeInline([]byte(head + c.blocks + tail))
			if c.rule != "" {
				if f := fault(t, err); f.Rule != c.rule {
					t.Errorf("%+v", f)
				}
				return
			}
			if err != nil || string(out) != head+c.want+tail || len(assets) != c.assets {
				t.Errorf("%s, %d assets, %v", out, len(assets), err)
			}
			for _, a := range assets {
				if err := a.Name.Check(a.Content); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if _, _, err := atsf.TakeInline([]byte("[]")); fault(t, err).Rule != "M1" {
		t.Error(err)
	}
}

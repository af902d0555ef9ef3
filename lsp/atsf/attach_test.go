package atsf

import (
	"encoding/base64"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// gif is the smallest picture that is one.
const gif = "GIF89a\x01\x00\x01\x00\x00\x00\x00,"

// picture is a message with a picture in it.
func picture(id, content string) atsf.Message {
	m := words(id, atsf.RoleUser, "", -1)
	mime, _ := atsf.ImageType([]byte(content))
	data := strconv.AppendQuote(nil, base64.StdEncoding.EncodeToString([]byte(content)))
	m.Content = []atsf.Block{{Type: atsf.TypeImage, Known: true, MimeType: mime, Inline: data}}
	return m
}

// TestAttach stores a picture under its name, once, and a message can refer to
// it: ATSF B3 L4 B1.
func TestAttach(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	b.write("half a pict", "p", atsf.DirName, atsf.ThreadsName, name, atsf.AssetsName, disk.TempPrefix+strings.Repeat("A", 26))
	for range 2 {
		if err := d.Append(t.Context(), name, picture("", gif)); err != nil {
			t.Fatal(err)
		}
		want := atsf.NameAsset([]byte(gif), "gif").String()
		if diff := cmp.Diff([]string{want}, b.standing("p", name, atsf.AssetsName)); diff != "" {
			t.Errorf("L4: %s", diff)
		}
		e, err := one(t, d, name, Query{})
		if err != nil || e.Message.Content[0].AssetRef != want || e.Message.Content[0].Inline != nil {
			t.Errorf("B3: %+v %v", e.Message.Content, err)
		}
		if a, err := d.Asset(name, want); err != nil || string(a.Data) != gif || a.Mime != "image/gif" {
			t.Errorf("L4: %+v %v", a, err)
		}
	}
	b.right("p", name)
}

// TestAttachCollision keeps what stands under a name, and says so: ATSF Z12.
func TestAttachCollision(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	ref := atsf.NameAsset([]byte(gif), "gif").String()
	for _, other := range []string{"", "another", strings.Repeat("x", len(gif))} {
		b.write(other, "p", atsf.DirName, atsf.ThreadsName, name, atsf.AssetsName, ref)
		err := d.Append(t.Context(), name, picture("", gif))
		if !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "Z12") {
			t.Errorf("Z12: %v", err)
		}
		// The same through a message with the picture in it, which is not written.
		inline := `{"id":"1","role":"user","timestamp":"2026-02-20T09:00:01Z","content":[{"type":"image","mimeType":"image/gif","data":"` + base64.StdEncoding.EncodeToString([]byte(gif)) + `"}]}`
		if err := d.AppendRaw(t.Context(), name, []byte(inline)); !errors.Is(err, ErrExists) {
			t.Errorf("Z12: %v", err)
		}
		if got := b.read("p", name, atsf.AssetsName, ref); got != other || b.read("p", name, atsf.MessagesName) != "" {
			t.Errorf("Z12: %q was overwritten by %q", other, got)
		}
		if diff := cmp.Diff([]string{ref}, b.standing("p", name, atsf.AssetsName)); diff != "" {
			t.Errorf("Z12: left behind: %s", diff)
		}
	}
}

// TestAttachRefused stores nothing through a link: ATSF L4 V2.
func TestAttachRefused(t *testing.T) {
	b := newReadFixture(t)
	b.foreign("p")
	d := b.open("p")
	b.thread("p", "linked", 0)
	b.thread("p", "linked-file", 0)
	b.mkdir("outside")
	b.mkdir("p", atsf.DirName, atsf.ThreadsName, "linked-file", atsf.AssetsName)
	ref := atsf.NameAsset([]byte(gif), "gif").String()
	for at, to := range map[string]string{
		b.threadPath("p", "linked", atsf.AssetsName):           b.path("outside"),
		b.threadPath("p", "linked-file", atsf.AssetsName, ref): b.path("outside", "x"),
	} {
		if err := os.Symlink(to, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ name, thread, rule string }{
		{"V2/major 2", "major-2", "V2"},
		{"L1/linked assets", "linked", ""},
		{"L1/linked asset", "linked-file", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := d.Append(t.Context(), c.thread, picture("", gif)); err == nil || broken(err) != c.rule {
				t.Errorf("%v", err)
			}
		})
	}
	if entries, err := os.ReadDir(b.path("outside")); err != nil || len(entries) > 0 {
		t.Errorf("L1: written through a link: %v %v", entries, err)
	}
}

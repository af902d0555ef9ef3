package threads

import (
	"encoding/base64"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// gif is the smallest picture that is one.
const gif = "GIF89a\x01\x00\x01\x00\x00\x00\x00,"

// TestAttach stores a picture under its name, once, and a message can refer to
// it: ATSF B3 L4 B1.
func TestAttach(t *testing.T) {
	b := newReadBed(t)
	d, name := b.begin("p")
	b.write("half a pict", "p", atsf.DirName, atsf.ThreadsName, name, atsf.AssetsName, disk.TempPrefix+strings.Repeat("A", 26))
	for range 2 {
		block, err := d.Attach(t.Context(), name, []byte(gif))
		if err != nil {
			t.Fatal(err)
		}
		want := atsf.NameAsset([]byte(gif), "gif")
		if block.AssetRef != want.String() || block.MimeType != "image/gif" || block.Type != atsf.TypeImage {
			t.Errorf("B1: %+v", block)
		}
		if diff := cmp.Diff([]string{block.AssetRef}, b.standing("p", name, atsf.AssetsName)); diff != "" {
			t.Errorf("L4: %s", diff)
		}
		m := words("", atsf.RoleUser, "look", -1)
		m.Content = append(m.Content, block)
		if err := d.Append(t.Context(), name, m); err != nil {
			t.Fatal(err)
		}
		if a, err := d.Asset(name, block.AssetRef); err != nil || string(a.Data) != gif || a.Mime != "image/gif" {
			t.Errorf("L4: %+v %v", a, err)
		}
	}
	b.right("p", name)
}

// TestAttachCollision keeps what stands under a name, and says so: ATSF Z12.
func TestAttachCollision(t *testing.T) {
	b := newReadBed(t)
	d, name := b.begin("p")
	ref := atsf.NameAsset([]byte(gif), "gif").String()
	for _, other := range []string{"", "another", strings.Repeat("x", len(gif))} {
		b.write(other, "p", atsf.DirName, atsf.ThreadsName, name, atsf.AssetsName, ref)
		_, err := d.Attach(t.Context(), name, []byte(gif))
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

// TestAttachRefused stores nothing that is no picture, and nothing through a
// link: ATSF B1 L4 V2.
func TestAttachRefused(t *testing.T) {
	b := newReadBed(t)
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
	for _, c := range []struct{ name, thread, content, rule string }{
		{"B1/svg", "unknown-fields", `<svg xmlns="http://www.w3.org/2000/svg"/>`, "B1"},
		{"B1/html", "unknown-fields", "<!doctype html>", "B1"},
		{"B1/nothing", "unknown-fields", "", "B1"},
		{"B1/too large", "unknown-fields", gif + strings.Repeat("x", MaxAsset), "B1"},
		{"V2/major 2", "major-2", gif, "V2"},
		{"L1/linked assets", "linked", gif, ""},
		{"L1/linked asset", "linked-file", gif, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := d.Attach(t.Context(), c.thread, []byte(c.content)); err == nil || broken(err) != c.rule {
				t.Errorf("%v", err)
			}
		})
	}
	if entries, err := os.ReadDir(b.path("outside")); err != nil || len(entries) > 0 {
		t.Errorf("L1: written through a link: %v %v", entries, err)
	}
}

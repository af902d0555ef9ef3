package atsf

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// TestAsset opens images and refuses everything else. ATSF L4 Z12
func TestAsset(t *testing.T) {
	b := newReadFixture(t)
	b.project("main", "p")
	const name, png = "a1b2c3d4-e5f6-4890-abcd-ef1234567890", "sha256-f78324a3d1694c16.png"
	d := b.open("p")
	a, err := d.Asset(name, png)
	if err != nil || a.Mime != "image/png" || len(a.Data) == 0 || a.Name.String() != png {
		t.Fatalf("%+v %v", a.Name, err)
	}
	at := func(file string) string { return b.threadPath("p", name, atsf.AssetsName, file) }
	put := func(content []byte, ext string) string {
		n := atsf.NameAsset(content, ext).String()
		if err := os.WriteFile(at(n), content, 0o600); err != nil {
			t.Fatal(err)
		}
		return n
	}
	svg := put([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`), "svg")
	html := put([]byte("<!doctype html><script></script>"), "png")
	large := put(append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, MaxAsset)...), "png")
	if err := os.WriteFile(at("sha256-0123456789abcdef.png"), a.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(b.dir, "secret.png")
	if err := os.WriteFile(secret, a.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	link := strings.Replace(png, ".png", ".gif", 1)
	if err := os.Symlink(secret, at(link)); err != nil {
		t.Fatal(err)
	}
	disktest.FIFO(t, at("sha256-00000000000000ff.png"))
	for _, c := range []struct{ name, ref, want string }{
		{"a path", "../../../../../../../etc/passwd", "L4"},
		{"a path that ends well", "../assets/" + png, "L4"},
		{"no digits", "sha256-a1b2c3d4e5f6g7h8.png", "L4"},
		{"another digest", "sha256-0123456789abcdef.png", "L4"},
		{"not there", "sha256-0123456789abcde0.png", "not found"},
		{"SVG", svg, "L4"},
		{"HTML with another name", html, "L4"},
		{"too large", large, "L4"},
		{"a link", link, "symbolic link"},
		{"a FIFO", "sha256-00000000000000ff.png", "L1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := d.Asset(name, c.ref)
			if err == nil || !strings.Contains(err.Error(), c.want) || a.Data != nil {
				t.Errorf("%+v %v", a.Name, err)
			}
		})
	}
	b.thread("p", "none", 1)
	b.thread("p", "linked", 1)
	if err := os.Symlink(b.threadPath("p", name, atsf.AssetsName), b.threadPath("p", "linked", atsf.AssetsName)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Asset("none", png); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := d.Asset("linked", png); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("assets is a link: %v", err)
	}
}

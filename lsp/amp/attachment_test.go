package amp

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// TestAttachments finds files where the spec and where existing clients put them: AMP STO-1
// ATT-15.
func TestAttachments(t *testing.T) {
	d := newWriteFixture(t)
	key := d.received("inbox/10-attachments.json")
	msg := d.message(key)
	list := msg.Payload.Attachments
	d.put("agents/bob/attachments/"+list[0].ID+"/"+list[0].Filename, "x")
	d.put("agents/bob/attachments/"+msg.ID+"/"+list[1].Filename, "x")
	outside := filepath.Join(t.TempDir(), "secret")
	if err := errors.Join(
		os.WriteFile(outside, []byte("secret"), 0o600),
		os.MkdirAll(d.file("agents/bob/attachments/"+list[2].ID), 0o700),
		os.Symlink(outside, d.file("agents/bob/attachments/"+list[2].ID+"/"+list[2].Filename)),
		os.Symlink(filepath.Dir(outside), d.file("agents/bob/attachments/"+list[3].ID)),
	); err != nil {
		t.Fatal(err)
	}
	got := d.box("bob").Attachments(&msg)
	if len(got) != 5 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []string{"attachments/" + list[0].ID + "/" + list[0].Filename, "attachments/" + msg.ID + "/" + list[1].Filename, "", "", ""} {
		if a := got[i]; a.File != want || a.Name != list[i].Filename || (a.Err != nil) != (i == 2 || i == 3) {
			t.Errorf("%d: %+v", i, a)
		}
	}
	for _, a := range got[2:4] {
		if !strings.Contains(a.Err.Error(), "symbolic link") {
			t.Errorf("%v", a.Err)
		}
	}
}

// TestAttachmentsHostile makes no path from an invalid name: AMP ATT-10 ATT-12 ATT-15.
func TestAttachmentsHostile(t *testing.T) {
	d := newWriteFixture(t)
	d.put("agents/bob/x", "secret")
	att := func(id, name string) amp.Attachment {
		return amp.Attachment{ID: id, Filename: name, Size: 6, Digest: amp.Digest([]byte("secret"))}
	}
	for name, c := range map[string]struct {
		msgID string
		list  []amp.Attachment
		rule  string
	}{
		"an id up":        {"msg_1_a", []amp.Attachment{att("..", "x")}, "ATT-15"},
		"an id with a /":  {"msg_1_a", []amp.Attachment{att("att_1_a/../..", "x")}, "ATT-15"},
		"a name up":       {"msg_1_a", []amp.Attachment{att("att_1_a", "../../x")}, "ATT-10"},
		"a name":          {"msg_1_a", []amp.Attachment{att("att_1_a", "..")}, "ATT-13"},
		"a device":        {"msg_1_a", []amp.Attachment{att("att_1_a", "con.txt")}, "ATT-12"},
		"one id twice":    {"msg_1_a", []amp.Attachment{att("att_1_a", "x"), att("att_1_a", "y")}, "ATT-15"},
		"a message up":    {"..", []amp.Attachment{att("att_1_a", "x")}, ""},
		"a message empty": {"", []amp.Attachment{att("att_1_a", "x")}, ""},
	} {
		msg := amp.Message{ID: c.msgID, Payload: amp.Payload{Attachments: c.list}}
		b := d.box("bob")
		a := b.Attachments(&msg)[0]
		if a.File != "" || ruleOf(a.Err) != c.rule {
			t.Errorf("%s: %+v", name, a)
		}
		dest := filepath.Join(t.TempDir(), "dest")
		err := b.SaveAttachment(t.Context(), &msg, c.list[0].ID, dest)
		if _, e := os.Lstat(dest); err == nil || e == nil || ruleOf(err) != c.rule {
			t.Errorf("%s: saved: %v", name, err)
		}
	}
}

// TestSaveAttachment checks size and digest before there is a file of the name:
// AMP ATT-18 ATT-22.
func TestSaveAttachment(t *testing.T) {
	d := newWriteFixture(t)
	got := d.send("alice", letter("x", d.put("../a.txt", "content")))
	msg := d.message(got.InboxKey)
	a := msg.Payload.Attachments[0]
	file := "agents/bob/attachments/" + a.ID + "/a.txt"
	b := d.box("bob")
	dir := t.TempDir()
	dest := filepath.Join(dir, "saved.txt")
	if err := b.SaveAttachment(t.Context(), &msg, a.ID, dest); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(dest); err != nil || string(data) != "content" {
		t.Errorf("%q %v", data, err)
	}
	if err := b.SaveAttachment(t.Context(), &msg, a.ID, dest); !errors.Is(err, fs.ErrExist) {
		t.Errorf("replaced: %v", err)
	}
	digest := a.Digest
	for name, c := range map[string]struct {
		content, digest, rule string
	}{
		"other bytes":     {"CONTENT", digest, "ATT-18"},
		"longer":          {"content and more", digest, "ATT-18"},
		"shorter":         {"cont", digest, "ATT-18"},
		"another digest":  {"content", "sha512:" + strings.Repeat("0", 128), "ATT-22"},
		"a digest of ...": {"content", "sha256-" + digest[7:], "ATT-22"},
	} {
		d.put(file, c.content)
		msg.Payload.Attachments[0].Digest = c.digest
		dest := filepath.Join(dir, "no")
		if err := b.SaveAttachment(t.Context(), &msg, a.ID, dest); ruleOf(err) != c.rule {
			t.Errorf("%s: %v", name, err)
		}
	}
	msg.Payload.Attachments[0].Digest = digest
	d.put(file, "content")
	if err := b.SaveAttachment(t.Context(), &msg, "att_1_a", filepath.Join(dir, "no")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if err := b.SaveAttachment(t.Context(), &msg, a.ID, filepath.Join(dir, "none", "no")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.SaveAttachment(ctx, &msg, a.ID, filepath.Join(dir, "no")); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	// A link in the place is not written through.
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := b.SaveAttachment(t.Context(), &msg, a.ID, filepath.Join(dir, "link")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	for n := 1; ; n++ {
		stop, at := n, disk.Op("")
		d.hook = func(c *disk.Change) error {
			if stop--; stop == 0 {
				at = c.Op
				return syscall.ENOSPC
			}
			return nil
		}
		err := b.SaveAttachment(t.Context(), &msg, a.ID, filepath.Join(dir, "full"))
		if at == "" {
			break
		}
		if data, e := os.ReadFile(filepath.Join(dir, "full")); e == nil && string(data) != "content" || e != nil && err == nil {
			t.Errorf("%s: %q %v", at, data, err)
		}
		if e := os.RemoveAll(filepath.Join(dir, "full")); e != nil {
			t.Fatal(e)
		}
	}
	d.hook = nil
	old := time.Now().Add(-2 * time.Hour)
	left, _ := filepath.Glob(filepath.Join(dir, ".signalbox-*"))
	for _, name := range left {
		if err := os.Chtimes(name, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.SaveAttachment(t.Context(), &msg, a.ID, filepath.Join(dir, "last")); err != nil {
		t.Error(err)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 3+1 {
		t.Errorf("there are %v %v", list, err) // full, last, link, saved.txt
	}
}

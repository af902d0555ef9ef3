package amp

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// TestDelete removes a message with its attachments, including downloads, but nothing that
// another message names: AMP ATT-20.
func TestDelete(t *testing.T) {
	d := newWriteFixture(t)
	got := d.send("alice", letter("x", d.put("../a.txt", "a"), d.put("../b.txt", "b"), d.put("../c.txt", "c")))
	other := d.send("alice", letter("other"))
	list := d.message(got.InboxKey).Payload.Attachments
	folder := func(id string) string { return "agents/bob/attachments/" + id }
	d.put(folder(got.ID)+"/a.txt", "downloaded")
	d.put(folder("att_1_a")+"/a.txt", "somebody's")
	// Two other messages name one each, the second in other letters, in a folder
	// that is not named after its sender.
	hex := `\u0061` + list[1].ID[1:]
	d.put("agents/bob/messages/inbox/else/where/msg_1_a.json", strings.Replace(d.has(other.InboxKey), `"message":"other"`, `"message":"other","attachments":[{"id":"`+hex+`"}]`, 1))
	d.put("agents/bob/messages/sent/msg_2_a.json", "half a message "+list[2].ID)
	b := d.box("bob")
	if err := b.Delete(t.Context(), got.InboxKey); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{got.InboxKey, folder(list[0].ID), folder(got.ID)} {
		d.gone(gone)
	}
	d.tidy("deleted")
	for _, stays := range []string{folder(list[1].ID) + "/b.txt", folder(list[2].ID) + "/c.txt", folder("att_1_a") + "/a.txt", got.SentKey, other.InboxKey, "agents/alice/attachments/" + list[0].ID + "/a.txt"} {
		d.has(stays)
	}
	if err := b.Delete(t.Context(), got.InboxKey); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("again: %v", err)
	}
	if err := d.box("alice").Delete(t.Context(), got.SentKey); err != nil {
		t.Error(err)
	}
	for _, a := range list {
		d.gone("agents/alice/attachments/" + a.ID)
	}
	if err := b.Delete(t.Context(), other.SentKey); err == nil {
		t.Error("another's message was deleted")
	}
}

// TestDeleteHostile deletes nothing outside the mailbox, whatever a message names and whatever
// is in the place of a folder: AMP ATT-15 ATT-20.
func TestDeleteHostile(t *testing.T) {
	d := newWriteFixture(t)
	outside := t.TempDir()
	precious := filepath.Join(outside, "precious.txt")
	if err := os.WriteFile(precious, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := d.send("alice", letter("x", d.put("../a.txt", "a"), d.put("../b.txt", "b")))
	text := d.has(got.InboxKey)
	list := d.message(got.InboxKey).Payload.Attachments
	b := d.box("bob")
	at := d.file("agents/bob/attachments/" + list[0].ID)
	if err := errors.Join(os.RemoveAll(at), os.Symlink(outside, at), os.Symlink(outside, d.file("agents/bob/attachments/"+list[1].ID+"/more"))); err != nil {
		t.Fatal(err)
	}
	evil := strings.Replace(strings.Replace(text, got.ID, "..", 1), list[0].ID+`"`, `../../../../`+filepath.Base(outside)+`"`, 1)
	d.put("agents/bob/messages/inbox/x/msg_1_a.json", evil)
	if err := b.Delete(t.Context(), "agents/bob/messages/inbox/x/msg_1_a.json"); err != nil {
		t.Error(err)
	}
	if err := b.Delete(t.Context(), got.InboxKey); err != nil {
		t.Error(err)
	}
	d.gone("agents/bob/attachments/" + list[0].ID)
	d.gone("agents/bob/attachments/" + list[1].ID)
	if data, err := os.ReadFile(precious); err != nil || string(data) != "x" {
		t.Errorf("%v", err)
	}
	// A link in the place of the folder on the way, or of the message.
	for _, link := range []string{"messages", "messages/inbox", "messages/inbox/x", "messages/inbox/x/msg_1_a.json", ".signalbox"} {
		d := newWriteFixture(t)
		d.put("agents/bob/messages/inbox/x/msg_1_a.json", text)
		moved := filepath.Join(t.TempDir(), "moved")
		at := d.file("agents/bob/" + link)
		if err := errors.Join(os.Rename(at, moved), os.Symlink(moved, at)); err != nil {
			t.Fatal(err)
		}
		b := d.box("bob")
		if err := b.Delete(t.Context(), "agents/bob/messages/inbox/x/msg_1_a.json"); err == nil {
			t.Errorf("%s: deleted through a link", link)
		}
		if err := b.SetStatus(t.Context(), "agents/bob/messages/inbox/x/msg_1_a.json", amp.Read, d.now); err == nil {
			t.Errorf("%s: changed through a link", link)
		}
		if d.has("agents/bob/messages/inbox/x/msg_1_a.json") != text {
			t.Errorf("%s: it was changed", link)
		}
	}
}

// TestSendLinks delivers nothing through a link, and undoes what it began: AMP STO-1.
func TestSendLinks(t *testing.T) {
	for _, link := range []string{
		"bob", "bob/messages", "bob/messages/inbox", "bob/messages/inbox/alice_default_aimaestro_local", "bob/attachments",
		"alice/attachments", "alice/.signalbox", "alice/messages/sent", "alice/messages/sent/bob_default_aimaestro_local",
	} {
		d := newWriteFixture(t)
		b, p := d.prepare("alice", letter("x", d.put("../a.txt", "a")))
		moved, at := filepath.Join(t.TempDir(), "moved"), d.file("agents/"+link)
		if err := errors.Join(os.MkdirAll(at, 0o700), os.Rename(at, moved), os.Symlink(moved, at)); err != nil {
			t.Fatal(err)
		}
		before, beyond := d.filesLeft(), walked(t, moved)
		got, err := b.Send(t.Context(), p, d.now)
		if strings.HasPrefix(link, "alice/messages/sent") {
			// Only the sender's copy has no place, so the message is delivered.
			if err != nil && len(d.snap().Threads) > 0 {
				t.Errorf("%s: %v %v", link, got, err)
			}
		} else if err == nil {
			t.Errorf("%s: sent", link)
		} else if diff := cmp.Diff(before, d.filesLeft()); diff != "" {
			t.Errorf("%s: %s", link, diff)
		}
		if diff := cmp.Diff(beyond, walked(t, moved)); diff != "" {
			t.Errorf("%s: written through the link: %s", link, diff)
		}
	}
}

// walked lists the files of a folder.
func walked(t *testing.T, root string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		list = append(list, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRecoverHostile does nothing that a planted file asks for, and reports it.
func TestRecoverHostile(t *testing.T) {
	d := newWriteFixture(t)
	got := d.send("alice", letter("x", d.put("../a.txt", "a")))
	text := d.has(got.SentKey)
	for name, c := range map[string]struct{ file, text string }{
		"elsewhere":       {"send-" + got.ID + ".json", strings.Replace(text, "agents/bob", "../../x", 1)},
		"another name":    {"send-msg_1_a.json", text},
		"no message":      {"send-" + got.ID + ".json", "x"},
		"a hostile id":    {"send-...json", strings.ReplaceAll(text, got.ID, "..")},
		"no identity":     {"init.json", "x"},
		"other files":     {"init.json", `{"files":{"../../x":"x"}}`},
		"a folder":        {"send-x/y", ""},
		"a hostile name":  {"send-" + got.ID + ".json", strings.Replace(text, `"filename":"a.txt"`, `"filename":"../a.txt"`, 1)},
		"deleted, half":   {"deleted-x.json", text[:len(text)/2]},
		"deleted, folder": {"deleted-x/y", ""},
	} {
		before := d.seen()
		d.put("agents/alice/.signalbox/"+c.file, c.text)
		b := d.box("alice")
		err := b.Recover(t.Context())
		if fine := name == "deleted, half" || name == "other files"; (err == nil) != fine {
			t.Errorf("%s: %v", name, err)
		}
		if err := b.Delete(t.Context(), "agents/alice/messages/sent/x/msg_1_a.json"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: it hinders: %v", name, err)
		}
		if diff := cmp.Diff(before, d.seen()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if err := os.RemoveAll(d.file("agents/alice/.signalbox")); err != nil {
			t.Fatal(err)
		}
	}
	// Nothing is written if nothing was begun.
	if err := d.box("alice").Recover(t.Context()); err != nil {
		t.Error(err)
	}
	d.gone("agents/alice/.signalbox")
}

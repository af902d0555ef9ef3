package amp

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// received puts a message that an existing client stored into an inbox, and gives
// its key.
func (d *writeFixture) received(name string) string {
	d.t.Helper()
	data := fixture(d.t, name)
	msg, err := amp.ParseMessage(data)
	if err != nil {
		d.t.Fatal(err)
	}
	key := "agents/bob/messages/inbox/" + peerFolder(msg.From) + "/" + msg.ID + ".json"
	d.put(key, string(data))
	return key
}

// TestSetStatus changes the state and nothing else, where existing clients and the
// text have it, and keeps the file's mode: AMP STO-2 STO-3.
func TestSetStatus(t *testing.T) {
	d := newWriteFixture(t)
	key := d.received("states/01-inbox-unread.json")
	if err := os.Chmod(d.file(key), 0o644); err != nil {
		t.Fatal(err)
	}
	b := d.box("bob")
	before := d.has(key)
	set := func(status string, after time.Duration) amp.Local {
		t.Helper()
		if err := b.SetStatus(t.Context(), key, status, d.now.Add(after)); err != nil {
			t.Fatal(err)
		}
		msg := d.message(key)
		if msg.Local.Status != status || object(t, d.has(key))["metadata"].(map[string]any)["status"] != status {
			t.Errorf("AMP STO-3: %s: %s", status, d.has(key))
		}
		return msg.Local
	}
	if l := set(amp.Read, 0); l.ReadAt.Millis != d.now.UnixMilli() {
		t.Errorf("AMP STO-2: read at %v", l.ReadAt)
	}
	if l := set(amp.Read, time.Hour); l.ReadAt.Millis != d.now.UnixMilli() {
		t.Errorf("AMP STO-2: read again at %v", l.ReadAt)
	}
	set(amp.Archived, 0)
	if l := set(amp.Read, time.Hour); l.ReadAt.Millis != d.now.UnixMilli() {
		t.Errorf("AMP STO-2: taken back from the archive, and read at %v", l.ReadAt)
	}
	set(amp.Unread, 0)
	if l := set(amp.Read, time.Hour); l.ReadAt.Millis != d.now.Add(time.Hour).UnixMilli() {
		t.Errorf("AMP STO-2: read at %v", l.ReadAt)
	}
	// What was signed is what is stored, to the byte, and what others noted stays.
	head := before[:strings.Index(before, `"metadata"`)]
	if after := d.has(key); !strings.HasPrefix(after, head) || !strings.Contains(after, `"queued_at"`) || !strings.Contains(after, `"verified_at"`) {
		t.Errorf("AMP STO-2: %s", after)
	}
	if info, err := os.Stat(d.file(key)); err != nil || modesCount() && info.Mode().Perm() != 0o644 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	d.tidy("set")
}

// TestSetStatusRefused changes only what is in one's own inbox: AMP STO-3.
func TestSetStatusRefused(t *testing.T) {
	d := newWriteFixture(t)
	got := d.send("alice", letter("x"))
	outside := filepath.Join(t.TempDir(), "msg_1_a.json")
	if err := errors.Join(os.WriteFile(outside, []byte(d.has(got.InboxKey)), 0o600), os.Symlink(outside, d.file("agents/bob/messages/inbox/msg_1_a.json"))); err != nil {
		t.Fatal(err)
	}
	d.put("agents/bob/messages/inbox/x/.hidden.json", d.has(got.InboxKey))
	before := d.seen()
	for name, key := range map[string]string{
		"another's":   got.SentKey,
		"the root's":  strings.TrimPrefix(got.InboxKey, "agents/bob/"),
		"no message":  "agents/bob/config.json",
		"no file":     "agents/bob/messages/inbox/x/msg_1_a.json",
		"up":          "agents/bob/messages/inbox/../../../alice/messages/sent/bob_default_aimaestro_local/" + got.ID + ".json",
		"up and down": "agents/bob/../bob/messages/inbox/alice_default_aimaestro_local/" + got.ID + ".json",
		"absolute":    outside,
		"twice":       "agents/bob//messages/inbox/alice_default_aimaestro_local/" + got.ID + ".json",
		"a link":      "agents/bob/messages/inbox/msg_1_a.json",
		"hidden":      "agents/bob/messages/inbox/x/.hidden.json",
		"a folder":    "agents/bob/messages/inbox",
		"empty":       "",
	} {
		if err := d.box("bob").SetStatus(t.Context(), key, amp.Read, d.now); err == nil {
			t.Errorf("%s: changed", name)
		}
	}
	if err := d.box("alice").SetStatus(t.Context(), got.SentKey, amp.Read, d.now); err == nil {
		t.Error("what was sent was read")
	}
	if err := d.box("bob").SetStatus(t.Context(), got.InboxKey, "seen", d.now); ruleOf(err) != "STO-3" {
		t.Errorf("%v", err)
	}
	if diff := cmp.Diff(before, d.seen()); diff != "" {
		t.Error(diff)
	}
	for _, dir := range []string{"agents/..", "agents/", "agents", "../x", "agents/.signalbox", "agents/bob/messages", "/", ""} {
		if b, err := Open(d.root, dir); err == nil {
			t.Errorf("%q is a mailbox", dir)
			b.Close()
		}
	}
}

// TestSetStatusTogether loses nothing that another client, which takes no lock, writes
// meanwhile: AMP STO-3.
func TestSetStatusTogether(t *testing.T) {
	d := newWriteFixture(t)
	key := d.received("states/01-inbox-unread.json")
	original := d.has(key)
	b := d.box("bob")
	for _, at := range []disk.Op{disk.OpCreate, disk.OpWrite, disk.OpSync} {
		d.put(key, original)
		writes := 0
		d.hook = func(c *disk.Change) error {
			if c.Op == at && writes == 0 && strings.Contains(c.Path, disk.TempPrefix) {
				writes++
				d.put(key, strings.Replace(original, `"local": {`, `"local": {`+"\n    \"theirs\": 1,", 1))
			}
			return nil
		}
		if err := b.SetStatus(t.Context(), key, amp.Archived, d.now); err != nil {
			t.Fatal(err)
		}
		if text := d.has(key); writes != 1 || !strings.Contains(text, `"theirs": 1`) || d.message(key).Local.Status != amp.Archived {
			t.Errorf("%s: %s", at, text)
		}
	}
	// A message that was removed meanwhile does not come back.
	d.put(key, original)
	d.hook = func(c *disk.Change) error {
		if c.Op == disk.OpSync && strings.Contains(c.Path, disk.TempPrefix) {
			return os.Remove(d.file(key))
		}
		return nil
	}
	if err := b.SetStatus(t.Context(), key, amp.Archived, d.now); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	d.gone(key)
	d.hook = nil
	d.recover("bob")
	d.tidy("together")
}

// TestSetStatusPartial waits for a client that is writing in place, and not for ever.
func TestSetStatusPartial(t *testing.T) {
	d := newWriteFixture(t)
	key := d.received("states/01-inbox-unread.json")
	original := d.has(key)
	b := d.box("bob")
	synctest.Test(t, func(t *testing.T) {
		d.put(key, original[:len(original)/2])
		done := make(chan error, 1)
		go func() { done <- b.SetStatus(t.Context(), key, amp.Read, d.now) }()
		time.Sleep(50 * time.Millisecond)
		d.put(key, original)
		if err := <-done; err != nil {
			t.Error(err)
		}
		d.put(key, original[:len(original)/2])
		start := time.Now()
		if err := b.SetStatus(t.Context(), key, amp.Read, d.now); ruleOf(err) != "JSN-0" || time.Since(start) > time.Second {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		if err := b.SetStatus(ctx, key, amp.Read, d.now); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	})
	if d.has(key) != original[:len(original)/2] {
		t.Error("it was changed")
	}
	d.tidy("half")
}

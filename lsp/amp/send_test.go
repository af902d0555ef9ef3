package amp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// TestSend delivers a message as it was signed, with exactly what it needs:
// AMP STO-1 STO-2 SIG-1 IDK-1 IDK-2 JSN-1 JSN-2 ATT-1 ATT-6 ATT-8 ATT-19.
func TestSend(t *testing.T) {
	defer setUmask(setUmask(0))
	d := newWriteFixture(t)
	l := letter("héllo", d.put("../Bericht März (final).txt", "text"), d.put("../con.json", "{}"))
	l.Context = []byte(`{"b":null,"a":{"x":null,"y":1.0}}`)
	l.Expires = time.Hour
	b, p := d.prepare("alice", l)
	before := d.seen()
	signed, err := b.Sign(p)
	if err != nil || len(d.seen()) != len(before) {
		t.Fatalf("signing wrote something: %v", err)
	}
	got, err := b.Send(t.Context(), p, d.now.Add(5*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	id := p.Stamp.ID()
	want := Delivered{
		ID:       id,
		SentKey:  "agents/alice/messages/sent/bob_default_aimaestro_local/" + id + ".json",
		InboxKey: "agents/bob/messages/inbox/alice_default_aimaestro_local/" + id + ".json",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	modes(t, d.root)
	d.tidy("sent")
	envelope := string(signed[:bytes.Index(signed, []byte("\n  \"payload\""))])
	for _, key := range []string{got.SentKey, got.InboxKey} {
		if text := d.has(key); !strings.HasPrefix(text, envelope) || !strings.Contains(text, string(p.Letter.Payload())) {
			t.Errorf("AMP SIG-1: %s is not as it was signed", key)
		}
		if msg := d.message(key); len(msg.Faults)+len(msg.Notes) > 0 {
			t.Errorf("%s: %v %v", key, msg.Faults, msg.Notes)
		}
		if strings.Contains(d.has(key), "null") {
			t.Errorf("AMP JSN-1 JSN-2: a null in %s", d.has(key))
		}
	}
	msg := d.message(got.InboxKey)
	if !amp.ValidIdempotencyKey(msg.IdempotencyKey) {
		t.Errorf("AMP IDK-1: %q", msg.IdempotencyKey)
	}
	if local := object(t, d.has(got.InboxKey))["local"]; !cmp.Equal(local, any(map[string]any{
		"received_at": "2026-11-21T08:32:43Z", "status": "unread", "delivery_method": "local",
	})) {
		t.Errorf("AMP STO-2: %v", local)
	}
	if local := object(t, d.has(got.SentKey))["local"]; !cmp.Equal(local, any(map[string]any{
		"sent_at": "2026-11-21T08:32:43Z", "delivery_method": "local", "delivered_to": "agents/bob",
	})) {
		t.Errorf("AMP STO-2: %v", local)
	}
	if msg.Expires.Millis != d.now.Add(time.Hour).UnixMilli() || msg.Priority != amp.Normal || msg.Payload.Type != "request" {
		t.Errorf("%+v", msg)
	}
	for i, name := range []string{"Bericht_M_rz__final_.txt", "_con.json"} {
		a := msg.Payload.Attachments[i]
		if a.Filename != name || a.ScanStatus != amp.Unscanned || a.URL != "attachments/"+a.ID+"/"+name || a.ContentType != []string{"text/plain", "application/json"}[i] {
			t.Errorf("AMP ATT-1 ATT-6: %+v", a)
		}
		if a.Expires.Millis-a.Uploaded.Millis < amp.MinTTL || a.Uploaded.Millis != d.now.UnixMilli() {
			t.Errorf("AMP ATT-8: %+v", a)
		}
		for _, who := range []string{"alice", "bob"} {
			if err := a.Check([]byte(d.has("agents/" + who + "/attachments/" + a.ID + "/" + name))); err != nil {
				t.Errorf("AMP ATT-1: %v", err)
			}
		}
	}
	// A reader finds it, and its signature fits.
	s := d.snap()
	if len(s.Problems) > 0 || len(s.Threads) != 1 {
		t.Fatalf("%v %v", s.Problems, s.Threads)
	}
	m := s.Threads[0].Messages[0]
	if _, trust, err := s.Trust(m.Message, nil, d.now.UnixMilli()); err != nil || trust.State != amp.TrustVerified || trust.Step != amp.AsStored || len(m.Copies) != 1 {
		t.Errorf("%+v %v %+v", trust, err, m)
	}
}

// TestSendAgain sends a message once, however often it is tried: AMP IDK-2.
func TestSendAgain(t *testing.T) {
	d := newWriteFixture(t)
	for _, kind := range []string{"ed25519", "ecdsa"} { // ECDSA signs otherwise each time
		d.keyOf(t, kind)
		b, p := d.prepare("alice", letter("x", d.put("../a.txt", "a")))
		first, err := b.Send(t.Context(), p, d.now)
		if err != nil {
			t.Fatal(err)
		}
		before := d.seen()
		if again, err := b.Send(t.Context(), p, d.now.Add(time.Hour)); err != nil || again != first {
			t.Errorf("%s: %v %v", kind, again, err)
		}
		if diff := cmp.Diff(before, d.seen()); diff != "" {
			t.Error(diff)
		}
		// A message that its receiver deleted was received.
		if err := d.box("bob").Delete(t.Context(), first.InboxKey); err != nil {
			t.Fatal(err)
		}
		if again, err := b.Send(t.Context(), p, d.now); err != nil || again != first {
			t.Errorf("%s: %v %v", kind, again, err)
		}
		d.gone(first.InboxKey)
		// Another message with the id is not ours.
		other := letter("y")
		q, err := b.Prepare(t.Context(), d.snap(), other, Stamp{millis: p.Stamp.millis, seed: p.Stamp.seed})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Send(t.Context(), q, d.now); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: another message: %v", kind, err)
		}
	}
}

// TestTwoNames finishes a delivery whose intent and sent copy are names of one file, as after a
// power cut during a rename.
func TestTwoNames(t *testing.T) {
	d := newWriteFixture(t)
	got := d.send("alice", letter("x"))
	intent := "agents/alice/" + workFolder + "/" + intentPrefix + got.ID + ext
	if err := os.Link(d.file(got.SentKey), d.file(intent)); err != nil {
		t.Fatal(err)
	}
	d.recover("alice")
	d.gone(intent)
	d.has(got.SentKey)
	d.has(got.InboxKey)
}

// TestSendToOneself stores the attachments of both messages once.
func TestSendToOneself(t *testing.T) {
	d := newWriteFixture(t)
	l := letter("x", d.put("../a.txt", "a"))
	l.To = address("alice")
	got := d.send("alice", l)
	a := d.message(got.InboxKey).Payload.Attachments[0]
	d.tidy("sent")
	b := d.box("alice")
	if err := b.Delete(t.Context(), got.InboxKey); err != nil {
		t.Fatal(err)
	}
	d.has("agents/alice/attachments/" + a.ID + "/a.txt")
	if err := b.Delete(t.Context(), got.SentKey); err != nil {
		t.Fatal(err)
	}
	d.gone("agents/alice/attachments/" + a.ID)
}

// TestSendRefused sends nothing without a receiver, and nothing that has expired.
func TestSendRefused(t *testing.T) {
	d := newWriteFixture(t)
	l := letter("x")
	l.To = "eve@elsewhere.example"
	b, p := d.prepare("alice", l)
	if _, err := b.Send(t.Context(), p, d.now); !errors.Is(err, ErrNoMailbox) {
		t.Errorf("%v", err)
	}
	if data, err := b.Sign(p); err != nil || len(data) == 0 {
		t.Errorf("AMP SIG-1: it can be signed for a provider: %v", err)
	}
	l = letter("x")
	l.Expires = time.Minute
	b, p = d.prepare("alice", l)
	if _, err := b.Send(t.Context(), p, d.now.Add(2*time.Minute)); ruleOf(err) != "ENV-7" {
		t.Errorf("%v", err)
	}
	b, p = d.prepare("alice", letter("x"))
	if err := os.RemoveAll(d.file("agents/bob")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Send(t.Context(), p, d.now); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	d.gone("agents/bob")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d = newWriteFixture(t)
	b, p = d.prepare("alice", letter("x", d.put("../a.txt", "a")))
	if _, err := b.Send(ctx, p, d.now); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := b.Prepare(ctx, d.snap(), letter("x", d.file("../a.txt")), NewStamp(d.now)); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	d.tidy("cancelled")
}

// TestReceiverGone undoes what was begun for a mailbox that no longer exists.
func TestReceiverGone(t *testing.T) {
	d := newWriteFixture(t)
	b, p := d.prepare("alice", letter("x", d.put("../a.txt", "a")))
	before := d.filesLeft()
	full := errors.New("full")
	dead := false
	d.hook = func(c *disk.Change) error {
		if dead = dead || c.Op == disk.OpMkdir; dead {
			return full
		}
		return nil
	}
	if _, err := b.Send(t.Context(), p, d.now); !errors.Is(err, full) {
		t.Fatal(err)
	}
	d.hook = nil
	if err := os.Rename(d.file("agents/bob"), d.file("../bob")); err != nil {
		t.Fatal(err)
	}
	d.recover("alice")
	if err := os.Rename(d.file("../bob"), d.file("agents/bob")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, d.filesLeft()); diff != "" {
		t.Error(diff)
	}
}

// TestReplaced writes nothing into a mailbox that was moved away.
func TestReplaced(t *testing.T) {
	d := newWriteFixture(t)
	b, p := d.prepare("alice", letter("x"))
	if err := errors.Join(os.Rename(d.file("agents/alice"), d.file("../old")), os.CopyFS(d.file("agents/alice"), os.DirFS(d.file("../old")))); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Send(t.Context(), p, d.now); !errors.Is(err, disk.ErrReplaced) {
		t.Errorf("%v", err)
	}
	if n := d.snap().Messages; n != 0 {
		t.Errorf("%d messages", n)
	}
}

// TestReceiversClient recognises a message that its receiver's client changed, and does not
// decide while that client is writing: AMP STO-1.
func TestReceiversClient(t *testing.T) {
	for name, c := range map[string]struct {
		change func(text string) string
		known  bool
	}{
		"wrapped": {func(s string) string { return strings.Replace(s, `"message":"x"`, `"message":"<external>x"`, 1) }, true},
		"half":    {func(s string) string { return s[:len(s)/2] }, false},
	} {
		d := newWriteFixture(t)
		b, p := d.prepare("alice", letter("x", d.put("../a.txt", "a")))
		inbox := "agents/bob/messages/inbox/alice_default_aimaestro_local/" + p.Stamp.ID() + ".json"
		whole := ""
		full := errors.New("full")
		d.hook = func(*disk.Change) error {
			if _, err := os.Lstat(d.file(inbox)); err == nil && whole == "" {
				whole = d.has(inbox)
				d.put(inbox, c.change(whole))
				return full
			}
			return nil
		}
		if _, err := b.Send(t.Context(), p, d.now); (err == nil) != c.known {
			t.Errorf("%s: %v", name, err)
		}
		d.hook = nil
		if n, _ := filepath.Glob(d.file("agents/bob/attachments/*/a.txt")); len(n) != 1 {
			t.Errorf("%s: the attachments were taken back", name)
		}
		if err := b.Recover(t.Context()); (err == nil) != c.known {
			t.Errorf("%s: %v", name, err)
		}
		d.put(inbox, whole)
		d.recover("alice")
		d.has("agents/alice/messages/sent/bob_default_aimaestro_local/" + p.Stamp.ID() + ".json")
		d.tidy(name)
	}
}

// TestTextsLayout has a mailbox that is the root itself, as in the spec and the oldest clients:
// AMP STO-1.
func TestTextsLayout(t *testing.T) {
	d := newWriteFixture(t)
	m := d.init(InitConfig{Name: "carol"})
	for _, name := range []string{"config.json", "keys", "messages"} {
		if err := os.Rename(d.file("agents/carol/"+name), d.file(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(d.file("agents/carol")); err != nil {
		t.Fatal(err)
	}
	b, err := Open(d.root, ".")
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	l := letter("x", d.put("../a.txt", "a"))
	l.To = m.Addresses[0].String()
	in := d.send("alice", l)
	if in.InboxKey != "messages/inbox/alice_default_aimaestro_local/"+in.ID+".json" {
		t.Errorf("%+v", in)
	}
	msg := d.message(in.InboxKey)
	p, err := b.Prepare(t.Context(), d.snap(), Letter{Reply: &msg, Files: l.Files}, NewStamp(d.now))
	if err != nil {
		t.Fatal(err)
	}
	out, err := b.Send(t.Context(), p, d.now)
	if err != nil || out.SentKey != "messages/sent/alice_default_aimaestro_local/"+out.ID+".json" {
		t.Fatalf("%+v %v", out, err)
	}
	if err := b.SetStatus(t.Context(), in.InboxKey, amp.Read, d.now); err != nil || d.message(in.InboxKey).Local.Status != amp.Read {
		t.Error(err)
	}
	if err := errors.Join(b.Delete(t.Context(), in.InboxKey), b.Delete(t.Context(), out.SentKey)); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(d.file("attachments/*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := b.Delete(t.Context(), out.InboxKey); err == nil {
		t.Error("a message of another mailbox was deleted")
	}
	d.tidy("in the end")
}

// TestLinksAsFiles sends the file that a link leads to.
func TestLinksAsFiles(t *testing.T) {
	d := newWriteFixture(t)
	link := filepath.Join(t.TempDir(), "link.txt")
	if err := os.Symlink(d.put("../real.txt", "real"), link); err != nil {
		t.Fatal(err)
	}
	a := d.message(d.send("alice", letter("x", link)).InboxKey).Payload.Attachments[0]
	if got := d.has("agents/bob/attachments/" + a.ID + "/link.txt"); got != "real" {
		t.Errorf("%q", got)
	}
}

// TestLargeFiles are never in memory.
func TestLargeFiles(t *testing.T) {
	d := newWriteFixture(t)
	var files []string
	for i := range 2 {
		files = append(files, d.put(fmt.Sprintf("../%d.bin", i), ""))
		if err := os.Truncate(files[i], amp.MaxAttachment); err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := d.send("alice", letter("x", files...))
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > amp.MaxAttachment/2 {
		t.Errorf("%d bytes were used for two files of %d", n, amp.MaxAttachment)
	}
	msg := d.message(got.InboxKey)
	dest := filepath.Join(t.TempDir(), "0.bin")
	if err := d.box("bob").SaveAttachment(t.Context(), &msg, msg.Payload.Attachments[0].ID, dest); err != nil {
		t.Error(err)
	}
}

// TestAtOnce sends from several at once to one mailbox, and to each other.
func TestAtOnce(t *testing.T) {
	d := newWriteFixture(t)
	d.init(InitConfig{Name: "carol"})
	file := d.put("../a.txt", "a")
	var wg sync.WaitGroup
	for from, to := range map[string]string{"alice": "bob", "bob": "alice", "carol": "bob"} {
		for range 2 {
			b := d.box(from)
			wg.Go(func() {
				for range 3 {
					snap, err := Scan(t.Context(), d.root)
					if err != nil {
						t.Error(err)
						return
					}
					p, err := b.Prepare(t.Context(), snap, Letter{To: address(to), Subject: "s", Text: "x", Files: []string{file}}, NewStamp(d.now))
					if err == nil {
						_, err = b.Send(t.Context(), p, d.now)
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	s := d.snap()
	if bob, alice := s.Mailbox("bob"), s.Mailbox("alice"); bob.Messages != 12 || alice.Messages != 6 || len(s.Problems) > 0 {
		t.Errorf("%d and %d messages; %v", bob.Messages, alice.Messages, s.Problems)
	}
	d.tidy("at once")
}

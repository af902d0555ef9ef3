package amp

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// seenFixture is alice and bob, with the signatures that bob's reader has seen.
type seenFixture struct {
	*readFixture
	path string
	seen *Seen
}

func newSeenFixture(t *testing.T) *seenFixture {
	t.Helper()
	b := &seenFixture{readFixture: twoAgents(t), path: filepath.Join(t.TempDir(), "amp", "seen.txt")}
	b.restart()
	return b
}

// restart is another process.
func (b *seenFixture) restart() {
	b.t.Helper()
	b.seen = SeenAt(b.path)
	if err := b.seen.Sync(b.t.Context(), false); err != nil {
		b.t.Fatal(err)
	}
}

// judge judges a message of bob's inbox, and remembers it.
func (b *seenFixture) judge(file string) amp.Trust {
	b.t.Helper()
	s := b.scan()
	s.Seen = b.seen
	t := b.trust(s, bobIn+file, nil, noon)
	if err := b.seen.Sync(b.t.Context(), true); err != nil {
		b.t.Error(err)
	}
	return t
}

// deleted is the user's deletion of a message.
func (b *seenFixture) deleted(file string) {
	b.t.Helper()
	t, at := b.scan().Message(bobIn + file)
	b.seen.Deleted(t.Messages[at].Message)
	b.Remove(bobIn + file)
	if err := b.seen.Sync(b.t.Context(), true); err != nil {
		b.t.Error(err)
	}
}

// TestReplayOfDeleted (AMP SIG-9): a message that was seen is not new when somebody
// delivers it again after it was deleted, by whomever.
func TestReplayOfDeleted(t *testing.T) {
	first, repeat := again(t, "idk_2")
	copied := bytes.ReplaceAll(first, []byte("msg_1795249958451_30328b7b"), []byte("msg_1795260000000_bbbbbbbb"))
	for name, c := range map[string]struct {
		byUs bool
		data []byte
		want amp.State
	}{
		"as another message":                  {false, copied, amp.TrustReplayed},
		"as another message, deleted by us":   {true, copied, amp.TrustReplayed},
		"the same file, deleted by us":        {true, first, amp.TrustReplayed},
		"the same file, moved by another":     {false, first, amp.TrustVerified},
		"in an envelope of its own":           {false, repeat, amp.TrustRepeated},
		"in its own envelope, deleted by us":  {true, repeat, amp.TrustRepeated},
		"the same file in another's spelling": {true, bytes.Replace(first, []byte(`"id": "msg_`), []byte(`"id": "msg-`), 1), amp.TrustReplayed},
	} {
		t.Run(name, func(t *testing.T) {
			b := newSeenFixture(t)
			b.Put(bobIn+"a.json", first)
			for range 2 {
				if got := b.judge("a.json"); got.State != amp.TrustVerified {
					t.Fatalf("%+v", got)
				}
			}
			if c.byUs {
				b.deleted("a.json")
			} else {
				b.Remove(bobIn + "a.json")
			}
			b.restart()
			b.Put(bobIn+"b.json", c.data)
			for range 2 {
				if got := b.judge("b.json"); got.State != c.want {
					t.Errorf("%+v", got)
				}
			}
			s := b.scan()
			s.Seen = b.seen
			msg, err := amp.ParseMessage(c.data)
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Judge(bobIn+"b.json", &msg, nil, noon); got.State != c.want {
				t.Errorf("in the editor: %+v", got)
			}
		})
	}
}

// TestSeenFirst (AMP SIG-9): a copy that claims to have come first takes nothing from
// the message that was seen first, and what cannot be verified is not remembered.
func TestSeenFirst(t *testing.T) {
	b := newSeenFixture(t)
	first := fixture(t, "inbox/01-plain.json")
	stolen := bytes.Replace(first, []byte("authentication"), []byte("payment"), 1)
	stolen = bytes.ReplaceAll(stolen, []byte("msg_1795249958451_30328b7b"), []byte("msg_1_a"))
	b.Put(bobIn+"stolen.json", stolen)
	if got := b.judge("stolen.json"); got.State != amp.TrustUntrusted {
		t.Errorf("%+v", got)
	}
	if _, err := os.Stat(b.path); err == nil {
		t.Error("a message that nobody signed so is remembered")
	}
	b.Put(bobIn+"a.json", first)
	if got := b.judge("a.json"); got.State != amp.TrustVerified {
		t.Errorf("%+v", got)
	}
	early := strings.NewReplacer("msg_1795249958451_30328b7b", "msg_1_b", "08:32:39Z", "07:00:00Z").Replace(string(first))
	b.Put(bobIn+"early.json", []byte(early))
	if one, two := b.judge("a.json"), b.judge("early.json"); one.State != amp.TrustVerified || two.State != amp.TrustReplayed {
		t.Errorf("%+v, %+v", one, two)
	}
}

// TestSeenDamaged: the whole lines of a damaged file count. A file that cannot be read is an
// error and stays.
func TestSeenDamaged(t *testing.T) {
	b := newSeenFixture(t)
	first := fixture(t, "inbox/01-plain.json")
	b.Put(bobIn+"a.json", first)
	b.judge("a.json")
	line, err := os.ReadFile(b.path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(line), "N9Mxj") || !strings.HasSuffix(string(line), " msg_1795249958451_30328b7b\n") {
		t.Errorf("%q", line)
	}
	b.Remove(bobIn + "a.json")
	b.Put(bobIn+"b.json", bytes.Replace(first, []byte(`"id": "msg_1795249958451_30328b7b"`), []byte(`"id": "msg_1795260000000_b"`), 1))
	for name, damage := range map[string]string{
		"nothing":   "%s",
		"before":    "\x00\xff not a line\nx msg_1_a\n%s",
		"after":     "%sabc msg_1_a\n" + string(line[:30]),
		"cut":       "%s" + strings.TrimSuffix(string(line), "\n"),
		"a word":    "%s" + strings.Replace(string(line), "\n", " gone\n", 1),
		"a long id": "%s" + strings.Replace(string(line), "msg_", "msg_1_"+strings.Repeat("a", 500), 1),
	} {
		if err := os.WriteFile(b.path, fmt.Appendf(nil, damage, line), 0o600); err != nil {
			t.Fatal(err)
		}
		b.restart()
		if got := b.judge("b.json"); got.State != amp.TrustReplayed {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if err := errors.Join(os.Remove(b.path), os.Mkdir(b.path, 0o700)); err != nil {
		t.Fatal(err)
	}
	seen := SeenAt(b.path)
	if err := seen.Sync(t.Context(), true); err == nil || !strings.Contains(err.Error(), b.path) {
		t.Errorf("%v", err)
	}
}

// TestSeenBounded: at most [maxSeen] signatures are remembered, the newest, and their file is
// never too long to be read.
func TestSeenBounded(t *testing.T) {
	s := SeenAt(filepath.Join(t.TempDir(), "seen.txt"))
	box := &Mailbox{Path: "/x"}
	message := func(i int) *Message {
		return &Message{Mailbox: box, Box: Inbox, SignatureID: fmt.Sprint(i), ID: "msg_1_" + strings.Repeat("a", 122)}
	}
	for i := range maxSeen + 10 {
		s.note(message(i), message(i).ID)
	}
	s.Deleted(message(maxSeen))
	if err := s.Sync(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(s.file.Path())
	if err != nil || info.Size() > maxSeenFile {
		t.Errorf("%v, %v", info, err)
	}
	other := SeenAt(s.file.Path())
	if err := other.Sync(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int]sighting{0: {}, 9: {}, 10: {id: message(10).ID}, maxSeen: {message(0).ID, true}, maxSeen + 9: {id: message(0).ID}} {
		if got := other.sighting(message(i)); got != want {
			t.Errorf("%d: %+v", i, got)
		}
	}
}

// TestSeenTogether: several processes lose nothing from each other. A process that is killed at
// any step leaves the old file or the new one.
func TestSeenTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "amp", "seen.txt")
	box := &Mailbox{Path: "/x"}
	message := func(name, id string) *Message {
		return &Message{Mailbox: box, Box: Inbox, SignatureID: name, ID: id}
	}
	one, two := SeenAt(path), SeenAt(path)
	one.note(message("x", "msg_1_a"), "msg_1_a")
	two.note(message("x", "msg_1_b"), "msg_1_b")
	two.note(message("y", "msg_1_c"), "msg_1_c")
	for _, s := range []*Seen{one, two, one} {
		if err := s.Sync(t.Context(), true); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []*Seen{one, two} {
		if x, y := s.sighting(message("x", "")), s.sighting(message("y", "")); x.id != "msg_1_a" || y.id != "msg_1_c" {
			t.Errorf("%+v, %+v", x, y)
		}
	}
	one.note(message("z", "msg_1_d"), "msg_1_d")
	killed := errors.New("killed")
	for _, step := range []disk.Op{disk.OpCreate, disk.OpWrite, disk.OpRename} {
		one.file.Disk.Layer = disktest.Before(func(c *disk.Change) error {
			if c.Op == step && disktest.Unfinished(c) {
				return killed
			}
			return nil
		})
		if err := one.Sync(t.Context(), true); !errors.Is(err, killed) {
			t.Errorf("%s: %v", step, err)
		}
		other := SeenAt(path)
		if err := other.Sync(t.Context(), false); err != nil || other.sighting(message("x", "")).id != "msg_1_a" || other.sighting(message("z", "")).id != "" {
			t.Errorf("%s: %v, %+v", step, err, other.sightings)
		}
	}
	one.file.Disk.Layer = nil
	if err := one.Sync(t.Context(), true); err != nil {
		t.Error(err)
	}
	if err := two.Sync(t.Context(), false); err != nil || two.sighting(message("z", "")).id != "msg_1_d" {
		t.Errorf("%v", err)
	}
}

package mailbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/crash"
)

// boxPlay sends letters with attachments from alice to bob, marks one as read,
// deletes another and pins a key.
func boxPlay(on disk.Disk, dir string, seed uint64) *crash.Play {
	ctx := context.Background()
	now := time.UnixMilli(1_795_249_958_000 + int64(seed%1000))
	root := filepath.Join(dir, "root")
	stamps := make([]string, 3)
	for i := range stamps {
		stamps[i] = NewStamp(now, i).String()
	}
	pinned := Pin{Address: "new@b.c", Key: testKey(9)}
	text := func(i int) string { return fmt.Sprintf("letter %d", i) }
	// with opens a mailbox for one deed, as each command does.
	with := func(name string, do func(b *Box, s *Snapshot) error) error {
		s, err := Scan(ctx, root)
		if err != nil {
			return err
		}
		b, err := openOn(on, root, "agents/"+name)
		if err != nil {
			return err
		}
		defer b.Close()
		return do(b, s)
	}
	send := func(i int) func() error {
		return func() error {
			return with("alice", func(b *Box, s *Snapshot) error {
				st, err := ParseStamp(stamps[i])
				if err != nil {
					return err
				}
				files := []string{filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt")}[:i]
				p, err := b.Prepare(ctx, s, Letter{To: address("bob"), Subject: "s", Text: text(i), Files: files}, st)
				if err != nil {
					return err
				}
				_, err = b.Send(ctx, p, now)
				return err
			})
		}
	}
	// old gives the key of what was in the inbox before, and "" where it is gone.
	old := func(s *Snapshot, subject string) string {
		for _, m := range messagesOf(s) {
			if m.Box == Inbox && m.Subject == subject {
				return m.Key
			}
		}
		return ""
	}
	again := false // the second was deleted, and nobody knows whether that lasts
	play := &crash.Play{
		Open:  func() error { return nil },
		Close: func() {},
		Steps: []crash.Step{
			{Name: "send 0", Names: "agents", Do: send(0)},
			{Name: "send 1", Names: "agents", Do: send(1)},
			{Name: "send 2", Names: "agents", Do: send(2)},
			{Name: "read", Names: "agents", Do: func() error {
				return with("bob", func(b *Box, s *Snapshot) error { return b.SetStatus(ctx, old(s, "first"), amp.Read, now) })
			}},
			{Name: "delete", Names: "agents", Do: func() error {
				return with("bob", func(b *Box, s *Snapshot) error {
					key := old(s, "second")
					if key == "" {
						again = true
						return nil
					}
					return b.Delete(ctx, key)
				})
			}},
			{Name: "pin", Names: "keys.json", Do: func() error {
				p := PinsAt(filepath.Join(dir, "state", "keys.json"))
				p.file.Disk = on
				_, err := p.Add(ctx, pinned)
				return err
			}},
		},
	}
	play.Check = func(marks []crash.Mark) error {
		// What was cut short is ended by the next one who writes.
		for _, name := range []string{"alice", "bob"} {
			if err := with(name, func(b *Box, _ *Snapshot) error { return b.Recover(ctx) }); err != nil {
				return err
			}
		}
		s, err := Scan(ctx, root)
		if err != nil {
			return err
		}
		in, out := map[string]int{}, map[string]int{}
		for _, m := range messagesOf(s) {
			if m.Err != nil {
				return fmt.Errorf("%s is not whole: %w", m.Key, m.Err)
			}
			if m.Faults > 0 {
				return fmt.Errorf("%s breaks %d rules", m.Key, m.Faults)
			}
			switch {
			case m.Subject != "s":
				if m.Subject == "first" && m.Box == Inbox && (marks[3] == crash.Done) != (m.Status == amp.Read) && marks[3] != crash.Tried {
					return fmt.Errorf("%s is %s", m.Key, m.Status)
				}
				continue
			case m.Box == Inbox:
				in[m.Excerpt]++
			default:
				out[m.Excerpt]++
			}
			if err := attachmentsThere(root, m); err != nil {
				return err
			}
		}
		if old(s, "first") == "" {
			return errors.New("what was there before is gone")
		}
		if there := old(s, "second") != ""; !again && marks[4] != crash.Tried && there != (marks[4] == crash.Waiting) {
			return fmt.Errorf("what was deleted is there: %t", there)
		}
		letters := func(i int) string {
			if i < 3 {
				return text(i)
			}
			return ""
		}
		if err := errors.Join(crash.Same("inbox", in, marks, letters), crash.Same("sent", out, marks, letters)); err != nil {
			return err
		}
		p := PinsAt(filepath.Join(dir, "state", "keys.json"))
		if err := p.Err(); err != nil {
			return err
		}
		addr, _ := amp.ParseAddress(pinned.Address)
		if _, there := p.For(addr); marks[5] != crash.Tried && there != (marks[5] == crash.Done) {
			return fmt.Errorf("the key is pinned: %t", there)
		}
		return nil
	}
	return play
}

func messagesOf(s *Snapshot) (list []*Message) {
	for _, t := range s.Threads {
		for i := range t.Messages {
			list = append(append(list, t.Messages[i].Message), t.Messages[i].Copies...)
		}
	}
	return list
}

// attachmentsThere holds that what a message names is in its mailbox.
func attachmentsThere(root string, m *Message) error {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.Key)))
	if err != nil {
		return err
	}
	msg, err := amp.ParseMessage(data)
	if err != nil {
		return err
	}
	for i := range msg.Payload.Attachments {
		a := &msg.Payload.Attachments[i]
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.Mailbox.Dir), inAttachments, a.ID, a.Filename))
		if err != nil {
			return err
		}
		if int64(len(content)) != a.Size {
			return fmt.Errorf("%s has %d bytes of %d", a.Filename, len(content), a.Size)
		}
	}
	return nil
}

// prepareBoxes gives two mailboxes with two messages in the one.
func prepareBoxes(t *testing.T) func(dir string) error {
	return func(dir string) error {
		d := &desk{t: t, root: filepath.Join(dir, "root"), now: time.UnixMilli(1_795_249_950_000)}
		for _, name := range []string{"alice", "bob"} {
			d.init(InitConfig{Name: name})
		}
		d.put("../a.txt", strings.Repeat("a", 5000))
		d.put("../b.txt", "b")
		for _, subject := range []string{"first", "second"} {
			l := letter("x", d.file("../a.txt"))
			l.Subject = subject
			d.send("alice", l)
		}
		return os.Mkdir(filepath.Join(dir, "state"), 0o700)
	}
}

// TestKilledBehind sends a message with an attachment and pins a key after a process that
// was killed had done so.
func TestKilledBehind(t *testing.T) {
	crash.Each(t, crash.Scenario{Prepare: prepareBoxes(t), New: func(on disk.Disk, dir string, seed uint64) *crash.Play {
		play := boxPlay(on, dir, seed)
		check := play.Check
		play.Steps = []crash.Step{play.Steps[1], play.Steps[5]}
		play.Check = func(marks []crash.Mark) error {
			return check([]crash.Mark{1: marks[0], 5: marks[1]})
		}
		return play
	}})
}

// TestCrash writes to mailboxes while the process is killed, the power fails and the
// disk is full: sender and receiver have all of a message or nothing.
func TestCrash(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	crash.Try(t, crash.Scenario{Prepare: prepareBoxes(t), New: boxPlay}, 80)
}

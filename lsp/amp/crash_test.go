package amp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/crash"
)

// The steps of [newRun].
const (
	sends = iota
	_
	_
	reads
	deletes
	pins
	makes
	saves
)

// newRun sends letters with attachments from alice to bob, marks one as read,
// deletes another, pins a key, makes a mailbox, and saves an attachment.
func newRun(on disk.Disk, dir string, seed uint64) *crash.Run {
	ctx := context.Background()
	now := time.UnixMilli(1_795_249_958_000 + int64(seed%1000))
	root := filepath.Join(dir, "root")
	stamps := make([]string, 3)
	for i := range stamps {
		stamps[i] = NewStamp(now).String()
	}
	pinned := Pin{Address: "new@b.c", Key: testKey(9)}
	text := func(i int) string { return fmt.Sprintf("letter %d", i) }
	// with opens a mailbox for one action, as each command does.
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
	// old returns the key of a message that was in the inbox before, or "" if it is gone.
	old := func(s *Snapshot, subject string) string {
		for _, m := range messagesOf(s) {
			if m.Box == Inbox && m.Subject == subject {
				return m.Key
			}
		}
		return ""
	}
	gone := map[int]crash.Mark{} // removed, but perhaps not yet synced
	saved, tries := "", 0
	run := &crash.Run{
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
						gone[deletes] = crash.Tried
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
			{Name: "init", Names: "agents", Do: func() error {
				_, err := Init(ctx, InitConfig{Root: root, Name: "carol", Now: now, disk: on})
				if errors.Is(err, fs.ErrExist) {
					return nil // it was made before
				}
				return err
			}},
			{Name: "save", Names: "saved", Do: func() error {
				return with("bob", func(b *Box, s *Snapshot) error {
					msg, err := s.Read(s.file(old(s, "third")))
					if err != nil {
						return err
					}
					tries++
					dest := filepath.Join(dir, "state", fmt.Sprint("saved", tries))
					if err = b.SaveAttachment(ctx, &msg, msg.Payload.Attachments[0].ID, dest); err == nil {
						saved = dest
					}
					return err
				})
			}},
		},
	}
	run.Check = func(marks []crash.Mark) error {
		// The next writer finishes or undoes what was cut short.
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
		first := s.file(old(s, "first"))
		if first == nil {
			return errors.New("what was there before is gone")
		}
		letters := func(i int) string {
			if i < reads {
				return text(i)
			}
			return ""
		}
		p := PinsAt(filepath.Join(dir, "state", "keys.json"))
		addr, _ := amp.ParseAddress(pinned.Address)
		_, pinnedThere := p.For(addr)
		carol, err := madeWhole(s, root)
		return errors.Join(
			err, p.Err(), crash.Same("inbox", in, marks, letters), crash.Same("sent", out, marks, letters),
			as("the first is read", first.Status == amp.Read, marks[reads]),
			as("the second is gone", old(s, "second") == "", cmp.Or(gone[deletes], marks[deletes])),
			as("the key is pinned", pinnedThere, marks[pins]),
			as("carol's mailbox is there", carol, marks[makes]),
			savedWhole(filepath.Join(dir, "state"), saved),
		)
	}
	return run
}

func messagesOf(s *Snapshot) (list []*Message) {
	for _, t := range s.Threads {
		for i := range t.Messages {
			list = append(append(list, t.Messages[i].Message), t.Messages[i].Copies...)
		}
	}
	return list
}

// as returns an error unless a step has done what its mark says.
func as(what string, is bool, mark crash.Mark) error {
	if mark != crash.Tried && is != (mark == crash.Done) {
		return fmt.Errorf("%s: %t", what, is)
	}
	return nil
}

// madeWhole reports whether carol has a mailbox, which then has all of an identity.
func madeWhole(s *Snapshot, root string) (bool, error) {
	m := s.Mailbox("carol")
	if m == nil || len(m.Addresses) == 0 {
		return false, nil
	}
	b, err := Open(root, m.Dir)
	if err != nil {
		return true, err
	}
	defer b.Close()
	_, err = b.identity()
	return true, err
}

// savedWhole returns an error if a file was saved in part, or a saved file is missing.
func savedWhole(dir, saved string) error {
	list, err := filepath.Glob(filepath.Join(dir, "saved*"))
	for _, file := range list {
		if data, e := os.ReadFile(file); e != nil || len(data) != 5000 {
			err = errors.Join(err, fmt.Errorf("%s has %d bytes: %w", file, len(data), e))
		}
	}
	if saved != "" && !slices.Contains(list, saved) {
		err = errors.Join(err, fmt.Errorf("%s was saved and is gone", saved))
	}
	return err
}

// attachmentsThere returns an error if an attachment that a message names is not in its
// mailbox.
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

// prepareBoxes makes two mailboxes, one with three messages.
func prepareBoxes(t *testing.T) func(dir string) error {
	return func(dir string) error {
		d, err := prepareFixture(t, dir)
		for _, subject := range []string{"first", "second", "third"} {
			l := letter("x", d.file("../a.txt"))
			l.Subject = subject
			d.send("alice", l)
		}
		return err
	}
}

// prepareFixture makes two mailboxes, files to send and a folder.
func prepareFixture(t *testing.T, dir string) (*writeFixture, error) {
	d := &writeFixture{t: t, root: filepath.Join(dir, "root"), now: time.UnixMilli(1_795_249_950_000)}
	for _, name := range []string{"alice", "bob"} {
		d.init(InitConfig{Name: name})
	}
	d.put("../a.txt", strings.Repeat("a", 5000))
	d.put("../b.txt", "b")
	return d, os.Mkdir(filepath.Join(dir, "state"), 0o700)
}

// TestKilledAtEachStep kills a writer after each change of each kind of write. What can be seen
// then is whole. The next writer does not wait and finishes the work, and a second try does it
// once: AMP STO-1 STO-2 STO-3 ATT-20.
func TestKilledAtEachStep(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	crash.Each(t, crash.Scenario{Prepare: prepareBoxes(t), New: newRun})
}

// TestKilledWhileRecovering also kills the recovery, at each step, wherever the sender was
// killed: AMP STO-1.
func TestKilledWhileRecovering(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	for at := 4; ; at += 4 {
		sent := false
		crash.Each(t, crash.Scenario{
			Prepare: func(dir string) error {
				d, err := prepareFixture(t, dir)
				n := 0
				d.hook = func(*disk.Change) error {
					if n++; n > at {
						return syscall.EIO
					}
					return nil
				}
				b, p := d.prepare("alice", letter("x", d.file("../a.txt")))
				_, _ = b.Send(t.Context(), p, d.now)
				sent = n <= at
				return err
			},
			New: func(on disk.Disk, dir string, _ uint64) *crash.Run {
				root := filepath.Join(dir, "root")
				recovers := func() error {
					b, err := openOn(on, root, "agents/alice")
					if err != nil {
						return err
					}
					return errors.Join(b.Recover(t.Context()), b.Close())
				}
				return &crash.Run{
					Open: func() error { return nil }, Close: func() {},
					Steps: []crash.Step{{Name: "recover", Names: "agents", Do: recovers}},
					Check: func([]crash.Mark) error {
						if err := recovers(); err != nil {
							return err
						}
						s, err := Scan(t.Context(), root)
						if err != nil {
							return err
						}
						boxes := map[string]int{}
						for _, m := range messagesOf(s) {
							if m.Excerpt == "x" {
								boxes[m.Box]++
								err = errors.Join(err, m.Err, attachmentsThere(root, m))
							}
						}
						if boxes[Inbox] != boxes[Sent] {
							err = errors.Join(err, fmt.Errorf("it is in %v", boxes))
						}
						return err
					},
				}
			},
		})
		if sent {
			return
		}
	}
}

// TestCrash writes to mailboxes while the process is killed, the power fails and the
// disk is full: sender and receiver have all of a message or nothing.
func TestCrash(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	crash.Try(t, crash.Scenario{Prepare: prepareBoxes(t), New: newRun}, 300)
}

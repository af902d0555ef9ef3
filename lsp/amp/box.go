package amp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
)

// Box is a mailbox to write to. A method that writes excludes all other writers that use this
// package, in this process and in others. It returns [filelock.ErrLocked] if another writer
// does not end in time.
type Box struct {
	// root is the directory of all mailboxes and path its absolute path. home is this mailbox
	// and dir its [Mailbox.Dir].
	root, home *disk.Root
	path, dir  string
}

// The folders of a mailbox. workFolder holds this package's files while it writes: the lock,
// unfinished files, and messages that are being deleted.
const (
	inInbox       = "messages/inbox"
	inSent        = "messages/sent"
	inAttachments = "attachments"
	workFolder    = ".signalbox"
	lockName      = "lock"
	// marker exists while somebody writes. A writer that finds it under the lock knows that
	// another writer was killed, and removes that one's unfinished files everywhere.
	marker = "writing"
)

// Open opens the mailbox in a folder of a root; dir is its [Mailbox.Dir]. It writes nothing.
// The root's path may be a link, but no link beneath it is followed.
func Open(root, dir string) (*Box, error) { return openOn(disk.Disk{}, root, dir) }

func openOn(on disk.Disk, root, dir string) (*Box, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("mailbox: open %q: %w", root, err)
	}
	top, err := on.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("mailbox: open %q: %w", root, disk.Cause(err))
	}
	home, err := openMailbox(top, dir)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("mailbox: open %q: %w", root, err), top.Close())
	}
	return &Box{root: top, home: home, path: abs, dir: dir}, nil
}

func openMailbox(root *disk.Root, dir string) (*disk.Root, error) {
	name, agent := strings.CutPrefix(dir, agentsName+"/")
	if dir != "." && (!agent || !plainName(name)) {
		return nil, fmt.Errorf("%q is no folder of a mailbox", dir)
	}
	return root.OpenFolder(dir)
}

// plainName reports whether a name is valid for a single file or folder and not hidden.
func plainName(name string) bool {
	return name != "" && name[0] != '.' && filepath.IsLocal(name) && !strings.ContainsAny(name, "/\x00") && !strings.ContainsRune(name, filepath.Separator)
}

// Close releases the mailbox.
func (b *Box) Close() error { return errors.Join(b.home.Close(), b.root.Close()) }

func (b *Box) key(file string) string { return path.Join(b.dir, file) }

// with opens a mailbox, calls do and closes the mailbox.
func (r *Root) with(m *Mailbox, do func(b *Box) error) error {
	b, err := Open(r.Path, m.Dir)
	if err != nil {
		return err
	}
	defer b.Close()
	return do(b)
}

// SetStatus sets the status of messages of one mailbox, as [Box.SetStatus] does.
func (r *Root) SetStatus(ctx context.Context, list []*Message, status string, now time.Time) error {
	if len(list) == 0 {
		return nil
	}
	return r.with(list[0].Mailbox, func(b *Box) (err error) {
		for _, m := range list {
			if err == nil {
				err = b.SetStatus(ctx, m.Key, status, now)
			}
		}
		return err
	})
}

// file returns the file of a message, relative to the mailbox. If box is not empty, the message
// must be in that box.
func (b *Box) file(key, box string) (string, error) {
	file := key
	if b.dir != "." {
		var mine bool
		if file, mine = strings.CutPrefix(key, b.dir+"/"); !mine {
			return "", fmt.Errorf("mailbox: %q is in another mailbox than %s", key, b.dir)
		}
	}
	parts := strings.Split(file, "/")
	if len(parts) < 3 || len(parts) > 8 || parts[0] != messagesName || parts[1] != Inbox && parts[1] != Sent || !strings.HasSuffix(file, ext) {
		return "", fmt.Errorf("mailbox: %q is no message of %s", key, b.dir)
	}
	for _, p := range parts[2:] {
		if !plainName(p) {
			return "", fmt.Errorf("mailbox: %q is no message of %s", key, b.dir)
		}
	}
	if box != "" && parts[1] != box {
		return "", fmt.Errorf("mailbox: %q is not in the %s", key, box)
	}
	return file, nil
}

// writeSession is a mailbox under its lock.
type writeSession struct {
	*Box
	*disk.Whole
	work *disk.Root // the work folder
	lock *filelock.Lock
	// unsettled is the error of work that could not be recovered. The next writer tries again.
	unsettled error
}

// begin takes the lock, and finishes or undoes what killed processes began. The caller must
// call end.
func (b *Box) begin(ctx context.Context) (*writeSession, error) {
	if err := b.checkPlace(); err != nil {
		return nil, fmt.Errorf("mailbox: %s: %w", b.dir, disk.Cause(err))
	}
	s := &writeSession{Box: b, Whole: &disk.Whole{Root: b.home, Private: true}}
	var err error
	if s.work, err = s.Folder(workFolder); err != nil {
		return nil, fmt.Errorf("mailbox: %s: %w", b.dir, err)
	}
	if s.lock, err = filelock.Take(ctx, s.work, lockName, disk.PrivateFile); err != nil {
		return nil, errors.Join(fmt.Errorf("mailbox: %s: %w", b.dir, err), s.work.Close())
	}
	s.unsettled = s.recover()
	if err := s.mark(); err != nil {
		return nil, errors.Join(fmt.Errorf("mailbox: %s: %w", b.dir, disk.Cause(err)), s.release())
	}
	return s, nil
}

// checkPlace returns an error if the mailbox is not where it was opened. Somebody may have
// moved it away and put another one in its place.
func (b *Box) checkPlace() error {
	opened, err := b.home.Stat(".")
	if err != nil {
		return err
	}
	current, err := os.Stat(filepath.Join(b.path, filepath.FromSlash(b.dir)))
	if err == nil && !os.SameFile(opened, current) {
		err = disk.ErrReplaced
	}
	return err
}

func (s *writeSession) mark() error {
	f, err := s.work.OpenWrite(marker, os.O_WRONLY|os.O_CREATE, disk.PrivateFile)
	if err != nil {
		return err
	}
	return f.Close()
}

func (s *writeSession) end() {
	if !s.Left {
		_ = s.work.Remove(marker)
	}
	_ = s.release()
}

func (s *writeSession) release() error {
	s.lock.Release()
	return s.work.Close()
}

// Other clients write files in place and take no lock, so a file may be half written.
const (
	retryDelay = 20 * time.Millisecond
	maxTries   = 25
)

// errRewritten reports that a file changed after it was read.
var errRewritten = errors.New("another program keeps changing it")

// SetStatus changes the status of a message in the inbox (rule STO-3). It changes nothing else
// in the file, and never overwrites what another client wrote meanwhile. now becomes
// local.read_at when an unread message becomes [amp.Read].
func (b *Box) SetStatus(ctx context.Context, key, status string, now time.Time) error {
	file, err := b.file(key, Inbox)
	if err != nil {
		return err
	}
	s, err := b.begin(ctx)
	if err != nil {
		return err
	}
	defer s.end()
	for range maxTries {
		err = s.setStatus(file, status, now.UnixMilli())
		if bad, ok := errors.AsType[*canon.Fault](err); err == nil || ok && bad.Rule != "JSN-0" || !ok && !errors.Is(err, errRewritten) {
			break
		}
		select {
		case <-time.After(retryDelay):
			continue
		case <-ctx.Done():
			err = errors.Join(err, ctx.Err())
		}
		break
	}
	if err != nil {
		return fmt.Errorf("mailbox: %s: %w", key, err)
	}
	return nil
}

func (s *writeSession) setStatus(file, status string, now int64) error {
	data, info, err := s.home.ReadRegular(file, amp.MaxStored)
	if err != nil {
		return err
	}
	msg, err := amp.ParseMessage(data)
	if err != nil {
		return err
	}
	if msg.Local.Status != amp.Unread && msg.Local.ReadAt.OK {
		now = 0 // it was read before
	}
	changed, err := amp.SetStatus(data, status, now)
	if err != nil || bytes.Equal(changed, data) {
		return err
	}
	return s.ReplaceIf(file, changed, info.Mode(), func(at *disk.Root) error {
		current, _, err := at.ReadRegular(path.Base(file), amp.MaxStored)
		if err == nil && !bytes.Equal(current, data) {
			err = errRewritten
		}
		return err
	})
}

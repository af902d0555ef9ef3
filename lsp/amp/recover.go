package amp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Unfinished work has one of these names in the folder .signalbox.
const (
	intentPrefix   = "send-"
	deletedPrefix  = "deleted-"
	initIntentName = "init.json"
)

// errNotOurs reports a file to recover that this package did not write.
var errNotOurs = errors.New("is none of ours; remove it if it is not yours")

// Recover finishes or undoes what killed processes began, as every method that writes does
// first. It writes nothing in a mailbox that this package never wrote to.
func (b *Box) Recover(ctx context.Context) error {
	if _, err := b.home.Lstat(workFolder); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	s, err := b.begin(ctx)
	if err != nil {
		return err
	}
	defer s.end()
	if s.unsettled != nil {
		return fmt.Errorf("mailbox: recover %s: %w", b.dir, s.unsettled)
	}
	return nil
}

// recover finishes or undoes all unfinished work. An error does not stop the rest.
func (s *writeSession) recover() error {
	var failed error
	killed := false
	for _, name := range s.work.Names() {
		var err error
		switch {
		case name == marker:
			killed = true
		case name == initIntentName:
			err = s.recoverInit()
		case strings.HasPrefix(name, intentPrefix):
			err = s.recoverSend(name)
		case strings.HasPrefix(name, deletedPrefix):
			err = s.recoverDelete(name)
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", s.key(workFolder+"/"+name), err))
		}
	}
	if killed {
		s.sweepAll()
	}
	return failed
}

func (s *writeSession) removeWork(name string) error {
	if err := s.work.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.Cause(err)
	}
	return s.SyncFolder(s.work)
}

func (s *writeSession) recoverSend(name string) error {
	d, err := s.readIntent(name)
	if err != nil {
		return err
	}
	defer d.close()
	_, err = s.settleSend(d)
	return err
}

// sweepAt removes unfinished files with a tag from a folder of a mailbox, and those of others
// that are an hour old. The folder need not exist.
func (s *writeSession) sweepAt(in *Box, tag, folder string) {
	at, err := in.home.OpenFolder(folder)
	if err != nil {
		return
	}
	defer at.Close()
	at.SweepAll(tag)
}

func (s *writeSession) sweepAll() {
	s.work.SweepAll("")
	for _, folder := range []string{".", keysName, inInbox, inSent, inAttachments} {
		s.sweepAt(s.Box, "", folder)
	}
	for _, folder := range []string{inInbox, inSent, inAttachments} {
		for _, sub := range s.folders(folder) {
			s.sweepAt(s.Box, "", sub)
		}
	}
}

func (b *Box) folders(folder string) (list []string) {
	at, err := b.home.OpenFolder(folder)
	if err != nil {
		return nil
	}
	defer at.Close()
	for _, name := range at.Names() {
		if info, err := at.Lstat(name); err == nil && info.IsDir() && plainName(name) {
			list = append(list, path.Join(folder, name))
		}
	}
	return list
}

// settleSend finishes or undoes a delivery that has an intent. done reports which. After an
// error the intent stays for the next try.
func (s *writeSession) settleSend(d *delivery) (done bool, err error) {
	if done, err = d.delivered(); err != nil {
		return false, err
	}
	if done {
		// The process that delivered it may have been killed before the file was synced.
		w := disk.Whole{Root: d.to.home}
		if err := w.SyncPath(d.inboxFile()); err != nil {
			return false, err
		}
		return true, s.finish(d)
	}
	return false, s.undo(d)
}

func (s *writeSession) finish(d *delivery) error {
	s.sweepReceiver(d)
	sent := d.sentFile()
	at, err := s.Folder(path.Dir(sent))
	if err != nil {
		return err
	}
	defer at.Close()
	// Both paths are in this mailbox, and no other message has the id.
	if err = s.home.Rename(workFolder+"/"+d.intentName(), sent); err == nil {
		// A power cut during a rename may leave both names for one file. A rename does nothing
		// then.
		if err = s.work.Remove(d.intentName()); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err == nil {
		err = s.SyncFolder(at)
	}
	return disk.Cause(err)
}

// undo removes what was copied, and finally the intent.
func (s *writeSession) undo(d *delivery) error {
	s.sweepReceiver(d)
	for _, a := range d.msg.Payload.Attachments {
		for _, in := range []*Box{d.to, s.Box} {
			s.sweepAt(in, "", path.Join(inAttachments, a.ID))
			if err := in.removeAttachment(&a); err != nil {
				return err
			}
		}
	}
	return s.removeWork(d.intentName())
}

func (s *writeSession) sweepReceiver(d *delivery) {
	s.sweepAt(d.to, d.tag(), path.Dir(d.inboxFile()))
	for i := range d.msg.Payload.Attachments {
		s.sweepAt(d.to, d.tag(), path.Join(inAttachments, d.msg.Payload.Attachments[i].ID))
	}
}

func (b *Box) removeAttachment(a *amp.Attachment) error {
	folder := path.Join(inAttachments, a.ID)
	at, err := b.home.OpenFolder(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer at.Close()
	if err := at.Remove(a.Filename); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.Cause(err)
	}
	_ = b.home.Remove(folder)
	return nil
}

// readIntent returns the delivery that a killed process began. The error is errNotOurs for a
// message that is not an intent.
func (s *writeSession) readIntent(name string) (*delivery, error) {
	data, _, err := s.work.ReadRegular(name, amp.MaxStored)
	if err != nil {
		return nil, err
	}
	msg, err := amp.ParseMessage(data)
	if err != nil {
		return nil, err
	}
	if _, ok := amp.ParseID(msg.ID); !ok || len(msg.Faults) > 0 || name != intentPrefix+msg.ID+ext {
		return nil, errNotOurs
	}
	for i := range msg.Payload.Attachments {
		a := &msg.Payload.Attachments[i]
		if safe, err := amp.SafeFilename(a.Filename); err != nil || safe != a.Filename {
			return nil, errNotOurs
		}
	}
	var intent struct {
		Local struct {
			To string `json:"delivered_to"`
		} `json:"local"`
	}
	if err := json.Unmarshal(data, &intent); err != nil {
		return nil, err
	}
	d := &delivery{msg: msg}
	err = d.open(s.Box, intent.Local.To)
	if errors.Is(err, fs.ErrNotExist) {
		// The receiver's mailbox is gone. What is left in this one is undone.
		err = d.open(s.Box, s.dir)
	}
	return d, err
}

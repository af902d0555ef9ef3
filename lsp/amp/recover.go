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

// What is not finished has one of these names in the folder .signalbox.
const (
	intentPrefix   = "send-"
	deletedPrefix  = "deleted-"
	initIntentName = "init.json"
)

// errNotOurs is the error of recovering for a file that this package did not write.
var errNotOurs = errors.New("is none of ours; remove it if it is not yours")

// Recover ends what a killed process began, as everything does first that writes to the
// mailbox. Where nothing was begun nothing is written.
func (b *Box) Recover(ctx context.Context) error {
	if _, err := b.home.Lstat(own); errors.Is(err, fs.ErrNotExist) {
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

// recover does all that can be done. What fails does not hinder the rest.
func (s *session) recover() error {
	var failed error
	killed := false
	for _, name := range s.own.Names() {
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
			failed = errors.Join(failed, fmt.Errorf("%s: %w", s.key(own+"/"+name), err))
		}
	}
	if killed {
		s.sweepAll()
	}
	return failed
}

func (s *session) forget(name string) error {
	if err := s.own.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return disk.Cause(err)
	}
	return s.Settle(s.own)
}

func (s *session) recoverSend(name string) error {
	d, err := s.readIntent(name)
	if err != nil {
		return err
	}
	defer d.close()
	_, err = s.settleSend(d)
	return err
}

// sweepAt removes unfinished files with a tag from a folder of a mailbox, which need not
// be there, and what others left an hour ago.
func (s *session) sweepAt(in *Box, tag, folder string) {
	at, err := in.home.OpenFolder(folder)
	if err != nil {
		return
	}
	defer at.Close()
	at.SweepAll(tag)
}

func (s *session) sweepAll() {
	s.own.SweepAll("")
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

// settleSend ends a delivery that has an intent, forwards or backwards: done tells
// which. An error leaves the intent for the next try.
func (s *session) settleSend(d *delivery) (done bool, err error) {
	if done, err = d.delivered(); err != nil {
		return false, err
	}
	if done {
		// Whoever delivered it may have been killed before it was on the disk.
		w := disk.Whole{Root: d.to.home}
		if err := w.Last(d.inboxFile()); err != nil {
			return false, err
		}
		return true, s.finish(d)
	}
	return false, s.takeBack(d)
}

func (s *session) finish(d *delivery) error {
	s.tidy(d)
	sent := d.sentFile()
	at, err := s.Folder(path.Dir(sent))
	if err != nil {
		return err
	}
	defer at.Close()
	// Both are in our own mailbox, and the id is nobody else's.
	if err = s.home.Rename(own+"/"+d.intentName(), sent); err == nil {
		// Where both are names of one file, as a power cut in the midst of a rename
		// may leave them, a rename does nothing.
		if err = s.own.Remove(d.intentName()); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err == nil {
		err = s.Settle(at)
	}
	return disk.Cause(err)
}

// takeBack removes what was copied, and the intent at last.
func (s *session) takeBack(d *delivery) error {
	s.tidy(d)
	for _, a := range d.msg.Payload.Attachments {
		for _, in := range []*Box{d.to, s.Box} {
			s.sweepAt(in, "", path.Join(inAttachments, a.ID))
			if err := in.takeFile(&a); err != nil {
				return err
			}
		}
	}
	return s.forget(d.intentName())
}

func (s *session) tidy(d *delivery) {
	s.sweepAt(d.to, d.tag(), path.Dir(d.inboxFile()))
	for i := range d.msg.Payload.Attachments {
		s.sweepAt(d.to, d.tag(), path.Join(inAttachments, d.msg.Payload.Attachments[i].ID))
	}
}

func (b *Box) takeFile(a *amp.Attachment) error {
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

// readIntent reads what a killed process meant to send. It returns nil for a file
// that is none.
func (s *session) readIntent(name string) (*delivery, error) {
	data, _, err := s.own.ReadRegular(name, amp.MaxStored)
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
	var kept struct {
		Local struct {
			To string `json:"delivered_to"`
		} `json:"local"`
	}
	if err := json.Unmarshal(data, &kept); err != nil {
		return nil, err
	}
	d := &delivery{msg: msg}
	err = d.open(s.Box, kept.Local.To)
	if errors.Is(err, fs.ErrNotExist) {
		// A mailbox that is gone has nothing of it: what is ours is taken back.
		err = d.open(s.Box, s.dir)
	}
	return d, err
}

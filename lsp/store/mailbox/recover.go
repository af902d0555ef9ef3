package mailbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

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

// Recover ends what a killed process began: a delivery is finished or taken back, a
// deletion goes on, unfinished files are removed. Everything that writes to the
// mailbox does so first, so that it need not be called. Where nothing was begun
// nothing is written.
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

// forget removes what stood for something unfinished, once that is ended.
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

// sweepAll looks everywhere in the mailbox where this package writes.
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

// folders lists the folders in a folder of the mailbox.
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

package amp

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Delete deletes a message of the mailbox, and what was attached to it (rule
// ATT-20): attachments that no other message of the mailbox names, and what was
// downloaded for it. It is gone at once or not at all; its attachments follow.
func (b *Box) Delete(ctx context.Context, key string) error {
	file, err := b.file(key, "")
	if err != nil {
		return err
	}
	s, err := b.begin(ctx)
	if err != nil {
		return err
	}
	defer s.end()
	if err := s.remove(file); err != nil {
		return fmt.Errorf("mailbox: delete %s: %w", key, err)
	}
	return nil
}

func (s *session) remove(file string) error {
	at, err := s.home.OpenFolder(path.Dir(file))
	if err != nil {
		return err
	}
	defer at.Close()
	info, err := at.Lstat(path.Base(file))
	if err != nil {
		return disk.Cause(err)
	}
	if !info.Mode().IsRegular() {
		return &disk.KindError{Kind: info.Mode().Type()}
	}
	name := deletedPrefix + rand.Text() + ext
	// Both are in our own mailbox, and no link was on the way.
	if err = s.home.Rename(file, own+"/"+name); err == nil {
		err = errors.Join(s.Settle(s.own), s.Settle(at))
	}
	if err != nil {
		return disk.Cause(err)
	}
	// It is deleted. If its attachments are not, the next one who writes to the
	// mailbox removes them.
	s.unsettled = errors.Join(s.unsettled, s.recoverDelete(name))
	return nil
}

func (s *session) recoverDelete(name string) error {
	data, _, err := s.own.ReadRegular(name, amp.MaxStored)
	if err != nil {
		return err
	}
	// What cannot be read names no attachments.
	if msg, err := amp.ParseMessage(data); err == nil {
		if err := s.detach(&msg); err != nil {
			return err
		}
	}
	return s.forget(name)
}

func (s *session) detach(msg *amp.Message) error {
	mine := s.attachmentFolders(msg)
	err := s.others(mine)
	for name := range mine {
		if err == nil {
			err = s.dropFolder(name)
		}
	}
	return err
}

// attachmentFolders returns the folders in attachments that belong to a message and
// are there: the folders of its attachments, and the one of what was downloaded for it.
func (b *Box) attachmentFolders(msg *amp.Message) map[string]bool {
	list := map[string]bool{}
	at, err := b.home.OpenFolder(inAttachments)
	if err != nil {
		return nil
	}
	defer at.Close()
	for _, name := range folderNames(msg) {
		if _, err := at.Lstat(name); err == nil {
			list[name] = true
		}
	}
	return list
}

func folderNames(msg *amp.Message) (list []string) {
	for i := range msg.Payload.Attachments {
		if _, ok := amp.ParseAttachmentID(msg.Payload.Attachments[i].ID); ok {
			list = append(list, msg.Payload.Attachments[i].ID)
		}
	}
	if _, ok := amp.ParseID(msg.ID); ok {
		list = append(list, msg.ID)
	}
	return list
}

// others takes from a set of folders those that other messages of the mailbox name.
// A message that cannot be read may name any: then there is an error.
func (s *session) others(mine map[string]bool) error {
	for _, box := range []string{inInbox, inSent} {
		for folders := []string{box}; len(folders) > 0 && len(mine) > 0; folders = folders[1:] {
			folders = append(folders, s.folders(folders[0])...)
			if err := s.namedIn(folders[0], mine); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *session) namedIn(folder string, mine map[string]bool) error {
	at, err := s.home.OpenFolder(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer at.Close()
	for _, name := range at.Names() {
		if path.Ext(name) != ext || !plainName(name) {
			continue
		}
		data, _, err := at.ReadRegular(name, amp.MaxStored)
		if _, other := errors.AsType[*disk.KindError](err); other || errors.Is(err, fs.ErrNotExist) {
			continue // a link is nobody's message
		}
		if err != nil {
			return fmt.Errorf("%s/%s: %w", folder, name, err)
		}
		removeNamed(data, mine)
	}
	return nil
}

// removeNamed takes from a set what a stored message names, and of one that cannot be understood
// whatever stands in it.
func removeNamed(data []byte, mine map[string]bool) {
	mentioned := func(name string, _ bool) bool { return bytes.Contains(data, []byte(name)) }
	msg, err := amp.ParseMessage(data)
	if err != nil {
		maps.DeleteFunc(mine, mentioned)
		return
	}
	for _, name := range folderNames(&msg) {
		delete(mine, name)
	}
}

// dropFolder removes a folder of attachments with all that is in it. A link in its
// place is removed, and not what it leads to.
func (s *session) dropFolder(name string) error {
	at, err := s.home.OpenFolder(inAttachments)
	if err != nil {
		return err
	}
	defer at.Close()
	if err := at.RemoveAll(name); err != nil {
		return disk.Cause(err)
	}
	return s.Settle(at)
}

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

// Delete deletes a message of the mailbox and then its attachments, including downloaded files
// (rule ATT-20). Attachments that another message of the mailbox names stay. The message itself
// is deleted completely or not at all.
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

func (s *writeSession) remove(file string) error {
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
	// Neither path leaves this mailbox or goes through a link.
	if err = s.home.Rename(file, workFolder+"/"+name); err == nil {
		err = errors.Join(s.SyncFolder(s.work), s.SyncFolder(at))
	}
	if err != nil {
		return disk.Cause(err)
	}
	// The message is deleted. The next writer removes attachments that remain.
	s.unsettled = errors.Join(s.unsettled, s.recoverDelete(name))
	return nil
}

func (s *writeSession) recoverDelete(name string) error {
	data, _, err := s.work.ReadRegular(name, amp.MaxStored)
	if err != nil {
		return err
	}
	// A message that cannot be read names no attachments.
	if msg, err := amp.ParseMessage(data); err == nil {
		if err := s.detach(&msg); err != nil {
			return err
		}
	}
	return s.removeWork(name)
}

func (s *writeSession) detach(msg *amp.Message) error {
	unshared := s.attachmentFolders(msg)
	err := s.removeShared(unshared)
	for name := range unshared {
		if err == nil {
			err = s.dropFolder(name)
		}
	}
	return err
}

// attachmentFolders returns the existing folders in attachments that belong to a message: one
// for each attachment, and one for its downloads.
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

// folderNames returns the folders that may belong to a message: those named by its attachments' ids
// and, for downloads, by its own id. An invalid id is left out, since it may be no safe file name.
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

// removeShared removes from a set the folders that other messages of the mailbox name. A
// message file that cannot be read may name any folder, so it is an error.
func (s *writeSession) removeShared(unshared map[string]bool) error {
	for _, box := range []string{inInbox, inSent} {
		for folders := []string{box}; len(folders) > 0 && len(unshared) > 0; folders = folders[1:] {
			folders = append(folders, s.folders(folders[0])...)
			if err := s.removeNamedIn(folders[0], unshared); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *writeSession) removeNamedIn(folder string, unshared map[string]bool) error {
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
			continue // only regular files are messages
		}
		if err != nil {
			return fmt.Errorf("%s/%s: %w", folder, name, err)
		}
		removeNamed(data, unshared)
	}
	return nil
}

// removeNamed removes from a set the folders that a stored message names. If the message cannot
// be parsed, it removes every folder whose name occurs in it.
func removeNamed(data []byte, unshared map[string]bool) {
	mentioned := func(name string, _ bool) bool { return bytes.Contains(data, []byte(name)) }
	msg, err := amp.ParseMessage(data)
	if err != nil {
		maps.DeleteFunc(unshared, mentioned)
		return
	}
	for _, name := range folderNames(&msg) {
		delete(unshared, name)
	}
}

// dropFolder removes a folder of attachments with its content. It removes a link in its place,
// but not the link's target.
func (s *writeSession) dropFolder(name string) error {
	at, err := s.home.OpenFolder(inAttachments)
	if err != nil {
		return err
	}
	defer at.Close()
	if err := at.RemoveAll(name); err != nil {
		return disk.Cause(err)
	}
	return s.SyncFolder(at)
}

package mailbox

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"

	"github.com/signalbox-dev/signalbox/core/amp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

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

// finish makes the intent the sent copy.
func (s *session) finish(d *delivery) error {
	if d.left {
		s.tidy(d)
	}
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
		if err := s.takeFile(d.to, &a); err != nil {
			return err
		}
		s.sweepAt(s.Box, "", path.Join(inAttachments, a.ID))
		if err := s.takeFile(s.Box, &a); err != nil {
			return err
		}
	}
	return s.forget(d.intentName())
}

// tidy removes unfinished files from the receiver's mailbox.
func (s *session) tidy(d *delivery) {
	s.sweepAt(d.to, d.tag(), path.Dir(d.inboxFile()))
	for i := range d.msg.Payload.Attachments {
		s.sweepAt(d.to, d.tag(), path.Join(inAttachments, d.msg.Payload.Attachments[i].ID))
	}
}

// takeFile removes one attachment again, and its folder if nothing else is in it.
func (s *session) takeFile(from *Box, a *amp.Attachment) error {
	folder := path.Join(inAttachments, a.ID)
	at, err := from.home.OpenFolder(folder)
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
	_ = from.home.Remove(folder)
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
	d := &delivery{msg: msg, left: true}
	err = d.open(s.Box, kept.Local.To)
	if errors.Is(err, fs.ErrNotExist) {
		// A mailbox that is gone has nothing of it: what is ours is taken back.
		err = d.open(s.Box, s.dir)
	}
	return d, err
}

package teaminbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/store/disk"
)

// entry is a message in an inbox.
type entry struct {
	From      string `json:"from"`
	Text      string `json:"text"`
	Summary   string `json:"summary,omitempty"`
	Timestamp string `json:"timestamp"`
	Color     string `json:"color,omitempty"`
	Version   int    `json:"msgV"`
	ID        string `json:"msg_id"`
	Type      string `json:"type"`
	Read      bool   `json:"read"`
}

const inbox = lead + ".json"

// lock takes the program's lock of the inbox.
func lock(ctx context.Context, root *disk.Root) (unlock func(), err error) {
	for range lockTries {
		if err = root.Mkdir(inbox+".lock", disk.PrivateDir); err == nil {
			return func() { _ = root.Remove(inbox + ".lock") }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockWait):
		}
	}
	return nil, errors.New("the lock of the inbox is held")
}

// add adds the entry, under the lock, unless one of ours waits there already.
func add(root *disk.Root, from string, now time.Time) error {
	old, info, err := read(root, inbox)
	if errors.Is(err, fs.ErrNotExist) {
		old, err = []byte("[]"), nil
	}
	if err != nil {
		return err
	}
	n, waits, err := entries(old)
	if err != nil || waits {
		return err
	}
	ours, err := json.Marshal(entry{
		From: sender, Text: fmt.Sprintf(text, from), Summary: "new mail", Timestamp: now.UTC().Format("2006-01-02T15:04:05.000Z"),
		Version: 1, ID: newID(), Type: "message",
	})
	if err != nil {
		return err
	}
	// What waits there stays as it is, byte for byte.
	comma := ""
	if n > 0 {
		comma = ","
	}
	waiting := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(old), []byte("]")))
	data := slices.Concat(waiting, []byte(comma+"\n "), ours, []byte("\n]"))
	if err := replace(root, data, old, info); err != nil {
		return err
	}
	after, _, err := read(root, inbox)
	if err != nil || !bytes.Equal(after, data) {
		return errors.Join(errors.New("the inbox was written to without its lock"), err)
	}
	return nil
}

// replace gives the inbox a new content, as the program does. It gives up if the inbox is
// not as it was read: somebody writes without the lock.
func replace(root *disk.Root, data, old []byte, info fs.FileInfo) error {
	temp := fmt.Sprintf("%s.tmp.%s", inbox, newID()[:8])
	f, err := root.OpenWrite(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, disk.PrivateFile)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = unchanged(root, old, info)
	}
	if err == nil {
		err = root.Rename(temp, inbox)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}

// unchanged returns an error if the inbox is not as it was read. info is nil if there was
// none. The program makes an empty one before it takes the lock.
func unchanged(root *disk.Root, old []byte, info fs.FileInfo) error {
	now, after, err := read(root, inbox)
	if info == nil && (errors.Is(err, fs.ErrNotExist) || err == nil && (len(now) == 0 || string(now) == "[]")) {
		return nil
	}
	if err != nil || info == nil || !os.SameFile(info, after) || !bytes.Equal(old, now) {
		return errors.New("the inbox was written to without its lock")
	}
	return nil
}

// entries returns how many entries wait in an inbox, and whether one of ours does.
func entries(data []byte) (n int, waits bool, err error) {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil {
		return 0, false, fmt.Errorf("the inbox looks different: %w", err)
	}
	if list == nil {
		return 0, false, errors.New("the inbox looks different: it is no list")
	}
	for _, raw := range list {
		var e entry
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&e); err != nil {
			return 0, false, fmt.Errorf("the inbox looks different: %w", err)
		}
		if e.Version != 1 || e.Type != "message" || e.ID == "" || e.Text == "" {
			return 0, false, errors.New("the inbox looks different: an entry is no message of version 1")
		}
		waits = waits || e.From == sender
	}
	return len(list), waits, nil
}

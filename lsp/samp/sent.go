package samp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// Outbox makes sending idempotent: a token identifies one message, however often it is sent
// again, and after any crash. A record is written to a journal under its token before it is
// appended to a log. A second try appends the same bytes or finds them in the log.
//
// A process sends one message at a time.
type Outbox struct {
	disk disk.Disk
	path string
}

// maxToken is the greatest length of a token in bytes.
const maxToken = 128

const (
	// maxOutbox is the size in bytes at which a new journal is begun. The full journal then
	// replaces the previous one.
	maxOutbox = 2 << 20
	// previousSuffix is appended to the name of the previous journal.
	previousSuffix = ".1"
)

// OpenOutbox returns the outbox of a directory. The first [Outbox.Send] creates its journal.
func OpenOutbox(stateDir string, d *Dir) *Outbox {
	return &Outbox{disk: d.root.Disk(), path: filepath.Join(stateDir, "outbox", d.ID()+".jsonl")}
}

// intent is a line of the journal.
type intent struct {
	Token  string `json:"token"`
	Record string `json:"record"`
}

// Send appends the record that build returns. If the token was sent before, Send sends and
// returns the earlier record instead, sets again and does not call build.
func (o *Outbox) Send(d *Dir, token string, build func() (samp.Record, error)) (r samp.Record, again bool, err error) {
	if token == "" || len(token) > maxToken {
		return r, false, fmt.Errorf("store: send: a token has 1 to %d bytes, not %d", maxToken, len(token))
	}
	if r, again, err = o.find(token); err != nil {
		return r, again, err
	}
	if again {
		if err := o.write(nil); err != nil {
			return r, true, err
		}
		found, err := d.hasRecord(&r)
		if err != nil || found {
			return r, true, err
		}
	} else {
		if r, err = build(); err != nil {
			return r, false, err
		}
		if err := o.note(token, &r); err != nil {
			return r, false, err
		}
	}
	_, err = d.Append(&r)
	return r, again, err
}

func (o *Outbox) find(token string) (r samp.Record, found bool, err error) {
	for _, path := range []string{o.path, o.path + previousSuffix} {
		if r, found, err = findIn(path, token); found || err != nil {
			break
		}
	}
	return r, found, err
}

func findIn(path, token string) (samp.Record, bool, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return samp.Record{}, false, nil
	}
	if err != nil {
		return samp.Record{}, false, fmt.Errorf("store: outbox: %w", err)
	}
	for line := range bytes.Lines(data) {
		var entry intent
		if json.Unmarshal(line, &entry) != nil || entry.Token != token {
			continue // an unfinished line was never sent
		}
		r, err := samp.Parse([]byte(entry.Record))
		return r, err == nil, err
	}
	return samp.Record{}, false, nil
}

func (o *Outbox) note(token string, r *samp.Record) error {
	line, err := json.Marshal(intent{token, string(r.Append(nil))})
	if err != nil {
		return fmt.Errorf("store: outbox: %w", err)
	}
	return o.write(append(line, '\n'))
}

// write appends lines to the journal and syncs it.
func (o *Outbox) write(lines []byte) error {
	root, err := o.disk.MakeRoot(filepath.Dir(o.path), disk.PrivateDir)
	if err != nil {
		return fmt.Errorf("store: outbox: %w", err)
	}
	defer root.Close()
	o.trim(root)
	if err := journal(root, filepath.Base(o.path), lines); err != nil {
		return fmt.Errorf("store: outbox: %q: %w", o.path, disk.Cause(err))
	}
	return nil
}

// journal appends lines to one of our own files and creates the file if it is missing. It
// syncs the whole file even if there are no lines: the process that wrote the earlier lines
// may have been killed before its sync.
func journal(root *disk.Root, name string, lines []byte) error {
	f, err := root.OpenWrite(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, disk.PrivateFile)
	if err != nil {
		return err
	}
	if len(lines) > 0 {
		err = appendLine(root, name, f, lines)
	} else {
		err = f.Sync()
	}
	if err == nil {
		err = root.Sync()
	}
	return errors.Join(err, f.Close())
}

// trim begins a new journal if the present one is too long. It renames the old journal, which
// is still read: tokens are retried within minutes, and another process may be writing to it.
// If trim fails, the next call tries again.
func (o *Outbox) trim(root *disk.Root) {
	name := filepath.Base(o.path)
	long := func() bool {
		info, err := root.Stat(name)
		return err == nil && info.Size() >= maxOutbox
	}
	if !long() {
		return
	}
	lock, err := filelock.Take(context.Background(), root, name+".lock", disk.PrivateFile)
	if err != nil {
		return
	}
	defer lock.Release()
	if long() { // no other process has renamed it meanwhile
		_ = root.Rename(name, name+previousSuffix)
	}
}

// hasRecord reports whether the sender's own log contains a record. If so, it syncs the log:
// the process that wrote the record may have been killed before its sync.
func (d *Dir) hasRecord(r *samp.Record) (bool, error) {
	name := samp.LogName(r.From)
	f, err := d.openAs(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	found := false
	err = lineread.New().Read(context.Background(), f.File, 0, info.Size(), lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
		if !found && bytes.Contains(raw, []byte(r.ID)) {
			rec, err := samp.Parse(raw)
			found = err == nil && rec.ID == r.ID && rec.Content() == r.Content()
		}
	}})
	if err == nil && found {
		err = f.Sync()
	}
	if err == nil && found {
		// If the log was replaced meanwhile, the new one may lack the record: the caller appends it again.
		if current, err := d.syncName(f, name); err != nil || !current {
			return false, err
		}
	}
	if err != nil {
		return false, fmt.Errorf("store: %q: %w", filepath.Join(d.path, name), disk.Cause(err))
	}
	return found, nil
}

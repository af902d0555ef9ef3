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

// Outbox makes sending idempotent: a token stands for one message, however often it is
// sent again, and after any crash. A record is written to a journal under its token before
// it is appended to a log. A second try appends the same bytes or finds them there.
//
// One process sends one message at a time.
type Outbox struct {
	disk disk.Disk
	path string
}

// maxToken is the length of a token in bytes.
const maxToken = 128

const (
	// maxOutbox is the size from which a new journal is begun. The previous journal is
	// kept until then.
	maxOutbox = 2 << 20
	// previousSuffix is appended to the name of the previous journal.
	previousSuffix = ".1"
)

// OpenOutbox returns the outbox of a directory. It creates nothing before something is
// sent.
func OpenOutbox(stateDir string, d *Dir) *Outbox {
	return &Outbox{disk: d.root.Disk(), path: filepath.Join(stateDir, "outbox", d.ID()+".jsonl")}
}

// intent is a line of the journal.
type intent struct {
	Token  string `json:"token"`
	Record string `json:"record"`
}

// Send appends the record that build returns. If the token was sent before, it does not
// call build, returns the earlier record and sets again.
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
		there, err := d.holds(&r)
		if err != nil || there {
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
		var it intent
		if json.Unmarshal(line, &it) != nil || it.Token != token {
			continue // nothing was sent for an unfinished line
		}
		r, err := samp.Parse([]byte(it.Record))
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

// write adds lines to the journal, and waits until they are on the disk.
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

// journal adds lines to one of our own files, and makes the file if it is missing. It
// waits until the whole file is on the disk: the process that wrote what is there may
// have been killed before its sync.
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

// trim begins a new journal if the present one has grown too long. Tokens are tried again
// within minutes. The old journal is renamed and still read, since another process may
// have it open and write to it. If trim fails, the next call tries again.
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
	if long() { // and nobody has moved it meanwhile
		_ = root.Rename(name, name+previousSuffix)
	}
}

// holds reports whether the sender's own log holds a record. If so it syncs the log: the
// process that wrote the record may have been killed before its sync.
func (d *Dir) holds(r *samp.Record) (bool, error) {
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
			have, err := samp.Parse(raw)
			found = err == nil && have.ID == r.ID && have.Content() == r.Content()
		}
	}})
	if err == nil && found {
		err = f.Sync()
	}
	if err == nil && found {
		// If the log was replaced meanwhile, the caller asks again.
		if settled, bad := d.settled(f, name); bad != nil || !settled {
			return false, bad
		}
	}
	if err != nil {
		return false, fmt.Errorf("store: %q: %w", filepath.Join(d.path, name), disk.Cause(err))
	}
	return found, nil
}

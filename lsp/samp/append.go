package samp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Compose builds the record of a new message (§4, §5). An empty thread is
// derived from the body, where "[thread:name]" overrides it; one that is given,
// as a reply's is, is taken as it stands. The date is local in V1 and UTC in
// V1Compact. Errors are a *[canon.Fault] naming the rule.
func Compose(now time.Time, p samp.Profile, from, to, thread, body string) (samp.Record, error) {
	if thread == "" {
		if p == samp.V1Compact {
			now = now.UTC()
		}
		thread, body = samp.DeriveThread(body, from, now.Format(time.DateOnly), p)
	}
	return samp.Build(from, to, thread, body, now.Unix(), p)
}

// CheckWriter returns a *[canon.Fault] of rule L2 unless alias may write here:
// it is valid, is not how a sync tool calls its copy of a log, and nobody writes here
// under another spelling of it, which a file system without case would take for the
// same file.
func (d *Dir) CheckWriter(alias string) error {
	if err := samp.CheckAlias(alias); err != nil {
		return err
	}
	if owner, ok := samp.CopyOf(alias); ok {
		return &canon.Fault{
			Rule: "L2", Field: "from",
			Reason: fmt.Sprintf("alias %q is what a sync tool calls its copy of %q's log", alias, owner),
		}
	}
	logs, _, err := d.Logs()
	if err != nil {
		return err
	}
	if other, found := d.takenBy(context.Background(), logs, alias); found {
		return &canon.Fault{
			Rule: "L2", Field: "from",
			Reason: fmt.Sprintf("alias %q differs only in case from %q, which has a log here", alias, other),
		}
	}
	return nil
}

// Append writes a record to the log of its sender, and to no other (rules W1
// to W4). It makes one write with O_APPEND, so that several processes under one alias
// lose nothing. If the log's last line has no line end, it writes one first, so that
// only that line is lost. What a failed write left behind it turns into blanks.
//
// Append returns the log's path. The caller has checked the alias with
// [Dir.CheckWriter].
func (d *Dir) Append(r *samp.Record) (path string, err error) {
	name := samp.LogName(r.From)
	path = filepath.Join(d.path, name)
	const tries = 20
	for range tries {
		f, err := d.openAs(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, d.logMode())
		if err != nil {
			return path, err
		}
		err = appendLine(d.root, name, f, r.Append(nil))
		settled := false
		if err == nil {
			settled, err = d.settled(f, name)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return path, fmt.Errorf("store: append to %q: %w", path, disk.Cause(err))
		}
		if settled {
			return path, nil
		}
		// The log was compacted meanwhile. Compacting copies what was written to the
		// old file, unless this took too long.
		if there, err := d.holds(r); err != nil || there {
			return path, err
		}
	}
	return path, fmt.Errorf("store: append to %q: another program keeps replacing the log", path)
}

// settled syncs the log's directory entry and reports whether the name still stands for
// the file we wrote to. A new file at that name needs the sync once.
func (d *Dir) settled(f *disk.File, name string) (bool, error) {
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	known, _ := d.synced.Load(name)
	if info, ok := known.(fs.FileInfo); !ok || !os.SameFile(info, mine) {
		if err := d.root.Sync(); err != nil {
			return false, err
		}
	}
	now, err := d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(now, mine) {
		return false, nil
	}
	if err == nil {
		d.synced.Store(name, mine)
	}
	return err == nil, err
}

// logMode is 0600, or 0640 where the directory is shared with a group.
func (d *Dir) logMode() fs.FileMode {
	const group = 0o030
	if info, err := d.root.Stat("."); err == nil && info.Mode().Perm()&group == group {
		return 0o640
	}
	return 0o600
}

// appended is what appending needs of a file. A test can pass one that fails.
type appended interface {
	Write([]byte) (int, error)
	ReadAt([]byte, int64) (int, error)
	Seek(int64, int) (int64, error)
	Stat() (fs.FileInfo, error)
	Sync() error
}

// appendLine appends a line to a file of root. If the file's last line has no line end, it
// begins with one.
func appendLine(root *disk.Root, name string, f appended, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	n, err := f.Write(line)
	if err == nil {
		// If it fails, nobody knows what of the line is on the disk. A second sync is no
		// help: the system may have dropped what it could not write.
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, undo(root, name, f, line[:n]))
	}
	return nil
}

// undo makes blanks of the part of a line that was written last, so that readers pass over
// it. It never shortens the file: at any moment another process may
// append to it, and would lose its message.
func undo(root *disk.Root, name string, f appended, part []byte) error {
	if len(part) == 0 {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	// The system moves the place in a file behind what was appended.
	end, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	at, there := end-int64(len(part)), make([]byte, len(part))
	if at >= 0 {
		_, err = f.ReadAt(there, at)
	}
	if err != nil || at < 0 || !bytes.Equal(there, part) {
		return cmp.Or(err, errors.New("a part of the message was written and stays in the log, where readers skip it"))
	}
	w, err := root.OpenWrite(name, os.O_RDWR|disk.PlainOpen, 0)
	if err != nil {
		return err
	}
	defer w.Close()
	if now, err := w.Stat(); err != nil || !os.SameFile(now, info) {
		return cmp.Or(err, errSwapped)
	}
	blank := bytes.Repeat([]byte{' '}, len(part))
	blank[len(blank)-1] = '\n'
	_, err = w.WriteAt(blank, at)
	return err
}

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

// Compose builds the record of a new message (§4, §5). If thread is empty, it is derived from the
// body, where "[thread:name]" names one. Otherwise, as in a reply, thread is used unchanged. The
// date is local in V1 and UTC in V1Compact. Errors are a *[canon.Fault] with the rule id.
func Compose(now time.Time, p samp.Profile, from, to, thread, body string) (samp.Record, error) {
	if thread == "" {
		if p == samp.V1Compact {
			now = now.UTC()
		}
		thread, body = samp.DeriveThread(body, from, now.Format(time.DateOnly), p)
	}
	return samp.Build(from, to, thread, body, now.Unix(), p)
}

// CheckWriter returns a *[canon.Fault] of rule L2 unless alias may write here. It may
// if it is valid, isn't the name that a sync tool gives a copy of a log, and doesn't differ
// only in case from an alias that writes here: a case-insensitive file system would take
// both logs for the same file.
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

// Append writes a record to its sender's log (rules W1 to W4) and returns the log's path. It
// makes one write with O_APPEND, so that several processes under one alias lose nothing. If
// the log's last line has no line end, Append writes one first, so that only that line is
// lost. If a write fails halfway, Append overwrites the written part with blanks.
//
// The caller has checked the alias with [Dir.CheckWriter].
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
		current := false
		if err == nil {
			current, err = d.syncName(f, name)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return path, fmt.Errorf("store: append to %q: %w", path, disk.Cause(err))
		}
		if current {
			return path, nil
		}
		// The log was compacted meanwhile. Compacting copies late writes from the old file,
		// unless they took too long.
		if found, err := d.hasRecord(r); err != nil || found {
			return path, err
		}
	}
	return path, fmt.Errorf("store: append to %q: another program keeps replacing the log", path)
}

// syncName syncs the log's directory entry, once for each new file, and reports whether the
// name still leads to the file we wrote to.
func (d *Dir) syncName(f *disk.File, name string) (bool, error) {
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

// logMode returns 0600, or 0640 if the directory is shared with a group.
func (d *Dir) logMode() fs.FileMode {
	const group = 0o030
	if info, err := d.root.Stat("."); err == nil && info.Mode().Perm()&group == group {
		return 0o640
	}
	return 0o600
}

// appendFile is the part of a file that appending needs, so that a test can pass a failing one.
type appendFile interface {
	Write([]byte) (int, error)
	ReadAt([]byte, int64) (int, error)
	Seek(int64, int) (int64, error)
	Stat() (fs.FileInfo, error)
	Sync() error
}

// appendLine appends a line to a file of root. If the file's last line has no line end,
// appendLine writes one first.
func appendLine(root *disk.Root, name string, f appendFile, line []byte) error {
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
		// If it fails, any part of the line may be on the disk. A second sync doesn't help:
		// the system may have dropped what it could not write.
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, undo(root, name, f, line[:n]))
	}
	return nil
}

// undo overwrites the part of a line that was written last with blanks, which readers skip. It
// never shortens the file: another process may append a message at any moment, and would lose it.
func undo(root *disk.Root, name string, f appendFile, part []byte) error {
	if len(part) == 0 {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	// After an append, the file position is the end of the appended bytes.
	end, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	at, written := end-int64(len(part)), make([]byte, len(part))
	if at >= 0 {
		_, err = f.ReadAt(written, at)
	}
	if err != nil || at < 0 || !bytes.Equal(written, part) {
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

package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// Compacted says what [Dir.Compact] did to one log.
type Compacted struct {
	Log                          string
	Before, After                int
	Filled, Malformed, Conflicts int
	Rewritten                    bool
}

// Compact rewrites one log without its duplicates and with ids filled in
// (rule C2). It keeps the file's mode, and replaces it by a rename, so that
// readers see the old log or the new one whole. Lines that another process
// appends in the meantime are carried over.
func (d *Dir) Compact(log Log, p samp.Profile) (Compacted, error) {
	c := Compacted{Log: log.Name}
	old, err := d.openLog(log)
	if err != nil {
		return c, err
	}
	defer old.Close()
	data, err := io.ReadAll(io.NewSectionReader(old, 0, 1<<62))
	if err != nil {
		return c, fmt.Errorf("store: compact %q: %w", filepath.Join(d.path, log.Name), cause(err))
	}
	done := samp.Compact(data, p)
	c.Before, c.After = done.Before, done.After
	c.Filled, c.Malformed, c.Conflicts = done.Filled, done.Malformed, done.Conflicts
	if !done.Changed(data) {
		return c, nil
	}
	if err := d.replaceLog(old, log, done.Data, int64(len(data))); err != nil {
		return c, fmt.Errorf("store: compact %q: %w", filepath.Join(d.path, log.Name), cause(err))
	}
	c.Rewritten = true
	return c, nil
}

// settle is how long a process may take between opening a log and its one
// write. After it, nothing is written to a file that was replaced.
const settle = 50 * time.Millisecond

func (d *Dir) replaceLog(old *os.File, log Log, data []byte, read int64) error {
	info, err := old.Stat()
	if err != nil {
		return err
	}
	tmp := fmt.Sprintf(".%s.%d.tmp", log.Name, os.Getpid())
	_ = d.root.Remove(tmp)
	out, err := d.root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer out.Close()
	err = func() error {
		// The umask may have taken bits that the log has.
		if err := out.Chmod(info.Mode().Perm()); err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		if _, err := out.Write(data); err != nil {
			return err
		}
		if read, err = carry(out, old, read); err != nil {
			return err
		}
		if err := out.Sync(); err != nil {
			return err
		}
		now, err := d.root.Lstat(log.Name)
		if err != nil || !os.SameFile(now, info) {
			return errors.Join(err, errors.New("the log was replaced meanwhile; run it again"))
		}
		return d.root.Rename(tmp, log.Name)
	}()
	if err != nil {
		_ = d.root.Remove(tmp)
		return err
	}
	// A writer that opened the log before the rename writes to the old file.
	time.Sleep(settle)
	_, err = carry(out, old, read)
	return err
}

// carry copies what was appended to the old log after offset read.
func carry(to io.Writer, old *os.File, read int64) (int64, error) {
	more, err := io.ReadAll(io.NewSectionReader(old, read, 1<<62))
	if err != nil || len(more) == 0 {
		return read, err
	}
	_, err = to.Write(more)
	return read + int64(len(more)), err
}

package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/filelock"
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
//
// The log is read twice, a line at a time, so that it costs the memory of its
// longest line.
func (d *Dir) Compact(ctx context.Context, log Log, p samp.Profile) (Compacted, error) {
	c := Compacted{Log: log.Name}
	// One at a time: of two who replace a log at once the second would take away
	// what was written to the first one's.
	lock, err := filelock.Take(ctx, d.root, "."+log.Name+".lock", disk.FileMode(d.root))
	if err != nil {
		return c, fmt.Errorf("store: compact %q: %w", filepath.Join(d.path, log.Name), err)
	}
	defer lock.Release()
	d.sweep()
	if log.Info, err = d.root.Lstat(log.Name); err != nil {
		return c, fmt.Errorf("store: compact %q: %w", filepath.Join(d.path, log.Name), disk.Cause(err))
	}
	old, err := d.openLog(log)
	if err != nil {
		return c, err
	}
	defer old.Close()
	edits, size, err := c.decide(ctx, d.core, old, p)
	if err == nil && len(edits) > 0 {
		c.Rewritten = true
		err = d.replaceLog(old, log, edits, size)
	}
	if err != nil {
		return c, fmt.Errorf("store: compact %q: %w", filepath.Join(d.path, log.Name), disk.Cause(err))
	}
	return c, nil
}

// edit replaces a part of a log.
type edit struct {
	from, to int64
	insert   string
}

// decide gives what has to be changed in the first size bytes of a log.
func (c *Compacted) decide(ctx context.Context, core Core, f *os.File, p samp.Profile) (edits []edit, size int64, err error) {
	if core != nil {
		return c.rewritten(ctx, core, f, p)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	compactor := samp.NewCompactor(p)
	r := lineReader{buf: make([]byte, chunkSize)}
	err = r.read(ctx, f, 0, info.Size(), visitor{line: func(offset int64, raw []byte, _ bool) {
		length := int64(len(raw))
		size = offset + length
		switch e := compactor.Line(raw); {
		case e.Drop:
			edits = append(edits, edit{offset, size, ""})
		case e.Insert != "":
			edits = append(edits, edit{offset + int64(e.At), offset + int64(e.End), e.Insert})
		}
	}, passed: func(p passed) {
		if size = p.end; p.fault == nil {
			edits = append(edits, edit{p.offset, p.end, ""})
			return
		}
		compactor.Before++
		compactor.Malformed++
		compactor.After++
	}})
	c.Before, c.After = compactor.Before, compactor.After
	c.Filled, c.Malformed, c.Conflicts = compactor.Filled, compactor.Malformed, compactor.Conflicts
	return edits, size, err
}

// apply copies the first size bytes of a log with the edits made.
func apply(w io.Writer, old *os.File, edits []edit, size int64) error {
	at := int64(0)
	for _, e := range append(edits, edit{size, size, ""}) {
		if _, err := io.Copy(w, io.NewSectionReader(old, at, e.from-at)); err != nil {
			return err
		}
		if _, err := io.WriteString(w, e.insert); err != nil {
			return err
		}
		at = e.to
	}
	return nil
}

// settle is how long a process may take between opening a log and its one
// write. After it, nothing is written to a file that was replaced.
const settle = 50 * time.Millisecond

func (d *Dir) replaceLog(old *os.File, log Log, edits []edit, read int64) error {
	info, err := old.Stat()
	if err != nil {
		return err
	}
	tmp := disk.TempPrefix + rand.Text()
	out, err := disk.OpenWrite(d.root, tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer out.Close()
	err = func() error {
		// The umask may have taken bits that the log has.
		if err := out.Chmod(info.Mode().Perm()); err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		if err := apply(out, old, edits, read); err != nil {
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
		return disk.Rename(d.root, tmp, log.Name)
	}()
	if err != nil {
		_ = disk.Remove(d.root, tmp)
		return err
	}
	// A writer that opened the log before the rename writes to the old file: what it
	// wrote by now, and what it may still write.
	var late int64
	if late, err = carry(out, old, read); err == nil {
		err = disk.SyncDir(d.root)
	}
	time.Sleep(settle)
	if more, e := carry(out, old, late); e != nil || more > read {
		err = errors.Join(err, e, out.Sync())
	}
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

package samp

import (
	"bytes"
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
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// Compacted says what [Dir.Compact] did to one log.
type Compacted struct {
	Log                          string
	Before, After                int
	Filled, Malformed, Conflicts int
	Rewritten                    bool
	// Left are the processes that still write to the log that was replaced, as
	// far as the system tells. What they write from now on is lost.
	Left []disk.Writer
}

// HeldError is the error of compacting a log that programs keep open to write to it.
// They would go on writing to the file that was replaced, which nobody reads. Nothing
// was changed.
type HeldError struct{ Writers []disk.Writer }

func (e *HeldError) Error() string {
	return disk.WriterNames(e.Writers) + " has it open and writes to it"
}

// Compact rewrites one log without its duplicates and with ids filled in
// (rule C2). It keeps the file's owner and mode and replaces the file by a rename, so that
// readers see the whole old log or the whole new one. It copies lines that another
// process appends in the meantime. If nothing has to be changed it writes nothing.
//
// If a program keeps the log open to write to it, Compact changes nothing and returns a
// *[HeldError]. Changing the log in place is no way out: an added id makes its line
// longer, so everything after it would move, under readers and writers that take no
// lock.
//
// The log is read twice, a line at a time, so Compact takes the memory of the longest
// line.
func (d *Dir) Compact(ctx context.Context, log Log, p samp.Profile) (Compacted, error) {
	return d.compact(ctx, log, p, false)
}

// CompactHeld is [Dir.Compact], but replaces a log even if a program keeps it open. The
// result names the program.
func (d *Dir) CompactHeld(ctx context.Context, log Log, p samp.Profile) (Compacted, error) {
	return d.compact(ctx, log, p, true)
}

func (d *Dir) compact(ctx context.Context, log Log, p samp.Profile, held bool) (Compacted, error) {
	c := Compacted{Log: log.Name}
	// One at a time. If two processes replaced a log at once, the second would remove
	// what was written to the first one's new file.
	lock, err := filelock.Take(ctx, d.root, "."+log.Name+".lock", d.root.FileMode())
	if err != nil {
		return c, fmt.Errorf("store: compact %q: %w", filepath.Join(d.path, log.Name), err)
	}
	defer lock.Release()
	d.sweep(compactTag(log))
	if log.Info, err = d.root.Lstat(log.Name); err != nil {
		return c, fmt.Errorf("store: compact %q: %w", filepath.Join(d.path, log.Name), disk.Cause(err))
	}
	old, err := d.OpenRegular(log.Name)
	if err != nil {
		return c, err
	}
	defer old.Close()
	edits, size, err := c.decide(ctx, old, p)
	if err == nil && len(edits) > 0 {
		r := replacing{dir: d, old: old, log: log, read: size, held: held}
		c.Rewritten, err = r.replace(edits)
		c.Left = r.left
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

// decide returns the changes to make in the first size bytes of a log.
func (c *Compacted) decide(ctx context.Context, f *os.File, p samp.Profile) (edits []edit, size int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	compactor := samp.NewCompactor(p)
	r := lineread.New()
	err = r.Read(ctx, f, 0, info.Size(), lineread.Visitor{Line: func(offset int64, raw []byte, _ bool) {
		length := int64(len(raw))
		size = offset + length
		switch e := compactor.Line(raw); {
		case e.Drop:
			edits = append(edits, edit{offset, size, ""})
		case e.Insert != "":
			edits = append(edits, edit{offset + int64(e.At), offset + int64(e.End), e.Insert})
		}
	}, Skipped: func(p lineread.Skipped) {
		if size = p.End; p.Fault == nil {
			edits = append(edits, edit{p.Offset, p.End, ""})
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

const (
	// settle is how long a process may take between opening a log and its one write.
	// After that nobody writes to the replaced file.
	settle = 50 * time.Millisecond
	// writersTimeout is how long to wait for a log that a program has open. A program that
	// sends a message closes it at once.
	writersTimeout = time.Second
)

// compactTag returns the tag in the name of a log's unfinished new file. The next
// process that holds the log's lock removes what a killed one left by it.
func compactTag(log Log) string { return log.Name + "-" }

// replacing puts a compacted log in the place of the old one.
type replacing struct {
	dir  *Dir
	old  *os.File
	log  Log
	info fs.FileInfo
	out  *disk.File
	// read is how much of the old log the new one holds.
	read int64
	// held allows that other programs have the log open, and left lists those that
	// still do.
	held bool
	left []disk.Writer
}

func (r *replacing) replace(edits []edit) (done bool, err error) {
	if r.info, err = r.old.Stat(); err != nil {
		return false, err
	}
	root := r.dir.root
	tmp := disk.TempPrefix + compactTag(r.log) + rand.Text()
	r.out, err = root.OpenWrite(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, r.info.Mode().Perm())
	if err != nil {
		return false, err
	}
	defer r.out.Close()
	if err = r.fill(edits); err == nil {
		err = root.Rename(tmp, r.log.Name)
	}
	if err != nil {
		_ = root.Remove(tmp)
		return false, err
	}
	return true, r.settle()
}

// fill writes the new log. When it returns, the new log can take the place of the old
// one.
func (r *replacing) fill(edits []edit) error {
	// The umask may have taken bits that the log has.
	if err := r.out.Become(r.info, r.info.Mode()); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	if err := apply(r.out, r.old, edits, r.read); err != nil {
		return err
	}
	if err := r.carry(); err != nil {
		return err
	}
	if err := r.out.Sync(); err != nil {
		return err
	}
	if writers := r.writers(); len(writers) > 0 && !r.held {
		return &HeldError{writers}
	}
	// What was appended while we waited.
	synced := r.read
	if err := r.carry(); err != nil {
		return err
	}
	if r.read > synced {
		if err := r.out.Sync(); err != nil {
			return err
		}
	}
	now, err := r.dir.root.Lstat(r.log.Name)
	if err != nil || !os.SameFile(now, r.info) {
		return errors.Join(err, errors.New("the log was replaced meanwhile; run it again"))
	}
	return nil
}

// settle ends a replacement. A writer that opened the log before the rename writes to
// the old file. settle copies what it has written by now, and after a moment what it
// wrote since.
func (r *replacing) settle() error {
	synced := r.read
	err := r.carry()
	if err == nil {
		err = r.dir.root.Sync()
	}
	time.Sleep(settle)
	r.left = r.writers()
	if e := r.carry(); e != nil || r.read > synced {
		err = errors.Join(err, e, r.out.Sync())
	}
	return err
}

// writers waits until no program has the old log open to write to it, for [writersTimeout] at
// most, and returns those that still do.
func (r *replacing) writers() (list []disk.Writer) {
	const step = writersTimeout / 50
	for end := time.Now().Add(writersTimeout); ; time.Sleep(step) {
		if list = disk.Writers(r.info); len(list) == 0 || r.held || time.Now().After(end) {
			return list
		}
	}
}

// maxCarried is how many bytes are copied at once.
const maxCarried = 4 << 20

// carry copies what was appended to the old log since it was read, up to where it ends now:
// a writer may not stop. Each write has whole lines, since others may write to the new log
// by now; only a line longer than maxCarried is copied in parts.
func (r *replacing) carry() error {
	info, err := r.old.Stat()
	if err != nil {
		return err
	}
	for r.read < info.Size() {
		part := make([]byte, min(info.Size()-r.read, maxCarried))
		if _, err := r.old.ReadAt(part, r.read); err != nil {
			return err
		}
		if end := bytes.LastIndexByte(part, '\n') + 1; end > 0 && r.read+int64(len(part)) < info.Size() {
			part = part[:end]
		}
		n, err := r.out.Write(part)
		r.read += int64(n)
		if err != nil {
			return err
		}
	}
	return nil
}

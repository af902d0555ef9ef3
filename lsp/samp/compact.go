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

// Compacted reports what [Dir.Compact] did to one log.
type Compacted struct {
	Log                          string
	Before, After                int
	Filled, Malformed, Conflicts int
	Rewritten                    bool
	// Writers lists the processes that still have the replaced file open for writing, as far
	// as the system reports them. Their later writes are lost.
	Writers []disk.Writer
}

// HeldError reports that a log was not compacted, because programs have it open for writing.
// They would go on writing to the replaced file, which nobody reads.
type HeldError struct{ Writers []disk.Writer }

func (e *HeldError) Error() string {
	return disk.WriterNames(e.Writers) + " has it open and writes to it"
}

// Compact rewrites one log without its duplicates and with ids filled in
// (rule C2). The new file has the same owner and mode and replaces the old one by a rename,
// so that readers see the whole old log or the whole new one. Compact copies lines that
// another process appends in the meantime. If nothing has to change, it writes nothing.
//
// If a program has the log open for writing, Compact changes nothing and returns a
// *[HeldError]. It cannot change the log in place: an added id makes its line longer, so
// everything after it would move, under readers and writers that take no lock.
//
// Compact reads the log twice, a line at a time. It needs as much memory as the longest line.
func (d *Dir) Compact(ctx context.Context, log Log, p samp.Profile) (Compacted, error) {
	return d.compact(ctx, log, p, false)
}

// CompactHeld is [Dir.Compact], but replaces a log even if a program has it open. The
// result lists the program.
func (d *Dir) CompactHeld(ctx context.Context, log Log, p samp.Profile) (Compacted, error) {
	return d.compact(ctx, log, p, true)
}

func (d *Dir) compact(ctx context.Context, log Log, p samp.Profile, held bool) (Compacted, error) {
	c := Compacted{Log: log.Name}
	// If two processes replaced a log at once, the second would remove what was written to
	// the new file of the first.
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
		r := replacement{dir: d, old: old, log: log, copied: size, held: held}
		c.Rewritten, err = r.replace(edits)
		c.Writers = r.writers
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

// decide returns the edits to make in the first size bytes of a log.
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
	// settleTime is how long a process may take between opening a log and its one write.
	// After that, the replaced file no longer changes.
	settleTime = 50 * time.Millisecond
	// writersTimeout is how long to wait until programs close a log. A program that sends a
	// message closes it at once.
	writersTimeout = time.Second
)

// compactTag returns the tag in the name of a log's unfinished new file. By the tag, the next
// process that holds the log's lock finds and removes the file of a killed process.
func compactTag(log Log) string { return log.Name + "-" }

// replacement replaces a log by its compacted form.
type replacement struct {
	dir  *Dir
	old  *os.File
	log  Log
	info fs.FileInfo
	out  *disk.File
	// copied is the length of the part of the old log that the new log contains.
	copied int64
	// held allows other programs to have the log open. writers lists the programs that still
	// do after the replacement.
	held    bool
	writers []disk.Writer
}

func (r *replacement) replace(edits []edit) (done bool, err error) {
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
	return true, r.finish()
}

// fill writes the new log, which can then replace the old one.
func (r *replacement) fill(edits []edit) error {
	// The umask may have taken bits that the log has.
	if err := r.out.Inherit(r.info, r.info.Mode()); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	if err := apply(r.out, r.old, edits, r.copied); err != nil {
		return err
	}
	if err := r.copyAppended(); err != nil {
		return err
	}
	if err := r.out.Sync(); err != nil {
		return err
	}
	if writers := r.waitForWriters(); len(writers) > 0 && !r.held {
		return &HeldError{writers}
	}
	// Copy lines that were appended while we waited.
	synced := r.copied
	if err := r.copyAppended(); err != nil {
		return err
	}
	if r.copied > synced {
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

// finish ends a replacement. A writer that opened the log before the rename writes to the old
// file. finish copies what was written there, at once and again after [settleTime].
func (r *replacement) finish() error {
	synced := r.copied
	err := r.copyAppended()
	if err == nil {
		err = r.dir.root.Sync()
	}
	time.Sleep(settleTime)
	r.writers = r.waitForWriters()
	if e := r.copyAppended(); e != nil || r.copied > synced {
		err = errors.Join(err, e, r.out.Sync())
	}
	return err
}

// waitForWriters waits until no program has the old log open for writing, for at most
// [writersTimeout], and returns the programs that still do.
func (r *replacement) waitForWriters() (list []disk.Writer) {
	const step = writersTimeout / 50
	for end := time.Now().Add(writersTimeout); ; time.Sleep(step) {
		if list = disk.Writers(r.info); len(list) == 0 || r.held || time.Now().After(end) {
			return list
		}
	}
}

// maxCopied is how many bytes are copied at once.
const maxCopied = 4 << 20

// copyAppended copies what was appended to the old log since it was read, up to its present
// end: a writer may never stop. Each write consists of whole lines, since other programs may
// already write to the new log. Only a line longer than maxCopied is copied in parts.
func (r *replacement) copyAppended() error {
	info, err := r.old.Stat()
	if err != nil {
		return err
	}
	for r.copied < info.Size() {
		part := make([]byte, min(info.Size()-r.copied, maxCopied))
		if _, err := r.old.ReadAt(part, r.copied); err != nil {
			return err
		}
		if end := bytes.LastIndexByte(part, '\n') + 1; end > 0 && r.copied+int64(len(part)) < info.Size() {
			part = part[:end]
		}
		n, err := r.out.Write(part)
		r.copied += int64(n)
		if err != nil {
			return err
		}
	}
	return nil
}

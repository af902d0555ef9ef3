package atsf

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Append writes a message at the end of a thread's log and updates thread.json (rules M1 to
// M4). It waits for other writers until the context ends, or for [filelock.Timeout] if the
// context has no deadline, and then fails with [ErrLocked].
//
// An empty id becomes a random one. A time that is not OK becomes the current time, or the
// time of the previous message if the clock is behind it, so that the log stays ordered by
// time. Blocks and tool calls that carry Raw are written as they are in Raw.
//
// When Append returns nil, the message is on the disk. It is on the disk as well if the error
// is a *[StaleError], but thread.json was not updated: a file that cannot be read is never
// overwritten, and the message is not lost because of it. After any other error nothing was
// added: a *[canon.Fault] for a message that breaks a rule, or a thread whose major version is
// refused (V2) or whose version is unknown (V1); [ErrExists] if the thread has a message with
// this id; [ErrNotFound] if there is no such thread; [ErrGone] if the thread's folder is being
// removed; [ErrNoLog] if its messages are elsewhere.
//
// Inline base64 data is moved to assets/ (rule B3). An asset with the same name and content is
// used again. If the content differs, the existing asset stays and the error is [ErrExists]:
// two contents can share the 64 bits of a name (rule Z12).
func (d *Dir) Append(ctx context.Context, name string, m atsf.Message) error {
	given := m.ID != ""
	if !given {
		m.ID = NewID()
	}
	return d.append(ctx, name, func(last atsf.Time) (draft, error) {
		if !m.Time.OK {
			now := time.Now().UnixMilli()
			if last.OK {
				now = max(now, last.Millis)
			}
			m.Time = atsf.At(now)
		}
		line, err := atsf.BuildMessage(m)
		if err != nil {
			return draft{}, err
		}
		dr, err := draftOf(line)
		if !given {
			dr.id = ""
		}
		return dr, err
	})
}

// AppendRaw is [Dir.Append] for a message that is already JSON: unknown members are kept. A
// message that breaks one of the rules M1 to M3, B1, L4, TC1, TC2 and X1 is refused with an
// *[canon.Fault].
func (d *Dir) AppendRaw(ctx context.Context, name string, object []byte) error {
	return d.append(ctx, name, func(atsf.Time) (draft, error) { return draftOf(object) })
}

func draftOf(object []byte) (draft, error) {
	line, assets, err := atsf.TakeInline(object)
	if err != nil {
		return draft{}, err
	}
	m, err := atsf.ParseMessage(line)
	if err != nil {
		return draft{}, err
	}
	if len(m.Faults) > 0 {
		return draft{}, &m.Faults[0]
	}
	for _, b := range m.Content {
		if b.AssetRef == "" {
			continue
		}
		if _, err := atsf.ParseAssetName(b.AssetRef); err != nil {
			return draft{}, err
		}
	}
	var out bytes.Buffer
	if err := json.Compact(&out, line); err != nil {
		return draft{}, &canon.Fault{Rule: "M1", Reason: "the message is no JSON"}
	}
	out.WriteByte('\n')
	return draft{line: out.Bytes(), id: m.ID, assets: assets}, nil
}

// draft is a message that is ready to be written.
type draft struct {
	line []byte
	// id is set if the caller chose it. Then the log must not contain it.
	id     string
	assets []atsf.Asset
}

// append adds the line that compose makes under the lock. compose gets the time of the last
// message.
func (d *Dir) append(ctx context.Context, name string, compose func(last atsf.Time) (draft, error)) (err error) {
	w, err := d.openForWriting(ctx, name)
	if err != nil {
		return err
	}
	var stored bool
	defer func() {
		w.end()
		if _, stale := errors.AsType[*StaleError](err); err != nil && !stale {
			if err = trimmed(err); stored {
				err = &StaleError{name, err}
				return
			}
			err = fmt.Errorf("threads: append to %q: %w", name, err)
		}
	}()
	broken := w.checkWritable()
	if f, ok := errors.AsType[*canon.Fault](broken); ok && (f.Rule == "V1" || f.Rule == "V2") {
		return f
	}
	if err := w.checkLog(); err != nil {
		return err
	}
	log, err := w.openLog(broken)
	if err != nil {
		return err
	}
	defer log.Close()
	info, err := log.Stat()
	if err != nil {
		return err
	}
	if info.Size() == 0 {
		// The process that created the log may have been killed before its name was on the disk.
		if err := w.root.Sync(); err != nil {
			return fmt.Errorf("%s: %w", atsf.MessagesName, disk.Cause(err))
		}
	}
	var count counter
	if err := count.read(ctx, log, info.Size()); err != nil {
		return err
	}
	m, err := compose(count.Last)
	if err != nil {
		return err
	}
	if len(m.line) > MaxLine {
		return &canon.Fault{Rule: "M1", Reason: fmt.Sprintf("the message is %d bytes long, and at most %d can be shown", len(m.line), MaxLine)}
	}
	if m.id != "" {
		if _, err := findID(ctx, log, count.end, m.id); err == nil {
			// Its writer may have been killed before it was on the disk.
			return errors.Join(fmt.Errorf("message %.80q %w (M2)", m.id, ErrExists), log.Sync())
		} else if !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	for _, a := range m.assets {
		if err := w.store(a.Name, a.Content); err != nil {
			return err
		}
	}
	line := m.line
	if count.end < info.Size() {
		// A writer was interrupted in a line. Ending that line keeps this one intact (rule M5).
		line = append([]byte{'\n'}, line...)
	}
	if err := appendLine(log, info.Size(), line); err != nil {
		return err
	}
	if err := w.checkPlace(); err != nil {
		return err
	}
	stored = true
	if broken != nil {
		return &StaleError{name, broken}
	}
	if err := count.read(context.WithoutCancel(ctx), log, info.Size()+int64(len(line))); err != nil {
		return err
	}
	return w.change(func(raw []byte) ([]byte, error) { return atsf.Repair(raw, count.Tally) })
}

// checkWritable returns the reason why thread.json cannot be changed: it is missing,
// unreadable, or of a version that we do not write.
func (w *writing) checkWritable() error {
	raw, _, err := w.meta()
	if err == nil {
		_, err = atsf.Edit(raw)
	}
	return err
}

// openLog opens the thread's log for appending. It creates a missing log, unless thread.json
// is missing too: then the directory is not a thread.
func (w *writing) openLog(broken error) (*disk.File, error) {
	if _, err := w.root.Lstat(atsf.MessagesName); errors.Is(err, fs.ErrNotExist) && errors.Is(broken, ErrNotFound) {
		return nil, broken
	}
	f, err := w.root.OpenAppend(atsf.MessagesName)
	if kind, other := errors.AsType[*disk.KindError](err); other {
		return nil, fmt.Errorf("%s is %s and is not written to (L1)", atsf.MessagesName, disk.Kind(kind.Kind))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", atsf.MessagesName, err)
	}
	return f, nil
}

// appended is what appending needs of a file, so that a test can provide one that fails.
type appended interface {
	Write([]byte) (int, error)
	ReadAt([]byte, int64) (int, error)
	Stat() (fs.FileInfo, error)
	Truncate(int64) error
	Sync() error
}

// appendLine writes a line in one write at the end of a log with the given size, and waits
// until it is on the disk. If the write fails, the part that was written is removed.
func appendLine(f appended, size int64, line []byte) error {
	n, err := f.Write(line)
	if err != nil {
		return errors.Join(disk.Cause(err), undoWrite(f, size, line[:n]))
	}
	if err := f.Sync(); err != nil {
		// Nobody knows how much of it is on the disk. The caller will hear that the message was not
		// stored, so it must not be there.
		return errors.Join(disk.Cause(err), undoWrite(f, size, line))
	}
	return nil
}

// undoWrite removes the part of a line that was written, unless a program that does not use
// the lock has written after it: cutting the file would lose its message.
func undoWrite(f appended, size int64, part []byte) error {
	if len(part) == 0 {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return disk.Cause(err)
	}
	tail := make([]byte, len(part))
	if _, err := f.ReadAt(tail, size); err != nil {
		return disk.Cause(err)
	}
	if info.Size() != size+int64(len(part)) || !bytes.Equal(tail, part) {
		return errors.New("what was written of the line stays, since another program wrote after it")
	}
	return disk.Cause(f.Truncate(size))
}

// ErrNoLog is the error for writing to a thread whose thread.json counts messages but whose
// log is missing, as in a clone whose logs git ignores. The counts are all that is left there
// and are not replaced.
var ErrNoLog = errors.New("they are elsewhere or lost, and nothing was written")

// checkLog returns [ErrNoLog] if the log is missing or empty although thread.json counts
// messages.
func (w *writing) checkLog() error {
	lost := "is not there"
	switch info, err := w.root.Lstat(atsf.MessagesName); {
	case err == nil && info.Size() > 0, err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil:
		lost = "is empty"
	}
	raw, _, err := w.meta()
	if err != nil {
		return nil //nolint:nilerr // checkWritable reports it
	}
	t, err := atsf.ParseThread(raw)
	if err != nil || t.Stats == (atsf.Stats{}) {
		return nil //nolint:nilerr // as above
	}
	return fmt.Errorf("%s %s, and %s counts %d messages: %w. Bring the log here, or begin another thread (T4)", atsf.MessagesName, lost, atsf.ThreadName, t.Stats.Messages, ErrNoLog)
}

package threads

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/store/conflict"
	"github.com/signalbox-dev/signalbox/lsp/store/disk"
	"github.com/signalbox-dev/signalbox/lsp/store/jsonl"
)

// Copies lists the conflict copies that sync tools left among the threads, with paths
// relative to the folder. No reader looks into them. The error is the one of ctx, or tells
// that there was too much to look at.
func (d *Dir) Copies(ctx context.Context) ([]conflict.Copy, error) {
	list, err := conflict.Find(ctx, d.root, d.threadsName())
	for i := range list {
		list[i].Path, list[i].Original = path.Join(atsf.DirName, list[i].Path), path.Join(atsf.DirName, list[i].Original)
	}
	return list, err
}

// Merged says what [Dir.Merge] did.
type Merged struct {
	// Added counts the lines that the log has now. Differ counts those whose message the
	// log has in other words, as it does when a tool call ended on one machine alone:
	// they stay in the copy.
	Added, Differ int
	// Where is the path that the copy was put away to, "" if it stays where it is.
	Where string
}

// Merge appends to a thread's log the lines that a conflict copy of it alone holds, brings
// thread.json up to date, and moves the copy to the state directory. Lines that stand in
// the log are not touched (rule M1); what is appended may be older than they are. Of a copy of
// thread.json nothing is taken over, since its figures are counted anew; it is put
// away for its title and metadata. Any other copy is put away if it has its original's bytes.
//
// It waits for other writers as [Dir.Append] does, and refuses what Append refuses.
func (d *Dir) Merge(ctx context.Context, c conflict.Copy, state string) (m Merged, err error) {
	at, ok := cutDir(c.Path)
	from, same := cutDir(c.Original)
	if !ok || !same {
		return m, fmt.Errorf("threads: merge %q: it is no copy in %s", c.Path, atsf.DirName)
	}
	name := path.Base(path.Dir(at))
	copied := conflict.Copy{Path: path.Base(at), Original: path.Base(from)}
	if path.Dir(at) != path.Join(d.threadsName(), name) || copied.Original != atsf.MessagesName && copied.Original != atsf.ThreadName {
		whole := conflict.Copy{Path: at, Original: from}
		if ok, err := conflict.Same(d.root, whole); err != nil || !ok {
			return m, err
		}
		m.Where, err = conflict.Resolve(d.root, whole, state, func(_, _ *os.File) (bool, error) { return true, nil })
		return m, err
	}
	w, err := d.write(ctx, name)
	if err != nil {
		return m, err
	}
	defer func() {
		w.end()
		if err != nil {
			err = fmt.Errorf("threads: merge %q: %w", c.Path, trimmed(err))
		}
	}()
	if broken := w.writable(); broken != nil {
		return m, broken
	}
	m.Where, err = conflict.Resolve(w.root, copied, state, func(original, other *os.File) (bool, error) {
		if copied.Original == atsf.ThreadName {
			return true, nil
		}
		return true, d.takeOver(ctx, w, original, other, &m)
	})
	if err != nil || m.Added == 0 {
		return m, err
	}
	count, err := w.count(ctx)
	if err != nil {
		return m, err
	}
	return m, w.change(func(raw []byte) ([]byte, error) { return atsf.Repair(raw, count.Tally) })
}

// cutDir takes the path of a folder's file as one below .agent.
func cutDir(name string) (string, bool) {
	const prefix = atsf.DirName + "/"
	if len(name) <= len(prefix) || name[:len(prefix)] != prefix {
		return "", false
	}
	return name[len(prefix):], true
}

func (d *Dir) takeOver(ctx context.Context, w *writing, original, copied *os.File, m *Merged) error {
	info, err := original.Stat()
	if err != nil {
		return disk.Cause(err)
	}
	known, torn, err := idsOf(ctx, original, info.Size())
	if err != nil {
		return err
	}
	var add []byte
	if torn {
		// Ending it makes it cost only itself (rule M5).
		add = []byte{'\n'}
	}
	// Of the copy's own unfinished line nothing is taken: no reader does.
	_, err = conflict.Missing(ctx, io.NewSectionReader(original, 0, info.Size()), copied, func(line []byte) error {
		if id, ok := lineID(bytes.TrimSuffix(line, []byte{'\n'})); ok {
			if known[id] {
				m.Differ++
				return nil
			}
			known[id] = true
		}
		m.Added++
		add = append(add, line...)
		return nil
	})
	if err != nil || m.Added == 0 {
		return err
	}
	log, err := w.openLog(nil)
	if err != nil {
		return err
	}
	now, err := log.Stat()
	if err == nil && (!os.SameFile(now, info) || now.Size() != info.Size()) {
		err = conflict.ErrChanged
	}
	if err == nil {
		err = appendLine(log, info.Size(), add)
	}
	return errors.Join(err, log.Close())
}

// idsOf returns the ids of a log's messages, and whether its last line is unfinished.
func idsOf(ctx context.Context, log *os.File, size int64) (ids map[string]bool, torn bool, err error) {
	ids = make(map[string]bool)
	end, err := jsonl.End(ctx, log, size)
	if err != nil {
		return nil, false, err
	}
	lines := jsonl.Forward{R: log, End: end}
	for {
		l, err := lines.Next(ctx)
		if errors.Is(err, jsonl.ErrEnd) {
			return ids, end < size, nil
		}
		if err != nil {
			return nil, false, err
		}
		if id, ok := lineID(l.Raw); ok && !l.Long {
			ids[id] = true
		}
	}
}

// count counts the messages of the thread.
func (w *writing) count(ctx context.Context) (c counter, err error) {
	log, info, err := openFile(w.root, atsf.MessagesName)
	if errors.Is(err, ErrNotFound) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	defer log.Close()
	return c, c.read(ctx, log, info.Size())
}

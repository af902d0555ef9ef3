package agn

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/excerpt"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// rejectInto appends refused messages to the error log of the directory at a path. It stops at
// the first error. Messages already in the log are not logged again.
func rejectInto(ctx context.Context, path string, list []agn.Rejection) (err error) {
	d, err := Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	w, err := d.write(ctx)
	if err != nil {
		return err
	}
	defer w.end()
	for _, r := range list {
		if _, err := w.reject(r); err != nil {
			return err
		}
	}
	return nil
}

// reject appends a refused message to the error log, once for each source and digest (rule
// E0). An empty digest is replaced by the text's digest. logged is false if the log already
// has the message.
//
// Long names are cut. If the text does not fit the line, it is left out.
func (w *writing) reject(r agn.Rejection) (logged bool, err error) {
	r.Source, r.MsgID, r.TaskID = excerpt.ClipTo(r.Source, maxName), excerpt.ClipTo(r.MsgID, maxName), excerpt.ClipTo(r.TaskID, maxName)
	if r.Digest == "" {
		r.Digest = digestText(sha256.Sum256([]byte(r.Text)))
	}
	line := agn.AppendRejection(nil, r)
	if len(line) > agn.MaxRejection && r.Text != "" {
		r.Text = ""
		line = agn.AppendRejection(nil, r)
	}
	if _, err := agn.ParseRejection(line); err != nil {
		return false, fmt.Errorf("ssot: log a rejection: %w", err)
	}
	file, err := w.root.OpenAppend(ErrorsName)
	if err != nil {
		return false, fmt.Errorf("ssot: %s: %w", ErrorsName, err)
	}
	defer file.Close()
	if w.log.refresh(tree.In(w.root)); w.log.fault != nil {
		return false, fmt.Errorf("ssot: %s: %s", ErrorsName, w.log.fault.Reason)
	}
	if _, known := w.log.known[keyOf(r.Source, r.Digest)]; known {
		err = w.syncLog(file)
	} else {
		logged, err = true, w.append(file, line)
	}
	if err != nil {
		return false, fmt.Errorf("ssot: %s: %w", ErrorsName, disk.Cause(err))
	}
	return logged, nil
}

// syncLog syncs the error log and its directory entry: the writer of the last line may have
// been killed before doing so.
func (w *writing) syncLog(f *disk.File) error {
	if err := f.Sync(); err != nil {
		return err
	}
	return w.root.Sync()
}

// append writes a line in one write and syncs it. If that fails, the file is cut back to its
// old size: under the lock no one else writes to it.
func (w *writing) append(f *disk.File, line []byte) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	last := make([]byte, min(info.Size(), 1))
	if _, err := f.ReadAt(last, info.Size()-int64(len(last))); err != nil {
		return err
	}
	if len(last) > 0 && last[0] != '\n' {
		// A writer was interrupted in a line. Ending that line keeps this one intact.
		line = append([]byte{'\n'}, line...)
	}
	if _, err = f.Write(line); err == nil {
		err = w.syncLog(f)
	}
	if err != nil {
		return errors.Join(disk.Cause(err), f.Truncate(info.Size()))
	}
	return nil
}

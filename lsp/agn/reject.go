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

// rejectInto appends refused messages to the error log of the directory at a path. It ends
// with the first that fails; those that were logged are not logged again.
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

// reject appends a refused message to the error log, once for each source and
// digest (rule E0). An empty digest becomes the digest of the text. logged is false if
// the log has it already.
//
// Long names are cut, and a text for which the line has no room is left out.
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
		err = w.lasting(file)
	} else {
		logged, err = true, w.append(file, line)
	}
	if err != nil {
		return false, fmt.Errorf("ssot: %s: %w", ErrorsName, disk.Cause(err))
	}
	return logged, nil
}

// lasting makes the error log last: whoever wrote to it may have been killed in the midst
// of that.
func (w *writing) lasting(f *disk.File) error {
	if err := f.Sync(); err != nil {
		return err
	}
	return w.root.Sync()
}

// append writes a line in one write and waits until it is on the disk. What a
// write that failed left behind is taken back: the lock keeps others from
// writing behind it.
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
		// Somebody was interrupted in a line. Ending it makes it cost only itself.
		line = append([]byte{'\n'}, line...)
	}
	if _, err = f.Write(line); err == nil {
		err = w.lasting(f)
	}
	if err != nil {
		return errors.Join(disk.Cause(err), f.Truncate(info.Size()))
	}
	return nil
}

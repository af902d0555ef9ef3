package ssot

import (
	"context"
	"fmt"
	"os"
	"path"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/conflict"
)

// Merge puts away a conflict copy that a sync tool left, if nothing is lost by it, and
// returns where it is now, or "" where it stays. Of a copy of the error log the lines are
// brought there first (rule E0); a copy of a task's summary says nothing that the
// messages do not; any other must have its original's bytes. A message in other words
// under one id stays where it is and is read there: whoever wrote it has to say which
// one is meant.
func (d *Dir) Merge(ctx context.Context, c conflict.Copy, state string) (where string, err error) {
	w, err := d.write(ctx)
	if err != nil {
		return "", err
	}
	defer w.end()
	where, err = conflict.Resolve(d.root, c, state, func(original, copied *os.File) (bool, error) {
		switch {
		case c.Original == ErrorsName:
			_, err := conflict.Missing(ctx, original, copied, func(line []byte) error {
				r, err := agn.ParseRejection(line)
				if err != nil {
					return nil //nolint:nilerr // it is no line of ours, and stays in the copy
				}
				_, err = w.reject(r)
				return err
			})
			return err == nil, err
		case path.Dir(c.Original) == inTasks && ofTask(c.Original) && w.ours():
			return true, nil
		}
		return conflict.Same(d.root, c)
	})
	if err != nil {
		return "", fmt.Errorf("ssot: %s: %w", c.Path, err)
	}
	return where, nil
}

// ours reports whether the directory has the layout.
func (w *writing) ours() bool {
	info, err := w.root.Lstat(inMessages)
	return err == nil && info.IsDir()
}

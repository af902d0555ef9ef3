package tree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Dir is a directory at a path, with its known files. It may appear, disappear, or be
// unreadable.
type Dir[F File] struct {
	Tree[F]
	// Path is absolute. Store begins the text of Err.
	Path, Store string
	// Open opens the directory. It is [Open], except in tests.
	Open func(path string) (Folder, error)
	// Looked is set once the directory was looked at, and Exists if it exists. Err is why it
	// cannot be read.
	Looked, Exists bool
	Err            error
}

// Look looks at some paths in the directory, or at everything if paths is nil or not enough.
// It first calls opened, unless that is nil, with the open directory. It calls found with the
// differences, and again if a look at some paths was followed by a look at everything. The
// error is from ctx.
func (d *Dir[F]) Look(ctx context.Context, paths []string, opened func(f Folder), found func(d *Delta[F])) error {
	f, err := d.Open(d.Path)
	if err != nil {
		delta := d.Forget()
		d.status(&delta, "open", err)
		found(&delta)
		return ctx.Err()
	}
	if opened != nil {
		opened(f)
	}
	if paths != nil && d.Root != nil {
		delta, ok := d.RefreshSome(ctx, f, paths)
		found(&delta)
		if ok {
			f.Close()
			return ctx.Err()
		}
	}
	delta, err := d.Refresh(ctx, f)
	if err != nil {
		return err
	}
	if d.Root == nil {
		d.status(&delta, "open", fs.ErrNotExist)
	} else {
		d.status(&delta, "read", d.Root.Err)
	}
	found(&delta)
	return nil
}

// status records the result of opening or reading the directory, and sets delta.Status if it
// is new.
func (d *Dir[F]) status(delta *Delta[F], action string, err error) {
	exists := !errors.Is(err, fs.ErrNotExist)
	switch {
	case !exists:
		err = nil
	case err != nil:
		err = fmt.Errorf("%s: %s %q: %w", d.Store, action, d.Path, disk.Cause(err))
	}
	delta.Status = !d.Looked || d.Exists != exists || !SameError(d.Err, err)
	d.Looked, d.Exists, d.Err = true, exists, err
}

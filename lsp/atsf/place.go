package atsf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/jsonl"
)

// OpenThread opens a thread by the path of its directory. It returns the Dir that holds the
// thread and the thread's name there. The directory need not be in an .agent: then its parent
// becomes the Dir, as a collection of threads. A link in the place of the thread is refused.
// The error is [ErrNotFound] if the directory holds no thread.
func OpenThread(path string) (d *Dir, name string, err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, "", fmt.Errorf("threads: open: %w", err)
	}
	name = filepath.Base(abs)
	parent, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err != nil {
		return nil, "", fmt.Errorf("threads: open: %w", err)
	}
	d = &Dir{path: parent, flat: true}
	at := parent
	if filepath.Base(parent) == atsf.ThreadsName {
		// A copy of .agent may have another name.
		at = filepath.Dir(parent)
		d.path, d.flat = filepath.Dir(at), false
	}
	if d.root, err = disk.OpenRoot(at); err != nil {
		return nil, "", fmt.Errorf("threads: open: %w", err)
	}
	if _, err := d.Item(name); err != nil {
		return nil, "", errors.Join(err, d.Close())
	}
	return d, name, nil
}

// CopyLog writes the complete lines of a thread's log from an offset on, byte for byte, even
// if they are not messages. torn is set if an unfinished line was left out. The errors are
// those of [Dir.Page].
func (d *Dir) CopyLog(ctx context.Context, name string, from int64, to io.Writer) (torn bool, err error) {
	_, log, err := d.openLog(name)
	if err != nil || log == nil {
		return false, err
	}
	defer log.Close()
	info, err := log.Stat()
	if err != nil {
		return false, fmt.Errorf("threads: %w", disk.Cause(err))
	}
	end, err := jsonl.End(ctx, log, info.Size())
	if err != nil {
		return false, fmt.Errorf("threads: %s: %w", atsf.MessagesName, err)
	}
	section := io.NewSectionReader(log, from, max(0, end-from))
	_, err = io.Copy(to, &cancelReader{ctx, section})
	return end < info.Size(), err
}

// Config reads the directory's config.json. It returns the zero Config if there is none.
func (d *Dir) Config() (atsf.Config, error) {
	data, _, err := readSmall(d.root, atsf.ConfigName)
	if errors.Is(err, ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return atsf.Config{}, nil
	}
	if err != nil {
		return atsf.Config{}, err
	}
	c, err := atsf.ParseConfig(data)
	if err != nil {
		return atsf.Config{}, fmt.Errorf("threads: %s: %w", atsf.ConfigName, err)
	}
	return c, nil
}

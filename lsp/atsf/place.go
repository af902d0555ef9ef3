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

// OpenThread opens a thread by the path of its directory, and returns the Dir that
// it stands in and its name there. The directory need not stand in an .agent:
// then its parent is the Dir, as a collection of threads. A link in the place of
// the thread is refused. The error is [ErrNotFound] for a directory that holds
// no thread.
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
		// Whatever .agent is called: a copy of one may have another name.
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

// CopyLog writes the finished lines of a thread's log from an offset on, byte
// for byte, which need not be readable as messages. Torn is set where an
// unfinished line was left out. It fails as [Dir.Page] does.
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

// Config reads the config.json of the directory. It is the zero Config where
// there is none.
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

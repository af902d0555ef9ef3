package atsf

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// CreateDir opens the .agent directory of a folder and creates what is missing: the directory,
// its .gitignore (rule G1) and its config.json (rule K1), which names by as its creator.
// Existing files are never overwritten, and several processes may do the same at once (rule
// X2). The folder must exist.
func CreateDir(folder string, by atsf.CreatedBy) (*Dir, error) {
	return createOn(disk.Disk{}, folder, by)
}

func createOn(on disk.Disk, folder string, by atsf.CreatedBy) (*Dir, error) {
	config, err := atsf.BuildConfig(by)
	if err != nil {
		return nil, fmt.Errorf("threads: create: %w", err)
	}
	real, err := resolve(folder)
	if err != nil {
		return nil, fmt.Errorf("threads: create in %q: %w", folder, disk.Cause(err))
	}
	if err := makeDir(on, real); err != nil {
		return nil, fmt.Errorf("threads: create in %q: %w", folder, disk.Cause(err))
	}
	d, err := openOn(on, real)
	if err != nil {
		return nil, err
	}
	// The .gitignore comes first, so that there is never a file that it should keep out of
	// commits.
	whole := disk.Whole{Root: d.root, Mode: projectFile}
	err = whole.Add(atsf.IgnoreName, []byte(atsf.Gitignore))
	if err == nil || errors.Is(err, fs.ErrExist) {
		err = whole.Add(atsf.ConfigName, config)
	}
	if err == nil || errors.Is(err, fs.ErrExist) {
		err = disk.Cause(d.root.Sync())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("threads: create in %q: %w", folder, err), d.Close())
	}
	return d, nil
}

// makeDir creates the .agent directory of a folder and syncs its name.
func makeDir(on disk.Disk, folder string) error {
	root, err := on.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	err = root.Mkdir(atsf.DirName, projectDir)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: %w", atsf.DirName, disk.Cause(err))
	}
	return root.Sync()
}

// NewThread describes a thread to create.
type NewThread struct {
	// ID is a valid id (rule L3), or empty for a random UUID v4.
	ID, Title string
	Agent     atsf.Agent
	Context   atsf.Context
	// Created is in Unix milliseconds; 0 means now.
	Created int64
}

// Create creates a thread without messages and returns its directory's name, which is its id.
// Readers see the whole thread or nothing. The error is an *[canon.Fault] if a rule is broken,
// and [ErrExists] if the id is taken.
func (d *Dir) Create(n NewThread) (name string, err error) {
	t := atsf.Thread{
		ID: n.ID, Title: n.Title, Created: atsf.At(n.Created),
		Agent: n.Agent, Context: n.Context,
	}
	if t.ID == "" {
		t.ID = NewID()
	}
	if n.Created == 0 {
		t.Created = atsf.At(time.Now().UnixMilli())
	}
	meta, err := atsf.BuildThread(t)
	if err != nil {
		return "", fmt.Errorf("threads: create: %w", err)
	}
	return t.ID, d.put(t.ID, meta)
}

// newPrefix begins the name of a directory that will become a thread. Such a directory is not
// listed, and the .gitignore covers it.
const newPrefix = ".new-"

// abandoned is the age at which such a directory is assumed to be left by a killed process.
const abandoned = 24 * time.Hour

// put creates a thread: its files are written to a temporary directory, which is then renamed.
func (d *Dir) put(id string, meta []byte) error {
	threads, err := d.makeThreads()
	if err != nil {
		return err
	}
	defer threads.Close()
	if _, err := threads.Lstat(id); err == nil {
		// Its creator may have been killed before it was on the disk.
		return errors.Join(fmt.Errorf("threads: %q %w", id, ErrExists), threads.Sync())
	}
	sweep(threads)
	tmp := newPrefix + NewID()
	err = fillNew(threads, tmp, meta)
	if err == nil {
		// If two processes create the thread, the second one finds a directory that is not empty.
		if err = disk.Cause(threads.Rename(tmp, id)); err != nil {
			if _, taken := threads.Lstat(id); taken == nil {
				err = ErrExists
			}
		}
	}
	if err != nil {
		return errors.Join(fmt.Errorf("threads: create %q: %w", id, trimmed(err)), threads.RemoveAll(tmp))
	}
	err = disk.Cause(threads.Sync())
	if err == nil {
		err = d.checkPlace(threads, "")
	}
	if err != nil {
		return fmt.Errorf("threads: create %q: %w", id, err)
	}
	return nil
}

func fillNew(threads *disk.Root, name string, meta []byte) error {
	mode := threads.DirMode()
	if err := threads.Mkdir(name, mode); err != nil {
		return disk.Cause(err)
	}
	root, err := threads.OpenRoot(name)
	if err != nil {
		return disk.Cause(err)
	}
	if err = writeNew(root, atsf.ThreadName, meta, mode&projectFile); err == nil {
		err = writeNew(root, atsf.MessagesName, nil, mode&projectFile)
	}
	if err == nil {
		err = root.Sync()
	}
	return errors.Join(err, root.Close())
}

// makeThreads opens the threads directory, creating it if necessary. It refuses a link in its
// place.
func (d *Dir) makeThreads() (*disk.Root, error) {
	if err := d.root.Mkdir(d.threadsName(), d.root.DirMode()); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("threads: create: %s: %w", d.threadsName(), disk.Cause(err))
	}
	if err := d.root.Sync(); err != nil {
		return nil, fmt.Errorf("threads: create: sync %s: %w", atsf.DirName, disk.Cause(err))
	}
	return d.openThreads()
}

// sweep removes unfinished threads that killed processes left. Errors do no harm.
func sweep(threads *disk.Root) {
	entries, err := readDir(threads)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), newPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = threads.RemoveAll(e.Name())
		}
	}
}

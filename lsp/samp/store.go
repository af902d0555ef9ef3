// Package samp reads, writes and follows message directories of SAMP logs, and records
// which messages a reader has read.
//
// Start with [Open]. The command line uses [Dir.Lines], [Dir.Append] and [Dir.Examine]. The
// server uses the index in lsp/samp/index. Files are the truth, and every index can be
// deleted. The package doesn't depend on panels or requests.
package samp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/signalbox-dev/signalbox/core/samp"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/lineread"
)

// Dir is a message directory. It is safe for concurrent use until [Dir.Close]. Every file
// is opened beneath the directory's root, so that no name in it leads elsewhere.
type Dir struct {
	path, id string
	root     *disk.Root
	// info distinguishes the open directory from a later one at the same path.
	info fs.FileInfo
	// synced holds the logs whose directory entries have been synced, by name.
	synced sync.Map
}

// Open opens an existing message directory. The path may be a symlink; files in the directory
// may not (rule L5). Errors contain the path and wrap the cause.
func Open(path string) (*Dir, error) { return OpenOn(disk.Disk{}, path) }

// OpenOn is [Open] on another disk, for tests.
func OpenOn(on disk.Disk, path string) (*Dir, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("store: open %q: %w", path, err)
	}
	root, err := on.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("store: open message directory %q: %w", abs, disk.Cause(err))
	}
	info, err := root.Stat(".")
	if err != nil {
		root.Close()
		return nil, fmt.Errorf("store: open message directory %q: %w", abs, disk.Cause(err))
	}
	return &Dir{path: abs, id: dirID(abs), root: root, info: info}, nil
}

// Create opens a message directory, and first creates it with mode 0700 if it is missing
// (§5 step 3, rule W1).
func Create(path string) (*Dir, error) { return CreateOn(disk.Disk{}, path) }

// CreateOn is [Create] on another disk, for tests.
func CreateOn(on disk.Disk, path string) (*Dir, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("store: create %q: %w", path, err)
	}
	if err := on.MkdirAll(abs, 0o700); err != nil {
		return nil, fmt.Errorf("store: create message directory %q: %w", abs, disk.Cause(err))
	}
	return OpenOn(on, abs)
}

// Current reports whether the path still leads to the open directory.
func (d *Dir) Current() bool {
	now, err := os.Stat(d.path)
	return err == nil && os.SameFile(now, d.info)
}

// Close releases the directory.
func (d *Dir) Close() error { return d.root.Close() }

// Path returns the directory's absolute path.
func (d *Dir) Path() string { return d.path }

// ID returns the directory's name in refs and state files: 12 hexadecimal digits that depend
// only on its path, with symlinks resolved.
func (d *Dir) ID() string { return d.id }

func dirID(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}

// Writable reports whether files can be created in the directory, judging by its permissions
// and its file system.
func (d *Dir) Writable() bool { return disk.CanWrite(d.path) }

// Log is one log file of a directory.
type Log struct {
	// Name is the file's name. Stem is the part of it that is the writer's alias, if it is a
	// valid alias.
	Name, Stem string
	// Info is the file as it was when the directory was listed.
	Info fs.FileInfo
}

// Problem is something in a directory that breaks a rule or that a user should know, with
// what to do about it.
type Problem struct {
	// Rule is an id of the conformance table.
	Rule string `json:"rule"`
	// File is a name in the directory. Line counts from 1, and is 0 for the whole file.
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	// Reason says what is wrong, Advice what to do. Both may quote the input.
	Reason string `json:"reason"`
	Advice string `json:"advice,omitempty"`
	// Violation is set if a rule is broken. Otherwise the problem is a note.
	Violation bool `json:"violation"`
}

func (p Problem) String() string {
	where := p.File
	if p.Line > 0 {
		where = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s: %s: %s", where, p.Rule, p.Reason)
}

// Logs lists the directory's logs in byte order of their names, which is the order of messages
// within a second (rule N3). A symlink, FIFO, device or directory with the name of a log is never
// opened, and is returned as a problem (rule L5). So is a log that is only in iCloud.
func (d *Dir) Logs() ([]Log, []Problem, error) {
	names, err := d.names()
	if err != nil {
		return nil, nil, err
	}
	var logs []Log
	var problems []Problem
	for _, name := range names {
		if _, ok := samp.LogStem(name); !ok {
			if p := iCloudPlaceholder(name, names); p != nil {
				problems = append(problems, *p)
			}
			continue
		}
		log, problem := d.Log(name)
		switch {
		case problem != nil:
			problems = append(problems, *problem)
		case log.Info != nil:
			logs = append(logs, log)
		}
	}
	return logs, problems, nil
}

// Log returns one log by its name, or the problem that keeps it from being read. Info is nil if
// the log does not exist.
func (d *Dir) Log(name string) (log Log, problem *Problem) {
	log.Name = name
	log.Stem, _ = samp.LogStem(name)
	info, err := d.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return log, &Problem{
			Rule: "L5", File: name, Violation: true,
			Reason: fmt.Sprintf("cannot be examined: %v", disk.Cause(err)), Advice: "check its permissions",
		}
	case !info.Mode().IsRegular():
		return log, &Problem{
			Rule: "L5", File: name, Violation: true,
			Reason: "is " + disk.Kind(info.Mode()) + " and is not read", Advice: "replace it by a regular file, or remove it",
		}
	case info.Size() > disk.LongestFile:
		return log, &Problem{
			Rule: "L5", File: name,
			Reason: fmt.Sprintf("is longer than the %d MB that are read in a browser", disk.LongestFile>>20), Advice: "read it on the desktop",
		}
	default:
		log.Info = info
	}
	return log, nil
}

func (d *Dir) names() ([]string, error) {
	dir, err := d.root.Open(".")
	if err != nil {
		return nil, fmt.Errorf("store: list %q: %w", d.path, disk.Cause(err))
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("store: list %q: %w", d.path, disk.Cause(err))
	}
	slices.Sort(names)
	return names, nil
}

// Aliases lists the aliases that have a log or have read mail here, sorted. Sync tools'
// copies are left out.
func (d *Dir) Aliases() ([]string, error) {
	names, err := d.names()
	if err != nil {
		return nil, err
	}
	var list []string
	for _, name := range names {
		alias, ok := samp.LogStem(name)
		if !ok {
			alias, ok = strings.CutPrefix(name, samp.WatermarkName(""))
		}
		if _, copied := samp.CopyOf(alias); ok && !copied && samp.ValidAlias(alias) {
			list = append(list, alias)
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return slices.DeleteFunc(slices.Clone(list), func(alias string) bool { return d.isCopy(alias, list) }), nil
}

// isCopy reports whether an alias's log looks like a copy that OneDrive has named after a
// computer: its first record is from another alias, and the alias begins with that name.
func (d *Dir) isCopy(alias string, all []string) bool {
	copied := func(other string) bool { return samp.ProvenanceOf(alias, other) == samp.Copied }
	if !slices.ContainsFunc(all, copied) {
		return false
	}
	log, problem := d.Log(samp.LogName(alias))
	if problem != nil || log.Info == nil {
		return false
	}
	first := ""
	_ = d.ReadLog(context.Background(), lineread.Sized(tailSize), log, 0, 1, lineread.Visitor{Line: func(_ int64, raw []byte, _ bool) {
		if r, err := samp.ParseInPlace(raw); err == nil {
			first = strings.Clone(r.From)
		}
	}})
	return copied(first)
}

// OpenRegular opens a regular file for reading. It never follows a symlink and never
// waits for a FIFO (rule L5).
func (d *Dir) OpenRegular(name string) (*os.File, error) {
	f, err := d.openAs(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	return f.File, nil
}

// openAs is [Dir.OpenRegular] for a file to write to or create. If the file is being replaced,
// as by compacting, openAs tries again.
func (d *Dir) openAs(name string, flag int, perm fs.FileMode) (f *disk.File, err error) {
	const tries = 20
	for range tries {
		f, err = d.openOnce(name, flag, perm)
		if !errors.Is(err, errSwapped) && (flag&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist)) {
			break
		}
	}
	return f, err
}

var errSwapped = errors.New("it was replaced while being opened (rule L5)")

func (d *Dir) openOnce(name string, flag int, perm fs.FileMode) (*disk.File, error) {
	before, err := d.root.Lstat(name)
	switch {
	case err == nil && !before.Mode().IsRegular():
		return nil, fmt.Errorf("store: open %q: it is %s (rule L5)", filepath.Join(d.path, name), disk.Kind(before.Mode()))
	case err != nil && (flag&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist)):
		return nil, fmt.Errorf("store: open %q: %w", filepath.Join(d.path, name), disk.Cause(err))
	}
	f, err := d.root.OpenWrite(name, flag|disk.PlainOpen, perm)
	if err != nil {
		return nil, fmt.Errorf("store: open %q: %w", filepath.Join(d.path, name), disk.Cause(err))
	}
	after, err := d.root.Lstat(name)
	if err == nil {
		var opened fs.FileInfo
		if opened, err = f.Stat(); err == nil && (!opened.Mode().IsRegular() || !os.SameFile(after, opened)) {
			err = errSwapped
		}
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("store: open %q: %w", filepath.Join(d.path, name), disk.Cause(err))
	}
	return f, nil
}

// writeFile replaces a small file of the directory, so that readers see the whole old file or
// the whole new one. A cache is not synced.
func (d *Dir) writeFile(name string, data []byte, cache bool) error {
	d.sweep("")
	w := disk.Whole{Root: d.root, Private: true, Cache: cache}
	if err := w.Replace(name, data); err != nil {
		return fmt.Errorf("store: %q: %w", filepath.Join(d.path, name), disk.Cause(err))
	}
	return nil
}

// sweep removes old unfinished files of killed writers. Unless tag is empty, it also removes
// the files with that tag, of any age: the caller holds the lock that all users of the tag
// take. It ignores errors, since the files do no harm.
func (d *Dir) sweep(tag string) {
	names, err := d.names()
	if err != nil {
		return
	}
	for _, name := range names {
		if tag != "" && disk.IsTemp(name, tag) {
			_ = d.root.Remove(name)
		}
		d.root.Sweep(name, disk.Abandoned)
	}
}

package threads

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/conflict"
)

// Finding is one thing that [Dir.Check] has to say.
type Finding struct {
	// Path is relative to the folder, with "/" between names.
	Path string
	// Line counts from 1; it is 0 for the file as a whole.
	Line int64
	// Rule is an id of the conformance table. Reason may quote the file.
	Rule, Reason string
	// Violation tells a broken rule from a mere note.
	Violation bool
}

// Check holds a thread against every rule and reports what it finds, in the
// order of the files. An empty name checks all threads and the files beside
// them. A log of any length is read line by line.
//
// The error is [ErrNotFound] for a thread that is not there, or the one of ctx;
// what cannot be read is a finding.
func (d *Dir) Check(ctx context.Context, name string, report func(Finding)) error {
	if name != "" {
		root, err := d.thread(name)
		if err != nil {
			return err
		}
		defer root.Close()
		return newThreadCheck(name, root, report).run(ctx)
	}
	c := checker{base: atsf.DirName, root: d.root, report: report}
	c.config()
	if _, err := d.root.Lstat(atsf.IgnoreName); errors.Is(err, fs.ErrNotExist) {
		c.add(atsf.IgnoreName, 0, "G1", "is not there: conversations may be committed by mistake", false)
	}
	c.unexpected(atsf.ConfigName, atsf.IgnoreName, atsf.ThreadsName)
	threads, err := d.openThreads()
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		c.add(atsf.ThreadsName, 0, "L1", err.Error(), true)
		return nil
	}
	defer threads.Close()
	return c.threads(ctx, threads)
}

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

// checker checks the files of one directory.
type checker struct {
	base   string
	root   *disk.Root
	report func(Finding)
}

func (c *checker) add(name string, line int64, rule, reason string, violation bool) {
	c.report(Finding{Path: path.Join(c.base, name), Line: line, Rule: rule, Reason: reason, Violation: violation})
}

// fault reports what made a file unreadable, or a *[canon.Fault].
func (c *checker) fault(name string, line int64, err error) {
	var f *canon.Fault
	if errors.As(err, &f) {
		c.add(name, line, f.Rule, f.Reason, true)
		return
	}
	c.add(name, line, "L1", strings.TrimPrefix(err.Error(), "threads: "), true)
}

func (c *checker) findings(name string, line int64, f *canon.Findings) {
	for i := range f.Faults {
		c.add(name, line, f.Faults[i].Rule, f.Faults[i].Reason, true)
	}
	for i := range f.Notes {
		c.add(name, line, f.Notes[i].Rule, f.Notes[i].Reason, false)
	}
}

func (c *checker) config() {
	data, _, err := readSmall(c.root, atsf.ConfigName)
	if errors.Is(err, ErrNotFound) {
		return
	}
	if err != nil {
		c.fault(atsf.ConfigName, 0, err)
		return
	}
	found, err := atsf.ParseConfig(data)
	if err != nil {
		c.fault(atsf.ConfigName, 0, err)
	}
	c.findings(atsf.ConfigName, 0, &found.Findings)
	for _, s := range atsf.Secrets(data) {
		c.add(atsf.ConfigName, 0, s.Rule, s.Reason, true)
	}
}

// unexpected notes what the layout does not know (rule L1).
func (c *checker) unexpected(known ...string) {
	entries, err := readDir(c.root)
	if err != nil {
		c.add(".", 0, "L1", disk.Cause(err).Error(), true)
		return
	}
next:
	for _, e := range entries {
		for _, k := range known {
			if e.Name() == k {
				continue next
			}
		}
		original, copied := conflict.Of(e.Name())
		switch {
		case copied && original == atsf.MessagesName:
			c.add(e.Name(), 0, "M1", "is a sync tool's copy of "+original+", and nobody reads its messages", true)
		case copied:
			c.add(e.Name(), 0, "L1", "is a sync tool's copy of "+original, false)
		case strings.HasSuffix(e.Name(), ".lock"):
			// Somebody is writing.
		case hidden(e.Name()):
			c.add(e.Name(), 0, "L1", "is what an interrupted write left, or another program's", false)
		default:
			c.add(e.Name(), 0, "L1", "is "+disk.Kind(e.Type())+" that the format does not know", false)
		}
	}
}

func (c *checker) threads(ctx context.Context, threads *disk.Root) error {
	entries, err := readDir(threads)
	if err != nil {
		c.add(atsf.ThreadsName, 0, "L1", disk.Cause(err).Error(), true)
		return nil
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := path.Join(atsf.ThreadsName, e.Name())
		switch {
		case !e.IsDir():
			c.add(at, 0, "L1", "is "+disk.Kind(e.Type())+" and no thread", false)
		case hidden(e.Name()):
			c.add(at, 0, "L1", "is what an interrupted write left, or another program's", false)
		case !listable(e.Name()):
			c.add(at, 0, "L3", "has a name by which it cannot be addressed", true)
		default:
			root, err := threads.OpenRoot(e.Name())
			if err != nil {
				c.add(at, 0, "L1", disk.Cause(err).Error(), true)
				continue
			}
			err = newThreadCheck(e.Name(), root, c.report).run(ctx)
			if err = errors.Join(err, root.Close()); err != nil {
				return err
			}
		}
	}
	return nil
}

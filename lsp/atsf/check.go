package atsf

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/core/names"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/conflict"
)

// Finding is a fault or note that [Check] reports.
type Finding struct {
	// Path is relative to the checked path, with "/" between names.
	Path string
	// Line counts from 1, or is 0 if the finding is about the whole file.
	Line int64
	// Rule is an id of the conformance table. Reason may quote the file.
	Rule, Reason string
	// Violation is set for a broken rule, and not for a note.
	Violation bool
}

// Check checks the files at a path against every rule and reports its findings, in the order
// of the files. The path may be a project's folder, an .agent directory with any name, a
// directory of threads, or one thread. Paths of findings are relative to it. Logs are read
// line by line and may have any length.
//
// The error is [ErrNotFound] if the folder contains none of these, or ctx's error. Unreadable
// files are findings.
func Check(ctx context.Context, path string, report func(Finding)) error {
	real, err := resolve(path)
	if err != nil {
		return fmt.Errorf("threads: check: %w", err)
	}
	root, err := disk.OpenRoot(real)
	if err != nil {
		return fmt.Errorf("threads: check: %w", err)
	}
	defer root.Close()
	has := func(name string) bool { _, err := root.Lstat(name); return err == nil }
	c := checker{root: root, report: report}
	switch {
	case has(atsf.DirName):
		agent, err := root.OpenFolder(atsf.DirName)
		if err != nil {
			return fault(atsf.DirName, errors.Unwrap(err)) // it begins with the name
		}
		defer agent.Close()
		return (&checker{atsf.DirName, agent, report}).agent(ctx)
	case has(atsf.ThreadName), has(atsf.MessagesName):
		return newThreadCheck(c, filepath.Base(real)).run(ctx)
	case has(atsf.ThreadsName), has(atsf.ConfigName):
		return c.agent(ctx)
	}
	if err := c.checkHoldsThread(path); err != nil {
		return err
	}
	return c.threads(ctx)
}

// checkHoldsThread returns an error if a directory holds no thread: checking the wrong
// directory must not look like success.
func (c *checker) checkHoldsThread(folder string) error {
	entries, err := readDir(c.root)
	if err != nil {
		return fmt.Errorf("threads: check: %w", disk.Cause(err))
	}
	for _, e := range entries {
		for _, name := range []string{atsf.ThreadName, atsf.MessagesName} {
			if _, err := c.root.Lstat(path.Join(e.Name(), name)); e.IsDir() && err == nil {
				return nil
			}
		}
	}
	return fmt.Errorf("threads: check: %q holds no %s and no thread: %w", folder, atsf.DirName, ErrNotFound)
}

// agent checks an .agent directory and all its threads.
func (c *checker) agent(ctx context.Context) error {
	c.config()
	if _, err := c.root.Lstat(atsf.IgnoreName); errors.Is(err, fs.ErrNotExist) {
		c.add(atsf.IgnoreName, 0, "G1", "is not there: conversations may be committed by mistake", false)
	}
	c.unexpected(atsf.ConfigName, atsf.IgnoreName, atsf.ThreadsName)
	threads, err := c.root.OpenFolder(atsf.ThreadsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		c.fault(atsf.ThreadsName, 0, fault(atsf.ThreadsName, errors.Unwrap(err))) // it begins with the name
		return nil
	}
	defer threads.Close()
	return (&checker{path.Join(c.base, atsf.ThreadsName), threads, c.report}).threads(ctx)
}

// Copies lists the conflict copies that sync tools left among the threads, with paths relative
// to the folder. Readers ignore them. The error is ctx's, or says that there were too many
// files.
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

// fault reports a *[canon.Fault], or the reason why a file cannot be read.
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

// unexpected reports files that are not part of the layout (rule L1).
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
		original, copied := names.OriginalOf(e.Name())
		switch {
		case copied && original == atsf.MessagesName:
			c.add(e.Name(), 0, "M1", "is a sync tool's copy of "+original+", and nobody reads its messages", true)
		case copied:
			c.add(e.Name(), 0, "L1", "is a sync tool's copy of "+original, false)
		case strings.HasSuffix(e.Name(), ".lock"):
			// A program is writing.
		case hidden(e.Name()):
			c.add(e.Name(), 0, "L1", "is what an interrupted write left, or another program's", false)
		default:
			c.add(e.Name(), 0, "L1", "is "+disk.Kind(e.Type())+" that the format does not know", false)
		}
	}
}

// threads checks every thread of a directory of threads.
func (c *checker) threads(ctx context.Context) error {
	entries, err := readDir(c.root)
	if err != nil {
		c.add(".", 0, "L1", disk.Cause(err).Error(), true)
		return nil
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := e.Name()
		switch {
		case !e.IsDir():
			c.add(name, 0, "L1", "is "+disk.Kind(e.Type())+" and no thread", false)
		case hidden(name):
			c.add(name, 0, "L1", "is what an interrupted write left, or another program's", false)
		case !listable(name):
			c.add(name, 0, "L3", "has a name by which it cannot be addressed", true)
		default:
			root, err := c.root.OpenRoot(name)
			if err != nil {
				c.add(name, 0, "L1", disk.Cause(err).Error(), true)
				continue
			}
			err = newThreadCheck(checker{path.Join(c.base, name), root, c.report}, name).run(ctx)
			if err = errors.Join(err, root.Close()); err != nil {
				return err
			}
		}
	}
	return nil
}

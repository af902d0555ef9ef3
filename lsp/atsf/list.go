package atsf

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/parallel"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// maxThreads is the largest number of threads listed per folder.
const maxThreads = 100_000

// maxEntries is the largest number of names read to find them.
const maxEntries = 1_000_000

// maxIncomplete is the largest number of directories per folder that are watched for a thread
// to be created there. The others are found at the next poll.
const maxIncomplete = 64

// maxProblems is the largest number of problems reported per folder.
const maxProblems = 16

// List returns the folder's threads, newest first. It reads only their thread.json and opens
// no messages.jsonl. A thread whose thread.json cannot be read is listed with the fault.
// problems are the entries of the threads directory that are not threads.
func (d *Dir) List(ctx context.Context) (items []*Item, problems []Problem, err error) {
	records, _, problems, err := d.scan(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	items = make([]*Item, 0, len(records))
	for _, r := range records {
		items = append(items, r.item)
	}
	slices.SortFunc(items, newest)
	return items, problems, nil
}

// Item returns one thread as a list shows it, or [ErrNotFound].
func (d *Dir) Item(name string) (*Item, error) {
	root, err := d.thread(name)
	if err != nil {
		return nil, err
	}
	root.Close()
	f, err := d.openTree()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := look(d.ID(), f, name, nil)
	if r == nil {
		return nil, fmt.Errorf("threads: %q: %w", name, ErrNotFound)
	}
	return r.item, nil
}

// scan looks at every thread of the folder. A thread that did not change since its old record
// is not read. incomplete are directories that are not threads yet.
func (d *Dir) scan(ctx context.Context, old map[string]*record) (records map[string]*record, incomplete map[string]bool, problems []Problem, err error) {
	f, err := d.openTree()
	if errors.Is(err, ErrNotFound) {
		return nil, nil, nil, nil
	}
	if err != nil {
		return nil, nil, nil, err
	}
	defer f.Close()
	names, problems, err := threadNames(f)
	if err != nil {
		return nil, nil, nil, err
	}
	id := d.ID()
	list := make([]*record, len(names))
	if err := parallel.Do(ctx, len(names), func() func(int) error {
		return func(i int) error { list[i] = look(id, f, names[i], old[names[i]]); return nil }
	}); err != nil {
		return nil, nil, nil, err
	}
	records, incomplete = make(map[string]*record, len(names)), make(map[string]bool)
	for i, r := range list {
		if r != nil {
			records[names[i]] = r
		} else if len(incomplete) < maxIncomplete {
			incomplete[names[i]] = true
		}
	}
	return records, incomplete, problems, nil
}

// threadNames lists the directories that may be threads.
func threadNames(dir tree.Folder) (names []string, problems []Problem, err error) {
	entries, _, err := dir.Entries(maxEntries)
	if err != nil {
		return nil, nil, fmt.Errorf("threads: list: %w", err)
	}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	addProblem := func(p Problem) {
		if len(problems) < maxProblems {
			problems = append(problems, p)
		}
	}
	for _, e := range entries {
		name := e.Name()
		at := path.Join(atsf.DirName, atsf.ThreadsName, name)
		switch {
		case hidden(name):
		case e.Type()&fs.ModeSymlink != 0:
			addProblem(Problem{Path: at, Rule: "L1", Reason: "is a symbolic link and is not followed", Advice: "put the thread itself in its place"})
		case !e.IsDir():
			// "threads check" lists files that do not belong here.
		case !listable(name):
			addProblem(Problem{Path: at, Rule: "L3", Reason: "has a name by which it cannot be addressed", Advice: "rename the directory"})
		case len(names) == maxThreads:
			return names, append(problems, Problem{
				Path: path.Dir(at), Rule: "L1",
				Reason: fmt.Sprintf("holds more than %d threads; the others are not listed", maxThreads), Advice: "move old threads elsewhere",
			}), nil
		default:
			names = append(names, name)
		}
	}
	return names, problems, nil
}

// hidden reports whether a name is a temporary one, as writers use for files that are not
// finished.
func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// listable reports whether a directory with that name can be a thread.
func listable(name string) bool {
	return !hidden(name) && utf8.ValidString(name) && safeName(name)
}

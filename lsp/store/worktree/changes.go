package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// change is a file of a checkout that is not as it was committed, or a file or a
// whole directory that git ignores.
type change struct {
	file string // relative to the checkout, with "/" between names
	kind changeKind
}

type changeKind uint8

const (
	changedFile changeKind = iota
	untrackedFile
	ignoredFile // a directory ends in "/"
)

func kindOf(status string) changeKind {
	switch status {
	case "??":
		return untrackedFile
	case "!!":
		return ignoredFile
	}
	return changedFile
}

// changes are what git finds without running anything that the repository's own
// configuration names. filtered tells that filters were left out: git compares
// files with them where size and times say that they may have changed, and all
// of those are in the list.
// submodules reports that some are checked out.
type changes struct {
	list                 []change
	filtered, submodules bool
}

// changes finds what would be lost with a checkout, its submodules included.
//
// git would look into submodules too, and run what their configurations name: so
// each is looked at by itself.
func (g *Git) changes(ctx context.Context, dir string) (changes, error) {
	options, filtered, err := g.off(ctx, dir)
	if err != nil {
		return changes{}, err
	}
	found := changes{filtered: filtered}
	out, err := g.run(ctx, dir, options, noFetch(),
		[]string{"status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignored=matching", "--ignore-submodules=dirty", "--no-renames"})
	if err != nil {
		return found, err
	}
	for entry := range strings.SplitSeq(out, "\x00") {
		if len(entry) >= 4 {
			found.list = append(found.list, change{file: entry[3:], kind: kindOf(entry[:2])})
		}
	}
	submodules, err := g.submodules(ctx, dir)
	if err != nil {
		return found, err
	}
	found.submodules = len(submodules) > 0
	for _, name := range submodules {
		inner, err := g.changes(ctx, filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return found, err
		}
		found.filtered = found.filtered || inner.filtered
		for _, c := range inner.list {
			// What is new in a submodule is work in any case.
			if c.kind != ignoredFile {
				found.list = append(found.list, change{file: path.Join(name, c.file)})
			}
		}
	}
	return found, nil
}

// submodules returns the submodules that are checked out in a checkout.
func (g *Git) submodules(ctx context.Context, dir string) ([]string, error) {
	out, err := g.look(ctx, dir, "ls-files", "--stage", "-z")
	if err != nil {
		return nil, err
	}
	var names []string
	for entry := range strings.SplitSeq(out, "\x00") {
		mode, name, _ := strings.Cut(entry, "\t")
		if !strings.HasPrefix(mode, "160000 ") {
			continue
		}
		sub := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Lstat(filepath.Join(sub, dotGit)); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		// git would look for a repository further up, and find this one.
		var f finder
		if at, err := f.look(sub); err != nil || at.top != sub {
			return nil, fmt.Errorf("worktree: %q is no submodule that can be read", sub)
		}
		names = append(names, name)
	}
	return names, nil
}

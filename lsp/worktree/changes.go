package worktree

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Changes are the files that differ between a checkout and the point where its branch left the
// main branch, sorted by path: committed, uncommitted and untracked changes.
type Changes struct {
	// Root is the top of the checkout. Base is the commit that it is compared with, empty for a
	// repository without commits. Main is git's name of the branch that Base is on.
	Root, Base, Main string
	Files            []Change
}

// Change is one file of [Changes]. The path is relative to Root, with slashes.
type Change struct {
	Path   string
	Status Status
	// Before is the old blob, and After the new one if a branch is compared. Each is empty if
	// there is none, and After also for a file in a checkout.
	Before, After string
	// Kind is "link" or "repository", or empty for a file.
	Kind string
}

// Status says how a file changed.
type Status string

// The kinds of a change.
const (
	Added    Status = "added"
	Deleted  Status = "deleted"
	Modified Status = "modified"
)

// Changes compares the checkout that contains a folder with its main branch. If branch is not
// empty, it compares the tip of that branch instead, whatever is checked out. It runs no
// filter, hook or other program of the repository.
func (g *Git) Changes(ctx context.Context, folder, branch string) (Changes, error) {
	root, err := g.look(ctx, folder, "rev-parse", "--show-toplevel")
	if err != nil {
		return Changes{}, err
	}
	c := Changes{Root: filepath.FromSlash(strings.TrimSuffix(root, "\n"))}
	tip := "HEAD"
	if branch != "" {
		tip = "refs/heads/" + branch
	}
	if _, err := g.commit(ctx, c.Root, tip); err != nil {
		if branch != "" {
			return c, err
		}
		tip = "" // there is no commit yet
	}
	if tip != "" {
		if c.Base, c.Main, err = g.branchPoint(ctx, c.Root, tip); err != nil {
			return c, err
		}
	}
	if c.Files, err = g.compare(ctx, &c, tip, branch != ""); err != nil {
		return c, err
	}
	c.Files = g.dropUnchanged(ctx, c.Root, c.Files)
	slices.SortStableFunc(c.Files, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return c, nil
}

// commit returns the commit of a name.
func (g *Git) commit(ctx context.Context, dir, name string) (string, error) {
	out, err := g.look(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	return strings.TrimSpace(out), err
}

// branchPoint returns where a branch left the main branch, and the main branch's name. It
// returns the tip itself if there is no main branch, or none with common history.
func (g *Git) branchPoint(ctx context.Context, dir, tip string) (base, mainBranch string, err error) {
	var mains []string
	for _, ref := range g.mainRefs(ctx, dir) {
		if commit, err := g.commit(ctx, dir, ref); err == nil {
			mains = append(mains, commit)
			mainBranch = cmp.Or(mainBranch, shortRef(ref))
		}
	}
	at, err := g.commit(ctx, dir, tip)
	if err != nil || len(mains) == 0 {
		return at, "", err
	}
	out, err := g.look(ctx, dir, append([]string{"merge-base", at}, mains...)...)
	if foundNothing(err) {
		return at, "", nil
	}
	return strings.TrimSpace(out), mainBranch, err
}

// mainRefs returns the refs that may be the main branch: the local one, and the remote's.
func (g *Git) mainRefs(ctx context.Context, dir string) (list []string) {
	out, err := g.look(ctx, dir, "symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
	if remote := strings.TrimSpace(out); err == nil && remote != "" {
		return []string{"refs/heads/" + strings.TrimPrefix(remote, "refs/remotes/origin/"), remote}
	}
	for _, name := range []string{"main", "master", "trunk", "develop"} {
		ref := "refs/heads/" + name
		if _, err := g.commit(ctx, dir, ref); err == nil {
			return []string{ref, "refs/remotes/origin/" + name}
		}
	}
	return nil
}

func shortRef(ref string) string {
	return strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/remotes/")
}

// compare lists the files that differ from the base.
func (g *Git) compare(ctx context.Context, c *Changes, tip string, committed bool) ([]Change, error) {
	base := c.Base
	if base == "" {
		out, err := g.look(ctx, c.Root, "hash-object", "-t", "tree", "--stdin")
		if err != nil {
			return nil, err
		}
		base = strings.TrimSpace(out)
	}
	args := []string{"diff-index", "--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=dirty", base, "--"}
	if committed {
		args = []string{"diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-renames", base, tip, "--"}
	}
	out, err := g.look(ctx, c.Root, args...)
	if err != nil {
		return nil, err
	}
	list := parseRaw(out)
	if committed {
		return list, nil
	}
	if out, err = g.look(ctx, c.Root, "ls-files", "--others", "--exclude-standard", "-z"); err != nil {
		return nil, err
	}
	for path := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		switch {
		case path == "":
		case strings.HasSuffix(path, "/"):
			list = append(list, Change{Path: strings.TrimSuffix(path, "/"), Status: Added, Kind: "repository"})
		default:
			list = append(list, Change{Path: path, Status: Added})
		}
	}
	return list, nil
}

// parseRaw reads git's raw format: ":mode mode blob blob status", then the path.
func parseRaw(out string) (list []Change) {
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		head := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(head) != 5 || fields[i+1] == "" {
			continue
		}
		c := Change{Path: fields[i+1], Status: Modified, Before: blob(head[2]), After: blob(head[3]), Kind: cmp.Or(special(head[1]), special(head[0]))}
		switch head[4][0] {
		case 'A':
			c.Status = Added
		case 'D':
			c.Status = Deleted
		}
		list = append(list, c)
	}
	return list
}

// blob returns a blob's name, or "" if it is all zeros.
func blob(name string) string {
	if strings.Trim(name, "0") == "" {
		return ""
	}
	return name
}

func special(mode string) string {
	switch mode {
	case "120000":
		return "link"
	case "160000":
		return "repository"
	}
	return ""
}

// Ignored returns the paths below a checkout that git ignores.
func (g *Git) Ignored(ctx context.Context, root string, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := g.feed(ctx, root, strings.Join(paths, "\x00")+"\x00", noHooks(), noFetch(), []string{"check-ignore", "-z", "--stdin"})
	if err != nil && !foundNothing(err) {
		return nil, err
	}
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 }), nil
}

// Branches returns at most that many of a repository's branches, most recent commit first.
func (g *Git) Branches(ctx context.Context, folder string, most int) ([]string, error) {
	out, err := g.look(ctx, folder, "for-each-ref", "--sort=-committerdate", "--count="+strconv.Itoa(most), "--format=%(refname)", "refs/heads/")
	if err != nil {
		return nil, err
	}
	var list []string
	for ref := range strings.Lines(out) {
		list = append(list, shortRef(strings.TrimSpace(ref)))
	}
	return list, nil
}

// errNotThere means that git does not have what it was asked for.
var errNotThere = errors.New("worktree: git does not have it")

// ErrLarge means that a file is too large to read.
var ErrLarge = errors.New("worktree: the file is too large")

// File reads a file of a checkout, up to the given number of bytes. It does not follow links.
func File(root, path string, most int64) ([]byte, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	name := filepath.FromSlash(path)
	info, err := dir.Lstat(name)
	if err != nil {
		return nil, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, errNotThere
	case info.Size() > most:
		return nil, ErrLarge
	}
	return dir.ReadFile(name)
}

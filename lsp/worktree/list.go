package worktree

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// settings are the parts of a repository's configuration that concern its checkouts.
type settings struct {
	bare, bareSet bool
	worktree      string // core.worktree, unchanged
	perTree       bool   // extensions.worktreeConfig
	reftable      bool
}

// repository lists the checkouts of a repository that was found at a place.
func (f *finder) repository(at place) Repository {
	cfg := f.settings(at.common)
	refs := refReader{finder: f, common: at.common, reftable: cfg.reftable}
	trees := []Tree{f.main(at, &cfg)}
	for _, id := range f.ids(at.common) {
		trees = append(trees, f.linked(at, id)...)
	}
	if t, ok := f.unlisted(at, trees); ok {
		trees = append(trees, t)
	}
	for i := range trees {
		refs.head(&trees[i])
	}
	slices.SortStableFunc(trees[1:], func(a, b Tree) int { return strings.Compare(a.Path, b.Path) })
	refs.packed(trees)
	return Repository{CommonDir: at.common, Trees: trees, Problems: f.problems}
}

func (f *finder) settings(common string) settings {
	var s settings
	read := func(name string) {
		path := filepath.Join(common, name)
		data, err := readSmall(path, maxConfig)
		if err == nil {
			err = parseConfig(data, s.set)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.problem(path, reason(err))
		}
	}
	read("config")
	if s.perTree {
		// Settings of only the main entry are moved there.
		read("config.worktree")
	}
	return s
}

func (s *settings) set(section, sub, name, value string) {
	switch {
	case sub != "":
	case section == "core" && name == "bare":
		s.bare, s.bareSet = configBool(value), true
	case section == "core" && name == "worktree":
		s.worktree = value
	case section == "extensions" && name == "worktreeconfig":
		s.perTree = configBool(value)
	case section == "extensions" && name == "refstorage":
		// If the tables are elsewhere, it is "reftable://" and a path.
		s.reftable = strings.HasPrefix(strings.ToLower(value), "reftable")
	}
}

// main returns the repository's own entry.
func (f *finder) main(at place, cfg *settings) Tree {
	t := Tree{Main: true, GitDir: at.common}
	named := filepath.Base(at.common) == dotGit
	opened := ""
	if at.gitDir == at.common {
		opened = at.top
	}
	if cfg.bare && f.leftBare(at.common, opened) {
		f.problems = append(f.problems, Problem{
			File: filepath.Join(at.common, "config"), Reason: "core.bare is true, although this is a checkout: git refuses to work in it",
			Advice: "git config core.bare false",
		})
		cfg.bare, cfg.bareSet = false, true
	}
	if cfg.bare || !cfg.bareSet && !named && opened == "" && cfg.worktree == "" {
		t.Bare, t.Root = true, at.common
		if above := filepath.Dir(at.common); f.missing(above, at.common) == "" {
			t.Root = above
		}
		return t
	}
	if cfg.worktree != "" {
		path, err := follow(at.common, []byte(cfg.worktree))
		if err != nil {
			f.problem(filepath.Join(at.common, "config"), "core.worktree "+reason(err))
		} else if info, err := os.Stat(path); opened == "" || err == nil && info.IsDir() {
			t.Path = disk.Resolve(path)
			t.Reason = f.missing(t.Path, at.common)
			t.Missing = t.Reason != ""
			return t
		}
	}
	switch {
	case opened != "":
		t.Path = opened
	case named:
		t.Path = filepath.Dir(at.common)
	default:
		t.Missing, t.Reason = true, "git does not record where the main checkout is"
	}
	return t
}

// leftBare reports whether a repository that is marked as bare belongs to a checkout, as
// programs that create worktrees may leave it: a bare repository has no index and is not a
// .git.
func (f *finder) leftBare(common, opened string) bool {
	if _, err := os.Lstat(filepath.Join(common, "index")); err != nil {
		return false
	}
	if filepath.Base(common) == dotGit {
		return true
	}
	info, err := os.Stat(filepath.Join(opened, dotGit))
	return opened != "" && err == nil && info.IsDir() // through a link
}

// ids lists the names of the worktrees' own directories.
func (f *finder) ids(common string) []string {
	path := filepath.Join(common, "worktrees")
	dir, err := openDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		f.problem(path, reason(err))
		return nil
	}
	defer dir.Close()
	names, err := dir.Readdirnames(maxTrees + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		f.problem(path, reason(err))
	}
	if len(names) > maxTrees {
		names = names[:maxTrees]
		f.problem(path, fmt.Sprintf("holds more than %d worktrees; the rest are not listed", maxTrees))
	}
	slices.Sort(names)
	return names
}

// linked returns a linked worktree. It returns two if the opened folder is a copy of another
// one.
func (f *finder) linked(at place, id string) []Tree {
	admin := filepath.Join(at.common, "worktrees", id)
	info, err := os.Lstat(admin)
	if err != nil || !info.IsDir() {
		f.problem(admin, "is no directory")
		return nil
	}
	t := Tree{GitDir: admin}
	opened := ""
	if at.gitDir == admin {
		opened = at.top
	}
	file := filepath.Join(admin, "gitdir")
	path, err := f.recorded(file)
	if err != nil && opened == "" {
		f.problem(file, reason(err))
		return nil
	}
	why := "is not recorded"
	if err == nil {
		t.Path = disk.Resolve(path)
		why = f.missing(t.Path, admin)
	}
	f.lock(&t)
	trees := []Tree{t}
	if opened != "" && opened != t.Path {
		here := t
		here.Path = opened
		if why != "" {
			// It was moved by hand, as its .git proves.
			return []Tree{here}
		}
		f.problem(filepath.Join(opened, dotGit), fmt.Sprintf("belongs to the worktree at %q: this folder is a copy of it", t.Path))
		trees = append(trees, here)
	}
	if why != "" {
		trees[0].Missing = true
		if !t.Locked {
			trees[0].Reason = why
		}
	}
	return trees
}

// unlisted returns the opened folder if the repository does not list it.
func (f *finder) unlisted(at place, trees []Tree) (Tree, bool) {
	known := func(t Tree) bool { return t.GitDir == at.gitDir }
	if at.top == "" || slices.ContainsFunc(trees, known) {
		return Tree{}, false
	}
	f.problem(at.gitDir, "is not among the worktrees of its repository")
	t := Tree{Path: at.top, GitDir: at.gitDir}
	f.lock(&t)
	return t, true
}

// recorded returns the path that git recorded for a worktree.
func (f *finder) recorded(file string) (string, error) {
	data, err := readSmall(file, maxLine)
	if err != nil {
		return "", err
	}
	path, err := follow(filepath.Dir(file), data)
	if err != nil {
		return "", err
	}
	if filepath.Base(path) != dotGit {
		return "", errors.New("does not name a .git file")
	}
	return filepath.Dir(path), nil
}

// missing returns the reason why the folder at a path is not the checkout of gitDir, or "".
// The repository's own record is not enough: it could name any of the user's folders as its
// worktree.
func (f *finder) missing(path, gitDir string) string {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return "the folder is gone"
	}
	dot := filepath.Join(path, dotGit)
	info, err := os.Stat(dot)
	if err != nil {
		return "the folder has no .git"
	}
	if info.IsDir() {
		if disk.Resolve(dot) == gitDir {
			return ""
		}
		return "the folder is a repository of its own"
	}
	target, err := f.gitFile(dot)
	if err != nil {
		return "the .git of the folder " + err.Error()
	}
	if disk.Resolve(target) == gitDir {
		return ""
	}
	_, err = os.Lstat(target)
	if errors.Is(err, fs.ErrNotExist) && filepath.Base(target) == filepath.Base(gitDir) && filepath.Base(filepath.Dir(target)) == "worktrees" {
		// The repository was moved without git.
		return ""
	}
	return "the folder is a checkout of something else"
}

// lock reads whether a worktree is locked, and why.
func (f *finder) lock(t *Tree) {
	file := filepath.Join(t.GitDir, "locked")
	if _, err := os.Lstat(file); err != nil {
		return
	}
	t.Locked = true
	data, err := readSmall(file, maxLine)
	if err != nil {
		f.problem(file, reason(err))
		return
	}
	t.Reason = strings.TrimSpace(string(data))
}

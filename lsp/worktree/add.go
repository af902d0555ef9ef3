package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// ErrName is the error for a name that no branch or worktree can have.
var ErrName = errors.New("is not allowed")

// maxName is the longest name in bytes: a branch is a path of files.
const maxName = 200

// CheckName checks the name of a new worktree or branch by the rules of git check-ref-format,
// and refuses names that a command could mistake for an option. The error wraps ErrName.
func CheckName(name string) error {
	fault := ""
	switch {
	case name == "":
		fault = "is empty"
	case badRef().MatchString(name):
		fault = "holds " + strconv.Quote(badRef().FindString(name)) + " where no branch may"
	case strings.HasPrefix(name, "-"):
		fault = "begins with a dash"
	case name == "HEAD":
		fault = "is git's own"
	case len(name) > maxName:
		fault = fmt.Sprintf("has more than %d bytes", maxName)
	case !utf8.ValidString(name):
		fault = "is not UTF-8"
	default:
		return nil
	}
	return fmt.Errorf("worktree: the name %q %w: it %s", name, ErrName, fault)
}

// AddOptions describe the wanted worktree.
type AddOptions struct {
	// Name is the name of the worktree, and of its branch unless Branch is set.
	Name string
	// Path is absolute, or empty for [DefaultPath].
	Path string
	// Branch is checked out. It is created if it does not exist.
	Branch string
	// From is where a new branch starts: if empty, at the HEAD of the checkout in which the
	// command was given.
	From string
	// GitHooks lets git run the hooks of the repository.
	GitHooks bool
}

// Addition is what [Git.Add] will do, to be shown first.
type Addition struct {
	// Folder is where git runs.
	Folder string
	// Path is the path of the new worktree, links resolved.
	Path, Branch string
	// New is set if the branch is created, starting at From.
	New  bool
	From string
	// Commit is the commit of From, or of the branch.
	Commit string
	// Hooks are the git hooks that a new worktree triggers: files, and variables of the
	// configuration. They run if GitHooks is set.
	Hooks    []string
	GitHooks bool
	// Programs are variables of the repository's own configuration that name a program which git
	// runs on files as it checks them out.
	Programs []string
	// Includes are variables of the same configuration that make git read another file on a
	// condition. It is not known yet whether the condition holds in the new worktree, nor what
	// runs then.
	Includes []string
	// Partial is set if the clone may lack files. They are not fetched.
	Partial bool

	hookDir string // the folder of the hooks that are files
}

// DefaultPath returns the path of a new worktree if none was given: in a folder beside the
// main checkout, named after it with ".worktrees". If the bare repository is a hidden folder
// in its project, the new worktree is beside it.
func (r *Repository) DefaultPath(name string) string {
	name = fileName(name)
	if main, ok := r.Main(); ok && main.Path != "" {
		return filepath.Join(main.Path+".worktrees", name)
	}
	if base := filepath.Base(r.CommonDir); strings.HasPrefix(base, ".") {
		return filepath.Join(filepath.Dir(r.CommonDir), name)
	}
	return filepath.Join(strings.TrimSuffix(r.CommonDir, dotGit)+".worktrees", name)
}

// fileName returns a folder name, valid on every system, for a worktree's name.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.+@", r) {
			return r
		}
		return '-'
	}, name)
}

// Plan finds out what adding a worktree to a repository will do, and changes nothing. from is
// a checkout of the repository; a new branch starts at its HEAD.
func (g *Git) Plan(ctx context.Context, r *Repository, from Tree, o AddOptions) (Addition, error) {
	a := Addition{Folder: from.Path, Branch: o.Branch, From: o.From, GitHooks: o.GitHooks}
	if a.Folder == "" {
		a.Folder = r.CommonDir
	}
	if a.Branch == "" {
		a.Branch = o.Name
	}
	if err := errors.Join(CheckName(o.Name), CheckName(a.Branch)); err != nil {
		return a, err
	}
	if strings.HasPrefix(a.From, "-") || strings.ContainsFunc(a.From, unicode.IsControl) {
		return a, fmt.Errorf("worktree: the start %q %w", a.From, ErrName)
	}
	a.Path = o.Path
	if a.Path == "" {
		a.Path = r.DefaultPath(o.Name)
	}
	a.Path = disk.Resolve(filepath.Clean(a.Path))
	if err := r.checkFree(a.Path, a.Branch); err != nil {
		return a, err
	}
	if err := g.resolveStart(ctx, &a); err != nil {
		return a, err
	}
	return a, g.consent(ctx, &a)
}

// checkFree returns an error unless a worktree can be created at a path, with a branch.
func (r *Repository) checkFree(path, branch string) error {
	info, err := os.Lstat(path)
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("worktree: %q: %w", path, fs.ErrExist)
	case err == nil:
		if entries, err := os.ReadDir(path); err != nil || len(entries) > 0 {
			return errors.Join(fmt.Errorf("worktree: %q exists and is not empty", path), err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("worktree: %w", err)
	}
	if inside(r.CommonDir, path) {
		return fmt.Errorf("worktree: %q lies in the git directory", path)
	}
	for _, t := range r.Trees {
		switch {
		case t.Path == path:
			return fmt.Errorf("worktree: git still lists a worktree at %q: see \"git worktree prune\"", path)
		case !t.Bare && t.Branch == branch && t.Missing:
			return fmt.Errorf("worktree: the branch %q is that of the worktree at %q, which is missing: see \"git worktree prune\"", branch, t.Path)
		case !t.Bare && t.Branch == branch:
			return fmt.Errorf("worktree: the branch %q is checked out at %q", branch, t.Path)
		}
	}
	return nil
}

// resolveStart finds the commit that the worktree will start at.
func (g *Git) resolveStart(ctx context.Context, a *Addition) error {
	branch := "refs/heads/" + a.Branch
	_, err := g.look(ctx, a.Folder, "show-ref", "--verify", "--quiet", "--", branch)
	switch {
	case err == nil && a.From != "":
		return fmt.Errorf("worktree: the branch %q exists, and does not start anew from %q", a.Branch, a.From)
	case err == nil:
	case !foundNothing(err):
		return err
	default:
		a.New = true
		if a.From == "" {
			a.From = "HEAD"
		}
	}
	from := a.From
	if !a.New {
		from = branch
	}
	out, err := g.look(ctx, a.Folder, "rev-parse", "--verify", "--quiet", "--end-of-options", from+"^{commit}")
	if foundNothing(err) {
		if from == "HEAD" {
			return errors.New("worktree: the repository has no commit yet, and a worktree needs one")
		}
		return fmt.Errorf("worktree: %q is no commit of this repository", from)
	}
	a.Commit = strings.TrimSpace(out)
	return err
}

// consent finds what git would run on behalf of the repository.
func (g *Git) consent(ctx context.Context, a *Addition) error {
	// With hooks on, to find out where they are.
	out, err := g.run(ctx, a.Folder, nil, noFetch(), []string{"rev-parse", "--git-path", "hooks"})
	if err != nil {
		return err
	}
	a.hookDir = strings.TrimRight(out, "\r\n")
	if !filepath.IsAbs(a.hookDir) {
		a.hookDir = filepath.Join(a.Folder, a.hookDir)
	}
	for _, name := range hookEvents() {
		if info, err := os.Stat(filepath.Join(a.hookDir, name)); err == nil && info.Mode().IsRegular() {
			a.Hooks = append(a.Hooks, filepath.Join(a.hookDir, name))
		}
	}
	commands, err := g.hookCommands(ctx, a.Folder)
	if err != nil {
		return err
	}
	a.Hooks = append(a.Hooks, commands...)
	if a.Programs, err = g.programs(ctx, a.Folder); err != nil {
		return err
	}
	includes, err := g.settings(ctx, a.Folder, included)
	if err != nil {
		return err
	}
	a.Includes = localOnes(includes)
	promisors, err := g.settings(ctx, a.Folder, `^(extensions\.partialclone|remote\..*\.promisor)$`)
	a.Partial = len(promisors) > 0
	return err
}

// consented returns the options and environment with which git runs no more than was shown.
func (g *Git) consented(ctx context.Context, a *Addition) (options, env []string, err error) {
	if !a.GitHooks {
		options, err = g.hooksOff(ctx, a.Folder)
		return options, noFetch(), err
	}
	if a.Partial {
		env = noFetch() // other clones lack nothing, and hooks may need the network
	}
	// A relative core.hooksPath would lead into the new worktree.
	return []string{"-c", "core.hooksPath=" + a.hookDir}, env, nil
}

// Add creates a worktree as planned. The paths must still be free.
func (g *Git) Add(ctx context.Context, a *Addition) (Tree, error) {
	args := []string{"worktree", "add", "--quiet"}
	if a.New {
		args = append(args, "-b", a.Branch, "--", a.Path, a.From)
	} else {
		args = append(args, "--", a.Path, a.Branch)
	}
	options, env, err := g.consented(ctx, a)
	if err != nil {
		return Tree{}, err
	}
	if _, err := g.run(ctx, a.Folder, options, env, args); err != nil {
		if a.Partial {
			err = fmt.Errorf("%w (this clone is partial, and Signalbox does not fetch: get what it lacks with \"git fetch --refetch --no-filter\")", err)
		}
		return Tree{}, err
	}
	r, err := Find(a.Path)
	if err != nil {
		return Tree{}, err
	}
	if t, ok := r.At(a.Path); ok && t.Path == a.Path {
		return t, nil
	}
	return Tree{}, fmt.Errorf("worktree: git made %q, and it cannot be found: %v", a.Path, r.Problems)
}

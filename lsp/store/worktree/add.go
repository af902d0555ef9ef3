package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrName is a name that no branch or worktree can have.
var ErrName = errors.New("is not allowed")

// maxName is the longest name in bytes: a branch is a path of files.
const maxName = 200

// CheckName checks the name of a new worktree or branch by the rules of
// git check-ref-format, and refuses what a command could take for an option.
// The error wraps ErrName.
func CheckName(name string) error {
	fault := refFault(name)
	switch {
	case fault != "":
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

// AddOptions say what worktree is wanted.
type AddOptions struct {
	// Name is that of the worktree, and of its branch unless Branch is set.
	Name string
	// Path is absolute, or empty for [DefaultPath].
	Path string
	// Branch is checked out if it exists, else made.
	Branch string
	// From is what a new branch starts at: empty for the HEAD of the checkout
	// that the command is given in.
	From string
	// GitHooks lets git run the hooks of the repository.
	GitHooks bool
}

// Addition is what [Git.Add] will do, to be shown before.
type Addition struct {
	// Folder is where git is run.
	Folder string
	// Path is where the worktree will stand, links resolved.
	Path, Branch string
	// New tells that the branch is made, starting at From.
	New  bool
	From string
	// Commit is what From, or the branch, stands for.
	Commit string
	// Hooks are the repository's git hooks that a new worktree sets off. They
	// are run if GitHooks is set.
	Hooks    []string
	GitHooks bool
	// Programs are variables of the repository's own configuration that name a
	// program which git runs on files as it checks them out.
	Programs []string
}

// DefaultPath is where a new worktree stands if no path was given: beside the
// main checkout in a folder of its name and ".worktrees", and in a bare
// repository that lies hidden in its project, beside it.
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

// fileName makes one name of a folder, on every system, of a worktree's name.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.+@", r) {
			return r
		}
		return '-'
	}, name)
}

// Plan finds out what adding a worktree to a repository means, and changes
// nothing. from is a checkout of it, whose HEAD a new branch starts at.
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
	a.Path = resolve(filepath.Clean(a.Path))
	if err := r.free(a.Path, a.Branch); err != nil {
		return a, err
	}
	if err := g.start(ctx, &a); err != nil {
		return a, err
	}
	return a, g.programs(ctx, &a)
}

// free reports whether a worktree can stand at a path, with a branch.
func (r *Repository) free(path, branch string) error {
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

// start finds the commit that the worktree will stand on.
func (g *Git) start(ctx context.Context, a *Addition) error {
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

// programs finds what git would run on behalf of the repository.
func (g *Git) programs(ctx context.Context, a *Addition) error {
	// With the hooks on: where they are is the question.
	out, err := g.run(ctx, a.Folder, true, []string{"GIT_ALLOW_PROTOCOL=none"}, []string{"rev-parse", "--git-path", "hooks"})
	if err != nil {
		return err
	}
	dir := strings.TrimRight(out, "\r\n")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.Folder, dir)
	}
	for _, name := range []string{"post-checkout", "post-index-change", "reference-transaction"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			a.Hooks = append(a.Hooks, filepath.Join(dir, name))
		}
	}
	out, err = g.look(ctx, a.Folder, "config", "--show-scope", "--null", "--get-regexp", `^filter\..*\.(smudge|process)$`)
	if err != nil && !foundNothing(err) {
		return err
	}
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		// What stands in the user's own configuration is the user's wish.
		if scope := fields[i]; scope == "local" || scope == "worktree" {
			name, value, _ := strings.Cut(fields[i+1], "\n")
			a.Programs = append(a.Programs, name+" = "+value)
		}
	}
	return nil
}

// Add makes a worktree as planned. The paths that were free must still be so.
func (g *Git) Add(ctx context.Context, a *Addition) (Tree, error) {
	args := []string{"worktree", "add", "--quiet"}
	if a.New {
		args = append(args, "-b", a.Branch, "--", a.Path, a.From)
	} else {
		args = append(args, "--", a.Path, a.Branch)
	}
	if err := g.do(ctx, a.Folder, a.GitHooks, args...); err != nil {
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

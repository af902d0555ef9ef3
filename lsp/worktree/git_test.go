package worktree_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// sandbox is a folder in which git reads no configuration but its own. Its path
// is free of links.
func sandbox(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "gitconfig")
	write(t, config, "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n[advice]\n\tdetachedHead = false\n")
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	return dir
}

// git runs git in a folder and gives its output.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, worktree.Environ(os.Environ())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// newRepo makes a repository with one commit.
func newRepo(t *testing.T, dir string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q")
	write(t, filepath.Join(dir, "file.txt"), "text\n")
	git(t, dir, "add", "-A")
	git(t, dir, "commit", "-q", "-m", "first")
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func find(t *testing.T, path string) worktree.Repository {
	t.Helper()
	r, err := worktree.Find(path)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// gitList is what git says of the checkouts, main first, the others by path.
func gitList(t *testing.T, dir string) []worktree.Tree {
	t.Helper()
	var trees []worktree.Tree
	for record := range strings.SplitSeq(git(t, dir, "worktree", "list", "--porcelain", "-z"), "\x00\x00") {
		if record == "" {
			continue
		}
		var tree worktree.Tree
		for line := range strings.SplitSeq(record, "\x00") {
			name, value, _ := strings.Cut(line, " ")
			switch name {
			case "worktree":
				tree.Path = value
			case "HEAD":
				if strings.Trim(value, "0") != "" {
					tree.Head = value
				}
			case "branch":
				tree.Branch = strings.TrimPrefix(value, "refs/heads/")
			case "bare":
				tree.Bare = true
			case "locked":
				tree.Locked, tree.Reason = true, value
			case "prunable":
				tree.Missing = true
			}
		}
		trees = append(trees, tree)
	}
	trees[0].Main = true
	return trees
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// gitFolder is where git is run for a path that may be a file.
func gitFolder(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return filepath.Dir(path)
	}
	return path
}

func joinIfRelative(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

func trimLine(s string) string { return strings.TrimSuffix(s, "\n") }

func ptr(r worktree.Repository) *worktree.Repository { return &r }

// linkedTree is the entry of a path.
func linkedTree(r worktree.Repository, path string) (worktree.Tree, bool) {
	for _, t := range r.Trees {
		if t.Path == path {
			return t, true
		}
	}
	return worktree.Tree{}, false
}

// wantProblem asks for exactly one problem, which names a file.
func wantProblem(t *testing.T, r worktree.Repository, file, reason string) {
	t.Helper()
	if len(r.Problems) != 1 || r.Problems[0].File != file || !strings.Contains(r.Problems[0].Reason, reason) {
		t.Errorf("problems are %q, want one of %q that says %q", r.Problems, file, reason)
	}
}

type repository = worktree.Repository

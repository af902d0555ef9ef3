package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Git runs the git program, for commands that a person gave.
//
// git obeys the configuration of the repository, which can name programs. Those that Signalbox
// does not need are turned off: hooks, unless they were asked for, core.fsmonitor, and
// everything that fetches what a partial clone lacks. The repository's own filters run when a
// worktree is created.
type Git struct {
	// Env is the environment, in the form of [os.Environ]. git's own variables that would direct
	// it to another repository are left out.
	Env []string
}

// errOutput is how many bytes of git's output an error holds.
const errOutput = 4 << 10

// grace is how long git may take to clean up after it was interrupted.
const grace = 5 * time.Second

// keptVars are git's own variables that are passed on: who commits, how it connects, where the
// user's configuration is. All others, such as GIT_DIR, would make git use another repository
// or behave differently.
var keptVars = []string{
	"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_EXEC_PATH", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO",
	"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
}

// Environ returns an environment without the variables that would direct git, or programs that
// run git, to another repository than that of the working directory.
func Environ(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(v), "=")
		return strings.HasPrefix(name, "GIT_") && !slices.Contains(keptVars, name)
	})
}

// noFetch stops git from fetching what a partial clone lacks, which could run a program that
// the repository names. git before 2.44 knows only the first variable, which its own
// transports and all others obey.
func noFetch() []string { return []string{"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1"} }

// look runs a git command that only reads, without hooks and filters.
func (g *Git) look(ctx context.Context, dir string, args ...string) (string, error) {
	return g.run(ctx, dir, noHooks(), noFetch(), args)
}

// run runs a git command, with git's options before it and variables added to the environment.
func (g *Git) run(ctx context.Context, dir string, options, env, args []string) (string, error) {
	return g.feed(ctx, dir, "", options, env, args)
}

// feed is run with a text for git's standard input.
func (g *Git) feed(ctx context.Context, dir, input string, options, env, args []string) (string, error) {
	all := slices.Concat([]string{"-c", "core.fsmonitor=false"}, options, args)
	cmd := exec.CommandContext(ctx, "git", all...)
	cmd.Dir = dir
	cmd.Env = append(append(Environ(g.Env), "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0"), env...)
	// An interrupted git removes a half-created worktree.
	cmd.Cancel = func() error {
		if cmd.Process.Signal(os.Interrupt) != nil {
			return cmd.Process.Kill()
		}
		return nil
	}
	cmd.WaitDelay = grace
	var stdout bounded
	var stderr tail
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("worktree: git is not installed, or not in PATH")
	}
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		if stdout.Len() > maxOutput {
			err = errTooMuch
		}
		return "", &GitError{Args: args, Stderr: strings.TrimSpace(string(stderr)), Err: err}
	}
	return stdout.String(), nil
}

// GitError reports that git failed.
type GitError struct {
	Args []string
	// Stderr is the end of git's error output. It may quote what others wrote.
	Stderr string
	Err    error
}

func (e *GitError) Error() string {
	command := e.Args[0]
	if command == "worktree" && len(e.Args) > 1 {
		command += " " + e.Args[1]
	}
	if e.Stderr == "" {
		return fmt.Sprintf("worktree: git %s: %v", command, e.Err)
	}
	return fmt.Sprintf("worktree: git %s: %s", command, e.Stderr)
}

func (e *GitError) Unwrap() error { return e.Err }

// foundNothing reports whether git failed because it did not find what it was asked for.
func foundNothing(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	return ok && exit.ExitCode() == 1
}

// maxOutput is the largest number of bytes that git may write.
const maxOutput = 64 << 20

var errTooMuch = errors.New("it wrote more than 64 MiB")

// bounded refuses more than maxOutput bytes, which ends git.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	n, _ := b.Buffer.Write(p)
	if b.Len() > maxOutput {
		return n, errTooMuch
	}
	return n, nil
}

// tail keeps the end of what is written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	if n := len(*t) - errOutput; n > 0 {
		*t = append((*t)[:0], (*t)[n:]...)
	}
	return len(p), nil
}

const (
	// maxRoots is how many first commits of a repository are returned, and rootsTime how long git
	// may search for them.
	maxRoots  = 8
	rootsTime = 2 * time.Second
)

// Roots returns the first commits of the repository with a common directory, in order, if git
// finds them quickly. It returns none for a shallow clone.
func (g *Git) Roots(ctx context.Context, common string) []string {
	if _, err := os.Lstat(filepath.Join(common, "shallow")); err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, rootsTime)
	defer cancel()
	out, err := g.look(ctx, common, "rev-list", "--max-parents=0", "HEAD", "--")
	if err != nil {
		return nil
	}
	list := strings.Fields(out)
	slices.Sort(list)
	return list[:min(len(list), maxRoots)]
}

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/cli"
	"github.com/signalbox-dev/signalbox/cmd/signalbox/internal/ptytest"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

// terminal opens a pseudo terminal: what is typed, and what a program reads.
func terminal(t *testing.T) (keyboard, stdin *os.File) {
	t.Helper()
	keyboard, stdin, err := ptytest.Open(80, 24)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keyboard.Close(); stdin.Close() })
	return keyboard, stdin
}

// asked is a stderr that answers the question, after what happens meanwhile.
type asked struct {
	said      bytes.Buffer
	keyboard  *os.File
	answer    string
	meanwhile func()
}

func (a *asked) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("[y/N]")) {
		a.meanwhile()
		if _, err := a.keyboard.WriteString(a.answer); err != nil {
			return 0, err
		}
	}
	return a.said.Write(p)
}

// TestWorktreeAsks: nothing is done before somebody said yes to what was shown,
// and nothing of a config.json that changed while it was shown (ATSF Z11).
func TestWorktreeAsks(t *testing.T) {
	const (
		shown = `{"specVersion":"1.1","worktreeHooks":{"postSetupCommands":[{"command":"touch ran"}]}}`
		evil  = `{"specVersion":"1.1","worktreeHooks":{"postSetupCommands":[{"command":"touch evil"}]}}`
	)
	for name, c := range map[string]struct {
		answer, config, says string
		code                 int
		made                 bool
	}{
		"yes":             {"y\n", shown, "", 0, true},
		"yes, in full":    {"YES\n", shown, "", 0, true},
		"no":              {"n\n", shown, "nothing was done", 1, false},
		"nothing":         {"\n", shown, "nothing was done", 1, false},
		"end of input":    {"\x04", shown, "nothing was done", 1, false},
		"something else":  {"yellow\n", shown, "nothing was done", 1, false},
		"changed, to yes": {"y\n", evil, "has changed since it was shown", 1, false},
		"removed, to yes": {"y\n", "", "has changed since it was shown", 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range [][2]string{{"HOME", dir}, {"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_NOSYSTEM", "1"}} {
				t.Setenv(v[0], v[1])
			}
			repo := filepath.Join(dir, "repo")
			config := filepath.Join(repo, ".agent", "config.json")
			for _, args := range [][]string{{"init", "-q", repo}, {"-C", repo, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "--allow-empty", "-m", "first"}} {
				git := exec.Command("git", args...)
				git.Env = worktree.Environ(os.Environ())
				if out, err := git.CombinedOutput(); err != nil {
					t.Fatalf("%s: %v", out, err)
				}
			}
			if err := os.Mkdir(filepath.Dir(config), 0o700); err != nil {
				t.Fatal(err)
			}
			put := func(text string) {
				if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			put(shown)
			keyboard, stdin := terminal(t)
			stderr := &asked{keyboard: keyboard, answer: c.answer, meanwhile: func() {
				if c.config != shown {
					put(c.config)
				}
				if c.config == "" {
					os.Remove(config)
				}
			}}
			var stdout bytes.Buffer
			p := &cli.Program{Env: environ.Env{Getenv: func(string) string { return "" }, Home: dir, Work: repo}, Now: time.Now, In: stdin, Stdout: &stdout, Stderr: stderr}
			if code := run(p, []string{"signalbox", "worktree", "add", "x"}); code != c.code || !strings.Contains(stderr.said.String(), c.says) {
				t.Errorf("code %d, want %d; stderr:\n%s", code, c.code, &stderr.said)
			}
			if !strings.Contains(stderr.said.String(), "    | touch ran\n") {
				t.Errorf("the command was not shown:\n%s", &stderr.said)
			}
			tree := filepath.Join(dir, "repo.worktrees", "x")
			for path, want := range map[string]bool{tree: c.made, filepath.Join(tree, "ran"): c.made, filepath.Join(tree, "evil"): false} {
				if _, err := os.Stat(path); (err == nil) != want {
					t.Errorf("%s is there: %v, want %v", path, err == nil, want)
				}
			}
			if (stdout.Len() > 0) != c.made {
				t.Errorf("stdout:\n%s", &stdout)
			}
		})
	}
}

//go:build agents

package realagents

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/lsp/agents"
	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
)

// runLimit is how long a program may take, also on a machine with much to do.
const runLimit = 3 * time.Minute

// fixture is a machine for one client: a home, a git repository called coder, and a PATH
// with the client and signalbox.
type fixture struct {
	t                *testing.T
	dir, home, coder string
	client           *client
	env              []string
	// packages is where npm installed the clients.
	packages string
}

func newFixture(t *testing.T, c *client) *fixture {
	t.Helper()
	// Sockets are made below it, whose paths must be short.
	dir, err := os.MkdirTemp("", "sbx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("what it left: %s", dir)
		} else {
			os.RemoveAll(dir)
		}
	})
	for _, name := range []string{"home", "coder"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d := fixtureAt(t, c, dir, filepath.Join(dir, "home"), filepath.Join(dir, "coder"))
	d.must("git", "init", "-q", "-b", "main")
	d.must("git", "-c", "user.name=Dummy", "-c", "user.email=dummy@example.invalid", "commit", "-q", "--allow-empty", "-m", "demo")
	return d
}

// fixtureAt is a fixture with a home and a repository that are there.
func fixtureAt(t *testing.T, c *client, dir, home, coder string) *fixture {
	t.Helper()
	d := &fixture{t: t, dir: dir, home: home, coder: coder, client: c}
	d.packages = filepath.Join(need(t, "SIGNALBOX_AGENTS"), "node_modules")
	for _, name := range []string{"bin", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	d.link("signalbox", need(t, "SIGNALBOX_BIN"))
	d.link(c.command, filepath.Join(d.packages, c.program))
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	d.link("node", node)
	d.env = []string{
		"HOME=" + d.home, "PATH=" + filepath.Join(dir, "bin") + ":/usr/local/bin:/usr/bin:/bin", "TERM=dumb", "LANG=C.UTF-8",
		"TMPDIR=" + filepath.Join(dir, "tmp"), "CLAUDE_CODE_TMPDIR=" + filepath.Join(dir, "tmp"),
	}
	return d
}

func need(t *testing.T, variable string) string {
	t.Helper()
	value := os.Getenv(variable)
	if value == "" {
		t.Fatalf("%s is not set: run make test-agents", variable)
	}
	return value
}

// link puts a program on the PATH.
func (d *fixture) link(name, target string) {
	d.t.Helper()
	if _, err := os.Stat(target); err != nil {
		d.t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(d.dir, "bin", name)); err != nil {
		d.t.Fatal(err)
	}
}

// write writes a file below the fixture.
func (d *fixture) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		d.t.Fatal(err)
	}
}

// merge adds members to a JSON file.
func (d *fixture) merge(name, text string) {
	d.t.Helper()
	all := make(map[string]json.RawMessage)
	old, err := os.ReadFile(filepath.Join(d.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		old, err = []byte("{}"), nil
	}
	if err := errors.Join(err, json.Unmarshal(old, &all), json.Unmarshal([]byte(text), &all)); err != nil {
		d.t.Fatal(err)
	}
	data, err := json.Marshal(all)
	if err != nil {
		d.t.Fatal(err)
	}
	d.write(name, string(data))
}

// endAll ends what still runs in the repository: Codex leaves a server behind.
func (d *fixture) endAll() {
	list, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, link := range list {
		if at, err := os.Readlink(link); err == nil && at == d.coder {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link))); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}

// command is a program in the repository, which ends with the test.
func (d *fixture) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	path := filepath.Join(d.dir, "bin", name)
	if _, err := os.Lstat(path); err != nil {
		path = name
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = d.coder, d.env, time.Second
	return cmd
}

// run runs a program and returns what it prints.
func (d *fixture) run(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(d.t.Context(), runLimit)
	defer cancel()
	out, err := d.command(ctx, name, args...).CombinedOutput()
	return string(out), err
}

func (d *fixture) must(name string, args ...string) string {
	d.t.Helper()
	out, err := d.run(name, args...)
	if err != nil {
		d.t.Fatalf("%s %s: %v: %s", name, strings.Join(args, " "), err, out)
	}
	return out
}

// files returns the files of the home and of the repository, but git's.
func (d *fixture) files() map[string]string {
	d.t.Helper()
	all := make(map[string]string)
	for _, root := range []string{d.home, d.coder} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case e.Name() == ".git":
				return fs.SkipDir
			case !e.Type().IsRegular():
				return nil
			}
			text, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil // a file of a program that is just ending
			}
			all[path] = string(text)
			return err
		})
		if err != nil {
			d.t.Fatal(err)
		}
	}
	return all
}

// sessions returns what the sessions are doing.
func (d *fixture) sessions() []activity.Session {
	d.t.Helper()
	list, errs := agents.At(filepath.Join(d.home, ".local", "state", "signalbox")).List(time.Now().UnixMilli())
	if len(errs) > 0 {
		d.t.Error(errs)
	}
	return list
}

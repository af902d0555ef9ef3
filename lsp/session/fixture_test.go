package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
	"github.com/signalbox-dev/signalbox/lsp/who/environ"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixture is a directory with a person's home and projects in it.
type fixture struct {
	t   testing.TB
	dir string            // free of links
	env map[string]string // the variables
}

func newFixture(t testing.TB) *fixture {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &fixture{t: t, dir: dir, env: make(map[string]string)}
	b.mkdir("p")
	return b
}

func (b *fixture) path(elem ...string) string {
	return filepath.Join(append([]string{b.dir}, elem...)...)
}

func (b *fixture) ok(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *fixture) mkdir(elem ...string) {
	b.t.Helper()
	b.ok(os.MkdirAll(b.path(elem...), 0o755))
}

func (b *fixture) write(data, path string) {
	b.t.Helper()
	b.mkdir(filepath.Dir(path))
	b.ok(os.WriteFile(b.path(path), []byte(data), 0o600))
}

func (b *fixture) add(data, path string) {
	b.t.Helper()
	f, err := os.OpenFile(b.path(path), os.O_APPEND|os.O_WRONLY, 0)
	b.ok(err)
	defer f.Close()
	_, err = f.WriteString(data)
	b.ok(err)
}

func (b *fixture) git(dir string, args ...string) {
	b.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "init.defaultBranch=main", "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
	cmd.Dir = b.path(dir)
	cmd.Env = append(worktree.Environ(os.Environ()), "HOME="+b.dir, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// repo makes a repository with worktrees beside it.
func (b *fixture) repo(name string, worktrees ...string) {
	b.t.Helper()
	b.mkdir(name)
	b.git(name, "init", "-q")
	b.git(name, "commit", "-q", "--allow-empty", "-m", "first")
	for _, w := range worktrees {
		b.git(name, "worktree", "add", "-q", "-b", "branch-"+w, b.path(w))
	}
}

func (b *fixture) config(folders ...string) Config {
	home := b.path("home")
	git := worktree.Git{Env: append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")}
	c := Config{Roots: git.Roots, Env: environ.Env{Home: home, Work: home, Getenv: func(name string) string { return b.env[name] }}}
	for _, f := range folders {
		c.Folders = append(c.Folders, b.path(f))
	}
	return c
}

func (b *fixture) scan(folders ...string) *Snapshot {
	b.t.Helper()
	s, err := Scan(b.t.Context(), b.config(folders...))
	b.ok(err)
	return s
}

// at is the time at which sessions of a fixture begin, in seconds after it.
func at(second int) string {
	return time.Date(2026, 2, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(second) * time.Second).Format(time.RFC3339)
}

// id returns the id of the session with a number.
func id(n int) string { return fmt.Sprintf("%08d-0000-4000-8000-000000000000", n) }

// rollout returns where Codex keeps the session with a number.
func rollout(n int) string { return "home/.codex/sessions/2026/02/01/" + rolloutName(n) + ".jsonl" }

func rolloutName(n int) string { return "rollout-2026-02-01T09-00-00-" + id(n) }

func key(n int) Key { return Key{"codex", id(n)} }

// entry returns a line of a rollout.
func entry(second int, kind string, payload any) string {
	data, err := json.Marshal(map[string]any{"timestamp": at(second), "type": kind, "payload": payload})
	if err != nil {
		panic(err)
	}
	return string(data) + "\n"
}

type object = map[string]any

// meta returns the first line of session n, in a folder.
func meta(n int, folder string) string {
	return entry(0, "session_meta", object{"id": id(n), "cwd": folder, "cli_version": "0.169.0", "git": object{"branch": "main"}})
}

// turn returns the line that tells in which folder the session goes on.
func turn(second int, folder string) string {
	return entry(second, "turn_context", object{"cwd": folder, "model": "gpt-5"})
}

// says returns a message of the person's, or with second odd of the agent's.
func says(second int, text string) string {
	role, kind := "user", "input_text"
	if second%2 == 1 {
		role, kind = "assistant", "output_text"
	}
	return entry(second, "response_item", object{
		"type": "message", "role": role, "id": fmt.Sprintf("msg_%d", second), "content": []object{{"type": kind, "text": text}},
	})
}

// call and output return a tool call and its end.
func call(second int, id string) string {
	return entry(second, "response_item", object{"type": "function_call", "name": "shell", "arguments": `{"command":["ls"]}`, "call_id": id})
}

func output(second int, id, text string) string {
	return entry(second, "response_item", object{"type": "function_call_output", "call_id": id, "output": text})
}

// chat returns lines of n messages.
func chat(n int) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(says(i, fmt.Sprintf("word %d", i)))
	}
	return s.String()
}

// listed returns the titles of the sessions, with the checkout's path in the fixture.
func (b *fixture) listed(s *Snapshot) (list []string) {
	for _, it := range s.Items {
		f, _ := s.Checkout(it.Checkout)
		rel, err := filepath.Rel(b.dir, f.Path)
		b.ok(err)
		line := rel + ": " + it.Title + it.Prompt
		if f.Gone {
			line += " (gone)"
		}
		list = append(list, line)
	}
	slices.Sort(list)
	return list
}

// liveFixture follows a fixture.
type liveFixture struct {
	*fixture
	live    *Live
	changes chan Change
}

func (b *fixture) follow(folders ...string) *liveFixture {
	b.t.Helper()
	l := &liveFixture{fixture: b, changes: make(chan Change, 1000)}
	c := b.config(folders...)
	c.Changed = func(c Change) { l.changes <- c }
	l.live = Open(c)
	b.t.Cleanup(l.live.Close)
	l.sync()
	return l
}

// sync waits until everything on the disk is seen, and returns what is.
func (l *liveFixture) sync() *Snapshot {
	l.t.Helper()
	l.ok(l.live.Sync(disktest.Within(l.t)))
	return l.live.Snapshot()
}

// changed returns the sessions that changed since the last call.
func (l *liveFixture) changed() (list []string) {
	l.t.Helper()
	l.sync()
	for len(l.changes) > 0 {
		for _, k := range (<-l.changes).Sessions {
			list = append(list, k.Client+" "+k.Name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// texts returns what the messages of a page say, in short.
func texts(p *Page) (list []string) {
	for i := range p.Messages {
		m := &p.Messages[i]
		line := m.Gap
		for _, c := range m.Content {
			line += c.Text
		}
		for _, c := range m.Tools {
			line += c.ID + "=" + c.Status
		}
		list = append(list, line)
	}
	return list
}

// zipped packs a text as Codex does.
func zipped(t testing.TB, text io.Reader, options ...zstd.EOption) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, append([]zstd.EOption{zstd.WithEncoderConcurrency(1)}, options...)...)
	if err == nil {
		_, err = io.Copy(w, text)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func (b *fixture) pack(text, path string) {
	b.t.Helper()
	b.write(string(zipped(b.t, strings.NewReader(text))), path)
}

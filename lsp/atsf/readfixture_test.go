package atsf

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/worktree"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// readFixture is a directory in which tests put projects.
type readFixture struct {
	t testing.TB
	// dir is free of links; state is for the cache.
	dir, state string
}

func newReadFixture(t testing.TB) *readFixture {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &readFixture{t: t, dir: dir, state: filepath.Join(dir, "state")}
	return b
}

func (b *readFixture) path(elem ...string) string {
	return filepath.Join(append([]string{b.dir}, elem...)...)
}

// git runs git in a directory of the fx, apart from the user's settings.
func (b *readFixture) git(dir string, args ...string) {
	b.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "init.defaultBranch=main", "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
	cmd.Dir = b.path(dir)
	cmd.Env = append(worktree.Environ(os.Environ()), "HOME="+b.dir, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

// repo makes a repository with a commit, and worktrees beside it.
func (b *readFixture) repo(name string, worktrees ...string) {
	b.t.Helper()
	b.mkdir(name)
	b.git(name, "init", "-q")
	b.git(name, "commit", "-q", "--allow-empty", "-m", "first")
	for _, w := range worktrees {
		b.git(name, "worktree", "add", "-q", "-b", "branch-"+filepath.Base(w), b.path(w))
	}
}

func (b *readFixture) mkdir(elem ...string) {
	b.t.Helper()
	if err := os.MkdirAll(b.path(elem...), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

func (b *readFixture) write(content string, elem ...string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.path(elem...)), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(b.path(elem...), []byte(content), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// threadPath is where a file of a thread stands.
func (b *readFixture) threadPath(folder, name string, elem ...string) string {
	return b.path(append([]string{folder, atsf.DirName, atsf.ThreadsName, name}, elem...)...)
}

// begun is the time of the threads that tests make.
var begun = time.Date(2026, 2, 20, 9, 0, 0, 0, time.UTC).UnixMilli()

// meta gives a thread.json, updated some seconds after begun.
func (b *readFixture) meta(id, title string, seconds int) string {
	b.t.Helper()
	data, err := atsf.BuildThread(atsf.Thread{
		ID: id, Title: title, Created: atsf.At(begun), Updated: atsf.At(begun + int64(seconds)*1000),
		Agent: atsf.Agent{ID: "agent", Name: "Agent"}, Context: atsf.Context{WorkingDir: "/home/dev/shop"},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

// thread makes a thread with lines.
func (b *readFixture) thread(folder, name string, seconds int, lines ...string) {
	b.t.Helper()
	b.write(b.meta(name, "About "+name, seconds), folder, atsf.DirName, atsf.ThreadsName, name, atsf.ThreadName)
	b.log(folder, name, lines...)
}

func (b *readFixture) log(folder, name string, lines ...string) {
	b.t.Helper()
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(l + "\n")
	}
	b.write(text.String(), folder, atsf.DirName, atsf.ThreadsName, name, atsf.MessagesName)
}

// appendTo adds text to a log as another program would.
func (b *readFixture) appendTo(folder, name, text string) {
	b.t.Helper()
	f, err := os.OpenFile(b.threadPath(folder, name, atsf.MessagesName), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		err = errorsJoin(err, f.Close())
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

func errorsJoin(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// said is a line of a log.
func said(id, text string) string {
	return fmt.Sprintf(`{"id":%q,"role":"user","timestamp":"2026-02-20T09:00:00.000Z","content":[{"type":"text","text":%q}]}`, id, text)
}

func manySaid(n int) (lines []string) {
	for i := range n {
		lines = append(lines, said(fmt.Sprintf("m%d", i), strings.Repeat("word ", i%7)))
	}
	return lines
}

// one returns the first entry of the page that a query asks for, with a limit of 1.
func one(t *testing.T, d *Dir, name string, q Query) (Entry, error) {
	t.Helper()
	q.Limit = 1
	page, err := d.Page(t.Context(), name, q)
	if err != nil {
		return Entry{}, err
	}
	return page.Entries[0], nil
}

// open opens a folder of the fx.
func (b *readFixture) open(folder string) *Dir {
	b.t.Helper()
	d, err := Open(b.path(folder))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { d.Close() })
	return d
}

// scan looks at workspace folders of the fx.
func (b *readFixture) scan(folders ...string) *Snapshot {
	b.t.Helper()
	s, err := Scan(b.t.Context(), b.config(folders...))
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

func (b *readFixture) config(folders ...string) Config {
	cfg := Config{StateDir: b.state}
	for _, f := range folders {
		cfg.Folders = append(cfg.Folders, b.path(f))
	}
	return cfg
}

// places describes the folders of a snapshot: path, branch, and what is special.
func (b *readFixture) places(s *Snapshot) (list []string) {
	for _, f := range s.Folders {
		rel, err := filepath.Rel(b.dir, f.Path)
		if err != nil {
			b.t.Fatal(err)
		}
		text := filepath.ToSlash(rel)
		for _, w := range []struct {
			on   bool
			word string
		}{
			{f.Branch != "", "@" + f.Branch},
			{f.Main, " main"},
			{f.Git, " git"},
			{f.Agent, " agent"},
			{f.Gone, " gone"},
			{f.Err != nil, " fault"},
			{f.Threads > 0, fmt.Sprintf(" %d", f.Threads)},
		} {
			if w.on {
				text += w.word
			}
		}
		list = append(list, text)
	}
	return list
}

// names gives the items of a snapshot as folder/name.
func (b *readFixture) names(s *Snapshot) (list []string) {
	for _, item := range s.Items {
		f, ok := s.Folder(item.Folder)
		if !ok {
			b.t.Errorf("%s stands in no folder", item.Name)
		}
		text := filepath.Base(f.Path) + "/" + item.Name
		if item.Gone {
			text += " gone"
		}
		list = append(list, text)
	}
	return list
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}

// page1 gives the id of a thread's last message.
func page1(t *testing.T, s *Snapshot, item *Item) string {
	t.Helper()
	page, err := s.Page(t.Context(), Key{item.Folder, item.Name}, Query{Limit: 1})
	if err != nil || len(page.Entries) != 1 {
		t.Fatalf("%s: %v", item.Name, err)
	}
	return page.Entries[0].Message.ID
}

// files gives the content of all files of a directory.
func (b *readFixture) files(dir string) map[string]string {
	b.t.Helper()
	files := make(map[string]string)
	fsys := os.DirFS(b.path(filepath.FromSlash(dir)))
	err := fs.WalkDir(fsys, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, path)
		files[path] = string(data)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return files
}

// private holds that nobody else may read what is kept.
func (b *readFixture) private(dir string) {
	b.t.Helper()
	if runtime.GOOS == "windows" {
		return
	}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			b.t.Errorf("%s has mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/secrets"
	"github.com/signalbox-dev/signalbox/core/session"
)

const kept = "home/.local/state/signalbox/" + memoryName

// old makes a file of which a change shows in its time.
func (b *fixture) old(path string) {
	b.t.Helper()
	then := time.Now().Add(-time.Hour)
	b.ok(os.Chtimes(b.path(path), then, then))
}

// remembers is a fixture with the sessions of a project, one more than are worth writing down,
// which a process has looked at.
func remembers(t *testing.T, prompt string) *fixture {
	t.Helper()
	b := newFixture(t)
	for n := range memoryWorth + 1 {
		b.write(meta(n, b.path("p"))+says(0, prompt), rollout(n))
		b.old(rollout(n))
	}
	b.scan("p")
	return b
}

// rewrite gives a transcript other bytes of the same length, and leaves no trace of it.
func (b *fixture) rewrite(path, from, to string) {
	b.t.Helper()
	info, err := os.Stat(b.path(path))
	b.ok(err)
	data, err := os.ReadFile(b.path(path))
	b.ok(err)
	if len(from) != len(to) || !bytes.Contains(data, []byte(from)) {
		b.t.Fatalf("%q cannot be put in the place of %q", to, from)
	}
	b.ok(os.WriteFile(b.path(path), bytes.ReplaceAll(data, []byte(from), []byte(to)), 0o600))
	b.ok(os.Chtimes(b.path(path), info.ModTime(), info.ModTime()))
}

// prompts returns the different titles that a scan lists.
func (b *fixture) prompts(folders ...string) []string {
	b.t.Helper()
	return slices.Compact(b.listed(b.scan(folders...)))
}

func (b *fixture) lists(when string, folder string, want ...string) {
	b.t.Helper()
	if diff := cmp.Diff(want, b.prompts(folder)); diff != "" {
		b.t.Errorf("%s: %s", when, diff)
	}
}

// TestRemembered looks at what changed since another process looked, and at nothing else.
func TestRemembered(t *testing.T) {
	b := remembers(t, "first")
	whole := b.scan("p")
	b.rewrite(rollout(3), "first", "other")
	b.lists("nothing shows that it changed", "p", "p: first")
	ignore := cmp.Options{cmp.AllowUnexported(Snapshot{}), cmp.Comparer(func(a, b *session.Format) bool { return a.Client == b.Client })}
	if diff := cmp.Diff(whole.Items, b.scan("p").Items, ignore); diff != "" {
		t.Errorf("what is remembered is not what was found: %s", diff)
	}
	b.add(says(1, "more"), rollout(3))
	b.lists("it is longer", "p", "p: first", "p: other")
	b.rewrite(rollout(4), "first", "again")
	b.ok(os.Chtimes(b.path(rollout(4)), time.Time{}, time.Now().Add(-time.Minute)))
	b.lists("it has another time", "p", "p: again", "p: first", "p: other")
	b.ok(os.Remove(b.path(rollout(5))))
	if n := len(b.scan("p").Items); n != memoryWorth {
		t.Errorf("with one removed there are %d", n)
	}
}

// TestRememberedPrivately holds that the file is the person's, and has no keys in it.
func TestRememberedPrivately(t *testing.T) {
	key := "sk-" + "ant-" + strings.Repeat("a1B2", 8)
	b := remembers(t, "use "+key+" now")
	data, err := os.ReadFile(b.path(kept))
	b.ok(err)
	if bytes.Contains(data, []byte(key[:12])) || !bytes.Contains(data, []byte("use "+secrets.Masked+" now")) {
		t.Errorf("it holds %s", data)
	}
	info, err := os.Stat(b.path(kept))
	b.ok(err)
	if got := info.Mode().Perm(); got != 0o600 && filepath.Separator == '/' {
		t.Errorf("its mode is %o", got)
	}
	b.ok(Forget(b.config("p").Env))
	if _, err := os.Stat(b.path(kept)); !os.IsNotExist(err) {
		t.Errorf("it was not forgotten: %v", err)
	}
	b.ok(Forget(b.config("p").Env))
}

// TestRememberedFew writes no file for what is looked at in no time.
func TestRememberedFew(t *testing.T) {
	b := newFixture(t)
	for n := range memoryWorth - 1 {
		b.write(meta(n, b.path("p"))+says(0, "one"), rollout(n))
		b.old(rollout(n))
	}
	b.write(meta(99, b.path("p"))+says(0, "just now"), rollout(99)) // its time may not show the next change
	b.scan("p")
	if _, err := os.Stat(b.path(kept)); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
}

// TestRememberedBadly looks at everything where the file is none, and then writes one.
func TestRememberedBadly(t *testing.T) {
	for name, spoil := range map[string]func(path string, data []byte) error{
		"nothing": func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o600) },
		"garbage": func(path string, _ []byte) error { return os.WriteFile(path, []byte("\x00{\n[1]\n"), 0o600) },
		"another version": func(path string, data []byte) error {
			return os.WriteFile(path, append([]byte(`{"transcripts":0}`), data[len(memoryHead):]...), 0o600)
		},
		"half a file": func(path string, data []byte) error { return os.WriteFile(path, data[:len(memoryHead)+40], 0o600) },
		"broken lines": func(path string, data []byte) error {
			return os.WriteFile(path, bytes.ReplaceAll(data, []byte("\n{\"path"), []byte("\n{\"path\":7,")), 0o600)
		},
		"too long": func(path string, _ []byte) error { return os.Truncate(path, memoryBytes+1) },
		"a folder": func(path string, _ []byte) error {
			return errorOf(os.Remove(path), os.Mkdir(path, 0o700))
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := remembers(t, "first")
			data, err := os.ReadFile(b.path(kept))
			b.ok(err)
			b.ok(spoil(b.path(kept), data))
			for n := range memoryWorth + 1 {
				b.rewrite(rollout(n), "first", "other")
			}
			b.lists("spoilt", "p", "p: other")
			b.lists("once more", "p", "p: other")
			b.rewrite(rollout(1), "other", "third")
			b.lists("remembered again", "p", "p: other")
		})
	}
}

func errorOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestRememberedElsewhere keeps what a process in one repository found while processes in
// others look at the same files.
func TestRememberedElsewhere(t *testing.T) {
	b := remembers(t, "first")
	b.repo("q")
	for n := range 2 * memoryWorth {
		b.write(meta(100+n, b.path("q"))+says(0, "in q"), rollout(100+n))
		b.old(rollout(100 + n))
	}
	b.lists("another repository", "q", "q: in q")
	b.rewrite(rollout(1), "first", "other")
	b.rewrite(rollout(101), "in q", "i∙q"[:4])
	b.lists("the first", "p", "p: first")
	b.lists("the second", "q", "q: in q")
	b.add(turn(9, b.path("q")), rollout(2))
	b.old(rollout(2))
	b.lists("it goes on in the other", "q", "q: first", "q: in q")
}

// TestRememberedBeside looks at a transcript again if what stands beside it changed.
func TestRememberedBeside(t *testing.T) {
	b := newFixture(t)
	place := func(n int) string { return fmt.Sprintf("home/.copilot/session-state/%s/", id(n)) }
	for n := range memoryWorth {
		start := fmt.Sprintf(`{"type":"session.start","id":"e","timestamp":%q,"data":{"sessionId":%q,"context":{"cwd":%q}}}`, at(0), id(n), b.path("p"))
		b.write(start+"\n", place(n)+"events.jsonl")
		b.write("name: old\n", place(n)+"workspace.yaml")
		b.old(place(n) + "events.jsonl")
		b.old(place(n) + "workspace.yaml")
	}
	b.lists("before", "p", "p: old")
	b.write("name: new\n", place(1)+"workspace.yaml")
	b.lists("after", "p", "p: new", "p: old")
}

// TestRememberedAtOnce has many processes look and write at the same time.
func TestRememberedAtOnce(t *testing.T) {
	b := remembers(t, "first")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			b.ok(Forget(b.config("p").Env))
			for range 3 {
				if n := len(b.scan("p").Items); n != memoryWorth+1 {
					t.Errorf("%d sessions", n)
				}
			}
		})
	}
	all.Wait()
	b.scan("p")
	b.rewrite(rollout(1), "first", "other")
	b.lists("after all", "p", "p: first")
}

// TestRememberedLive remembers also where the sessions are followed, and when the worktrees
// change.
func TestRememberedLive(t *testing.T) {
	b := newFixture(t)
	b.repo("r")
	for n := range memoryWorth {
		b.write(meta(n, b.path("r"))+says(0, "first"), rollout(n))
		b.old(rollout(n))
	}
	b.follow("r")
	b.rewrite(rollout(1), "first", "other")
	b.lists("a scan", "r", "r: first")
	l := b.follow("r")
	b.git("r", "worktree", "add", "-q", "-b", "x", b.path("x"))
	if list := slices.Compact(l.listed(l.sync())); !slices.Equal(list, []string{"r: first"}) {
		t.Errorf("with a new worktree: %q", list)
	}
}

// TestMemoryVersion reminds whoever changes what lists say of transcripts that files of
// earlier versions say something else.
func TestMemoryVersion(t *testing.T) {
	const digest = "cecb5e3871cf81c2"
	b := newFixture(t)
	root := filepath.FromSlash("../../core/session")
	for _, f := range Formats() {
		from := filepath.Join(root, f.Client, "testdata")
		err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || filepath.Ext(path) == ".txt" || strings.Contains(path, "fuzz") {
				return err
			}
			rel, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			_, rel, _ = strings.Cut(filepath.ToSlash(rel), "/") // the version
			_, rel, _ = strings.Cut(rel, "/")                   // the last folder of its place
			data, err := os.ReadFile(path)
			if err == nil && rel != "" {
				b.write(strings.ReplaceAll(string(data), "/home/dev/shop", b.path("p")), "home/"+f.Place.Homes[0]+"/"+f.Place.Below[0]+"/"+rel)
			}
			return err
		})
		b.ok(err)
	}
	var all bytes.Buffer
	items := b.scan("p").Items
	for _, it := range items {
		line, err := json.Marshal([]any{it.Format.Client, it.Name, it.Agent, it.Facts})
		b.ok(err)
		all.Write(bytes.ReplaceAll(line, []byte(b.dir), nil))
		all.WriteByte('\n')
	}
	if len(items) < 20 {
		t.Errorf("there are %d sessions", len(items))
	}
	sum := sha256.Sum256(all.Bytes())
	if got := hex.EncodeToString(sum[:8]); got != digest {
		t.Errorf("lists say something else of the fixtures. If it is not for other fixtures, raise the number in memoryHead. Then write %q here; they say\n%s", got, all.String())
	}
}

// FuzzMemos reads any file without a panic, and holds that what is written is read again.
func FuzzMemos(f *testing.F) {
	f.Add([]byte(memoryHead + "\n" + `{"path":"/a","Size":1,"Mtime":2,"Inode":3,"folders":["/p"],"sessions":[{"facts":{"ID":"x"}}]}` + "\n"))
	f.Add([]byte(memoryHead + "\n{\n"))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list := memos(data)
		if diff := cmp.Diff(len(list), len(memos(text(list, nil)))); diff != "" {
			t.Error(diff)
		}
	})
}

package ask_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/agents/ask"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/filelock"
)

// request is for the use of a tool.
func request(input string) ask.Request {
	return ask.Request{
		Client: "claude", Session: "s1", Alias: "coder", Kind: ask.Permission, Tool: "Bash", Input: json.RawMessage(input),
		Rules: []ask.Rule{{Text: "allow Bash(touch:*) for this session", Raw: json.RawMessage(`{"type":"addRules"}`)}},
		Since: 1000, Until: 2000,
	}
}

const touch = `{"command":"touch made <x>"}`

func put(t *testing.T, f ask.Folder, r ask.Request) *ask.Waiting {
	t.Helper()
	w, err := f.Put(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func allow(w *ask.Waiting) ask.Answer {
	return ask.Answer{ID: w.ID, Hash: w.Hash, Allow: true, By: "dev", Where: "terminal", At: 1500}
}

// ended is a process that has ended.
func ended(t *testing.T) activity.Process {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return activity.Process{PID: cmd.Process.Pid, Start: "1"}
}

// TestAnswered answers a request twice: the program gets the first answer, and the second is late.
func TestAnswered(t *testing.T) {
	state := t.TempDir()
	f := ask.At(state)
	w := put(t, f, request(touch))
	list, errs := f.List()
	if len(list) != 1 || len(errs) > 0 || string(list[0].Input) != touch || list[0].Hash != w.Hash {
		t.Fatalf("%+v, %v", list, errs)
	}
	yes := allow(w)
	yes.Rules = []int{0}
	if err := f.Answer(t.Context(), yes); err != nil {
		t.Fatal(err)
	}
	no := allow(w)
	no.Allow, no.By, no.Where = false, "eve", "editor"
	first := func(when string) {
		t.Helper()
		late, ok := errors.AsType[*ask.AnsweredError](f.Answer(t.Context(), no))
		if !ok || late.By != "dev" || late.Where != "terminal" || !late.Allow {
			t.Errorf("%s: %+v", when, late)
		}
	}
	first("before the program has it")
	if list, _ := f.List(); len(list) != 0 {
		t.Errorf("it is still listed: %+v", list)
	}
	if a, ok := w.Wait(t.Context()); !ok || !cmp.Equal(a, yes) {
		t.Errorf("%+v, %v", a, ok)
	}
	first("after the program has it")
	if now := f.Look(); len(now.List) > 0 || len(now.Passing) != 1 || now.Passing[0].ID != w.ID {
		t.Errorf("while it is told the program: %+v", now)
	}
	w.Done(t.Context())
	first("later")
	log, err := f.Log(t.Context(), 10)
	if err != nil || len(log) != 1 || string(log[0].Request.Input) != touch || !cmp.Equal(log[0].Answer, yes) {
		t.Errorf("%+v, %v", log, err)
	}
	left, _ := filepath.Glob(filepath.Join(state, "requests", w.ID+"*"))
	if len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if runtime.GOOS != "windows" {
		for _, name := range []string{"requests", "answers.jsonl"} {
			if info, err := os.Stat(filepath.Join(state, name)); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %v, %v", name, info.Mode(), err)
			}
		}
	}
}

// TestWait ends without an answer, and withdraws the request.
func TestWait(t *testing.T) {
	gone := ended(t)
	for name, end := range map[string]func(f ask.Folder, w *ask.Waiting, cancel func()) error{
		"time over": func(_ ask.Folder, _ *ask.Waiting, cancel func()) error { cancel(); return nil },
		"program gone": func(_ ask.Folder, w *ask.Waiting, _ func()) error {
			w.Program = gone
			return nil
		},
		"dialog closed": func(_ ask.Folder, w *ask.Waiting, _ func()) error {
			w.Closed = func() bool { return true }
			return nil
		},
		"tool used": func(f ask.Folder, _ *ask.Waiting, _ func()) error {
			return f.Over(t.Context(), "claude", "s1", func(*ask.Request) bool { return true })
		},
		"folder gone": func(f ask.Folder, _ *ask.Waiting, _ func()) error { return os.RemoveAll(f.Path) },
	} {
		t.Run(name, func(t *testing.T) {
			f := ask.At(t.TempDir())
			w := put(t, f, request(touch))
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if err := end(f, w, cancel); err != nil {
				t.Fatal(err)
			}
			if a, ok := w.Wait(ctx); ok {
				t.Errorf("answered: %+v", a)
			}
			if err := f.Answer(t.Context(), allow(w)); !errors.Is(err, ask.ErrOver) {
				t.Error(err)
			}
			if log, err := f.Log(t.Context(), 1); len(log) > 0 || err != nil {
				t.Errorf("%+v, %v", log, err)
			}
		})
	}
}

// TestOver leaves requests of other sessions, and those that something else ends.
func TestOver(t *testing.T) {
	f := ask.At(t.TempDir())
	put(t, f, request(touch))
	put(t, f, request(`{"command":"rm x"}`))
	other := request(touch)
	other.Session = "s2"
	put(t, f, other)
	if err := f.Over(t.Context(), "claude", "s1", func(r *ask.Request) bool { return r.Sum == ask.Sum([]byte(" "+touch)) }); err != nil {
		t.Fatal(err)
	}
	list, _ := f.List()
	if len(list) != 2 || list[0].Session == list[1].Session {
		t.Errorf("%+v", list)
	}
}

// TestTwice: a client that is set up for the user and for the project runs two hooks.
func TestTwice(t *testing.T) {
	f := ask.At(t.TempDir())
	put(t, f, request(touch))
	if _, err := f.Put(t.Context(), request(touch)); !errors.Is(err, ask.ErrTwice) {
		t.Error(err)
	}
	later := request(touch)
	later.Since += 5000
	put(t, f, later)
}

// TestAtOnce has many doors answer one request at once: one answer counts, and is one line of
// the log. Many requests wait meanwhile.
func TestAtOnce(t *testing.T) {
	f := ask.At(t.TempDir())
	const waiting, doors = 50, 4
	var all sync.WaitGroup
	for i := range waiting {
		r := request(fmt.Sprintf(`{"command":"%d"}`, i))
		w := put(t, f, r)
		won := make([]error, doors)
		var at sync.WaitGroup
		for d := range doors {
			at.Go(func() {
				a := allow(w)
				a.Where = fmt.Sprint(d)
				won[d] = f.Answer(t.Context(), a)
			})
		}
		all.Go(func() {
			a, ok := w.Wait(t.Context())
			at.Wait()
			for d, err := range won {
				if first := ok && a.Where == fmt.Sprint(d); first != (err == nil) {
					t.Errorf("door %d of %d: %v, and %q won", d, i, err, a.Where)
				}
			}
		})
	}
	all.Wait()
	if log, err := f.Log(t.Context(), waiting*doors); len(log) != waiting || err != nil {
		t.Errorf("%d answers, %v", len(log), err)
	}
}

// TestAnsweredBehindLock has others hold the folder's lock while an answer is there: it reaches the
// program.
func TestAnsweredBehindLock(t *testing.T) {
	f := ask.At(t.TempDir())
	w := put(t, f, request(touch))
	if err := f.Answer(t.Context(), allow(w)); err != nil {
		t.Fatal(err)
	}
	root, err := disk.OpenRoot(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	lock, err := filelock.Take(t.Context(), root, ".lock", disk.PrivateFile)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if a, ok := w.Wait(t.Context()); !ok || !a.Allow {
		t.Errorf("%+v, %v", a, ok)
	}
}

// TestRefused accepts no file that somebody else could have made or changed, and none that differs
// from what was asked.
func TestRefused(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, path string) (fault string){
		"changed": func(t *testing.T, path string) string {
			rewrite(t, path, "touch", "rm -rf")
			return "was changed after it was asked"
		},
		"of another version": func(t *testing.T, path string) string {
			rewrite(t, path, `"kind":"permission"`, `"kind":"permission","new":1`)
			rewrite(t, path, `"hash":"`, `"hash":"0`)
			return "or is of another version"
		},
		"of another name": func(t *testing.T, path string) string {
			mustDo(t, os.Rename(path, strings.Replace(path, filepath.Base(path)[9:17], "aaaaaaaa", 1)))
			return "is of another request"
		},
		"no JSON": func(t *testing.T, path string) string {
			mustDo(t, os.WriteFile(path, []byte("{"), 0o600))
			return "unexpected end"
		},
		"too long": func(t *testing.T, path string) string {
			mustDo(t, os.WriteFile(path, make([]byte, 5<<20), 0o600))
			return "is longer than"
		},
		"folder": func(t *testing.T, path string) string {
			mustDo(t, errors.Join(os.Remove(path), os.Mkdir(path, 0o700)))
			return "is a directory"
		},
	} {
		t.Run(name, func(t *testing.T) { refused(t, spoil) })
	}
}

func refused(t *testing.T, spoil func(t *testing.T, path string) string) {
	t.Helper()
	f := ask.At(t.TempDir())
	w := put(t, f, request(touch))
	fault := spoil(t, filepath.Join(f.Path, w.ID+".json"))
	list, errs := f.List()
	if len(list) != 0 || len(errs) != 1 || !strings.Contains(errs[0].Error(), fault) {
		t.Errorf("%+v, %v", list, errs)
	}
	if err := f.Answer(t.Context(), allow(w)); err == nil {
		t.Error("it was answered")
	}
	if a, ok := w.Wait(cancelled(t)); ok {
		t.Errorf("it was answered: %+v", a)
	}
}

func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

func rewrite(t *testing.T, path, from, to string) {
	t.Helper()
	data, err := os.ReadFile(path)
	mustDo(t, err)
	mustDo(t, os.WriteFile(path, []byte(strings.Replace(string(data), from, to, 1)), 0o600))
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestForged: an answer's file counts only if it fits the request, whoever wrote it.
func TestForged(t *testing.T) {
	for name, forge := range map[string]func(a *ask.Answer){
		"another hash":    func(a *ask.Answer) { a.Hash = "x" },
		"too long":        func(a *ask.Answer) { a.By = strings.Repeat("x", 3<<20) },
		"another request": func(a *ask.Answer) { a.ID = "00000000-aaaaaaaa" },
		"no such rule":    func(a *ask.Answer) { a.Rules = []int{1} },
		"a yes to a form": func(a *ask.Answer) { a.Answers = [][]string{{"x"}} },
	} {
		t.Run(name, func(t *testing.T) {
			f := ask.At(t.TempDir())
			w := put(t, f, request(touch))
			a := allow(w)
			forge(&a)
			data, err := json.Marshal(a)
			mustDo(t, err)
			mustDo(t, os.WriteFile(filepath.Join(f.Path, w.ID+".answer"), data, 0o600))
			if a, ok := w.Wait(t.Context()); ok {
				t.Errorf("it counts: %+v", a)
			}
		})
	}
}

// TestDead does not list what a killed process left, also where another one has its number by now,
// and removes it with the next request.
func TestDead(t *testing.T) {
	self := activity.Self()
	for name, spoil := range map[string]func(t *testing.T, path string){
		"ended": func(t *testing.T, path string) {
			rewrite(t, path, fmt.Sprintf(`"pid":%d`, self.PID), fmt.Sprintf(`"pid":%d`, ended(t).PID))
		},
		"its number is another's": func(t *testing.T, path string) {
			rewrite(t, path, fmt.Sprintf(`"start":%q`, self.Start), `"start":"7"`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := ask.At(t.TempDir())
			w := put(t, f, request(touch))
			path := filepath.Join(f.Path, w.ID+".json")
			spoil(t, path)
			if list, errs := f.List(); len(list)+len(errs) > 0 {
				t.Errorf("%+v, %v", list, errs)
			}
			if err := f.Answer(t.Context(), allow(w)); !errors.Is(err, ask.ErrOver) {
				t.Error(err)
			}
			put(t, f, request(`{"command":"other"}`))
			if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("it is still there: %v", err)
			}
		})
	}
}

// TestLeft: what a power cut or an earlier version left is named, and removed days later.
func TestLeft(t *testing.T) {
	f := ask.At(t.TempDir())
	put(t, f, request(touch))
	path := filepath.Join(f.Path, "00000000-aaaaaaaa.json")
	mustDo(t, os.WriteFile(path, []byte("{"), 0o600))
	changed := time.UnixMilli(1e12)
	mustDo(t, os.Chtimes(path, changed, changed))
	for days, want := range []int{1, 1, 1, 0} {
		r := request(fmt.Sprintf(`{"command":"%d"}`, days))
		r.Since = changed.Add(time.Duration(days)*24*time.Hour).UnixMilli() - 1
		w, err := f.Put(t.Context(), r)
		mustDo(t, err)
		w.Wait(cancelled(t))
		if _, errs := f.List(); len(errs) != want {
			t.Errorf("after %d days: %v", days, errs)
		}
	}
}

// TestAnsweredAsItEnds: whatever ends a request while it is answered, the door is told that the
// answer counts if and only if the program gets it.
func TestAnsweredAsItEnds(t *testing.T) {
	f := ask.At(t.TempDir())
	counted := 0
	for i := range 60 {
		w := put(t, f, request(fmt.Sprintf(`{"command":"%d"}`, i)))
		ctx, cancel := context.WithCancel(t.Context())
		var at sync.WaitGroup
		at.Go(func() {
			if i%2 == 0 {
				cancel()
			} else if err := f.Over(t.Context(), "claude", "s1", func(*ask.Request) bool { return true }); err != nil {
				t.Error(err)
			}
		})
		answer := make(chan error, 1)
		at.Go(func() { answer <- f.Answer(t.Context(), allow(w)) })
		_, ok := w.Wait(ctx)
		at.Wait()
		err := <-answer
		if ok != (err == nil) || err != nil && !errors.Is(err, ask.ErrOver) {
			t.Errorf("%d: the program has it: %v; the door: %v", i, ok, err)
		}
		if ok {
			counted++
		}
		cancel()
	}
	if log, err := f.Log(t.Context(), 100); len(log) != counted || err != nil {
		t.Errorf("%d in the log of %d, %v", len(log), counted, err)
	}
}

// failing is a disk on which each change after some fails, or one alone.
type failing struct {
	after int
	with  error
	once  bool
}

func (d *failing) Do(_ *disk.Change, do func() error) error {
	if d.after--; d.after == -1 || d.after < 0 && !d.once {
		return d.with
	}
	return do()
}

// TestNoRoom fills the disk, or makes it read-only, before each change in turn: nothing waits then,
// and nothing is answered without a line of the log, or with one without an answer.
func TestNoRoom(t *testing.T) {
	for _, full := range []error{syscall.ENOSPC, syscall.EROFS} {
		t.Run(full.Error(), func(t *testing.T) {
			for after, done := 0, false; !done; after++ {
				f := ask.At(t.TempDir())
				f.Disk.Layer = &failing{after, full, false}
				_, err := f.Put(t.Context(), request(touch))
				done = err == nil
				if list, _ := f.List(); len(list) > 0 != done || !done && !errors.Is(err, full) {
					t.Errorf("%d: %+v, %v", after, list, err)
				}
			}
			for _, once := range []bool{false, true} {
				for after := range 20 { // more than an answer makes
					f := ask.At(t.TempDir())
					w := put(t, f, request(touch))
					f.Disk.Layer = &failing{after, full, once}
					err := f.Answer(t.Context(), allow(w))
					f.Disk.Layer = nil
					_, done := w.Wait(cancelled(t))
					log, _ := f.Log(t.Context(), 100)
					if done != (err == nil) || done && len(log) == 0 || !done && (!errors.Is(err, full) || once && len(log) > 0) {
						t.Errorf("%d: %v, %v, %+v", after, done, err, log)
					}
				}
			}
		})
	}
}

// TestSlow: a disk on which another one's change takes long is waited for no longer than the caller
// says.
func TestSlow(t *testing.T) {
	f := ask.At(t.TempDir())
	w := put(t, f, request(touch))
	root, err := disk.OpenRoot(f.Path)
	mustDo(t, err)
	defer root.Close()
	lock, err := filelock.Take(t.Context(), root, ".lock", disk.PrivateFile)
	mustDo(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := f.Answer(ctx, allow(w)); !errors.Is(err, filelock.ErrLocked) {
		t.Error(err)
	}
	if _, err := f.Put(ctx, request(`{}`)); !errors.Is(err, filelock.ErrLocked) {
		t.Error(err)
	}
	lock.Release()
	if list, errs := f.List(); len(list) != 1 || len(errs) > 0 {
		t.Errorf("%+v, %v", list, errs)
	}
	mustDo(t, f.Answer(t.Context(), allow(w)))
}

// TestMany holds the limits, and takes any clock.
func TestMany(t *testing.T) {
	f := ask.At(t.TempDir())
	long := request(`"` + strings.Repeat("x", ask.MaxInput) + `"`)
	w := put(t, f, long)
	if w.Input != nil || w.Long != int64(len(long.Input)) {
		t.Errorf("%d bytes, %d", len(w.Input), w.Long)
	}
	if err := f.Answer(t.Context(), allow(w)); err == nil || !strings.Contains(err.Error(), "too long to be shown whole") {
		t.Error(err)
	}
	no := allow(w)
	no.Allow = false
	mustDo(t, f.Answer(t.Context(), no))
	w.Wait(t.Context())
	w.Done(t.Context())
	// Whatever lies there counts, so that nobody reads more than the limit.
	for i := range ask.MaxRequests - 2 {
		mustDo(t, os.WriteFile(filepath.Join(f.Path, fmt.Sprintf("%08x-aaaaaaaa.json", i)), nil, 0o600))
	}
	future := request(touch)
	future.Since = 1e15
	put(t, f, future)
	put(t, f, request(`{"command":"the last"}`))
	if _, err := f.Put(t.Context(), request(`{}`)); err == nil || !strings.Contains(err.Error(), "no more are taken") {
		t.Error(err)
	}
	if list, errs := f.List(); len(list) != 2 || len(errs) != ask.MaxRequests-2 {
		t.Errorf("%d, %d", len(list), len(errs))
	}
}

// TestTogether reads no more than a limit of many long ones, and says so.
func TestTogether(t *testing.T) {
	f := ask.At(t.TempDir())
	put(t, f, request(touch))
	for i := range 40 {
		name := filepath.Join(f.Path, fmt.Sprintf("00000000-aaaaaa%c%c.json", 'a'+i%26, 'a'+i/26))
		mustDo(t, os.WriteFile(name, nil, 0o600))
		mustDo(t, os.Truncate(name, 3<<20))
	}
	list, errs := f.List()
	if len(list) != 0 || len(errs) == 0 || len(errs) > 22 || !strings.Contains(errs[len(errs)-1].Error(), "holds more than 67108864 bytes") {
		t.Errorf("%d, %d: %v", len(list), len(errs), errs[len(errs)-1])
	}
}

// TestPut takes no request that cannot be answered, and leaves nothing where it cannot write.
func TestPut(t *testing.T) {
	for name, spoil := range map[string]func(r *ask.Request){
		"no tool":         func(r *ask.Request) { r.Tool = "" },
		"no kind":         func(r *ask.Request) { r.Kind = "x" },
		"no JSON":         func(r *ask.Request) { r.Input = json.RawMessage("{") },
		"no question":     func(r *ask.Request) { r.Kind = ask.Question },
		"too many rules":  func(r *ask.Request) { r.Rules = make([]ask.Rule, 101) },
		"too long a plan": func(r *ask.Request) { r.Plan = strings.Repeat("x", 5<<20) },
	} {
		t.Run(name, func(t *testing.T) {
			f := ask.At(t.TempDir())
			r := request(touch)
			spoil(&r)
			if _, err := f.Put(t.Context(), r); err == nil {
				t.Error("it waits")
			}
		})
	}
	file := filepath.Join(t.TempDir(), "file")
	mustDo(t, os.WriteFile(file, nil, 0o600))
	if _, err := ask.At(file).Put(t.Context(), request(touch)); err == nil {
		t.Error("it waits in a file")
	}
}

// TestLongAnswer gives no answer that the program's hook would not read.
func TestLongAnswer(t *testing.T) {
	f := ask.At(t.TempDir())
	r := request(`{}`)
	r.Kind, r.Rules = ask.Question, nil
	r.Questions = []ask.Asked{{Text: "Which?", Multiple: true}}
	w := put(t, f, r)
	a := allow(w)
	a.Answers = [][]string{slices.Repeat([]string{strings.Repeat("x", ask.MaxReason)}, 40)}
	if err := f.Answer(t.Context(), a); err == nil || !strings.Contains(err.Error(), "the answer is longer than") {
		t.Error(err)
	}
	if log, err := f.Log(t.Context(), 1); len(log) > 0 || err != nil {
		t.Errorf("%d, %v", len(log), err)
	}
}

// TestWants names a file from the agent's folder, and changes nothing of a command.
func TestWants(t *testing.T) {
	for _, c := range []struct{ tool, input, want string }{
		{"Edit", `{"file_path":"/w/a.go","new_string":"x"}`, "permission: Edit a.go"},
		{"Edit", `{"file_path":"/v/a.go"}`, "permission: Edit /v/a.go"},
		{"Bash", `{"command":"rm -rf /w/"}`, "permission: rm -rf /w/"},
		{"Bash", `{"command":"ls /w/a"}`, "permission: ls /w/a"},
		{"Bash", `{"command":"/bin/bash -lc 'touch made'"}`, "permission: touch made"},
		{"Bash", `{"command":"/usr/bin/zsh -lc ls"}`, "permission: ls"},
		{"Bash", `{"command":"/bin/bash -lc 'a '\\''b'"}`, `permission: /bin/bash -lc 'a '\''b'`},
		{"Bash", `{"command":"/bin/bash -lc 'a' 'b"}`, `permission: /bin/bash -lc 'a' 'b`},
		{"Bash", `{"command":"/bin/bash -lc "}`, "permission: /bin/bash -lc"},
		{"Bash", `{"command":"./bash -lc 'ls'"}`, "permission: ./bash -lc 'ls'"},
	} {
		r := ask.Request{Tool: c.tool, Input: json.RawMessage(c.input), Folder: "/w"}
		if got := r.Wants(); got != c.want && runtime.GOOS != "windows" {
			t.Errorf("%s %s: %q, want %q", c.tool, c.input, got, c.want)
		}
	}
}

// TestFits says which answers each kind takes.
func TestFits(t *testing.T) {
	use := request(touch)
	form := ask.Request{Kind: ask.Question, Questions: []ask.Asked{
		{Text: "Which?", Options: []ask.Option{{Label: "MIT"}, {Label: "BSD"}}},
		{Text: "Where?", Options: []ask.Option{{Label: "here"}, {Label: "there"}}, Multiple: true, Closed: true},
	}}
	plan := ask.Request{Kind: ask.Plan, Modes: []string{"acceptEdits"}}
	deny := ask.Request{Kind: ask.Permission, Client: "gemini", DenyOnly: true}
	long := ask.Request{Kind: ask.Permission, Long: 1}
	for _, c := range []struct {
		name  string
		to    *ask.Request
		a     ask.Answer
		fault string
	}{
		{"yes", &use, ask.Answer{Allow: true}, ""},
		{"yes from now on", &use, ask.Answer{Allow: true, Rules: []int{0}}, ""},
		{"another rule", &use, ask.Answer{Allow: true, Rules: []int{-1}}, "no such rule"},
		{"no", &use, ask.Answer{Reason: "use make"}, ""},
		{"no from now on", &use, ask.Answer{Rules: []int{0}}, "nothing else"},
		{"yes with a reason", &use, ask.Answer{Allow: true, Reason: "x"}, "goes with a no"},
		{"long reason", &use, ask.Answer{Reason: strings.Repeat("x", ask.MaxReason+1)}, "longer than"},
		{"answers", &use, ask.Answer{Allow: true, Answers: [][]string{{"x"}}}, "0 questions"},
		{"form", &form, ask.Answer{Allow: true, Answers: [][]string{{"none of these"}, {"here", "there"}}}, ""},
		{"form without answers", &form, ask.Answer{Allow: true}, "2 questions"},
		{"half a form", &form, ask.Answer{Allow: true, Answers: [][]string{{"MIT"}, {}}}, "question 2"},
		{"two of one", &form, ask.Answer{Allow: true, Answers: [][]string{{"MIT", "BSD"}, {"here"}}}, "question 1"},
		{"none of a closed one", &form, ask.Answer{Allow: true, Answers: [][]string{{"MIT"}, {"elsewhere"}}}, `"elsewhere"`},
		{"plan", &plan, ask.Answer{Allow: true, Mode: "acceptEdits"}, ""},
		{"plan in another mode", &plan, ask.Answer{Allow: true, Mode: "bypassPermissions"}, "no way"},
		{"only no", &deny, ask.Answer{Allow: true}, "only a no"},
		{"long", &long, ask.Answer{Allow: true}, "too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.to.Fits(&c.a); (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%v, want %q", err, c.fault)
			}
		})
	}
}

// TestLog skips lines that are not answers, and loses no answer after a torn line.
func TestLog(t *testing.T) {
	state := t.TempDir()
	f := ask.At(state)
	mustDo(t, os.WriteFile(filepath.Join(state, "answers.jsonl"), []byte("{}\nx\n{\"torn"), 0o600))
	w := put(t, f, request(touch))
	mustDo(t, f.Answer(t.Context(), allow(w)))
	if log, err := f.Log(t.Context(), 10); len(log) != 1 || err != nil || log[0].Answer.ID != w.ID {
		t.Errorf("%+v, %v", log, err)
	}
	// The answer of a door that was killed before the program had it is not the one that counts.
	no := allow(w)
	no.Allow = false
	line, err := json.Marshal(ask.Entry{Request: w.Request, Answer: no})
	mustDo(t, err)
	data, err := os.ReadFile(filepath.Join(state, "answers.jsonl"))
	mustDo(t, err)
	mustDo(t, os.WriteFile(filepath.Join(state, "answers.jsonl"), append(append(line, '\n'), data...), 0o600))
	if late, ok := errors.AsType[*ask.AnsweredError](f.Answer(t.Context(), allow(w))); !ok || !late.Allow {
		t.Errorf("%+v", late)
	}
	// Where nothing can be written down, nothing is answered.
	w = put(t, f, request(`{}`))
	mustDo(t, os.Remove(filepath.Join(state, "answers.jsonl")))
	mustDo(t, os.Mkdir(filepath.Join(state, "answers.jsonl"), 0o700))
	if err := f.Answer(t.Context(), allow(w)); err == nil {
		t.Error("answered without a line in the log")
	}
	if a, ok := w.Wait(cancelled(t)); ok {
		t.Errorf("answered: %+v", a)
	}
}

package activity_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/lsp/agents/activity"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

const now = int64(1_795_000_000_000)

func record(t *testing.T, f activity.Folder, client, id string, change func(*activity.Session) bool) {
	t.Helper()
	if err := f.Change(t.Context(), client, id, change); err != nil {
		t.Fatal(err)
	}
}

// TestChange stores sessions, including those whose ids cannot be the names of files.
func TestChange(t *testing.T) {
	f := activity.At(t.TempDir())
	for _, id := range []string{"0f3c", "../../etc/passwd", "a/b", strings.Repeat("x", 4000), "CON", "a.b", "\x00\n"} {
		record(t, f, "claude", id, func(s *activity.Session) bool {
			s.Alias, s.Folder, s.Also, s.Project, s.Mail = "coder", "/work", "main", "/work", "/mail"
			s.Become(activity.Working, "", now)
			return true
		})
		s, err := f.Read("claude", id)
		want := activity.Session{Client: "claude", ID: id, Alias: "coder", Also: "main", Project: "/work", Mail: "/mail", Folder: "/work", State: activity.Working, Since: now, Heard: now}
		if diff := cmp.Diff(want, s); diff != "" || err != nil {
			t.Errorf("%q: %v %s", id, err, diff)
		}
	}
	all, err := filepath.Glob(filepath.Join(filepath.Dir(f.Path), "*"))
	if err != nil || len(all) != 1 {
		t.Errorf("files outside of the folder: %q, %v", all, err)
	}
}

// TestBecome keeps the beginning of a state that goes on.
func TestBecome(t *testing.T) {
	var s activity.Session
	s.Become(activity.Waiting, "Bash", 1)
	s.Become(activity.Waiting, "Bash", 2)
	if s.Since != 1 || s.Heard != 2 {
		t.Errorf("since %d, heard %d", s.Since, s.Heard)
	}
	s.Become(activity.Waiting, "Edit", 3)
	if s.Since != 3 {
		t.Errorf("since %d", s.Since)
	}
}

// TestList reads all files, reports invalid ones, and removes old ones.
func TestList(t *testing.T) {
	f := activity.At(t.TempDir())
	if list, errs := f.List(now); list != nil || errs != nil {
		t.Fatal(list, errs)
	}
	for id, state := range map[string]activity.State{"a": activity.Ended, "b": activity.Idle, "c": activity.Working} {
		record(t, f, "codex", id, func(s *activity.Session) bool { s.Become(state, "", now); return true })
	}
	record(t, f, "codex", "old", func(s *activity.Session) bool {
		s.Become(activity.Working, "", now-activity.Silent.Milliseconds()-1)
		return true
	})
	for name, text := range map[string]string{
		"codex-x1.json": "{", "codex-x2.json": `{"client":"codex","session":"x2","state":"dancing"}`,
		"codex-x3.json": `{"state":"idle"}`, "notes.txt": "",
	} {
		if err := os.WriteFile(filepath.Join(f.Path, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, errs := f.List(now)
	var got []string
	for _, s := range list {
		got = append(got, s.ID+" "+string(s.State))
	}
	if diff := cmp.Diff([]string{"b idle", "c working", "a ended"}, got); diff != "" {
		t.Error(diff)
	}
	if len(errs) != 3 {
		t.Errorf("errors: %v", errs)
	}
	for _, err := range errs {
		if !strings.Contains(err.Error(), "is no session") {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(f.Path, "codex-old.json")); !os.IsNotExist(err) {
		t.Error("a session of yesterday is kept")
	}
	if _, err := os.Stat(filepath.Join(f.Path, "codex-x1.json")); err != nil {
		t.Error("a file that is no session was removed")
	}
}

// TestForgottenUnderLock keeps the file of a silent session while a hook records that it
// goes on, although a list that is made at this moment finds it silent.
func TestForgottenUnderLock(t *testing.T) {
	f := activity.At(t.TempDir())
	old := now - activity.Silent.Milliseconds() - 1
	record(t, f, "codex", "a", func(s *activity.Session) bool { s.Become(activity.Idle, "", old); return true })
	record(t, f, "codex", "a", func(s *activity.Session) bool {
		if list, errs := f.List(now); list != nil || errs != nil {
			t.Errorf("listed %v %v", list, errs)
		}
		if _, err := os.Stat(filepath.Join(f.Path, "codex-a.json")); err != nil {
			t.Error("it was removed under the hook's hands:", err)
		}
		s.Notified = []string{"alice:1"}
		s.Become(activity.Working, "", now)
		return true
	})
	if list, errs := f.List(now); len(list) != 1 || errs != nil {
		t.Errorf("listed %v %v", list, errs)
	}
	record(t, f, "codex", "a", func(s *activity.Session) bool { s.Become(activity.Idle, "", old); return true })
	if list, _ := f.List(now); list != nil {
		t.Errorf("listed %v", list)
	}
	if left, err := os.ReadDir(f.Path); len(left) != 0 || err != nil {
		t.Errorf("left are %v %v", left, err)
	}
}

// TestBrokenFile renames an invalid file, and sets Lost.
func TestBrokenFile(t *testing.T) {
	f := activity.At(t.TempDir())
	record(t, f, "claude", "a", func(s *activity.Session) bool { s.Become(activity.Idle, "", now); return true })
	path := filepath.Join(f.Path, "claude-a.json")
	if err := os.WriteFile(path, []byte("half a fi"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := f.Read("claude", "a"); err == nil || s.ID != "a" || s.State != "" {
		t.Errorf("read as %+v, %v", s, err)
	}
	record(t, f, "claude", "a", func(s *activity.Session) bool { s.Become(activity.Working, "", now); return true })
	if s, err := f.Read("claude", "a"); err != nil || !s.Lost || s.State != activity.Working {
		t.Errorf("it became %+v, %v", s, err)
	}
	if data, _ := os.ReadFile(path + ".bad"); string(data) != "half a fi" {
		t.Errorf("what was there is %q", data)
	}
	if _, errs := f.List(now); len(errs) > 0 {
		t.Error(errs)
	}
}

// TestChangeThen: an effect comes after its record, and one that fails takes it back.
func TestChangeThen(t *testing.T) {
	f := activity.At(t.TempDir())
	failed := errors.New("failed")
	notify := func(key string, then error) error {
		return f.ChangeThen(t.Context(), "claude", "a", func(s *activity.Session) bool {
			s.Notified = append(s.Notified[:0], key)
			s.Become(activity.Idle, "", now)
			return true
		}, func() error {
			if s, err := f.Read("claude", "a"); err != nil || len(s.Notified) != 1 || s.Notified[0] != key {
				t.Errorf("at the effect the record is %q, %v", s.Notified, err)
			}
			return then
		})
	}
	for _, c := range []struct {
		key  string
		then error
		want string
	}{{"x", failed, "[]"}, {"a", nil, "[a]"}, {"b", failed, "[a]"}, {"b", nil, "[b]"}} {
		err := notify(c.key, c.then)
		if s, bad := f.Read("claude", "a"); !errors.Is(err, c.then) || fmt.Sprint(s.Notified) != c.want || bad != nil {
			t.Errorf("%q %v: %v, %v, %v", c.key, c.then, s.Notified, err, bad)
		}
	}
	f.Disk.Layer = full{}
	if err := notify("c", nil); !errors.Is(err, syscall.ENOSPC) {
		t.Error(err)
	}
}

// full is a disk on which nothing can be written.
type full struct{}

func (full) Do(c *disk.Change, do func() error) error {
	if c.Op == disk.OpWrite {
		return syscall.ENOSPC
	}
	return do()
}

// TestPowerCut begins a new session if a power cut destroyed the file: hooks do not sync.
func TestPowerCut(t *testing.T) {
	f := activity.At(t.TempDir())
	for _, left := range []string{"", "\x00\x00\x00"} {
		record(t, f, "gemini", "a", func(s *activity.Session) bool { s.Become(activity.Idle, "", now); return true })
		if err := os.WriteFile(filepath.Join(f.Path, "gemini-a.json"), []byte(left), 0o600); err != nil {
			t.Fatal(err)
		}
		record(t, f, "gemini", "a", func(s *activity.Session) bool { s.Become(activity.Working, "", now); return true })
		if s, err := f.Read("gemini", "a"); err != nil || s.State != activity.Working {
			t.Errorf("%q: %+v, %v", left, s, err)
		}
		if err := os.WriteFile(filepath.Join(f.Path, "gemini-a.json"), []byte(left), 0o600); err != nil {
			t.Fatal(err)
		}
		if list, errs := f.List(now); len(list)+len(errs) > 0 {
			t.Errorf("%q: listed as %+v, %v", left, list, errs)
		}
	}
}

// TestManyHooks loses nothing of hooks that run at once.
func TestManyHooks(t *testing.T) {
	f := activity.At(t.TempDir())
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			err := f.Change(t.Context(), "gemini", "a", func(s *activity.Session) bool {
				s.Notified = append(s.Notified, fmt.Sprint(i))
				s.Become(activity.Working, "", now)
				return true
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s, err := f.Read("gemini", "a"); err != nil || len(s.Notified) != 20 {
		t.Errorf("%d of 20, %v", len(s.Notified), err)
	}
}

// TestLimits keeps no more than the named limits.
func TestLimits(t *testing.T) {
	f := activity.At(t.TempDir())
	record(t, f, "claude", "a", func(s *activity.Session) bool {
		for i := range 3000 {
			s.Notified = append(s.Notified, fmt.Sprint(i))
		}
		s.For = strings.Repeat("ü", 5000)
		for i := range 20 {
			s.Tools = append(s.Tools, activity.Tool{Name: strings.Repeat("n", 5000), Input: strings.Repeat(" ", 4090+i), Since: int64(i)})
		}
		s.Become(activity.Working, s.For, now)
		return true
	})
	s, err := f.Read("claude", "a")
	if err != nil || len(s.Notified) != 2000 || s.Notified[1999] != "2999" || len(s.For) > 4096 {
		t.Errorf("%d keys, %d bytes, %v", len(s.Notified), len(s.For), err)
	}
	if n := len(s.Tools); n != 16 || s.Tools[n-1].Since != 19 || len(s.Tools[0].Name) != 4096 || len(s.Tools[0].Input) != 4094 || s.Tools[n-1].Input != "" {
		t.Errorf("tools: %+v", s.Tools)
	}
}

// TestProcess ends a session whose program has ended, also where its number is used again.
func TestProcess(t *testing.T) {
	if os.Getenv("SESSION_TEST_SLEEP") != "" {
		fmt.Printf("%+v\n", activity.Caller())
		time.Sleep(time.Minute)
		return
	}
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		t.Log("processes are not looked at on this system")
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestProcess$")
	cmd.Env = append(os.Environ(), "SESSION_TEST_SLEEP=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("{PID:%d ", os.Getpid()); !strings.HasPrefix(line, want) {
		t.Errorf("the caller is %q, and should begin with %q", line, want)
	}
	s := activity.Session{State: activity.Idle, Heard: now, Process: activity.Process{PID: cmd.Process.Pid}}
	if got := s.Now(now); got != activity.Idle {
		t.Errorf("while it runs: %s", got)
	}
	other := s
	other.Process.Start = "of another process"
	if got := other.Now(now); got != activity.Ended {
		t.Errorf("with another start: %s", got)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if got := s.Now(now); got != activity.Ended {
		t.Errorf("after its end: %s", got)
	}
}

// TestAncestors returns what runs the test, nearest first.
func TestAncestors(t *testing.T) {
	list := activity.Ancestors(1)
	if len(list) != 1 || list[0].PID != os.Getppid() || list[0].Name == "" {
		t.Errorf("%+v", list)
	}
}

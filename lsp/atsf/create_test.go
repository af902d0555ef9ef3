package atsf

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// TestCreateDir makes what is missing, overwrites nothing, and may be called by
// many at once: ATSF G1 K1 X2.
func TestCreateDir(t *testing.T) {
	config, err := atsf.BuildConfig(ours)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name           string
		ignore, config string // there before
	}{
		{name: "G1/nothing there"},
		{name: "G1/an ignore file of another tool", ignore: "threads/\n"},
		{name: "K1/a config of another tool", config: `{"specVersion":"1.0"}`},
		{name: "K1/a broken config", config: `{`, ignore: "# mine"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newReadFixture(t)
			b.mkdir("p")
			if c.ignore != "" {
				b.write(c.ignore, "p", atsf.DirName, atsf.IgnoreName)
			}
			if c.config != "" {
				b.write(c.config, "p", atsf.DirName, atsf.ConfigName)
			}
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					d, err := CreateDir(b.path("p"), ours)
					if err != nil {
						t.Errorf("X2: %v", err)
						return
					}
					d.Close()
				})
			}
			wg.Wait()
			for name, want := range map[string][2]string{
				atsf.IgnoreName: {c.ignore, atsf.Gitignore},
				atsf.ConfigName: {c.config, string(config)},
			} {
				expect := want[1]
				if want[0] != "" {
					expect = want[0]
				}
				got, err := os.ReadFile(b.path("p", atsf.DirName, name))
				if err != nil || string(got) != expect {
					t.Errorf("%s holds %q, want %q (%v)", name, got, expect, err)
				}
			}
			if entries, err := os.ReadDir(b.path("p", atsf.DirName)); err != nil || len(entries) != 2 {
				t.Errorf("left behind: %v %v", entries, err)
			}
		})
	}
}

// TestCreateDirRefused never writes through a link: ATSF L1.
func TestCreateDirRefused(t *testing.T) {
	b := newReadFixture(t)
	b.mkdir("elsewhere")
	b.mkdir("p")
	if err := os.Symlink(b.path("elsewhere"), b.path("p", atsf.DirName)); err != nil {
		t.Fatal(err)
	}
	if d, err := CreateDir(b.path("p"), ours); err == nil {
		d.Close()
		t.Error("L1: a link in place of .agent was followed")
	}
	d := b.made("q")
	if err := os.Symlink(b.path("elsewhere"), b.path("q", atsf.DirName, atsf.ThreadsName)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Create(NewThread{Title: "x", Agent: atsf.Agent{ID: "a", Name: "a"}, Context: atsf.Context{WorkingDir: "/x"}}); err == nil {
		t.Error("L1: a link in place of threads was followed")
	}
	b.mkdir("r", atsf.DirName)
	for _, name := range []string{atsf.IgnoreName, atsf.ConfigName} {
		if err := os.Symlink(b.path("elsewhere", "made"), b.path("r", atsf.DirName, name)); err != nil {
			t.Fatal(err)
		}
	}
	b.made("r")
	if entries, err := os.ReadDir(b.path("elsewhere")); err != nil || len(entries) > 0 {
		t.Errorf("L1: something was written through a link: %v", entries)
	}
	if _, err := CreateDir(b.path("nowhere"), ours); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("L1: %v", err)
	}
}

// TestCreate makes threads that hold nothing yet, by ids that can be names of
// directories: ATSF L1 L3 T1 Z7.
func TestCreate(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	if len(name) != 36 || name[14] != '4' || !atsf.ValidID(name) {
		t.Errorf("L3: %q is no UUID v4", name)
	}
	th := b.right("p", name)
	if len(th.Faults)+len(th.Notes) > 0 || th.ID != name || th.Created.Millis != begun || th.Updated.Millis != begun {
		t.Errorf("T1: %+v", th)
	}
	if diff := cmp.Diff([]string{atsf.MessagesName, atsf.ThreadName}, b.standing("p", name)); diff != "" {
		t.Errorf("L1: %s", diff)
	}
	if diff := cmp.Diff([]string{name}, b.standing("p", "")); diff != "" {
		t.Errorf("L1: %s", diff)
	}
	if runtime.GOOS != "windows" {
		for at, want := range map[string]os.FileMode{"": 0o700, atsf.ThreadName: 0o600, atsf.MessagesName: 0o600} {
			if info, err := os.Stat(b.threadPath("p", name, at)); err != nil || info.Mode().Perm() != want {
				t.Errorf("%q: %v %v", at, info.Mode(), err)
			}
		}
	}
	good := NewThread{ID: "x", Title: "x", Agent: atsf.Agent{ID: "a", Name: "a"}, Context: atsf.Context{WorkingDir: "/x"}}
	for _, c := range []struct {
		name   string
		change func(n *NewThread)
		rule   string
		is     error
	}{
		{"L3/a path", func(n *NewThread) { n.ID = "../x" }, "L3", nil},
		{"L3/hidden", func(n *NewThread) { n.ID = newPrefix + "x" }, "L3", nil},
		{"L3/device", func(n *NewThread) { n.ID = "CON" }, "L3", nil},
		{"T1/no title", func(n *NewThread) { n.Title = "" }, "T1", nil},
		{"T3/relative", func(n *NewThread) { n.Context.WorkingDir = "x" }, "T3", nil},
		{"L3/taken", func(n *NewThread) { n.ID = name }, "", ErrExists},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := good
			c.change(&n)
			if _, err := d.Create(n); err == nil || broken(err) != c.rule || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v", err)
			}
			if diff := cmp.Diff([]string{name}, b.standing("p", "")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestCreateTogether makes one thread of an id however many ask for it, and
// readers never see half of it: ATSF X2 L3.
func TestCreateTogether(t *testing.T) {
	b := newReadFixture(t)
	d := b.made("p")
	done := make(chan struct{})
	var reading, making sync.WaitGroup
	reading.Go(func() {
		for {
			items, problems, err := d.List(t.Context())
			if err != nil || len(problems) > 0 {
				t.Errorf("X2: %v %v", err, problems)
			}
			for _, item := range items {
				if item.Fault != nil || len(item.Thread.Faults) > 0 {
					t.Errorf("X2: %s is seen half: %v %v", item.Name, item.Fault, item.Thread.Faults)
				}
			}
			select {
			case <-done:
				return
			default:
			}
		}
	})
	var mu sync.Mutex
	made := map[string]int{}
	for range 8 {
		making.Go(func() {
			for i := range 10 {
				n := NewThread{ID: "thread-" + string(rune('a'+i)), Title: "x", Agent: atsf.Agent{ID: "a", Name: "a"}, Context: atsf.Context{WorkingDir: "/x"}}
				_, err := d.Create(n)
				if err == nil {
					mu.Lock()
					made[n.ID]++
					mu.Unlock()
				} else if !errors.Is(err, ErrExists) {
					t.Errorf("X2: %v", err)
				}
			}
		})
	}
	making.Wait()
	close(done)
	reading.Wait()
	if len(made) != 10 {
		t.Errorf("L3: %v", made)
	}
	for id, n := range made {
		if n != 1 {
			t.Errorf("L3: %s was made %d times", id, n)
		}
	}
	if got := b.standing("p", ""); len(got) != 10 {
		t.Errorf("X2: left behind: %q", got)
	}
}

// TestSweep removes what a killed process left of a thread, and nothing that
// may still become one.
func TestSweep(t *testing.T) {
	b := newReadFixture(t)
	_, name := b.begin("p")
	for _, dir := range []string{newPrefix + "old", newPrefix + "young", ".other"} {
		b.write("", "p", atsf.DirName, atsf.ThreadsName, dir, atsf.MessagesName)
	}
	old := time.Now().Add(-2 * abandoned)
	for _, dir := range []string{newPrefix + "old", ".other", name} {
		if err := os.Chtimes(b.threadPath("p", dir), old, old); err != nil {
			t.Fatal(err)
		}
	}
	_, second := b.begin("p")
	if diff := cmp.Diff(sorted([]string{newPrefix + "young", ".other", name, second}), b.standing("p", "")); diff != "" {
		t.Error(diff)
	}
}

// TestShared lets a group write where the directory is one that it shares.
func TestShared(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // Modes say nothing there.
	}
	b := newReadFixture(t)
	d := b.made("p")
	if err := os.Chmod(filepath.Join(d.Folder(), atsf.DirName), 0o770); err != nil {
		t.Fatal(err)
	}
	root, err := disk.OpenRoot(filepath.Join(d.Folder(), atsf.DirName))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if dir, file := root.DirMode(), root.FileMode(); dir != 0o770 || file != 0o660 {
		t.Errorf("%v %v", dir, file)
	}
}

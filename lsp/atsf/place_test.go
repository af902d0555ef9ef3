package atsf

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
)

// TestOpenThread opens a thread by its path, also where it stands in no .agent,
// and writes to it there: ATSF L1 L2.
func TestOpenThread(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "t-1", 0, said("m-1", "x"))
	b.thread("q", "t-2", 0, said("m-1", "x"))
	if err := os.Rename(b.path("q", atsf.DirName), b.path("q", "copied")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(b.path("loose", "t-3"), os.DirFS(b.threadPath("p", "t-1"))); err != nil {
		t.Fatal(err)
	}
	for at, folder := range map[string]string{
		b.threadPath("p", "t-1"):                            b.path("p"),
		b.path("q", "copied", atsf.ThreadsName, "t-2"):      b.path("q"),
		b.path("loose", "t-3"):                              b.path("loose"),
		b.path("loose", "t-3") + string(filepath.Separator): b.path("loose"),
	} {
		d, name, err := OpenThread(at)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		if d.Folder() != folder || name != filepath.Base(at) {
			t.Errorf("L1: %s is %s in %s", at, name, d.Folder())
		}
		if err := d.Append(t.Context(), name, words("", atsf.RoleUser, "more", 1)); err != nil {
			t.Error(err)
		}
		if page, err := d.Page(t.Context(), name, Query{}); err != nil || len(page.Entries) < 2 || page.Item.Thread.Stats.Messages != int64(len(page.Entries)) {
			t.Errorf("L1: %+v %v", page, err)
		}
	}
	b.mkdir("p", "empty")
	b.write("", "p", "file")
	if err := os.Symlink(b.threadPath("p", "t-1"), b.path("p", "link")); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{b.path("p", "empty"), b.path("p", "file"), b.path("p", "link"), b.path("p", "nothing"), b.path("nowhere", "x")} {
		if d, _, err := OpenThread(at); err == nil {
			d.Close()
			t.Errorf("L1: %s was opened", at)
		}
	}
}

// TestCheckPath finds out what a path leads to, and what is wrong there, under
// paths that begin there: ATSF L1.
func TestCheckPath(t *testing.T) {
	b := newReadFixture(t)
	b.foreign("p")
	b.project("main", "clean")
	b.write("{", "p", atsf.DirName, atsf.ConfigName)
	for _, c := range []struct {
		name, path string
		want       []string // of the findings that a path begins and a rule
	}{
		{"L1/a clean project", b.path("clean"), nil},
		{"L1/a clean .agent", b.path("clean", atsf.DirName), nil},
		{"L1/a project", b.path("p"), []string{".agent/config.json K1", ".agent/threads/major-2/thread.json V2", ".agent/threads/asset-escape/messages.jsonl L4"}},
		{"L1/an .agent", b.path("p", atsf.DirName), []string{"config.json K1", "threads/major-2/thread.json V2", "threads/asset-escape/messages.jsonl L4"}},
		{"L1/threads", b.path("p", atsf.DirName, atsf.ThreadsName), []string{"major-2/thread.json V2", "asset-escape/messages.jsonl L4"}},
		{"L1/one thread", b.threadPath("p", "asset-escape"), []string{"messages.jsonl L4"}},
		{"L1/one refused", b.threadPath("p", "major-2"), []string{"thread.json V2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := make(map[string]bool)
			violations := 0
			err := Check(t.Context(), c.path, func(f Finding) {
				found[f.Path+" "+f.Rule] = true
				if f.Violation {
					violations++
				}
				if _, err := os.Stat(filepath.Join(c.path, f.Path)); err != nil && f.Rule != "G1" {
					t.Errorf("L1: %v", err)
				}
			})
			if err != nil || (violations == 0) != (len(c.want) == 0) {
				t.Errorf("%v %v", found, err)
			}
			for _, want := range c.want {
				if !found[want] {
					t.Errorf("L1: %q is missing in %v", want, found)
				}
			}
		})
	}
	b.mkdir("empty", "folder")
	b.write("", "file")
	for _, path := range []string{"empty", "nowhere", "file"} {
		if err := Check(t.Context(), b.path(path), func(Finding) {}); err == nil {
			t.Errorf("L1: %s was found in order", path)
		}
	}
	if err := Check(t.Context(), b.path("empty"), func(Finding) {}); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// TestCopyLog copies lines as they are, readable or not, and no half one: ATSF
// X4 M5.
func TestCopyLog(t *testing.T) {
	b := newReadFixture(t)
	b.foreign("p")
	b.thread("p", "mixed", 0, said("m-1", "x"), "\xff not a line", "")
	b.appendTo("p", "mixed", `{"id":`)
	b.write(b.meta("bare", "No log", 0), "p", atsf.DirName, atsf.ThreadsName, "bare", atsf.ThreadName)
	d := b.open("p")
	whole := b.read("p", "mixed", atsf.MessagesName)
	lines := whole[:strings.LastIndexByte(whole, '\n')+1]
	for from, want := range map[int64]string{0: lines, 5: lines[5:], int64(len(lines)): "", int64(len(whole)): ""} {
		var out strings.Builder
		torn, err := d.CopyLog(t.Context(), "mixed", from, &out)
		if diff := cmp.Diff(want, out.String()); diff != "" || err != nil || !torn {
			t.Errorf("M5: from %d: %v %v %s", from, torn, err, diff)
		}
	}
	var out strings.Builder
	if torn, err := d.CopyLog(t.Context(), "bare", 0, &out); torn || err != nil || out.Len() > 0 {
		t.Errorf("%v %v", torn, err)
	}
	if _, err := d.CopyLog(t.Context(), "major-2", 0, &out); broken(err) != "V2" || out.Len() > 0 {
		t.Errorf("V2: %v", err)
	}
}

// TestConfig reads the project's config.json: ATSF K1.
func TestConfig(t *testing.T) {
	b := newReadFixture(t)
	b.project("worktree", "p")
	if c, err := b.open("p").Config(); err != nil || c.CreatedBy == nil || c.CreatedBy.Name != "AgentManager" {
		t.Errorf("K1: %+v %v", c, err)
	}
	b.write("[]", "p", atsf.DirName, atsf.ConfigName)
	if _, err := b.open("p").Config(); broken(err) != "K1" {
		t.Errorf("K1: %v", err)
	}
	b.mkdir("q", atsf.DirName)
	if c, err := b.open("q").Config(); err != nil || c.Raw != nil {
		t.Errorf("K1: %v", err)
	}
}

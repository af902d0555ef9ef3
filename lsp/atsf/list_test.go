package atsf

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// foreign puts the foreign fixtures into a folder as threads.
func (b *readFixture) foreign(folder string) {
	b.t.Helper()
	from := filepath.Join("..", "..", "testdata", "atsf", "foreign")
	if err := os.CopyFS(b.path(folder, atsf.DirName, atsf.ThreadsName), os.DirFS(from)); err != nil {
		b.t.Fatal(err)
	}
}

// project puts one of the fixtures main and worktree into a folder.
func (b *readFixture) project(fixture, folder string) {
	b.t.Helper()
	b.mkdir(folder)
	from := filepath.Join("..", "..", "testdata", "atsf", fixture, "dot-agent")
	if err := os.CopyFS(b.path(folder, atsf.DirName), os.DirFS(from)); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Rename(b.path(folder, atsf.DirName, "dot-gitignore"), b.path(folder, atsf.DirName, atsf.IgnoreName)); err != nil && fixture == "worktree" {
		b.t.Fatal(err)
	}
}

// TestListForeign lists what other applications wrote. ATSF L1 V2
func TestListForeign(t *testing.T) {
	b := newReadFixture(t)
	b.foreign("p")
	items, problems, err := b.open("p").List(t.Context())
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	var got []string
	for _, item := range items {
		text := item.Name + ": " + item.Thread.Title
		if item.Fault != nil {
			text = item.Name + " fault " + item.Fault.Error()
		}
		if item.Thread.Raw != nil || item.Thread.Metadata != nil {
			t.Errorf("%s keeps the whole file", item.Name)
		}
		got = append(got, text)
	}
	slices.Sort(got)
	if len(got) != 5 || !slices.ContainsFunc(got, func(s string) bool {
		return strings.HasPrefix(s, "major-2 fault ") && strings.Contains(s, `"2.0"`) && strings.Contains(s, "V2")
	}) {
		t.Errorf("%q", got)
	}
}

// TestListFaults lists threads that are not as they should be, by the names of
// their directories. ATSF L1 L2 L3
func TestListFaults(t *testing.T) {
	b := newReadFixture(t)
	at := func(name, file string) []string {
		return []string{"p", atsf.DirName, atsf.ThreadsName, name, file}
	}
	b.thread("p", "good", 1, said("m1", "x"))
	b.write("{", at("broken", atsf.ThreadName)...)
	b.log("p", "broken", said("m1", "still here"))
	b.log("p", "no-meta", said("m1", "x"))
	b.write(b.meta("another-id", "Odd", 2), at("odd", atsf.ThreadName)...)
	b.write("", at("empty", "notes.txt")...)
	b.write("x", "p", atsf.DirName, atsf.ThreadsName, "a-file")
	b.write(b.meta("x", "In the making", 1), at(".new-thread", atsf.ThreadName)...)
	b.write("", at("huge", atsf.ThreadName)...)
	if err := os.Truncate(b.threadPath("p", "huge", atsf.ThreadName), 1<<30); err != nil {
		t.Fatal(err)
	}
	b.write(b.meta("outside", "Outside", 1), "outside", atsf.ThreadName)
	b.mkdir("p", atsf.DirName, atsf.ThreadsName, "linked-file")
	for link, to := range map[string]string{"linked": b.path("outside"), "linked-file/" + atsf.ThreadName: b.path("outside", atsf.ThreadName)} {
		if err := os.Symlink(to, b.threadPath("p", link)); err != nil {
			t.Fatal(err)
		}
	}
	d := b.open("p")
	items, problems, err := d.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"good": "", "odd": "", "broken": "T1", "no-meta": "not found", "huge": "bytes long", "linked-file": "symbolic link",
	}
	for _, item := range items {
		fault, ok := want[item.Name]
		delete(want, item.Name)
		if !ok || (fault == "") != (item.Fault == nil) || !strings.Contains(text(item.Fault), fault) {
			t.Errorf("%s: %v", item.Name, item.Fault)
		}
		if (item.Odd != nil) != (item.Name == "odd") {
			t.Errorf("L2: %s: %v", item.Name, item.Odd)
		}
		if item.Updated == 0 {
			t.Errorf("%s has no time to be sorted by", item.Name)
		}
		one, err := d.Item(item.Name)
		if err != nil || !sameItem(one, item) {
			t.Errorf("%s: Item gives %+v, %v", item.Name, one, err)
		}
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
	if len(problems) != 1 || !strings.HasSuffix(problems[0].Path, "/linked") || !strings.Contains(problems[0].Reason, "symbolic link") {
		t.Errorf("%+v", problems)
	}
	page, err := d.Page(t.Context(), "broken", Query{})
	if err != nil || len(page.Entries) != 1 || page.Item.Fault == nil {
		t.Errorf("the messages of a broken thread: %+v %v", page, err)
	}
	for _, name := range []string{"empty", "a-file", "missing", "..", "../threads/good", ""} {
		if item, err := d.Item(name); item != nil || err == nil {
			t.Errorf("%q is listed: %+v %v", name, item, err)
		}
	}
}

// TestListNotOpened holds that a list opens no messages.jsonl: one that cannot
// be opened at all makes no difference. ATSF T4
func TestListNotOpened(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "one", 1)
	if err := os.Remove(b.threadPath("p", "one", atsf.MessagesName)); err != nil {
		t.Fatal(err)
	}
	disktest.FIFO(t, b.threadPath("p", "one", atsf.MessagesName))
	b.mkdir("p", atsf.DirName, atsf.ThreadsName, "two")
	disktest.FIFO(t, b.threadPath("p", "two", atsf.ThreadName))
	d := b.open("p")
	items, _, err := d.List(t.Context())
	if err != nil || len(items) != 2 {
		t.Fatalf("%v %v", items, err)
	}
	for _, item := range items {
		if (item.Fault == nil) != (item.Name == "one") {
			t.Errorf("%s: %v", item.Name, item.Fault)
		}
	}
	if _, err := d.Page(t.Context(), "one", Query{}); err == nil || !strings.Contains(err.Error(), "FIFO") {
		t.Errorf("L1: a FIFO is read: %v", err)
	}
}

// TestListAgain holds that what did not change is not read again, and that what
// changed is, also in a file of the same size.
func TestListAgain(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "a", 1)
	b.thread("p", "b", 1)
	d := b.open("p")
	old, _, _, err := d.scan(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range old {
		if !r.young {
			t.Error("a file that was just written counts as settled")
		}
		r.young = false
	}
	b.write(b.meta("a", "About A", 1), "p", atsf.DirName, atsf.ThreadsName, "a", atsf.ThreadName+".tmp")
	if err := os.Rename(b.threadPath("p", "a", atsf.ThreadName+".tmp"), b.threadPath("p", "a", atsf.ThreadName)); err != nil {
		t.Fatal(err)
	}
	now, _, _, err := d.scan(t.Context(), old)
	if err != nil {
		t.Fatal(err)
	}
	if now["b"] != old["b"] {
		t.Error("b was read again")
	}
	if now["a"].item.Thread.Title != "About A" {
		t.Errorf("a: %q", now["a"].item.Thread.Title)
	}
	// Read again and found the same, the item stays the same one: nothing is
	// announced for it.
	now["a"].young = true
	again, _, _, err := d.scan(t.Context(), now)
	if err != nil || again["a"].item != now["a"].item {
		t.Errorf("a second item for the same: %v", err)
	}
}

// TestSmall holds what an item keeps of a hostile thread.json.
func TestSmall(t *testing.T) {
	long := strings.Repeat("ü", 1<<16)
	data, err := atsf.BuildThread(atsf.Thread{
		ID: "x", Title: long, Created: atsf.At(0), Agent: atsf.Agent{ID: long, Name: long}, Context: atsf.Context{WorkingDir: "/" + long},
		Metadata: []byte(`{"a":"` + long + `"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	th, err := atsf.ParseThread(data)
	if err != nil {
		t.Fatal(err)
	}
	s := small(&th)
	if n := len(s.Title) + len(s.Agent.ID) + len(s.Agent.Name) + len(s.Context.WorkingDir); n > 4096 || s.Raw != nil || s.Metadata != nil {
		t.Errorf("%d bytes are kept", n)
	}
	if !strings.HasSuffix(s.Title, "ü…") {
		t.Errorf("cut within a character: %q", s.Title[len(s.Title)-8:])
	}
	faulty, err := atsf.ParseThread([]byte(`{"specVersion":"1.1","threadId":7,"title":7,"createdAt":7,"updatedAt":7,"agent":7,"context":7,"stats":7,"metadata":7}`))
	if s := small(&faulty); err != nil || len(faulty.Faults) <= maxFindings || len(s.Faults) != maxFindings || s.Faults[0].Rule != faulty.Faults[0].Rule {
		t.Errorf("%d of %d faults are kept: %v", len(s.Faults), len(faulty.Faults), err)
	}
	if clip("abc", 3) != "abc" || clip("abcd", 3) != "abc…" || clip("aü", 2) != "a…" {
		t.Error("clip")
	}
}

// TestOpenRefuses holds what is no .agent directory. ATSF L1
func TestOpenRefuses(t *testing.T) {
	b := newReadFixture(t)
	b.write("x", "file", atsf.DirName)
	b.mkdir("linked")
	b.mkdir("elsewhere")
	if err := os.Symlink(b.path("elsewhere"), b.path("linked", atsf.DirName)); err != nil {
		t.Fatal(err)
	}
	b.mkdir("none")
	for _, name := range []string{"file", "linked"} {
		if _, err := Open(b.path(name)); err == nil || errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
		s := b.scan(name)
		if len(s.Folders) != 1 || s.Folders[0].Err == nil || len(s.Folders[0].Problems) != 1 || s.Folders[0].Problems[0].Advice == "" {
			t.Errorf("%s: %+v", name, s.Folders)
		}
	}
	if _, err := Open(b.path("none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	b.mkdir("bent", atsf.DirName)
	b.write("x", "bent", atsf.DirName, atsf.ThreadsName)
	if _, _, err := b.open("bent").List(t.Context()); err == nil || !strings.Contains(err.Error(), path.Join(atsf.DirName, atsf.ThreadsName)) {
		t.Errorf("bent: %v", err)
	}
}

// TestNewestFirst holds the order of a list.
func TestNewestFirst(t *testing.T) {
	b := newReadFixture(t)
	b.thread("p", "old", 1)
	b.thread("p", "new", 9)
	b.thread("p", "also-new", 9)
	items, _, err := b.open("p").List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, item := range items {
		got = append(got, item.Name)
	}
	if diff := cmp.Diff([]string{"new", "also-new", "old"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestListTogether lets several programs make threads without a word to each
// other while the folder is listed. ATSF X2
func TestListTogether(t *testing.T) {
	b := newReadFixture(t)
	b.mkdir("p", atsf.DirName, atsf.ThreadsName)
	d := b.open("p")
	const programs, each = 8, 20
	meta := b.meta("x", "X", 1)
	done := make(chan error)
	for i := range programs {
		go func() {
			for j := range each {
				dir := b.threadPath("p", fmt.Sprintf("t-%d-%d", i, j))
				err := os.Mkdir(dir, 0o700)
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, atsf.ThreadName), []byte(meta), 0o600)
				}
				if err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for left := programs; left > 0; {
		if _, _, err := d.List(t.Context()); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-done:
			if left--; err != nil {
				t.Fatal(err)
			}
		default:
		}
	}
	items, _, err := d.List(t.Context())
	if err != nil || len(items) != programs*each {
		t.Errorf("%d threads: %v", len(items), err)
	}
}

// TestProblemsBound holds that a folder of nothing but links has few problems.
func TestProblemsBound(t *testing.T) {
	b := newReadFixture(t)
	b.mkdir("p", atsf.DirName, atsf.ThreadsName)
	for i := range 3 * maxProblems {
		if err := os.Symlink("nowhere", b.threadPath("p", fmt.Sprint("l", i))); err != nil {
			t.Fatal(err)
		}
	}
	if _, problems, err := b.open("p").List(t.Context()); err != nil || len(problems) != maxProblems {
		t.Errorf("%d problems: %v", len(problems), err)
	}
}

package atsf

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// ours is what tests say of who writes.
var ours = atsf.CreatedBy{Name: "signalbox", Version: "1.2.3"}

// made gives the .agent of a folder, made as writers do.
func (b *readFixture) made(folder string) *Dir {
	b.t.Helper()
	b.mkdir(folder)
	d, err := CreateDir(b.path(folder), ours)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { d.Close() })
	return d
}

// begin makes a thread in a folder.
func (b *readFixture) begin(folder string) (*Dir, string) {
	b.t.Helper()
	d := b.made(folder)
	name, err := d.Create(NewThread{
		Title: "Fix the login", Created: begun,
		Agent: atsf.Agent{ID: "agent", Name: "Agent"}, Context: atsf.Context{WorkingDir: "/home/dev/shop"},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return d, name
}

// words is a message of a role at some seconds after begun.
func words(id, role, text string, seconds int) atsf.Message {
	m := atsf.Message{ID: id, Role: role, Content: []atsf.Block{{Type: atsf.TypeText, Text: text}}}
	if seconds >= 0 {
		m.Time = atsf.At(begun + int64(seconds)*1000)
	}
	return m
}

// read gives a file of a thread, or "" if there is none.
func (b *readFixture) read(folder, name string, elem ...string) string {
	b.t.Helper()
	data, err := os.ReadFile(b.threadPath(folder, name, elem...))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		b.t.Fatal(err)
	}
	return string(data)
}

// right holds that a thread's stats and updatedAt are what its messages say.
func (b *readFixture) right(folder, name string) atsf.Thread {
	b.t.Helper()
	th, err := atsf.ParseThread([]byte(b.read(folder, name, atsf.ThreadName)))
	if err != nil {
		b.t.Fatal(err)
	}
	tally, _ := atsf.Count([]byte(b.read(folder, name, atsf.MessagesName)))
	for _, m := range atsf.Compare(&th, tally) {
		b.t.Errorf("T4: %s", m.Reason)
	}
	return th
}

// standing lists what stands in a directory of a thread.
func (b *readFixture) standing(folder, name string, elem ...string) (list []string) {
	b.t.Helper()
	entries, err := os.ReadDir(b.threadPath(folder, name, elem...))
	if err != nil {
		b.t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// broken gives the rule that an error names.
func broken(err error) string {
	if f, ok := errors.AsType[*canon.Fault](err); ok {
		return f.Rule
	}
	return ""
}

// TestSwap replaces a thread.json whole, keeps its mode, and leaves no file
// behind: ATSF T6.
func TestSwap(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	at := b.threadPath("p", name, atsf.ThreadName)
	if err := os.Chmod(at, 0o640); err != nil {
		t.Fatal(err)
	}
	old, err := os.Open(at)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	// What a killed writer left.
	b.write("{", "p", atsf.DirName, atsf.ThreadsName, name, disk.TempPrefix+strings.Repeat("A", 26))
	if err := d.Append(t.Context(), name, words("", atsf.RoleUser, "x", 1)); err != nil {
		t.Fatal(err)
	}
	before := make([]byte, 4096)
	n, _ := old.Read(before)
	if !strings.Contains(string(before[:n]), `"Fix the login"`) {
		t.Errorf("T6: a reader that had opened the file sees %s", before[:n])
	}
	if info, err := os.Stat(at); err != nil || info.Mode().Perm() != 0o640 && os.PathSeparator == '/' {
		t.Errorf("T6: %v %v", info.Mode(), err)
	}
	if diff := cmp.Diff([]string{atsf.MessagesName, atsf.ThreadName}, b.standing("p", name)); diff != "" {
		t.Errorf("T6: %s", diff)
	}
}

// TestSwapForeign makes an edit again on what another program, which knows no
// lock, wrote meanwhile: ATSF T6 X4.
func TestSwapForeign(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	w, err := d.openForWriting(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer w.end()
	tries := 0
	err = w.change(func(raw []byte) ([]byte, error) {
		if tries++; tries < 3 {
			other, err := atsf.Edit(raw, atsf.Change{Path: []string{"metadata", "other"}, Value: []byte{'0' + byte(tries)}})
			if err != nil {
				return nil, err
			}
			b.write(string(other), "p", atsf.DirName, atsf.ThreadsName, name, "theirs")
			if err := os.Rename(b.threadPath("p", name, "theirs"), b.threadPath("p", name, atsf.ThreadName)); err != nil {
				return nil, err
			}
		}
		return atsf.Edit(raw, atsf.SetTitle("Ours"))
	})
	if err != nil || tries != 3 {
		t.Fatalf("%d tries: %v", tries, err)
	}
	if got := b.read("p", name, atsf.ThreadName); !strings.Contains(got, `"other": 2`) || !strings.Contains(got, `"Ours"`) {
		t.Errorf("X4: %s", got)
	}
	// One that never rests is told from a success.
	err = w.change(func(raw []byte) ([]byte, error) {
		tries++
		b.write(string(raw)+strings.Repeat(" ", tries), "p", atsf.DirName, atsf.ThreadsName, name, atsf.ThreadName)
		return atsf.Edit(raw, atsf.SetTitle("Lost"))
	})
	if err == nil || strings.Contains(b.read("p", name, atsf.ThreadName), "Lost") {
		t.Errorf("T6: %v", err)
	}
}

// TestChangeMode leaves to others what they may do with thread.json, whatever
// the umask of this process takes from new files: ATSF T6.
func TestChangeMode(t *testing.T) {
	b := newReadFixture(t)
	d, name := b.begin("p")
	at := b.threadPath("p", name, atsf.ThreadName)
	for _, mode := range []os.FileMode{0o666, 0o600} {
		if err := os.Chmod(at, mode); err != nil {
			t.Fatal(err)
		}
		if err := d.Append(t.Context(), name, words("", atsf.RoleUser, "x", 1)); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(at); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
			t.Errorf("T6: %v, it was %v: %v", info.Mode(), mode, err)
		}
	}
}

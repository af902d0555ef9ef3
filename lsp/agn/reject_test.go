package agn

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// Reject logs one message as other writers do, each under the lock.
func (d *Dir) Reject(ctx context.Context, r agn.Rejection) (logged bool, err error) {
	w, err := d.write(ctx)
	if err != nil {
		return false, err
	}
	defer w.end()
	return w.reject(r)
}

func rejection(source, digest string) agn.Rejection {
	return agn.Rejection{Millis: noon, Source: source, Digest: digest, Faults: []canon.Fault{{Rule: "D3", Reason: "x"}}}
}

// TestReject logs once for each source and digest, whoever asks: AGN E0.
func TestReject(t *testing.T) {
	k := newWriteFixture(t)
	second, err := Open(k.path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	for _, c := range []struct {
		source, digest string
		logged         bool
	}{
		{"a", "1", true},
		{"a", "1", false},
		{"a", "2", true},
		{"b", "1", true},
		{"a", "2", false},
		{"b", "1", false},
		// Two names are no longer the same when they are written one after the other.
		{"a1", "", true},
		{"a", "1\x001", true},
	} {
		for i, d := range []*Dir{k.d, second} {
			got, err := d.Reject(t.Context(), rejection(c.source, c.digest))
			if err != nil || got != (c.logged && i == 0) {
				t.Errorf("E0: %+v of %d: logged %t: %v", c, i, got, err)
			}
		}
	}
	if list := k.rejections(); len(list) != 5 {
		t.Errorf("E0: %+v", list)
	}
	before := k.has(ErrorsName)
	k.put(ErrorsName, strings.Repeat("x\n", len(before)))
	if got, err := k.d.Reject(t.Context(), rejection("a", "1")); err != nil || !got {
		t.Errorf("E0: another log in the same file: %t %v", got, err)
	}
	if err := os.Remove(k.file(ErrorsName)); err != nil {
		t.Fatal(err)
	}
	if got, err := k.d.Reject(t.Context(), rejection("a", "1")); err != nil || !got {
		t.Errorf("E0: another log: %t %v", got, err)
	}
}

// TestRejectLog appends to a log whatever stands in it, and to nothing else:
// AGN E0.
func TestRejectLog(t *testing.T) {
	line := string(agn.AppendRejection(nil, rejection("a", "1")))
	long := strings.Repeat("x", agn.MaxRejection+1) + "\n"
	for _, c := range []struct {
		name, before string
		logged       bool
		after        string
	}{
		{"nothing", "", true, line},
		{"an unfinished line", "x", true, "x\n" + line},
		{"an unfinished line of ours", strings.TrimSuffix(line, "\n"), true, strings.TrimSuffix(line, "\n") + "\n" + line},
		{"what is no line of ours", "x\n\x00\n\n", true, "x\n\x00\n\n" + line},
		{"a line that is too long", long, true, long + line},
		{"behind one", long + line, false, long + line},
		{"the same already", "x\n" + line + "y\n", false, "x\n" + line + "y\n"},
	} {
		t.Run("AGN E0 "+c.name, func(t *testing.T) {
			k := newWriteFixture(t)
			k.put(ErrorsName, c.before)
			got, err := k.d.Reject(t.Context(), rejection("a", "1"))
			if err != nil || got != c.logged || k.has(ErrorsName) != c.after {
				t.Errorf("logged %t: %v: %.200q", got, err, k.has(ErrorsName))
			}
		})
	}
	t.Run("AGN E0 a link", func(t *testing.T) {
		k := newWriteFixture(t)
		if err := os.Symlink(k.file("x"), k.file(ErrorsName)); err != nil {
			t.Fatal(err)
		}
		if _, err := k.d.Reject(t.Context(), rejection("a", "1")); err == nil {
			t.Error("written through it")
		}
		if _, err := os.Lstat(k.file("x")); err == nil {
			t.Error("the link was followed")
		}
	})
}

// TestRejectBounds keeps every line readable, whatever a message says: AGN E0.
func TestRejectBounds(t *testing.T) {
	k := newWriteFixture(t)
	huge := strings.Repeat("é\x01", 1<<20)
	for _, r := range []agn.Rejection{
		{Millis: noon, Source: huge, MsgID: huge, TaskID: huge, Digest: "1"},
		{Millis: noon, Source: "a", Digest: "2", Text: strings.Repeat(huge, 4)},
		{Millis: noon, Source: "a\xff\nb", MsgID: "\xff", Text: "\xff"},
		{Millis: noon, Source: "b"},
	} {
		if logged, err := k.d.Reject(t.Context(), r); err != nil || !logged {
			t.Errorf("%t %v", logged, err)
		}
	}
	list := k.rejections()
	if len(list) != 4 || len(list[0].MsgID) > maxName+3 || list[1].Text != "" || list[2].Text != "\uFFFD" || list[2].Digest == list[3].Digest {
		t.Errorf("%d", len(list))
	}
	if _, err := k.d.Reject(t.Context(), agn.Rejection{Millis: noon, Source: "x", Digest: "3", Faults: []canon.Fault{{}}}); err == nil {
		t.Error("a line that nobody could read")
	}
}

// syncs lists what is synced, and kills whoever syncs the error log if it should.
type syncs struct {
	list []string
	kill bool
}

func (s *syncs) Do(c *disk.Change, do func() error) error {
	name := filepath.Base(c.Path)
	switch {
	case s.kill && (c.Op == disk.OpSync || c.Op == disk.OpTruncate) && name == ErrorsName:
		return errors.New("killed")
	case c.Op == disk.OpSync || c.Op == disk.OpSyncDir:
		s.list = append(s.list, name)
	}
	return do()
}

// TestRejectLasts takes nothing for logged that a killed process wrote, before it is on
// the disk, also where the directory was open all the time: AGN E0.
func TestRejectLasts(t *testing.T) {
	k := newWriteFixture(t)
	s := &syncs{}
	on := disk.Disk{Layer: s}
	first, err := openOn(on, k.path)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	reject := func(d *Dir, digest string, want ...string) {
		t.Helper()
		s.list = nil
		_, err := d.Reject(t.Context(), rejection("a", digest))
		if (err != nil) != s.kill || !slices.Equal(s.list, want) {
			t.Errorf("%s: %q were synced, not %q: %v", digest, s.list, want, err)
		}
	}
	folder := filepath.Base(k.path)
	reject(first, "1", ErrorsName, folder)
	reject(first, "1", ErrorsName, folder)
	reject(first, "2", ErrorsName, folder)
	second, err := openOn(on, k.path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	reject(second, "2", ErrorsName, folder)
	s.kill = true
	reject(second, "3")
	s.kill = false
	reject(first, "3", ErrorsName, folder)
	reject(second, "3", ErrorsName, folder)
}

// failing opens the directory once more, where one kind of change of the error log fails.
func (k *writeFixture) failing(op disk.Op, failure error) *Dir {
	k.t.Helper()
	return k.on(func(c *disk.Change) error {
		if c.Op == op && filepath.Base(c.Path) == ErrorsName {
			return failure
		}
		return nil
	})
}

// TestRejectFull leaves no part of a line behind where the disk is full: AGN E0.
func TestRejectFull(t *testing.T) {
	for _, step := range []disk.Op{disk.OpWrite, disk.OpSync} {
		k := newWriteFixture(t)
		k.put(ErrorsName, "x\n")
		if logged, err := k.failing(step, syscall.ENOSPC).Reject(t.Context(), rejection("a", "1")); err == nil || logged {
			t.Errorf("%s: %t %v", step, logged, err)
		}
		if got := k.has(ErrorsName); got != "x\n" {
			t.Errorf("%s: %q", step, got)
		}
		if logged, err := k.d.Reject(t.Context(), rejection("a", "1")); err != nil || !logged {
			t.Errorf("%s: afterwards: %t %v", step, logged, err)
		}
	}
}

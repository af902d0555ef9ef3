package agn

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

// TestCreate makes the layout and leaves what is there.
func TestCreate(t *testing.T) {
	k := newWriteFixture(t)
	k.put("tasks/x.txt", "x")
	d, err := Create(k.path)
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	if k.has("tasks/x.txt") != "x" || !k.scan().Own {
		t.Error("E13: no layout, or another one")
	}
	if err := os.WriteFile(k.file("x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if d, err := Create(k.file("x")); err == nil {
		d.Close()
		t.Error("a file became a directory")
	}
	if d, err := Open(k.file("nothing")); !errors.Is(err, fs.ErrNotExist) {
		d.Close()
		t.Errorf("%v", err)
	}
}

// TestForeign writes into a directory that another tool keeps, and changes
// nothing of it: AGN E13.
func TestForeign(t *testing.T) {
	k := newWriteFixture(t)
	path := t.TempDir()
	data := k.dispatch(task)
	if err := os.MkdirAll(filepath.Join(path, "in", "box"), 0o700); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(path, "in", "box", "1.json")
	if err := os.WriteFile(at, data, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	k.path, k.d = path, d
	t.Cleanup(func() { d.Close() })
	m, err := agn.ParseMessage(data)
	if err != nil {
		t.Fatal(err)
	}
	k.ack(m)
	if k.scan().Own {
		t.Error("an ACK made the layout")
	}
	k.send(k.result(task)) // its dispatch is the foreign one
	want := []string{AckPath(m.ID), "in/box/1.json", "messages/" + task + "/" + agn.ID{Type: agn.TypeResult, TaskID: task, Millis: k.now}.String() + ".json", TaskPath(task)}
	if diff := cmp.Diff(want, k.standing()); diff != "" {
		t.Error(diff)
	}
	if got, err := os.ReadFile(at); err != nil || string(got) != string(data) {
		t.Errorf("changed: %v", err)
	}
}

// TestLinks writes through no link: AGN E13.
func TestLinks(t *testing.T) {
	for _, name := range []string{"messages", "messages/" + task, "acks", "tasks", lockName} {
		t.Run("AGN E13 "+name, func(t *testing.T) {
			k := newWriteFixture(t)
			inside, outside := k.file("inside"), t.TempDir()
			if err := os.Mkdir(inside, 0o700); err != nil {
				t.Fatal(err)
			}
			m := k.send(k.dispatch(other))
			for _, to := range []string{inside, outside, "inside", "../inside"} {
				if err := os.RemoveAll(k.file(name)); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(to, k.file(name)); err != nil {
					t.Fatal(err)
				}
				sent, err := k.d.Send(t.Context(), k.dispatch(task), "x", k.at())
				if (err == nil) != (name == "acks" || name == "tasks") || name == "tasks" && rulesOf(sent.Notes) != "E6" {
					t.Errorf("%s: %v %v", to, err, sent.Notes)
				}
				if _, err := k.d.Ack(t.Context(), m.ID, m.To, k.at()); name == "acks" && err == nil {
					t.Errorf("%s: acknowledged", to)
				}
				for _, dir := range []string{inside, outside} {
					if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
						t.Errorf("%s: written through the link: %v %v", to, list, err)
					}
				}
			}
		})
	}
}

// TestModes gives files to the group only where it has the directory: AGN E13.
func TestModes(t *testing.T) {
	for mode, want := range map[fs.FileMode][2]fs.FileMode{0o755: {0o700, 0o600}, 0o775: {0o770, 0o660}, 0o700: {0o700, 0o600}} {
		k := newWriteFixture(t)
		k.d.Close()
		if err := errors.Join(os.RemoveAll(k.path), os.Mkdir(k.path, 0o700), os.Chmod(k.path, mode)); err != nil {
			t.Fatal(err)
		}
		old := setUmask(0)
		d, err := Create(k.path)
		if err != nil {
			t.Fatal(err)
		}
		k.d = d
		m := k.send(k.dispatch(task))
		_, _ = k.d.Reject(t.Context(), rejection("a", "1"))
		setUmask(old)
		d.Close()
		for path, i := range map[string]int{"messages": 0, "messages/" + task: 0, MessagePath(task, m.ID): 1, TaskPath(task): 1, ErrorsName: 1} {
			info, err := os.Stat(k.file(path))
			if err != nil || modes && info.Mode().Perm() != want[i] {
				t.Errorf("%o: %s is %v, want %o (%v)", mode, path, info.Mode(), want[i], err)
			}
		}
	}
}

// TestReadOnly says why nothing is written.
func TestReadOnly(t *testing.T) {
	k := newWriteFixture(t)
	m := k.send(k.dispatch(task))
	k.d = k.on(func(c *disk.Change) error { return &fs.PathError{Op: string(c.Op), Path: "x", Err: syscall.EROFS} })
	_, err := k.d.Send(t.Context(), k.dispatch(other), "x", k.at())
	if !errors.Is(err, syscall.EROFS) {
		t.Errorf("%v", err)
	}
	if _, err := k.d.Ack(t.Context(), m.ID, m.To, k.at()); !errors.Is(err, syscall.EROFS) {
		t.Errorf("%v", err)
	}
	// What is refused is reported though it cannot be logged.
	_, err = k.d.Send(t.Context(), []byte("{}"), "x", k.at())
	if rejected(t, err); !errors.Is(err, syscall.EROFS) {
		t.Errorf("E0: %v", err)
	}
}

// TestFull stops a write at each of its steps, as a full disk does: nothing of it
// stays, or all, and what is tried again afterwards succeeds: AGN E13.
func TestFull(t *testing.T) {
	for stop := 0; ; stop++ {
		k := newWriteFixture(t)
		n, at := 0, disk.Op("")
		full, free := k.on(func(c *disk.Change) error {
			if n++; n == stop+1 {
				at = c.Op
				return syscall.ENOSPC
			}
			return nil
		}), k.d
		k.d = full
		data := k.dispatch(task)
		m, err := k.d.Send(t.Context(), data, "x", k.at())
		if at == "" {
			if err != nil || stop < 8 {
				t.Fatalf("%d steps: %v", stop, err)
			}
			return
		}
		var left []string
		for _, name := range k.standing() {
			if strings.HasPrefix(filepath.Base(name), ".") && at != disk.OpRemove {
				t.Errorf("%s: left behind: %s", at, name)
			} else if strings.HasPrefix(name, "messages/") && filepath.Base(name)[0] != '.' {
				left = append(left, name)
				if k.has(name) != string(data) {
					t.Errorf("%s: half of it", at)
				}
			}
		}
		if (err == nil) && len(left) != 1 {
			t.Errorf("%s: acknowledged, and %q", at, left)
		}
		k.d = free
		if _, err := k.d.Send(t.Context(), data, "x", k.at()); err != nil {
			t.Errorf("%s: again: %v", at, err)
		}
		k.ack(m)
		if s := k.scan(); s.Messages != 1 || len(s.Rejected) > 0 || s.Task(task).State(k.now).Phase != agn.PhaseInWork {
			t.Errorf("%s: %+v", at, s)
		}
		if r, err := agn.ParseRecord([]byte(k.has(TaskPath(task)))); err != nil || r.Phase != agn.PhaseInWork {
			t.Errorf("E6: %s: %+v", at, r)
		}
	}
}

// TestNoLinksKnown writes where the file system has no second names, and replaces
// nothing there either: AGN E13.
func TestNoLinksKnown(t *testing.T) {
	k := newWriteFixture(t)
	taken := ""
	k.d = k.on(func(c *disk.Change) error {
		if c.Op != disk.OpLink {
			return nil
		}
		if taken != "" {
			k.put(taken, "x") // another tool was quicker
		}
		return syscall.EPERM
	})
	m := k.send(k.dispatch(task))
	k.ack(m)
	data := k.result(task)
	taken = MessagePath(task, agn.ID{Type: agn.TypeResult, TaskID: task, Millis: k.now}.String())
	_, err := k.d.Send(t.Context(), data, "x", k.at())
	if r := rejected(t, err); !r.Conflict || k.has(taken) != "x" {
		t.Errorf("E1: %v", err)
	}
}

// TestSweep removes what a killed writer left an hour ago, wherever it left it,
// and nothing else.
func TestSweep(t *testing.T) {
	k := newWriteFixture(t)
	var old, stays []string
	for _, folder := range []string{"", "messages/", "messages/" + task + "/", "acks/", "resumes/", "tasks/"} {
		k.put(folder+disk.TempPrefix+"OLD", "x")
		k.put(folder+disk.TempPrefix+"NEW", "x")
		k.put(folder+".other", "x")
		old = append(old, folder+disk.TempPrefix+"OLD")
		stays = append(stays, folder+disk.TempPrefix+"NEW", folder+".other")
	}
	k.put("elsewhere/"+disk.TempPrefix+"OLD", "x") // no folder that we write to
	past := time.Now().Add(-disk.Abandoned - time.Minute)
	for _, name := range append(old, "elsewhere/"+disk.TempPrefix+"OLD", ".other") {
		if err := os.Chtimes(k.file(name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	k.send(k.dispatch(task))
	for _, name := range old {
		if _, err := os.Lstat(k.file(name)); err == nil {
			t.Errorf("%s was left", name)
		}
	}
	for _, name := range append(stays, "elsewhere/"+disk.TempPrefix+"OLD") {
		k.has(name)
	}
}

// TestReplaced writes nothing into a directory that was moved away under it.
func TestReplaced(t *testing.T) {
	k := newWriteFixture(t)
	if err := errors.Join(os.Rename(k.path, k.path+".old"), os.Mkdir(k.path, 0o700)); err != nil {
		t.Fatal(err)
	}
	if _, err := k.d.Send(t.Context(), k.dispatch(task), "x", k.at()); !errors.Is(err, disk.ErrReplaced) {
		t.Errorf("%v", err)
	}
	if err := os.RemoveAll(k.path); err != nil {
		t.Fatal(err)
	}
	if _, err := k.d.Send(t.Context(), k.dispatch(task), "x", k.at()); err == nil {
		t.Error("written to nowhere")
	}
}

// TestRaces has 16 writers do the same at once: one of them does it, and the
// others get an error: AGN E1 E12 X9 E13.
func TestRaces(t *testing.T) {
	const writers = 16
	k := newWriteFixture(t)
	dirs := make([]*Dir, writers)
	for i := range dirs {
		dirs[i] = k.d
		if i%2 == 0 {
			d, err := Open(k.path)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			dirs[i] = d
		}
	}
	all := func(do func(i int, d *Dir) error) (errs []error) {
		errs = make([]error, writers)
		var wg sync.WaitGroup
		for i, d := range dirs {
			wg.Go(func() { errs[i] = do(i, d) })
		}
		wg.Wait()
		return errs
	}
	won := func(what string, errs []error, lost func(err error) bool) {
		t.Helper()
		n := 0
		for _, err := range errs {
			switch {
			case err == nil:
				n++
			case !lost(err):
				t.Errorf("%s: %v", what, err)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d of %d succeeded", what, n, writers)
		}
	}
	text := string(k.dispatch(task))
	now := k.at()
	won("AGN E1 one id, other contents", all(func(i int, d *Dir) error {
		_, err := d.Send(t.Context(), []byte(strings.Replace(text, "well", strings.Repeat("x", i+1), 1)), "x", now)
		return err
	}), func(err error) bool { r, ok := errors.AsType[*RejectedError](err); return ok && r.Conflict })
	if n := len(k.rejections()); n != writers-1 {
		t.Errorf("AGN E1: %d of %d conflicts are kept", n, writers-1)
	}
	m := k.scan().Task(task).History.Messages[0]
	won("AGN E12 one ACK", all(func(_ int, d *Dir) error {
		_, err := d.Ack(t.Context(), m.ID, m.To, now)
		return err
	}), func(err error) bool { e, ok := errors.AsType[*ExistsError](err); return ok && e.Ack != nil })

	results := make([][]byte, writers)
	for i := range results {
		results[i] = k.result(task)
	}
	for i, err := range all(func(i int, d *Dir) error {
		_, err := d.Send(t.Context(), results[i], "x", now)
		return err
	}) {
		if err != nil {
			t.Errorf("AGN E13: %d: %v", i, err)
		}
	}
	if s := k.scan(); s.Messages != writers+1 {
		t.Errorf("AGN E13: %d messages", s.Messages)
	}
	// Any of these answers opens the lock, so that the others answer nothing:
	// each is allowed by the history before, and by it alone.
	var locks [writers]string
	for i := range locks {
		locks[i] = k.send(k.built(agn.BuildEscalation(k.head(task), agn.Coordinator, agn.Escalation{
			Kind: agn.HallucinationLock, Severity: agn.Critical, TriggeredBy: agn.Coordinator, Description: "x", Suspended: true,
			Snapshot: agn.Snapshot{TaskStatus: "locked"},
		}))).ID
	}
	won("AGN X9 one answer", all(func(i int, d *Dir) error {
		return d.Resume(t.Context(), agn.Resume{MsgID: locks[i], Action: agn.Approve, Millis: k.now})
	}), func(err error) bool { return ruleOf(err) == "X9" })
	for _, name := range k.standing() {
		if strings.HasPrefix(filepath.Base(name), ".") {
			t.Errorf("left behind: %s", name)
		}
	}
	won("AGN E0 one rejection", all(func(_ int, d *Dir) error {
		logged, err := d.Reject(t.Context(), rejection("r", "1"))
		if err == nil && !logged {
			err = fs.ErrExist
		}
		return err
	}), func(err error) bool { return errors.Is(err, fs.ErrExist) })
}

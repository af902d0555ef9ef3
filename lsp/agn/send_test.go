package agn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
)

const (
	task  = "T-2026-007"
	other = "T-2026-008"
)

// TestSendStory writes a task from its dispatch to its approval, each fact in
// its place and byte for byte: AGN E13 E6.
func TestSendStory(t *testing.T) {
	k := writeFixtureIn(t, t.TempDir()) // on whatever disk there is
	bytesOf := map[string]string{}
	send := func(data []byte) agn.Message {
		m := k.send(data)
		bytesOf[MessagePath(task, m.ID)] = string(data)
		if len(m.Faults)+len(m.Notes) > 0 {
			t.Errorf("%s: %v %v", m.ID, m.Faults, m.Notes)
		}
		return m
	}
	phase := func(want agn.Phase) {
		t.Helper()
		r, err := agn.ParseRecord([]byte(k.has(TaskPath(task))))
		if err != nil || r.Phase != want || r.Title != "Do it" || r.Repo != k.repo {
			t.Errorf("E6: %+v, want %s (%v)", r, want, err)
		}
	}
	d := send(k.dispatch(task))
	phase(agn.PhaseDispatched)
	k.ack(d)
	phase(agn.PhaseInWork)
	r := send(k.result(task))
	phase(agn.PhaseResult)
	k.ack(r)
	q := send(k.request(task, d.ID, r.ID, 0))
	k.ack(q)
	phase(agn.PhaseInReview)
	v := send(k.verdict(task, agn.Rejected))
	phase(agn.PhaseRejected)
	if got := k.scan().Task(task).State(k.now); got.Phase != agn.PhaseRejected || len(got.Waits) != 1 || got.Waits[0].MsgID != v.ID {
		t.Errorf("%+v", got)
	}
	for path, want := range bytesOf {
		if k.has(path) != want {
			t.Errorf("E13: %s is other bytes", path)
		}
	}
	if list := k.standing(); len(list) != 4+3+1 {
		t.Errorf("E13: %q", list)
	}
}

// TestSendRefused refuses what breaks a rule: all faults are logged with the
// text, and nothing else is written: AGN E0.
func TestSendRefused(t *testing.T) {
	replace := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	dispatch := func(k *writeFixture) []byte { return k.dispatch(task) }
	result := func(k *writeFixture) []byte { return k.result(task) }
	for _, c := range []struct {
		name  string
		of    func(k *writeFixture) []byte
		edit  func(string) string
		rules string
	}{
		{"E0 no JSON", dispatch, replace("{", "["), "E0"},
		{"E0 too long", dispatch, func(s string) string { return s + strings.Repeat(" ", agn.MaxMessage) }, "E0"},
		{"E2 another version", dispatch, replace("AMP/1.0", "AMP/2.0"), "E2"},
		{"E3 an unknown type", dispatch, replace(`"task_dispatch"`, `"task_x"`), "E3"},
		{"D3 the main branch", dispatch, replace(`"branch": "b"`, `"branch": "main"`), "D3"},
		{"E0 D3 D5 all faults", dispatch, func(s string) string {
			return replace(`"c"`, ``)(replace(`"branch": "b"`, `"branch": "master"`)(s))
		}, "D3 D5"},
		{"E1 a path as id", dispatch, replace(`"task_dispatch-`, `"../../task_dispatch-`), "E1"},
		{"E6 a path as task", dispatch, replace(`"task_id": "`, `"task_id": "../`), "E6"},
		{"T1 no dispatch before", result, replace("", ""), "T1"},
		{"Q6 no reference", func(k *writeFixture) []byte {
			return k.request(task, "task_dispatch-T-2026-007-1", "task_result-T-2026-007-1", 0)
		}, replace("", ""), "Q6 Q6"},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			k := newWriteFixture(t)
			text := c.edit(string(c.of(k)))
			for range 2 { // the second time it is in the log already
				_, err := k.d.Send(t.Context(), []byte(text), "from/here.json", k.at())
				r := rejected(t, err)
				if got := rulesOf(r.Findings.Faults); got != c.rules || r.Conflict || ruleOf(err) != strings.Fields(c.rules)[0] {
					t.Errorf("%s, want %s: %+v", got, c.rules, r)
				}
			}
			list := k.rejections()
			if len(list) != 1 || rulesOf(list[0].Faults) != c.rules || list[0].Source != "from/here.json" || list[0].Millis != k.now {
				t.Fatalf("E0: %+v", list)
			}
			if want := text; len(text) <= agn.MaxMessage && list[0].Text != want {
				t.Error("E0: the log keeps another text")
			}
			if diff := cmp.Diff([]string{ErrorsName}, k.standing()); diff != "" {
				t.Errorf("E0: %s", diff)
			}
			if s := k.scan(); len(s.Rejected) != 1 || s.Messages != 0 {
				t.Errorf("E0: %+v", s.Rejected)
			}
		})
	}
}

// TestSendRepository holds AGN D2: the repository of a dispatch must be there,
// unless it need not be on this machine.
func TestSendRepository(t *testing.T) {
	k := newWriteFixture(t)
	worktree := t.TempDir()
	if err := os.WriteFile(filepath.Join(worktree, ".git"), []byte("gitdir: x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	none := t.TempDir()
	elsewhere := `C:\r`
	if runtime.GOOS == "windows" {
		elsewhere = "/r"
	}
	for _, c := range []struct {
		name, repo string
		rule       string
	}{
		{"a repository", k.repo, ""},
		{"a worktree", worktree, ""},
		{"no repository", none, "D2"},
		{"nothing", filepath.Join(none, "x"), "note"},
		{"another system's path", elsewhere, "note"},
	} {
		t.Run("AGN D2 "+c.name, func(t *testing.T) {
			k.repo = c.repo
			data := k.dispatch(task)
			m, err := k.d.Send(t.Context(), data, "test", k.at())
			if c.rule != "D2" {
				if noted := rulesOf(m.Notes) == "D2"; err != nil || noted != (c.rule == "note") {
					t.Errorf("%v, %v", m.Notes, err)
				}
				return
			}
			if got := rulesOf(rejected(t, err).Findings.Faults); got != c.rule {
				t.Errorf("%s: %v", got, err)
			}
		})
	}
}

// TestSendAgain holds AGN E1: the same bytes are no second message, others a
// conflict of which both are kept, wherever the first one lies.
func TestSendAgain(t *testing.T) {
	for _, where := range []string{"in its place", "elsewhere", "under a wrong name"} {
		t.Run("AGN E1 "+where, func(t *testing.T) {
			k := newWriteFixture(t)
			first := string(k.dispatch(task))
			m := k.send([]byte(first))
			at := MessagePath(task, m.ID)
			moved := map[string]string{"elsewhere": "from/elsewhere/x.json", "under a wrong name": "messages/T-2026-001/x.json"}[where]
			if moved != "" {
				k.put(moved, first)
				if err := os.Remove(k.file(at)); err != nil {
					t.Fatal(err)
				}
				at = moved
			}
			before := k.standing()
			got := k.send([]byte(first))
			if got.ID != m.ID {
				t.Errorf("%+v", got)
			}
			if diff := cmp.Diff(before, k.standing()); diff != "" {
				t.Errorf("the same bytes: %s", diff)
			}
			second := strings.Replace(first, "well", "badly", 1)
			_, err := k.d.Send(t.Context(), []byte(second), "x", k.at())
			if r := rejected(t, err); !r.Conflict || rulesOf(r.Findings.Faults) != "E1" || r.MsgID != m.ID {
				t.Errorf("%+v", r)
			}
			if k.has(at) != first {
				t.Error("the first message was changed")
			}
			list := k.rejections()
			if len(list) != 1 || list[0].Text != second {
				t.Errorf("the second message was not kept: %+v", list)
			}
			s := k.scan()
			if s.Messages != 1 || len(s.Rejected) != 1 || !s.Rejected[0].Conflict {
				t.Errorf("%+v", s.Rejected)
			}
		})
	}
	t.Run("AGN E1 what is no message has the name", func(t *testing.T) {
		k := newWriteFixture(t)
		data := k.dispatch(task)
		m, err := agn.ParseMessage(data)
		if err != nil {
			t.Fatal(err)
		}
		for name, put := range map[string]func(){
			"a broken file": func() { k.put(MessagePath(task, m.ID), "{") },
			"a link": func() {
				if err := os.Symlink(filepath.Join(k.path, "nowhere"), k.file(MessagePath(task, m.ID))); err != nil {
					t.Fatal(err)
				}
			},
		} {
			k.put(MessagePath(task, "x"), "")
			put()
			_, err := k.d.Send(t.Context(), data, name, k.at())
			if r := rejected(t, err); !r.Conflict {
				t.Errorf("%s: %+v", name, r)
			}
			if _, err := os.Lstat(k.file("nowhere")); err == nil {
				t.Errorf("%s was followed", name)
			}
			if err := os.Remove(k.file(MessagePath(task, m.ID))); err != nil {
				t.Fatal(err)
			}
		}
		// One that was refused before and is right now is no conflict: it never
		// counted.
		bad := strings.Replace(string(data), `"branch": "b"`, `"branch": "main"`, 1)
		if _, err := k.d.Send(t.Context(), []byte(bad), "x", k.at()); err == nil {
			t.Error("D3: written")
		}
		k.send(data)
	})
}

// TestSendStandingStill holds AGN X9 and Q5: what is sent to a task that stands
// still is a fact, and its note says that it moves nothing.
func TestSendStandingStill(t *testing.T) {
	k := newWriteFixture(t)
	k.send(k.dispatch(task))
	k.send(k.escalation(task, agn.Critical))
	m := k.send(k.result(task))
	if rulesOf(m.Notes) != "X9" {
		t.Errorf("%+v", m.Notes)
	}
	// Another task's is not touched by it.
	if m := k.send(k.dispatch(other)); len(m.Notes) > 0 {
		t.Errorf("%+v", m.Notes)
	}
}

// TestSendForeignTaskFile leaves a task's file alone that is not ours, and says
// so: AGN E6.
func TestSendForeignTaskFile(t *testing.T) {
	for name, content := range map[string]string{"another tool's": `{"id": "T-2026-007", "state": "open"}`, "a later version": `{"format": "signalbox-task/2"}`, "no JSON": "x", "empty": ""} {
		t.Run("AGN E6 "+name, func(t *testing.T) {
			k := newWriteFixture(t)
			k.put(TaskPath(task), content)
			m := k.send(k.dispatch(task))
			if rulesOf(m.Notes) != "E6" || k.has(TaskPath(task)) != content {
				t.Errorf("%+v: %q", m.Notes, k.has(TaskPath(task)))
			}
		})
	}
	t.Run("AGN E6 a link", func(t *testing.T) {
		k := newWriteFixture(t)
		outside := filepath.Join(t.TempDir(), "x")
		if err := os.Symlink(outside, k.file(TaskPath(task))); err != nil {
			t.Fatal(err)
		}
		if m := k.send(k.dispatch(task)); rulesOf(m.Notes) != "E6" {
			t.Errorf("%+v", m.Notes)
		}
		if _, err := os.Lstat(outside); !errors.Is(err, fs.ErrNotExist) {
			t.Error("the link was followed")
		}
	})
}

// TestRecordDeterministic holds that a task's file is the same whoever writes it
// and in whatever order facts came: AGN E6.
func TestRecordDeterministic(t *testing.T) {
	k, l := newWriteFixture(t), newWriteFixture(t)
	l.repo = k.repo
	var facts [][]byte
	d := k.dispatch(task)
	facts = append(facts, d, k.result(task), k.escalation(task, agn.Warning))
	for _, data := range facts {
		k.send(data)
	}
	l.now = k.now + 1e6
	for _, i := range []int{0, 2, 1} {
		l.send(facts[i])
	}
	if diff := cmp.Diff(k.has(TaskPath(task)), l.has(TaskPath(task))); diff != "" {
		t.Error(diff)
	}
}

// TestSendUnlogged tells of a refusal that the error log does not have, and why,
// with all faults (AGN E0).
func TestSendUnlogged(t *testing.T) {
	k := newWriteFixture(t)
	bad := []byte(strings.Replace(string(k.dispatch(task)), `"low"`, `"huge"`, 1))
	full := errors.New("the disk is full")
	d := k.failing(disk.OpWrite, full)
	for what, data := range map[string][]byte{"its own fault": bad, "one beside others": k.result(task)} {
		_, err := d.Send(t.Context(), data, "x", k.at())
		if r := rejected(t, err); !errors.Is(r.Log, full) || !errors.Is(err, full) || len(r.Findings.Faults) != 1 {
			t.Errorf("E0: %s: %v", what, err)
		}
	}
	if err := os.Mkdir(k.file(lockName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := k.d.Send(t.Context(), k.dispatch(task), "x", k.at()); err == nil || ruleOf(err) == "E0" {
		t.Errorf("E13: a sound message without a lock: %v", err)
	}
	if err := os.Remove(k.file(lockName)); err != nil {
		t.Fatal(err)
	}
	_, err := k.d.Send(t.Context(), bad, "x", k.at())
	if r := rejected(t, err); r.Log != nil || len(k.rejections()) != 1 {
		t.Errorf("E0: %v", err)
	}
}

// TestSendStill tells of a message that moves nothing, however many there were
// before it (AGN X9).
func TestSendStill(t *testing.T) {
	k := newWriteFixture(t)
	notes := func(m agn.Message) string { return rulesOf(m.Notes) }
	k.send(k.dispatch(task))
	e := k.send(k.escalation(task, agn.Critical))
	for i := range canon.MaxFindings + 3 {
		if got := notes(k.send(k.dispatch(task))); got != "X9" {
			t.Fatalf("X9: the dispatch %d while the task is suspended: %q", i, got)
		}
	}
	k.now += 1000
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: e.ID, Action: agn.Approve, Millis: k.now}); err != nil {
		t.Fatal(err)
	}
	if got := notes(k.send(k.dispatch(task))); got != "" {
		t.Errorf("X9: after the answer: %q", got)
	}
}

// TestCompose holds AGN E1 and E6 where many begin a task at once: each sees what
// the others wrote, and a failure to build writes nothing.
func TestCompose(t *testing.T) {
	d, err := Create(filepath.Join(t.TempDir(), "ssot"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	const writers = 16
	at := time.UnixMilli(1772107200000)
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			_, err := d.Compose(t.Context(), "test", at, func(s *Snapshot) ([]byte, error) {
				task := fmt.Sprintf("T-2026-%03d", len(s.Tasks)+1)
				return agn.BuildDispatch(agn.Head{TaskID: task, Millis: at.UnixMilli()}, agn.Dispatch{
					Description: "d", Repo: "/r", Branch: "b", Subtasks: []agn.Subtask{{ID: "S1"}}, Criteria: []string{"c"}, Risk: "low",
				})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	refused := errors.New("no")
	if _, err := d.Compose(t.Context(), "test", at, func(*Snapshot) ([]byte, error) { return nil, refused }); !errors.Is(err, refused) {
		t.Errorf("the failure is told as %v", err)
	}
	if _, err := d.Compose(t.Context(), "test", at, func(*Snapshot) ([]byte, error) { return []byte("{}"), nil }); err == nil {
		t.Error("no message was written")
	}
	s, err := Scan(t.Context(), d.path)
	if err != nil || len(s.Tasks) != writers || s.Messages != writers || len(s.Rejected) != 1 {
		t.Errorf("%d tasks, %d messages, %d rejected, %v", len(s.Tasks), s.Messages, len(s.Rejected), err)
	}
}

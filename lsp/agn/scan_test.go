package agn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
	"github.com/signalbox-dev/signalbox/lsp/disk/follow"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
)

// TestScanLayout reads a directory of ours: AGN E6 (the task's own file), E12
// (ACKs), E13 (messages), X9 (answers).
func TestScanLayout(t *testing.T) {
	b := newReadFixture(t)
	first, second := dispatchID("T-2026-001", 5), dispatchID("T-2026-001", 1)
	b.Put(own("T-2026-001", 5), dispatch("T-2026-001", 5, "later"))
	b.Put(own("T-2026-001", 1), dispatch("T-2026-001", 1, "sooner"))
	b.Put(AckPath(first), ack(first, 9))
	b.Put(AckPath(second), ack(second, 2))
	b.Put(ResumePath(first), resume(first, 7))
	b.Put(TaskPath("T-2026-001"), taskFile("T-2026-001"))
	b.Put(own("T-2026-002", 20), dispatch("T-2026-002", 20, "x"))
	b.Put(TaskPath("T-2026-003"), taskFile("T-2026-003"))
	b.Put("messages/T-2026-001/.tmp-1.json", []byte("half"))
	b.Put("messages/readme.md", []byte("# text"))
	s := b.scan()
	b.holds(s,
		"task T-2026-002", " "+dispatchID("T-2026-002", 20)+" "+own("T-2026-002", 20),
		"task T-2026-001",
		" "+second+" "+own("T-2026-001", 1), " "+first+" "+own("T-2026-001", 5),
		" ack "+second+" executor 2", " ack "+first+" executor 9",
		" resume "+first+" approve 7", " record T",
		"task T-2026-003", " record T",
	)
	if !s.Exists || !s.Own || !s.Writable || !s.Ready || s.Err != nil || s.Messages != 3 || s.Watching != follow.Poll {
		t.Errorf("%+v", s)
	}
	k := s.Task("T-2026-001")
	if k == nil || k.Last != day+9 || s.Task("T-2026-003").Last != day || s.Task("T-2026-009") != nil {
		t.Errorf("%+v", k)
	}
	if m := k.History.Messages[0]; m.Raw != nil || m.Payload.Raw != nil || m.Payload.Dispatch.Description != "sooner" || string(m.Payload.Dispatch.Constraints) != `{"go":"1.26"}` {
		t.Errorf("%+v", m)
	}
	if got, at := s.Message(first); got != k || at != 1 {
		t.Errorf("%v at %d", got, at)
	}
	for _, id := range []string{"", "x", dispatchID("T-2026-001", 77), dispatchID("T-2026-009", 1)} {
		if got, at := s.Message(id); got != nil || at != -1 {
			t.Errorf("%q: %v at %d", id, got, at)
		}
	}
}

// TestScanChain reads the task that another implementation wrote: in the layout,
// and as plain envelopes in any nesting (AGN E13).
func TestScanChain(t *testing.T) {
	for _, layout := range []bool{true, false} {
		t.Run(fmt.Sprint(layout), func(t *testing.T) {
			b := newReadFixture(t)
			for i, name := range fixtures(t, "amp-chain") {
				data := fixture(t, name)
				m, err := agn.ParseMessage(data)
				if err != nil {
					t.Fatal(err)
				}
				file := MessagePath(m.TaskID, m.ID)
				if !layout {
					file = strings.Repeat("a/", i) + path.Base(name)
				}
				b.Put(file, data)
			}
			s := b.scan()
			if s.Own != layout || len(s.Tasks) != 1 || s.Messages != 6 || len(s.Rejected)+len(s.Problems) > 0 {
				t.Fatalf("%v", brief(s))
			}
			if k := s.Tasks[0]; k.State(k.Last).Phase != agn.PhaseLocked {
				t.Errorf("%+v", k.State(k.Last))
			}
		})
	}
}

// TestScanOneFault refuses every message that breaks a rule by itself, with that
// rule and no other (AGN E0); what is seen beside others alone is for Check.
func TestScanOneFault(t *testing.T) {
	late := []string{"Q6-ref-unresolvable.json", "Q8-ci-failed.json", "T1-unknown-subtask.json"}
	for _, name := range fixtures(t, "invalid") {
		t.Run(path.Base(name), func(t *testing.T) {
			b := newReadFixture(t)
			b.Put("messages/T-2026-044/"+path.Base(name), fixture(t, name))
			s := b.scan()
			if slices.Contains(late, path.Base(name)) {
				if s.Messages != 1 || len(s.Rejected) > 0 {
					t.Fatalf("%v", brief(s))
				}
				return
			}
			if s.Messages != 0 || len(s.Rejected) != 1 {
				t.Fatalf("%v", brief(s))
			}
			r := s.Rejected[0]
			want := parsed(t, fixture(t, name))
			if diff := cmp.Diff(want.Faults, r.Faults); diff != "" || len(ruleNames(r.Faults)) != 1 {
				t.Errorf("%s %v", diff, ruleNames(r.Faults))
			}
			if !r.Here || r.Conflict || r.Logged || r.Millis == 0 || len(r.Digest) != 64 || r.MsgID != want.ID || r.TaskID != want.TaskID || r.Message.Raw != nil {
				t.Errorf("%+v", r)
			}
			if agn.ValidTaskID(r.TaskID) != (len(s.Tasks) == 1 && len(s.Refused(s.Tasks[0].ID)) == 1) {
				t.Errorf("AGN E6: not with its task: %v", brief(s))
			}
		})
	}
}

func parsed(t testing.TB, data []byte) agn.Message {
	t.Helper()
	m, err := agn.ParseMessage(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestScanSpecExample lists all faults of the text's own envelope, and keeps its
// notes (AGN E0 C9).
func TestScanSpecExample(t *testing.T) {
	b := newReadFixture(t)
	b.Put("x/envelope.json", fixture(t, "spec-examples/envelope.json"))
	s := b.scan()
	if len(s.Rejected) != 1 || len(s.Rejected[0].Faults) != 6 || len(s.Rejected[0].Message.Notes) != 1 {
		t.Errorf("%v", brief(s))
	}
}

// TestScanFiles says of one file each what it is. M stands for a sound message,
// A for an ACK of it.
func TestScanFiles(t *testing.T) {
	m := dispatch("T-2026-001", 1, "x")
	id := dispatchID("T-2026-001", 1)
	with := func(old, new string) []byte { return []byte(strings.Replace(string(m), old, new, 1)) }
	counts := func(file string) []string { return []string{"task T-2026-001", " " + id + " " + file} }
	tests := []struct {
		name, file string
		data       []byte
		want       []string
	}{
		{"AGN E13 a message in its place", own("T-2026-001", 1), m, counts(own("T-2026-001", 1))},
		{"AGN E13 an envelope anywhere", "inbox/today/7.json", m, counts("inbox/today/7.json")},
		{"AGN E13 an envelope among the tasks", "tasks/7.json", m, counts("tasks/7.json")},
		{"AGN E13 an envelope among the ACKs", "acks/7.json", m, counts("acks/7.json")},
		{"AGN E6 under another task", "messages/T-2026-002/" + id + ".json", m, append(counts("messages/T-2026-002/"+id+".json"), "problem messages/T-2026-002/"+id+".json E6")},
		{"AGN E1 under another name", "messages/T-2026-001/a.json", m, append(counts("messages/T-2026-001/a.json"), "problem messages/T-2026-001/a.json E1")},
		{"AGN E6 deeper", "messages/T-2026-001/a/" + id + ".json", m, append(counts("messages/T-2026-001/a/"+id+".json"), "problem messages/T-2026-001/a/"+id+".json E6")},
		{"AGN E6 in no task's folder", "messages/" + id + ".json", m, append(counts("messages/"+id+".json"), "problem messages/"+id+".json E6")},
		{"AGN E0 no JSON among messages", "messages/T-2026-001/a.json", []byte("{"), []string{"rejected messages/T-2026-001/a.json E0"}},
		{"AGN E0 nothing among messages", "messages/a.json", nil, []string{"rejected messages/a.json E0"}},
		{"AGN E0 another object among messages", "messages/a.json", []byte("{}"), []string{"rejected messages/a.json E1 E2 E3 E4 E5 E6 E7 E8 E11"}},
		{"AGN E0 an envelope that ends early", "x/a.json", m[:len(m)/2], []string{"rejected x/a.json E0"}},
		{"AGN E0 no UTF-8", "x/a.json", with("low", "\xff"), []string{"rejected x/a.json E0"}},
		{"AGN E0 too long", "messages/a.json", make([]byte, agn.MaxMessage+1), []string{"rejected messages/a.json E0"}},
		{"too long elsewhere", "data/a.json", make([]byte, agn.MaxMessage+1), []string{"problem data/a.json"}},
		{"AGN E2 another version", "x/a.json", with(`"AMP/1.0"`, `"AMP/2.0"`), []string{"task T-2026-001", " refused x/a.json", "rejected x/a.json E2"}},
		{"AGN E2 an id and no version", "x/a.json", []byte(`{"msg_id":"x"}`), []string{"rejected x/a.json E2 E3 E4 E5 E6 E7 E8 E11 E1"}},
		{"names in escapes", "x/a.json", with(`"msg_id"`, `"\u006dsg_id"`), counts("x/a.json")},
		{"another format's message", "x/a.json", []byte(`{"version":"amp/0.1","id":"x"}`), nil},
		{"other JSON", "x/a.json", []byte(`["msg_id"]`), nil},
		{"other JSON that is none", "x/a.json", []byte(`msg_id`), nil},
		{"an ACK elsewhere", "x/a.json", ack(id, 2), nil},
		{"AGN E0 an ACK among messages", "messages/a.json", ack(id, 2), []string{"rejected messages/a.json E2 E3 E4 E5 E6 E8 E11"}},
		{"no .json", "x/a.txt", m, nil},
		{"a folder of git", ".git/a.json", m, nil},
		{"a folder of modules", "a/node_modules/x/a.json", m, nil},
		{"a hidden folder", "messages/.trash/a.json", m, nil},
		{"a file that is being written", "messages/T-2026-001/.a.json", m[:9], nil},
		{"AGN E12 an ACK", AckPath(id), ack(id, 2), []string{"task T-2026-001", " ack " + id + " executor 2"}},
		{"AGN E12 an ACK under another name", "acks/a.json", ack(id, 2), []string{"task T-2026-001", " ack " + id + " executor 2", "problem acks/a.json E12"}},
		{"AGN C4 an ACK of another format", "acks/a.json", []byte(`{"format":"signalbox-ack/2"}`), []string{"problem acks/a.json C4"}},
		{"AGN E12 an ACK of nothing", AckPath(id), []byte(strings.Replace(string(ack(id, 2)), id, "x", 1)), []string{"problem " + AckPath(id) + " E12"}},
		{"AGN E12 an ACK of the system", AckPath(id), []byte(strings.Replace(string(ack(id, 2)), "executor", "system", 1)), []string{"problem " + AckPath(id) + " E12"}},
		{"AGN C4 no ACK", "acks/a.json", []byte(`7`), []string{"problem acks/a.json C4"}},
		{"AGN X9 an answer", ResumePath(id), resume(id, 2), []string{"task T-2026-001", " resume " + id + " approve 2"}},
		{"AGN X9 an answer under another name", "resumes/a.json", resume(id, 2), []string{"task T-2026-001", " resume " + id + " approve 2", "problem resumes/a.json X9"}},
		{"AGN C6 no answer", "resumes/a.json", []byte(`{}`), []string{"problem resumes/a.json C6"}},
		{"AGN E6 a task", TaskPath("T-2026-001"), taskFile("T-2026-001"), []string{"task T-2026-001", " record T"}},
		{"AGN E6 a task under another name", "tasks/a.json", taskFile("T-2026-001"), []string{"task T-2026-001", " record T", "problem tasks/a.json E6"}},
		{"AGN E6 another tool's task", TaskPath("T-2026-001"), []byte(`{"title":"x"}`), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newReadFixture(t)
			b.Put(test.file, test.data)
			b.holds(b.scan(), test.want...)
		})
	}
	t.Run("AGN E6 a broken task of ours", func(t *testing.T) {
		b := newReadFixture(t)
		b.Mkdir("messages")
		b.Put(TaskPath("T-2026-001"), []byte(`{"title":"x"}`))
		b.holds(b.scan(), "problem "+TaskPath("T-2026-001")+" E6")
	})
}

// TestScanTwice holds AGN E1 for several files of one id: the same bytes are a
// copy, others a conflict, and which one counts depends on no order.
func TestScanTwice(t *testing.T) {
	id, place := dispatchID("T-2026-001", 1), own("T-2026-001", 1)
	one, two, three := dispatch("T-2026-001", 1, "one"), dispatch("T-2026-001", 1, "two"), dispatch("T-2026-001", 1, "three")
	type files map[string][]byte
	tests := []struct {
		name  string
		files files
		want  []string
	}{
		{"a copy, the first by path counts", files{"b.json": one, "a/a.json": one}, []string{"task T-2026-001", " " + id + " a/a.json"}},
		{"a copy, its own place counts", files{"a.json": one, place: one}, []string{"task T-2026-001", " " + id + " " + place}},
		{"a conflict, the first by path counts", files{"b.json": two, "a.json": one}, []string{
			"task T-2026-001", " " + id + " a.json", " refused b.json", "rejected b.json E1 conflict",
		}},
		{"a conflict, its own place counts", files{"a.json": two, place: one, "z.json": one, "messages/T-2026-001/z.json": three}, []string{
			"task T-2026-001", " " + id + " " + place, " refused a.json", " refused messages/T-2026-001/z.json",
			"rejected a.json E1 conflict", "rejected messages/T-2026-001/z.json E1 conflict",
		}},
		{"a broken one in its place does not count", files{"a.json": one, place: two[:20]}, []string{
			"task T-2026-001", " " + id + " a.json", "rejected " + place + " E0",
		}},
		{"AGN E12 two ACKs, its own place counts", files{"acks/0.json": ack(id, 5), AckPath(id): ack(id, 9)}, []string{
			"task T-2026-001", " ack " + id + " executor 9", "problem acks/0.json E12",
		}},
		{"AGN E12 two ACKs, the first by path counts", files{"acks/b.json": ack(id, 5), "acks/a.json": ack(id, 9)}, []string{
			"task T-2026-001", " ack " + id + " executor 9", "problem acks/a.json E12", "problem acks/b.json E12",
		}},
		{"AGN X9 two answers", files{"resumes/0.json": resume(id, 5), ResumePath(id): resume(id, 9)}, []string{
			"task T-2026-001", " resume " + id + " approve 9", "problem resumes/0.json X9",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newReadFixture(t)
			for file, data := range test.files {
				b.Put(file, data)
			}
			b.Backdate()
			s := b.scan()
			b.holds(s, test.want...)
			// Whatever comes last, the end is the same.
			for last := range test.files {
				b := newReadFixture(t)
				live := newState(Config{Path: b.Root})
				for file, data := range test.files {
					if file != last {
						b.Put(file, data)
					}
				}
				if _, err := live.look(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				b.Put(last, test.files[last])
				if _, err := live.look(t.Context(), []string{last}); err != nil {
					t.Fatal(err)
				}
				b.Backdate()
				if _, err := live.look(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				b.holds(live.snapshot(), test.want...)
			}
		})
	}
}

// TestScanOnlyRegular opens no link, FIFO or folder in the place of a file, and
// says so where a fact should be (AGN E13).
func TestScanOnlyRegular(t *testing.T) {
	b := newReadFixture(t)
	id := dispatchID("T-2026-001", 1)
	outside := filepath.Join(filepath.Dir(b.Root), "outside")
	if err := os.Mkdir(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, id+".json"), dispatch("T-2026-001", 1, "x"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Mkdir("messages/T-2026-001")
	b.Mkdir("x")
	b.Mkdir("acks/folder.json")
	link := func(to, file string) {
		t.Helper()
		if err := os.Symlink(to, b.Path(file)); err != nil {
			t.Fatal(err)
		}
	}
	if runtime.GOOS == "windows" {
		t.Log("links need a right there, and FIFOs do not exist")
		return
	}
	link(filepath.Join(outside, id+".json"), own("T-2026-001", 1))
	link(filepath.Join(outside, id+".json"), "x/"+id+".json")
	link(filepath.Join(outside, id+".json"), "x/other.json")
	link(outside, "messages/T-2026-002")
	link(outside, "x/folder")
	link(outside, "resumes")
	link(outside, "errors.jsonl")
	disktest.FIFO(t, b.Path("acks/"+id+".json"))
	disktest.FIFO(t, b.Path("x/fifo.json"))
	for name, open := range map[string]func(string) (tree.Folder, error){"system": tree.Open, "everywhere": tree.OpenRoot} {
		t.Run(name, func(t *testing.T) {
			live := newState(Config{Path: b.Root})
			live.dir.Open = func(path string) (tree.Folder, error) {
				f, err := open(path)
				return &unread{f, t}, err
			}
			for range 2 {
				if _, err := live.look(t.Context(), nil); err != nil {
					t.Fatal(err)
				}
				b.holds(live.snapshot(),
					"problem acks/"+id+".json E13", "problem errors.jsonl E0", "problem messages/T-2026-001/"+id+".json E13",
					"problem messages/T-2026-002 E13", "problem resumes E13", "problem x/"+id+".json E13",
				)
			}
		})
	}
}

// unread is a folder in which no file is to be opened.
type unread struct {
	tree.Folder
	t *testing.T
}

func (u *unread) Open(name string) (tree.Folder, error) {
	f, err := u.Folder.Open(name)
	if err != nil {
		return nil, err
	}
	return &unread{f, u.t}, nil
}

func (u *unread) Read(name string, buf []byte, limit int) ([]byte, tree.Info, error) {
	u.t.Errorf("%s is opened", name)
	return u.Folder.Read(name, buf, limit)
}

func (u *unread) File(name string) (*os.File, tree.Info, error) {
	u.t.Errorf("%s is opened", name)
	return u.Folder.File(name)
}

// TestScanBounds stops at each limit, and says so. What the layout holds comes
// first.
func TestScanBounds(t *testing.T) {
	small := tree.Limits{Depth: 3, Files: 5, Folders: 6, Entries: 10}
	id := dispatchID("T-2026-001", 1)
	counts := []string{"task T-2026-001", " " + id + " " + own("T-2026-001", 1)}
	tests := []struct {
		name   string
		fill   func(b *readFixture)
		bound  string
		reason string
	}{
		{"depth", func(b *readFixture) { b.Put("a/b/c/d/1.json", nil); b.Put("a/b/c/2.json", nil) }, "a/b/c/d", "3 folders deep"},
		{"files", func(b *readFixture) {
			for i := range 5 {
				b.Put(fmt.Sprintf("a/%d.json", i), nil)
			}
		}, "a", "5 files"},
		{"folders", func(b *readFixture) {
			for i := range 5 {
				b.Mkdir(fmt.Sprint("a", i))
			}
		}, "a3", "6 folders"},
		{"entries", func(b *readFixture) {
			for i := range 11 {
				b.Put(fmt.Sprintf("a/%d.txt", i), nil)
			}
		}, "a", "10 names"},
		{"none", func(b *readFixture) { b.Put("a/b/c/1.json", nil) }, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newReadFixture(t)
			b.Put(own("T-2026-001", 1), dispatch("T-2026-001", 1, "x"))
			test.fill(b)
			s := newState(Config{Path: b.Root})
			s.dir.Rules.Limits = small
			want := counts
			if test.bound != "" {
				want = append(want[:2:2], "problem "+test.bound)
			}
			for _, look := range []func() (Change, error){
				func() (Change, error) { return s.look(t.Context(), nil) },
				func() (Change, error) { return s.look(t.Context(), nil) },
				func() (Change, error) { return s.look(t.Context(), []string{"a", own("T-2026-001", 1)}) },
			} {
				if _, err := look(); err != nil {
					t.Fatal(err)
				}
				snap := s.snapshot()
				b.holds(snap, want...)
				if test.bound != "" && !strings.Contains(snap.Problems[0].Reason, test.reason) {
					t.Errorf("%+v", snap.Problems)
				}
			}
			b.Remove("a")
			for i := range 5 {
				b.Remove(fmt.Sprint("a", i))
			}
			if _, err := s.look(t.Context(), []string{"a"}); err != nil {
				t.Fatal(err)
			}
			b.holds(s.snapshot(), counts...)
		})
	}
}

// TestScanMissing tells a directory that is not there from one that cannot be
// read.
func TestScanMissing(t *testing.T) {
	b := newReadFixture(t)
	if s := b.scan(); s.Exists || s.Own || s.Err != nil || !s.Ready {
		t.Errorf("%+v", s)
	}
	if err := os.WriteFile(b.Root, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := b.scan(); !s.Exists || s.Err == nil || !strings.Contains(s.Err.Error(), "ssot: open ") {
		t.Errorf("%+v", s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Scan(ctx, b.Root); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// guarded is a folder of which some is forbidden.
type guarded struct {
	tree.Folder
	at     string
	denied map[string]bool
}

func (g *guarded) Open(name string) (tree.Folder, error) {
	p := tree.Join(g.at, name)
	if g.denied[p] {
		return nil, &fs.PathError{Op: "open", Path: p, Err: fs.ErrPermission}
	}
	f, err := g.Folder.Open(name)
	if err != nil {
		return nil, err
	}
	return &guarded{f, p, g.denied}, nil
}

func (g *guarded) Read(name string, buf []byte, limit int) ([]byte, tree.Info, error) {
	if g.denied[tree.Join(g.at, name)] {
		return nil, tree.Info{}, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return g.Folder.Read(name, buf, limit)
}

// TestScanForbidden names what cannot be read, and reads it once it can be,
// though no time of a file tells that.
func TestScanForbidden(t *testing.T) {
	b := newReadFixture(t)
	b.Put(own("T-2026-001", 1), dispatch("T-2026-001", 1, "x"))
	b.Put("x/a.json", dispatch("T-2026-002", 1, "x"))
	b.Put("y/a.json", dispatch("T-2026-003", 1, "x"))
	b.Backdate()
	denied := map[string]bool{own("T-2026-001", 1): true, "x": true, "y/a.json": true}
	live := newState(Config{Path: b.Root})
	live.dir.Open = func(path string) (tree.Folder, error) {
		f, err := tree.Open(path)
		return &guarded{f, "", denied}, err
	}
	look := func(changes bool) *Snapshot {
		t.Helper()
		c, err := live.look(t.Context(), nil)
		if err != nil || c.empty() == changes {
			t.Fatalf("%+v %v", c, err)
		}
		return live.snapshot()
	}
	look(true)
	b.holds(look(false), "problem "+own("T-2026-001", 1)+" E13", "problem x E13")
	delete(denied, own("T-2026-001", 1))
	b.holds(look(true), "task T-2026-001", " "+dispatchID("T-2026-001", 1)+" "+own("T-2026-001", 1), "problem x E13")
	b.Put("x/a.json", nil)
	delete(denied, "x")
	if s := look(true); s.Messages != 1 || len(s.Problems) > 0 {
		t.Errorf("%v", brief(s))
	}
	// Without any file there is a change too.
	b.Mkdir("z")
	look(false)
	denied["z"] = true
	b.holds(look(true), "task T-2026-001", " "+dispatchID("T-2026-001", 1)+" "+own("T-2026-001", 1), "problem z E13")
	delete(denied, "z")
	look(true)
	delete(denied, "y/a.json")
	if s := look(true); s.Messages != 2 || len(s.Problems) > 0 {
		t.Errorf("%v", brief(s))
	}
}

// TestScanOrder gives one result whatever the order of the files (AGN E1 E13):
// the same directory, written in two orders.
func TestScanOrder(t *testing.T) {
	files := map[string][]byte{}
	for i := range int64(40) {
		task := fmt.Sprintf("T-2026-%03d", i%3+1)
		files[own(task, i/5)] = dispatch(task, i/5, "x")
		files[fmt.Sprintf("b/%d.json", i)] = dispatch(task, i/5, fmt.Sprint(i%4))
		files[fmt.Sprintf("acks/%d.json", i)] = ack(dispatchID(task, i/5), i)
	}
	names := []string{}
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	snapshots := []*Snapshot{}
	for range 2 {
		b := newReadFixture(t)
		for _, name := range names {
			b.Put(name, files[name])
		}
		b.Backdate()
		s := b.scan()
		s.Path, s.ID = "", ""
		for _, r := range s.Rejected {
			r.Millis = 0
		}
		snapshots = append(snapshots, s)
		slices.Reverse(names)
	}
	if diff := same(snapshots[0], snapshots[1]); diff != "" {
		t.Error(diff)
	}
}

// TestScanBoth reads a directory by the quick way of a system and by the one of
// all systems, and finds the same.
func TestScanBoth(t *testing.T) {
	b := newReadFixture(t)
	for i, name := range append(fixtures(t, "amp-chain"), fixtures(t, "invalid")...) {
		b.Put(fmt.Sprintf("messages/T-2026-044/%d.json", i), fixture(t, name))
	}
	b.Put("errors.jsonl", []byte("x\n"))
	b.Backdate()
	all := []*Snapshot{}
	for _, open := range []func(string) (tree.Folder, error){tree.Open, tree.OpenRoot} {
		s := newState(Config{Path: b.Root})
		s.dir.Open = open
		if _, err := s.look(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		all = append(all, s.snapshot())
	}
	if diff := same(all[0], all[1]); diff != "" || len(all[0].Rejected) < 20 {
		t.Error(diff)
	}
}

// TestScanLog reads the error log (AGN E0): lines that are none are named, the
// unfinished one waits, and what lies here is not listed twice.
func TestScanLog(t *testing.T) {
	b := newReadFixture(t)
	bad := []byte(strings.Replace(string(dispatch("T-2026-001", 1, "x")), `"low"`, `"huge"`, 1))
	b.Put(own("T-2026-001", 1), bad)
	b.Backdate()
	here := b.scan().Rejected[0]
	line := func(r agn.Rejection) string { return string(agn.AppendRejection(nil, r)) }
	second := dispatch("T-2026-002", 1, "second")
	torn := line(agn.Rejection{Millis: day + 9, Source: "torn", Digest: "d"})
	log := line(agn.Rejection{Millis: day + 1, Source: here.Source, Digest: here.Digest, TaskID: here.TaskID, MsgID: here.MsgID, Faults: here.Faults}) +
		"\n" + "no json\n" +
		line(agn.Rejection{Millis: day + 2, Source: "mail", Digest: "d", Faults: []canon.Fault{{Rule: "E0", Reason: "r"}}}) +
		line(agn.Rejection{Millis: day + 3, Source: "stdin", Digest: "e", TaskID: "T-2026-002", MsgID: "m", Faults: []canon.Fault{{Rule: "E1", Field: "msg_id"}}, Text: string(second)}) +
		line(agn.Rejection{Millis: day + 4, Source: "mail", Digest: "d"}) + torn[:30]
	b.Put("errors.jsonl", []byte(log))
	s := b.scan()
	b.holds(s,
		"task T-2026-001", " refused "+own("T-2026-001", 1),
		"rejected stdin E1 conflict away logged", "rejected mail E0 away logged", "rejected "+own("T-2026-001", 1)+" D6 logged",
		"problem errors.jsonl E0",
	)
	if p := s.Problems[0]; !strings.HasPrefix(p.Reason, "line 3: ") {
		t.Errorf("%+v", p)
	}
	if r := s.Rejected[2]; r.Millis != day+1 || r.Message.Payload.Dispatch == nil {
		t.Errorf("%+v", r)
	}
	if r := s.Rejected[0]; r.Message.ID != dispatchID("T-2026-002", 1) || r.Message.Raw != nil {
		t.Errorf("%+v", r)
	}

	// It grows, is finished, is replaced and goes, and every time the reader
	// that read what was new has what one has that reads it all.
	r := logReader{}
	var many strings.Builder
	for i := range 2 * tailSize / 100 {
		many.WriteString(line(agn.Rejection{Millis: day, Source: []string{"first", "next"}[min(i, 1)], Digest: fmt.Sprint(i)}))
	}
	steps := []string{"", log, log + torn[30:], log + torn[30:] + "bad\n" + torn, strings.Repeat("bad\n", maxBadLog+7), torn, strings.Replace(torn, "torn", "born", 1), many.String(), strings.Replace(many.String(), "first", "other", 1), ""}
	for i, text := range steps {
		b.Put("errors.jsonl", []byte(text))
		f, err := tree.Open(b.Root)
		if err != nil {
			t.Fatal(err)
		}
		if i == len(steps)-1 {
			b.Remove("errors.jsonl")
		}
		r.again = true
		r.refresh(f)
		again := logReader{}
		again.refresh(f)
		f.Close()
		if diff := cmp.Diff(logTexts(&again), logTexts(&r)); diff != "" {
			t.Errorf("step %d: %s", i, diff)
		}
	}
}

// TestScanLogGrows takes in lines as they come (AGN E0), also those that name
// another task than the file that they are about.
func TestScanLogGrows(t *testing.T) {
	b := newReadFixture(t)
	b.Put("messages/a.json", []byte("{"))
	b.Put("messages/b.json", fixture(t, "invalid/D3-branch-master.json"))
	b.Backdate()
	s := newState(Config{Path: b.Root})
	if _, err := s.look(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	log := []byte{}
	for i, r := range s.snapshot().Rejected {
		log = agn.AppendRejection(log, agn.Rejection{Millis: day + int64(i), Source: r.Source, Digest: r.Digest, TaskID: "T-2026-009"})
		b.Put("errors.jsonl", log)
		if _, err := s.look(t.Context(), []string{"errors.jsonl"}); err != nil {
			t.Fatal(err)
		}
		if diff := same(b.scan(), s.snapshot()); diff != "" {
			t.Errorf("line %d: %s", i+1, diff)
		}
	}
}

// logTexts says what a reader of the log has.
func logTexts(l *logReader) []string {
	list := []string{}
	for _, e := range l.entries {
		list = append(list, fmt.Sprintf("%s %s %d", e.Source, e.Digest, e.Millis))
	}
	for _, p := range l.problems() {
		list = append(list, p.Reason)
	}
	return list
}

// TestScanLogLong passes over a line that is too long, wherever reading it was
// interrupted.
func TestScanLogLong(t *testing.T) {
	b := newReadFixture(t)
	good := string(agn.AppendRejection(nil, agn.Rejection{Millis: day, Source: "good", Digest: "d"}))
	long := strings.Repeat("x", agn.MaxRejection+2<<20)
	r := logReader{}
	for _, text := range []string{good, good + long, good + long + "y", good + long + "y\n" + strings.Replace(good, "good", "more", 1)} {
		b.Put("errors.jsonl", []byte(text))
		f, err := tree.Open(b.Root)
		if err != nil {
			t.Fatal(err)
		}
		r.again = true
		r.refresh(f)
		f.Close()
	}
	want := []string{fmt.Sprintf("good d %d", day), fmt.Sprintf("more d %d", day), "line 2: the line is too long"}
	if diff := cmp.Diff(want, logTexts(&r)); diff != "" {
		t.Error(diff)
	}
}

// FuzzScanFile reads whatever a file may hold, in each place: what is taken for
// a message is one, and the rest has a fault.
func FuzzScanFile(f *testing.F) {
	id := dispatchID("T-2026-001", 1)
	for _, data := range [][]byte{nil, []byte("{}"), dispatch("T-2026-001", 1, "x"), ack(id, 1), resume(id, 1), taskFile("T-2026-001"), []byte(`{"msg_id":"x","format":"signalbox-ack/1"}`)} {
		f.Add(data)
	}
	for _, name := range append(fixtures(f, "invalid"), fixtures(f, "amp-chain")...) {
		f.Add(fixture(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		raw := strings.Clone(string(data))
		for _, file := range []string{own("T-2026-001", 1), AckPath(id), ResumePath(id), TaskPath("T-2026-001"), "x/y.json"} {
			r := &record{Head: tree.Head{Path: file}}
			r.parse(data)
			switch r.fact {
			case factMessage:
				if !json.Valid(data) || r.msg.Version != agn.Version || len(r.msg.Faults) > 0 || !agn.ValidTaskID(r.owner()) {
					t.Fatalf("%s: %+v", file, r.msg)
				}
			case factRefused:
				if len(r.msg.Faults) == 0 {
					t.Fatalf("%s: refused for nothing", file)
				}
			case factAck, factResume:
				if _, ok := agn.ParseID(r.about()); !ok || !agn.ValidTaskID(r.owner()) {
					t.Fatalf("%s: about %q", file, r.about())
				}
			case factTask:
				if !agn.ValidTaskID(r.owner()) {
					t.Fatalf("%s: of %q", file, r.owner())
				}
			case factSpoiled:
				if r.problem == nil || r.problem.Rule == "" || r.problem.Reason == "" {
					t.Fatalf("%s: %+v", file, r.problem)
				}
			case factNone:
				if home(file) != "" {
					t.Fatalf("%s: passed over", file)
				}
			default:
				t.Fatalf("%s: %d", file, r.fact)
			}
			before := fmt.Sprintf("%+v %+v", r.msg, r.problem)
			clear(data)
			if fmt.Sprintf("%+v %+v", r.msg, r.problem) != before {
				t.Fatalf("%s: what is kept aliases the file", file)
			}
			data = append(data[:0], raw...)
		}
	})
}

// FuzzScanLog reads an error log that grows in between: what is new is read as
// all of it is (AGN E0).
func FuzzScanLog(f *testing.F) {
	line := agn.AppendRejection(nil, agn.Rejection{Millis: day, Source: "s", Digest: "d", Faults: []canon.Fault{{Rule: "E0"}}, Text: "{}"})
	f.Add(line, 5)
	f.Add(append(append([]byte("\n \nbad\n"), line...), line...), 40)
	f.Add([]byte("\xff\n{}\n[]"), 2)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		b := newReadFixture(t)
		cut = int(uint(cut) % uint(len(data)+1))
		grown, whole := logReader{}, logReader{}
		for _, part := range [][]byte{data[:cut], data} {
			b.Put("errors.jsonl", part)
			root, err := tree.Open(b.Root)
			if err != nil {
				t.Fatal(err)
			}
			grown.again = true
			grown.refresh(root)
			root.Close()
		}
		root, err := tree.Open(b.Root)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		whole.refresh(root)
		if diff := cmp.Diff(logTexts(&whole), logTexts(&grown)); diff != "" || whole.offset != grown.offset {
			t.Fatalf("%d, then %d: %s", grown.offset, whole.offset, diff)
		}
		for _, e := range whole.entries {
			if whole.known[keyOf(e.Source, e.Digest)] != e {
				t.Fatalf("%+v is not known", e)
			}
		}
	})
}

// TestScanRound puts a round that was written in one second in the order in which
// its messages depend on each other, and not that of their names (AGN E7 C11).
func TestScanRound(t *testing.T) {
	b := newReadFixture(t)
	head := agn.Head{TaskID: "T-2026-001", Millis: day}
	d := must(agn.BuildDispatch(head, agn.Dispatch{Description: "x", Repo: "/r", Branch: "b", Risk: "low", Criteria: []string{"c"}, Subtasks: []agn.Subtask{{ID: "S1"}}}))
	r := must(agn.BuildResult(head, agn.Result{SubtaskID: "S1", Status: "complete", CriteriaMet: []agn.Answer{agn.Yes}}))
	q := must(agn.BuildRequest(head, agn.Request{DispatchRef: head.ID(agn.TypeDispatch), ResultRef: head.ID(agn.TypeResult), Scope: "full", DiffURL: "u"}))
	v := must(agn.BuildVerdict(head, agn.Verdict{Decision: agn.Approved, Confidence: 1, Criteria: []agn.Criterion{{Text: "c", Passed: agn.Yes}}}))
	e := must(agn.BuildEscalation(head, agn.Executor, agn.Escalation{Kind: agn.UnknownTrouble, Severity: agn.Info, TriggeredBy: agn.Executor, Description: "x", Snapshot: agn.Snapshot{TaskStatus: "x"}}))
	for i, data := range [][]byte{e, q, v, d, r} {
		b.Put(fmt.Sprintf("messages/T-2026-001/%d.json", i), data)
	}
	got := []string{}
	for _, m := range b.scan().Task("T-2026-001").History.Messages {
		got = append(got, m.Type)
	}
	if diff := cmp.Diff([]string{agn.TypeDispatch, agn.TypeResult, agn.TypeRequest, agn.TypeVerdict, agn.TypeEscalation}, got); diff != "" {
		t.Error(diff)
	}
}

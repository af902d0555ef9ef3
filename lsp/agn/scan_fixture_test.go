package agn

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// day is when the facts of tests are made, in Unix milliseconds.
const day = int64(1772116327000)

// readFixture is a directory of tasks. Paths are relative to it, with "/".
type readFixture struct {
	*disktest.Dir
	t testing.TB
}

func newReadFixture(t testing.TB) *readFixture {
	t.Helper()
	return &readFixture{disktest.New(t, "ssot"), t}
}

func (b *readFixture) scan() *Snapshot {
	b.t.Helper()
	s, err := Scan(b.t.Context(), b.Root)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

// dispatch makes a message of a task, n milliseconds after the first.
func dispatch(task string, n int64, description string) []byte {
	data, err := agn.BuildDispatch(agn.Head{TaskID: task, Millis: day + n}, agn.Dispatch{
		Description: description, Repo: "/r", Branch: "b", Risk: "low", Criteria: []string{"c"},
		Subtasks: []agn.Subtask{{ID: task + "-S1", Description: "d", EstimatedLines: 1}}, Constraints: []byte(`{"go":"1.26"}`),
	})
	return must(data, err)
}

func dispatchID(task string, n int64) string {
	return agn.ID{Type: agn.TypeDispatch, TaskID: task, Millis: day + n}.String()
}

// own is where such a message belongs.
func own(task string, n int64) string { return MessagePath(task, dispatchID(task, n)) }

func ack(id string, n int64) []byte {
	return must(agn.BuildAck(agn.Ack{MsgID: id, By: agn.Executor, Millis: day + n}))
}

func resume(id string, n int64) []byte {
	return must(agn.BuildResume(agn.Resume{MsgID: id, Action: agn.Approve, Millis: day + n}))
}

func taskFile(task string) []byte {
	return must(agn.BuildRecord(agn.Record{TaskID: task, Title: "T", Phase: agn.PhaseInWork, Created: day, Updated: day}))
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

// fixture reads a file of testdata/agn.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "agn", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// fixtures lists the files of a folder of testdata/agn.
func fixtures(t testing.TB, folder string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join("..", "..", "testdata", "agn", folder, "*.json"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no fixtures in %s: %v", folder, err)
	}
	for i := range list {
		list[i] = folder + "/" + filepath.Base(list[i])
	}
	return list
}

// brief says in short what a snapshot holds, to be compared.
func brief(s *Snapshot) []string {
	var out []string
	for _, k := range s.Tasks {
		out = append(out, "task "+k.ID)
		for i, m := range k.History.Messages {
			out = append(out, fmt.Sprintf(" %s %s", m.ID, k.Files[i]))
		}
		for _, a := range k.History.Acks {
			out = append(out, fmt.Sprintf(" ack %s %s %d", a.MsgID, a.By, a.Millis-day))
		}
		for _, r := range k.History.Resumes {
			out = append(out, fmt.Sprintf(" resume %s %s %d", r.MsgID, r.Action, r.Millis-day))
		}
		if k.Record != nil {
			out = append(out, " record "+k.Record.Title)
		}
		for _, r := range s.Refused(k.ID) {
			out = append(out, " refused "+r.Source)
		}
	}
	for _, r := range s.Rejected {
		line := "rejected " + r.Source
		for _, f := range r.Faults {
			line += " " + f.Rule
		}
		if r.Conflict {
			line += " conflict"
		}
		if !r.Here {
			line += " away"
		}
		if r.Logged {
			line += " logged"
		}
		out = append(out, line)
	}
	return append(out, problems(s)...)
}

// problems says in short what is to be known.
func problems(s *Snapshot) (out []string) {
	for _, p := range s.Problems {
		out = append(out, strings.TrimSpace(fmt.Sprintf("problem %s %s", p.Path, p.Rule)))
	}
	return out
}

func (b *readFixture) holds(s *Snapshot, want ...string) {
	b.t.Helper()
	if diff := cmp.Diff(want, brief(s)); diff != "" {
		b.t.Error(diff)
	}
}

// same compares two snapshots of one directory in everything but how they came
// about.
func same(a, b *Snapshot) string {
	return cmp.Diff(a, b, cmpopts.IgnoreUnexported(Task{}, Snapshot{}), cmpopts.IgnoreFields(Snapshot{}, "Revision", "Watching"), cmpopts.EquateErrors())
}

func ruleNames(faults []canon.Fault) []string {
	var list []string
	for _, f := range faults {
		list = append(list, f.Rule)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

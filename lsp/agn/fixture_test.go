package agn

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/lsp/disk"
	"github.com/signalbox-dev/signalbox/lsp/disk/disktest"
)

// noon is when the stories of these tests begin: 2026-02-26T12:00:00Z.
const noon = 1772107200000

// writeFixture is a directory that tests write to.
type writeFixture struct {
	t    testing.TB
	path string
	repo string
	d    *Dir
	now  int64
}

// newWriteFixture gives a writeFixture on a file system in memory, where there is one. What is
// tested is who may write what and when; waiting for a disk thousands of times
// would take most of the time, and tell nothing, since a killed process loses no
// page that the system holds.
func newWriteFixture(t testing.TB) *writeFixture {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "signalbox-test-")
	if err != nil {
		return writeFixtureIn(t, t.TempDir())
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return writeFixtureIn(t, dir)
}

// writeFixtureIn gives a writeFixture in a folder.
func writeFixtureIn(t testing.TB, folder string) *writeFixture {
	t.Helper()
	k := &writeFixture{t: t, path: filepath.Join(folder, "ssot"), repo: t.TempDir(), now: noon}
	if err := os.Mkdir(filepath.Join(k.repo, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	d, err := Create(k.path)
	if err != nil {
		t.Fatal(err)
	}
	k.d = d
	t.Cleanup(func() { d.Close() })
	return k
}

// on opens the directory once more, asked before each change but those of the lock.
func (k *writeFixture) on(before func(c *disk.Change) error) *Dir {
	k.t.Helper()
	d, err := openOn(disk.Disk{Layer: disktest.Before(func(c *disk.Change) error {
		if filepath.Base(c.Path) == lockName {
			return nil
		}
		return before(c)
	})}, k.path)
	if err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() { d.Close() })
	return d
}

// head begins a message, a second after the one before.
func (k *writeFixture) head(task string) agn.Head {
	k.now += 1000
	return agn.Head{TaskID: task, Millis: k.now}
}

func (k *writeFixture) built(data []byte, err error) []byte {
	k.t.Helper()
	if err != nil {
		k.t.Fatal(err)
	}
	return data
}

func (k *writeFixture) dispatch(task string) []byte {
	k.t.Helper()
	return k.built(agn.BuildDispatch(k.head(task), agn.Dispatch{
		Description: "Do it\nwell", Repo: k.repo, Branch: "b", Subtasks: []agn.Subtask{{ID: "S1"}}, Criteria: []string{"c"}, Risk: "low",
	}))
}

func (k *writeFixture) result(task string) []byte {
	k.t.Helper()
	return k.built(agn.BuildResult(k.head(task), agn.Result{SubtaskID: "S1", Status: "complete", CriteriaMet: []agn.Answer{agn.Yes}}))
}

func (k *writeFixture) request(task, dispatch, result string, rejects int64) []byte {
	k.t.Helper()
	return k.built(agn.BuildRequest(k.head(task), agn.Request{DispatchRef: dispatch, ResultRef: result, Scope: "full", DiffURL: "u", RejectCount: rejects}))
}

func (k *writeFixture) verdict(task, decision string) []byte {
	k.t.Helper()
	v := agn.Verdict{Decision: decision, Confidence: 1, Criteria: []agn.Criterion{{Text: "c", Passed: agn.Yes}}}
	if decision == agn.Rejected {
		v.Issues = []agn.Issue{{Severity: "major", Description: "x"}}
	}
	return k.built(agn.BuildVerdict(k.head(task), v))
}

func (k *writeFixture) escalation(task, severity string) []byte {
	k.t.Helper()
	return k.built(agn.BuildEscalation(k.head(task), agn.Executor, agn.Escalation{
		Kind: agn.UnknownTrouble, Severity: severity, TriggeredBy: agn.Executor, Description: "x", Suspended: severity != agn.Info,
		Snapshot: agn.Snapshot{TaskStatus: "x"},
	}))
}

// send writes what must be accepted.
func (k *writeFixture) send(data []byte) agn.Message {
	k.t.Helper()
	m, err := k.d.Send(k.t.Context(), data, "test", k.at())
	if err != nil {
		k.t.Fatal(err)
	}
	return m
}

func (k *writeFixture) at() time.Time { return time.UnixMilli(k.now) }

func (k *writeFixture) ack(m agn.Message) agn.Ack {
	k.t.Helper()
	k.now += 1000
	a, err := k.d.Ack(k.t.Context(), m.ID, m.To, k.at())
	if err != nil {
		k.t.Fatal(err)
	}
	return a
}

func (k *writeFixture) scan() *Snapshot {
	k.t.Helper()
	s, err := Scan(k.t.Context(), k.path)
	if err != nil || s.Err != nil {
		k.t.Fatal(err, s.Err)
	}
	return s
}

func (k *writeFixture) file(path string) string {
	return filepath.Join(k.path, filepath.FromSlash(path))
}

// has reads a file of the directory.
func (k *writeFixture) has(path string) string {
	k.t.Helper()
	data, err := os.ReadFile(k.file(path))
	if err != nil {
		k.t.Fatal(err)
	}
	return string(data)
}

// put writes a file as another tool would.
func (k *writeFixture) put(path, data string) {
	k.t.Helper()
	if err := os.MkdirAll(filepath.Dir(k.file(path)), 0o700); err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(k.file(path), []byte(data), 0o600); err != nil {
		k.t.Fatal(err)
	}
}

// standing lists the files, relative to the directory.
func (k *writeFixture) standing() []string {
	k.t.Helper()
	list := []string{}
	err := filepath.WalkDir(k.path, func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(k.path, p)
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// rejections reads the error log, every line of which must be one.
func (k *writeFixture) rejections() []agn.Rejection {
	k.t.Helper()
	return readRejections(k.t, k.path)
}

func readRejections(t testing.TB, path string) (list []agn.Rejection) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path, ErrorsName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !bytes.HasSuffix(data, []byte("\n")) {
		t.Fatalf("E0: %v: %q", err, data[max(0, len(data)-100):])
	}
	for line := range bytes.Lines(data) {
		r, err := agn.ParseRejection(line)
		if err != nil {
			t.Fatalf("E0: %v: %.200q", err, line)
		}
		list = append(list, r)
	}
	return list
}

// rejected gives the refusal that an error is.
func rejected(t testing.TB, err error) *RejectedError {
	t.Helper()
	r, ok := errors.AsType[*RejectedError](err)
	if !ok {
		t.Fatalf("E0: %v is no refusal", err)
	}
	return r
}

// ruleOf is the rule of the fault that an error is, or of the first one.
func ruleOf(err error) string {
	if f, ok := errors.AsType[*canon.Fault](err); ok {
		return f.Rule
	}
	return fmt.Sprint(err)
}

func rulesOf(list []canon.Fault) string {
	var names []string
	for _, f := range list {
		names = append(names, f.Rule)
	}
	return strings.Join(names, " ")
}

// Send is [Dir.Compose] for a message that is there.
func (d *Dir) Send(ctx context.Context, data []byte, source string, now time.Time) (agn.Message, error) {
	return d.Compose(ctx, source, now, func(*Snapshot) ([]byte, error) { return data, nil })
}

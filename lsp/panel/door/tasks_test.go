package door_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/disk/tree"
	"github.com/signalbox-dev/signalbox/lsp/panel"
	"github.com/signalbox-dev/signalbox/lsp/panel/door"
	"github.com/signalbox-dev/signalbox/lsp/sources"
)

const (
	chainTask  = "T-2026-044"
	chainAlarm = "escalation-T-2026-044-1772120327001"
)

// board is a workspace with an SSOT in it.
type board struct {
	*testDoor
	home, ssot string
	millis     int64
}

// newBoard opens a workspace whose SSOT has the messages of a task: those of
// another program that end in an escalation, all ACKs but the reviewer's
// included.
func newBoard(t *testing.T, s panel.Settings, messages ...[]byte) *board {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &board{home: home, ssot: filepath.Join(home, ".ssot"), millis: now.UnixMilli()}
	b.testDoor = &testDoor{t: t}
	for _, m := range messages {
		b.put(m)
	}
	b.testDoor = openTestDoor(t, home, s, nil, nil)
	return b
}

// chain gives the messages of testdata/agn/amp-chain.
func chain(t *testing.T) (list [][]byte) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "agn", "amp-chain", "*.json"))
	if err != nil || len(files) != 6 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, data)
	}
	return list
}

// put writes a message as another program does.
func (b *board) put(data []byte) agn.Message {
	b.t.Helper()
	m, err := agn.ParseMessage(data)
	if err != nil {
		b.t.Fatal(err)
	}
	b.write("messages/"+m.TaskID+"/"+m.ID+".json", data)
	return m
}

func (b *board) write(name string, data []byte) {
	b.t.Helper()
	file := filepath.Join(b.ssot, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// escalate makes an escalation of a task, a second later than the one before.
func (b *board) escalate(task, severity, description string) agn.Message {
	b.t.Helper()
	b.millis += 1000
	data, err := agn.BuildEscalation(agn.Head{TaskID: task, Millis: b.millis}, agn.Executor, agn.Escalation{
		Kind: agn.Conflict, Severity: severity, TriggeredBy: agn.Reviewer, Description: description, Suspended: severity != agn.Info,
		Snapshot: agn.Snapshot{TaskStatus: "x"}, Suggested: []string{"Split the task", "Ask [me](command:evil)"},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return b.put(data)
}

func (b *board) escalations(q panel.EscalationParams) panel.EscalationPage {
	b.t.Helper()
	b.ready()
	page, err := b.Escalations(b.t.Context(), q)
	if err != nil {
		b.t.Fatal(err)
	}
	return page
}

// TestEscalation holds AGN X9 in the panel: who is suspended, what happened and what is
// suggested.
func TestEscalation(t *testing.T) {
	b := newBoard(t, panel.Settings{}, chain(t)...)
	page := b.escalations(panel.EscalationParams{})
	if len(page.Items) != 1 || page.Counts.Critical != 1 {
		t.Fatalf("%+v", page)
	}
	e := page.Items[0]
	if e.ID != chainAlarm || e.Severity != agn.Critical || e.Label != "Stopped after 3 rejections" || !e.Open || e.Answer != nil || e.Task.Phase != string(agn.PhaseLocked) {
		t.Errorf("%+v", e)
	}
	if diff := cmp.Diff([]string{"coordinator", "executor", "reviewer"}, e.Suspended); diff != "" {
		t.Error(diff)
	}
	var actions []string
	for _, s := range e.Suggested {
		actions = append(actions, string(s.Action))
	}
	if diff := cmp.Diff([]string{"redirect", "split", "terminate"}, actions); diff != "" {
		t.Error(diff)
	}
	if len(e.Affected) != 2 || e.Affected[1].Ref == nil || !strings.HasPrefix(e.Affected[1].Label, "verdict: rejected, 1 issue") {
		t.Errorf("%+v", e.Affected)
	}
	if e.Snapshot.RejectCount != 4 || e.Snapshot.LastSuccessful == nil || e.Snapshot.LastSuccessful.Ref == nil {
		t.Errorf("%+v", e.Snapshot)
	}
	status, err := b.Status(t.Context())
	if err != nil || status.Critical != 1 || len(status.SSOTs) != 1 || !status.SSOTs[0].Own || status.SSOTs[0].Messages != 6 || status.SSOTs[0].Origin == "" {
		t.Errorf("%+v, %v", status, err)
	}
}

// TestEscalationOrder holds the order of the panel over several tasks, page by
// page: severity, then age, then what was answered.
func TestEscalationOrder(t *testing.T) {
	b := newBoard(t, panel.Settings{})
	var want []string
	for _, severity := range []string{agn.Info, agn.Warning, agn.Critical} {
		var own []string
		for i := range 3 {
			m := b.escalate(fmt.Sprintf("T-2026-%03d", i+1), severity, "trouble")
			own = append(own, m.ID)
		}
		want = append(own, want...)
	}
	for i, id := range []string{want[8], want[0]} {
		resume, err := agn.BuildResume(agn.Resume{MsgID: id, Action: agn.Approve, Millis: b.millis + int64(i)})
		if err != nil {
			t.Fatal(err)
		}
		b.write("resumes/"+id+".json", resume)
	}
	// The newest answered one comes first of those.
	want = append(slices.Clone(want[1:8]), want[0], want[8])
	b.testDoor = reopened(b)
	var got []string
	cursor := ""
	for range 10 {
		page := b.escalations(panel.EscalationParams{Limit: 2, Cursor: cursor})
		if page.Counts.Answered != 2 || page.Counts.Critical != 2 || page.Counts.Warning != 3 || page.Counts.Info != 2 {
			t.Fatalf("%+v", page.Counts)
		}
		for _, e := range page.Items {
			got = append(got, e.ID)
			if (e.Answer != nil) == e.Open {
				t.Errorf("%s is open: %v, and its answer is %+v", e.ID, e.Open, e.Answer)
			}
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	open := true
	if page := b.escalations(panel.EscalationParams{Severity: agn.Critical, Open: &open}); len(page.Items) != 2 {
		t.Errorf("%d open critical ones", len(page.Items))
	}
	task := panel.Ref{Protocol: "agn", Store: tree.ID(b.ssot), ID: "t/T-2026-002"}
	if page := b.escalations(panel.EscalationParams{Task: &task}); len(page.Items) != 3 || page.Items[0].Task.Ref != task || page.Counts.Warning != 3 {
		t.Errorf("of one task: %+v", page)
	}
	for _, q := range []panel.EscalationParams{{Cursor: "x"}, {Severity: "fatal"}} {
		if _, err := b.Escalations(t.Context(), q); !isKind(err, panel.Malformed) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// reopened opens the panels anew, as a restarted server does.
func reopened(b *board) *testDoor {
	_ = b.Close()
	return openTestDoor(b.t, b.home, panel.Settings{}, nil, nil)
}

func isKind(err error, kind panel.Kind) bool {
	failure, ok := errors.AsType[*panel.Error](err)
	return ok && failure.Kind == kind
}

// TestRespond holds that an answer is shown before it is written, written once,
// and opens what it answers (AGN X9, C6).
func TestRespond(t *testing.T) {
	b := newBoard(t, panel.Settings{}, chain(t)...)
	ctx := t.Context()
	ref := b.escalations(panel.EscalationParams{}).Items[0].Ref
	q := panel.RespondParams{Response: panel.Response{Ref: ref, Action: "redirect", Body: "Hold the session in a property.\n"}, ClientToken: "1"}
	preview, err := b.RespondPreview(ctx, q.Response)
	if err != nil || !preview.CanRespond || !strings.Contains(preview.Effect, "running again") || !strings.Contains(preview.Effect, "coordinator, executor, reviewer may go on") {
		t.Fatalf("%+v, %v", preview, err)
	}
	if _, err := os.Stat(preview.Path); !errors.Is(err, os.ErrNotExist) {
		t.Fatal("the dry run wrote")
	}
	done, err := b.Respond(ctx, q)
	if err != nil || done.Task.Phase != string(agn.PhaseResumed) || done.Path != preview.Path {
		t.Fatalf("%+v, %v", done, err)
	}
	data, err := os.ReadFile(preview.Path)
	if err != nil || string(data) != preview.Record {
		t.Errorf("written is %q, %v; the dry run said %q", data, err, preview.Record)
	}
	if again, err := b.Respond(ctx, q); err != nil || again.Path != done.Path {
		t.Errorf("a retry gives %v", err)
	}
	q.Body = "Something else"
	if _, err := b.Respond(ctx, q); !isKind(err, panel.Malformed) {
		t.Errorf("a second answer gives %v", err)
	}
	if preview, err := b.RespondPreview(ctx, q.Response); err != nil || preview.CanRespond {
		t.Errorf("a second answer is offered: %+v, %v", preview, err)
	}
	if now, err := os.ReadFile(preview.Path); err != nil || !bytes.Equal(now, data) {
		t.Error("the answer was changed")
	}
	page := b.escalations(panel.EscalationParams{})
	if e := page.Items[0]; e.Open || e.Answer == nil || e.Answer.Action != "redirect" || len(e.Suspended) > 0 || page.Counts.Critical != 0 {
		t.Errorf("%+v", e)
	}
}

func TestRespondRefused(t *testing.T) {
	messages := chain(t)
	b := newBoard(t, panel.Settings{}, messages...)
	ctx := t.Context()
	ref := b.escalations(panel.EscalationParams{}).Items[0].Ref
	task := ref
	task.ID = "t/" + chainTask
	gone := ref
	gone.ID += "0"
	for _, c := range []struct {
		name string
		q    panel.RespondParams
		kind panel.Kind
	}{
		{"a redirect to nowhere", panel.RespondParams{Response: panel.Response{Ref: ref}, ClientToken: "1"}, panel.Malformed},
		{"an unknown action", panel.RespondParams{Response: panel.Response{Ref: ref, Action: "obey"}, ClientToken: "1"}, panel.Malformed},
		{"no token", panel.RespondParams{Response: panel.Response{Ref: ref, Action: "approve"}}, panel.Malformed},
		{"a task", panel.RespondParams{Response: panel.Response{Ref: task, Action: "approve"}, ClientToken: "1"}, panel.Malformed},
		{"a message that is not there", panel.RespondParams{Response: panel.Response{Ref: gone, Action: "approve"}, ClientToken: "1"}, panel.NotFound},
		{"another format", panel.RespondParams{Response: panel.Response{Ref: panel.Ref{Protocol: "samp", Store: "x", ID: "t/x"}, Action: "approve"}, ClientToken: "1"}, panel.Unsupported},
	} {
		if _, err := b.Respond(ctx, c.q); !isKind(err, c.kind) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	untrusted := newBoard(t, panel.Settings{ReadOnly: true}, messages...)
	q := panel.RespondParams{Response: panel.Response{Ref: untrusted.escalations(panel.EscalationParams{}).Items[0].Ref, Action: "approve"}, ClientToken: "1"}
	if preview, err := untrusted.RespondPreview(ctx, q.Response); err != nil || preview.CanRespond || len(preview.Warnings) != 1 {
		t.Errorf("%+v, %v", preview, err)
	}
	if _, err := untrusted.Respond(ctx, q); !isKind(err, panel.Untrusted) {
		t.Error(err)
	}
	if _, err := untrusted.Ack(ctx, panel.AckParams{Ref: q.Ref, ClientToken: "1"}); !isKind(err, panel.Untrusted) {
		t.Error(err)
	}
	for _, dir := range []string{"resumes", "acks"} {
		if list, _ := os.ReadDir(filepath.Join(untrusted.ssot, dir)); len(list) > 0 {
			t.Errorf("%s was written to", dir)
		}
	}
}

// TestAck holds AGN E12 in the panel: it writes the admin's own ACK, once, and no other ACK.
func TestAck(t *testing.T) {
	b := newBoard(t, panel.Settings{}, chain(t)...)
	ctx := t.Context()
	ref := b.escalations(panel.EscalationParams{}).Items[0].Ref
	done, err := b.Ack(ctx, panel.AckParams{Ref: ref, ClientToken: "1"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(done.Path)
	if ack, bad := agn.ParseAck(data); err != nil || bad != nil || ack.MsgID != chainAlarm || ack.By != agn.Admin {
		t.Errorf("%q, %v, %v", data, err, bad)
	}
	if _, err := b.Ack(ctx, panel.AckParams{Ref: ref, ClientToken: "2"}); err != nil {
		t.Errorf("again: %v", err)
	}
	if e := b.escalations(panel.EscalationParams{}).Items[0]; e.Acked == 0 || !e.Open {
		t.Errorf("%+v", e)
	}
	ref.ID = "m/" + chainTask + "/task_dispatch-T-2026-044-1772116327001"
	if _, err := b.Ack(ctx, panel.AckParams{Ref: ref, ClientToken: "1"}); !isKind(err, panel.NotOwner) || !strings.Contains(err.Error(), "--role executor") {
		t.Errorf("the executor's ACK: %v", err)
	}
}

// TestTaskPage holds the timeline and its text: what happened, who was to
// acknowledge, what the messages break; no line is longer than a terminal.
func TestTaskPage(t *testing.T) {
	b := newBoard(t, panel.Settings{}, chain(t)...)
	ack, err := agn.BuildAck(agn.Ack{MsgID: "task_dispatch-T-2026-044-1772116327001", By: agn.Executor, Millis: 1772116330000})
	if err != nil {
		t.Fatal(err)
	}
	b.write("acks/task_dispatch-T-2026-044-1772116327001.json", ack)
	b.escalate(chainTask, agn.Warning, strings.Repeat("漢字", 200)+"\u202e")
	b.escalations(panel.EscalationParams{})
	ref := panel.Ref{Protocol: "agn", Store: tree.ID(b.ssot), ID: "t/" + chainTask}
	page, err := b.Task(t.Context(), panel.TaskParams{Ref: ref})
	if err != nil {
		t.Fatal(err)
	}
	var kinds, acks []string
	for _, e := range page.Timeline {
		kinds = append(kinds, e.From+" "+e.Type+" "+string(e.Tone))
		acks = append(acks, string(e.Ack.State))
		if _, err := os.Stat(e.Path); err != nil {
			t.Error(err)
		}
	}
	want := []string{
		"coordinator task_dispatch ", "executor task_result ", "coordinator review_request ", "reviewer review_verdict bad",
		"reviewer review_verdict good", "coordinator escalation alarm", "executor escalation alarm",
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"acknowledged", "overdue", "overdue", "overdue", "overdue", "none", "none"}, acks); diff != "" {
		t.Error(diff)
	}
	for line := range strings.Lines(page.Text) {
		columns := 0
		for _, r := range strings.TrimSuffix(line, "\n") {
			columns++
			if r >= 0x4e00 && r <= 0x9fff {
				columns++
			}
		}
		if columns > 80 {
			t.Errorf("%d columns: %q", columns, line)
		}
	}
	for _, part := range []string{
		"T-2026-044  Reconstruct watchOS", "State: stopped", "Suspended: coordinator, executor, reviewer", "Next: waiting for your answer",
		"coordinator -> executor: dispatch: 2 subtasks", "acknowledged ", "NOT ACKNOWLEDGED by coordinator", "1 rejection so far",
	} {
		if !strings.Contains(strings.ReplaceAll(page.Text, "\n          ", " "), part) {
			t.Errorf("the text lacks %q:\n%s", part, page.Text)
		}
	}
	if bad := "\u202e"; strings.Contains(page.Text, bad) || strings.Contains(page.Timeline[6].HTML, bad) {
		t.Error("a hidden character is left")
	}
	for _, id := range []string{"m/" + chainTask + "/" + chainAlarm, "t/" + chainTask} {
		ref.ID = id
		if same, err := b.Task(t.Context(), panel.TaskParams{Ref: ref}); err != nil || same.Task.ID != chainTask {
			t.Errorf("%s: %v", id, err)
		}
	}
	ref.ID = "t/T-2026-999"
	if _, err := b.Task(t.Context(), panel.TaskParams{Ref: ref}); !isKind(err, panel.NotFound) {
		t.Error(err)
	}
}

// TestTaskPages holds that pages of a timeline neither repeat nor lose a step, even
// while new steps come, and that an answer is in its place.
func TestTaskPages(t *testing.T) {
	b := newBoard(t, panel.Settings{})
	var want []string
	for range 7 {
		want = append(want, b.escalate("T-2026-001", agn.Info, "x").ID)
	}
	resume, err := agn.BuildResume(agn.Resume{MsgID: want[2], Action: agn.Approve, Millis: b.millis - 3500})
	if err != nil {
		t.Fatal(err)
	}
	b.write("resumes/"+want[2]+".json", resume)
	want = slices.Insert(want, 3, "answer to "+want[2])
	b.testDoor = reopened(b)
	b.ready()
	q := panel.TaskParams{Ref: panel.Ref{Protocol: "agn", Store: tree.ID(b.ssot), ID: "t/T-2026-001"}, Limit: 3}
	var got []string
	for range 10 {
		page, err := b.Task(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, e := range page.Timeline {
			if e.Kind == panel.EventResume {
				e.ID = "answer to " + e.ID
			}
			ids = append(ids, e.ID)
		}
		got = append(ids, got...)
		if q.Before = page.Before; q.Before == "" {
			break
		}
		b.escalate("T-2026-001", agn.Info, "newer")
		b.ready()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	q.Before = "x"
	if _, err := b.Task(t.Context(), q); !isKind(err, panel.Malformed) {
		t.Error(err)
	}
}

// TestTasks holds the list of tasks, the newest first, in pages.
func TestTasks(t *testing.T) {
	b := newBoard(t, panel.Settings{})
	var want []string
	for i := range 5 {
		id := fmt.Sprintf("T-2026-%03d", i+1)
		b.escalate(id, agn.Info, "x")
		want = append([]string{id}, want...)
	}
	b.testDoor = reopened(b)
	var got []string
	q := panel.TasksParams{Limit: 2}
	for range 5 {
		page, err := b.Tasks(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range page.Tasks {
			got = append(got, task.ID)
		}
		if q.Cursor = page.NextCursor; q.Cursor == "" {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestRejected holds AGN E0 in the panel: what breaks a rule is shown with all
// its faults, is in the error log once, and counts for nothing.
func TestRejected(t *testing.T) {
	b := newBoard(t, panel.Settings{}, chain(t)[0])
	bad, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "agn", "invalid", "D3-branch-master.json"))
	if err != nil {
		t.Fatal(err)
	}
	bad = bytes.Replace(bad, []byte(`"requires_ack": true`), []byte(`"requires_ack": false`), 1)
	b.write("messages/x/bad.json", bad)
	page := b.escalations(panel.EscalationParams{})
	if len(page.Rejected) != 1 || page.Counts.Rejected != 1 || len(page.Items) != 0 {
		t.Fatalf("%+v", page)
	}
	var rules []string
	for _, f := range page.Rejected[0].Faults {
		rules = append(rules, f.Rule)
	}
	slices.Sort(rules)
	if diff := cmp.Diff([]string{"D3", "E8"}, rules); diff != "" || page.Rejected[0].Path != filepath.Join(b.ssot, "messages", "x", "bad.json") {
		t.Errorf("%+v %s", page.Rejected[0], diff)
	}
	// Half a file that is still being written is not logged.
	for deadline := time.Now().Add(20 * time.Second); !b.escalations(panel.EscalationParams{}).Rejected[0].Logged; {
		if time.Now().After(deadline) {
			t.Fatal("it was not logged")
		}
	}
	log, err := os.ReadFile(filepath.Join(b.ssot, "errors.jsonl"))
	if err != nil || bytes.Count(log, []byte("\n")) != 1 {
		t.Errorf("the error log is %q, %v", log, err)
	}
	b.escalations(panel.EscalationParams{})
	if again, _ := os.ReadFile(filepath.Join(b.ssot, "errors.jsonl")); !bytes.Equal(again, log) {
		t.Errorf("it is logged again: %q", again)
	}
	// A dispatch to master is what a watchdog reports.
	if len(page.Overdue) == 0 || !slices.ContainsFunc(page.Overdue, func(o panel.Overdue) bool { return o.Kind == agn.BranchViolation }) {
		t.Errorf("%+v", page.Overdue)
	}
}

// TestDeadlineIsAnnounced holds that a missed ACK is announced at its deadline, although no
// file changes.
func TestDeadlineIsAnnounced(t *testing.T) {
	b := newBoard(t, panel.Settings{})
	_ = b.Close()
	at := time.Now()
	data, err := agn.BuildResult(agn.Head{TaskID: "T-2026-001", Millis: at.UnixMilli() - 400, AckTimeout: 1}, agn.Result{SubtaskID: "S1", Status: "complete"})
	if err != nil {
		t.Fatal(err)
	}
	b.put(data)
	told := make(chan int, 100)
	p := door.Open(panel.Options{
		Sources: sources.All(),
		Env:     boardEnv(b), Version: "test", Now: time.Now, Log: discard(), StatusChanged: func(panel.Status) {},
		Changed: func(c panel.Change) { told <- c.Overdue },
	})
	defer p.Close()
	for n := range told {
		if n == 1 {
			break
		}
	}
	page, err := p.Escalations(t.Context(), panel.EscalationParams{})
	if err != nil || len(page.Overdue) != 1 || page.Overdue[0].Who != agn.Coordinator || page.Overdue[0].Kind != agn.AckTimeout {
		t.Errorf("%+v, %v", page, err)
	}
}

// TestWatchdogSetting holds that the server reports what is overdue only where
// the setting says so, and stops with it.
func TestWatchdogSetting(t *testing.T) {
	b := newBoard(t, panel.Settings{}, chain(t)[0])
	if page := b.escalations(panel.EscalationParams{}); page.Counts.Warning != 0 || page.Counts.Overdue == 0 {
		t.Fatalf("without a watchdog: %+v", page.Counts)
	}
	for _, s := range []panel.Settings{{Watchdog: true, ReadOnly: true}, {Watchdog: true}} {
		if err := b.Configure(t.Context(), s, nil); err != nil {
			t.Fatal(err)
		}
		b.ready()
		status, err := b.Status(t.Context())
		if err != nil || len(status.SSOTs) != 1 || status.SSOTs[0].Watchdog == s.ReadOnly {
			t.Fatalf("%+v, %v", status.SSOTs, err)
		}
	}
	deadline := time.Now().Add(20 * time.Second)
	for b.escalations(panel.EscalationParams{}).Counts.Warning == 0 {
		if time.Now().After(deadline) {
			t.Fatal("nothing was reported")
		}
	}
	for _, e := range b.escalations(panel.EscalationParams{}).Items {
		if e.From != agn.System {
			t.Errorf("%+v", e)
		}
	}
}

// TestTaskLinks holds that ids of tasks and messages are known to hovers.
func TestTaskLinks(t *testing.T) {
	b := newBoard(t, panel.Settings{}, chain(t)...)
	b.ready()
	links, err := b.Resolve(t.Context(), []string{chainTask, chainAlarm, "T-2026-045"})
	if err != nil {
		t.Fatal(err)
	}
	if links[0].Status != "found" || links[0].Kind != "thread" || !strings.Contains(links[0].Preview, "stopped") ||
		links[1].Kind != "message" || links[1].Message == nil || links[2].Status != "missing" {
		data, _ := json.Marshal(links)
		t.Errorf("%s", data)
	}
	for _, l := range links {
		if len(l.Preview) > 4096 {
			t.Errorf("%d bytes", len(l.Preview))
		}
	}
}

// TestHostileSizes holds that whatever strangers write, a page of escalations, of
// issues and of a task fits a frame, and that all of them are reached.
func TestHostileSizes(t *testing.T) {
	const escalations, frame = 30, 16 << 20
	b := newBoard(t, panel.Settings{})
	hostile := strings.Repeat("\u0001", 60_000)
	for i := range escalations {
		b.escalate(fmt.Sprintf("T-2026-%03d", i+1), agn.Critical, hostile)
	}
	b.testDoor = reopened(b)
	seen, cursor := 0, ""
	for range escalations {
		page := b.escalations(panel.EscalationParams{Limit: panel.MaxPage, Cursor: cursor})
		data, err := json.Marshal(page)
		if err != nil || len(data) > frame {
			t.Fatalf("%d bytes, %v", len(data), err)
		}
		seen += len(page.Items)
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	if seen != escalations {
		t.Errorf("%d of %d are shown", seen, escalations)
	}
	page, err := b.Task(t.Context(), panel.TaskParams{Ref: panel.Ref{Protocol: "agn", Store: tree.ID(b.ssot), ID: "t/T-2026-001"}})
	if data, _ := json.Marshal(page); err != nil || len(data) > frame || len(page.Timeline) != 1 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// TestAheadOfTime holds that the dry run shows what is written if the escalation's clock is
// ahead of ours (AGN X9, E7).
func TestAheadOfTime(t *testing.T) {
	b := newBoard(t, panel.Settings{})
	b.millis += 59_000
	m := b.escalate("T-2026-001", agn.Critical, "ahead")
	b.testDoor = reopened(b)
	b.ready()
	q := panel.RespondParams{Response: panel.Response{Ref: panel.Ref{Protocol: "agn", Store: tree.ID(b.ssot), ID: "m/T-2026-001/" + m.ID}, Action: "approve"}, ClientToken: "1"}
	preview, err := b.RespondPreview(t.Context(), q.Response)
	if err != nil || !preview.CanRespond || !strings.Contains(preview.Effect, "running again") {
		t.Fatalf("%+v, %v", preview, err)
	}
	done, err := b.Respond(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(done.Path); err != nil || string(data) != preview.Record {
		t.Errorf("written is %s, %v; the dry run said %s", data, err, preview.Record)
	}
}

// TestLateSSOT holds that a directory which the first message makes is found
// while the server runs, and not spoken of before (AGN X10).
func TestLateSSOT(t *testing.T) {
	b := newBoard(t, panel.Settings{})
	status, err := b.Status(t.Context())
	if err != nil || len(status.SSOTs) > 0 || len(status.Warnings) > 0 {
		t.Fatalf("%+v, %v", status, err)
	}
	b.escalate("T-2026-001", agn.Critical, "help")
	if page := b.escalations(panel.EscalationParams{}); page.Counts.Critical != 1 {
		t.Errorf("%+v", page)
	}
	if status, err = b.Status(t.Context()); err != nil || len(status.SSOTs) != 1 || status.SSOTs[0].Path != b.ssot || status.Critical != 1 {
		t.Errorf("%+v, %v", status, err)
	}
	if err := os.RemoveAll(b.ssot); err != nil {
		t.Fatal(err)
	}
	b.ready()
	if status, err = b.Status(t.Context()); err != nil || len(status.SSOTs) > 0 || status.Critical != 0 {
		t.Errorf("%+v, %v", status, err)
	}
}

// TestBehindTime holds that an ACK and an answer count although their writer's clock is
// behind (AGN E12, X9).
func TestBehindTime(t *testing.T) {
	b := newBoard(t, panel.Settings{})
	m := b.escalate("T-2026-001", agn.Critical, "x")
	for name, build := range map[string]func() ([]byte, error){
		"acks": func() ([]byte, error) {
			return agn.BuildAck(agn.Ack{MsgID: m.ID, By: agn.Admin, Millis: b.millis - 5000})
		},
		"resumes": func() ([]byte, error) {
			return agn.BuildResume(agn.Resume{MsgID: m.ID, Action: agn.Split, Millis: b.millis - 5000})
		},
	} {
		data, err := build()
		if err != nil {
			t.Fatal(err)
		}
		b.write(name+"/"+m.ID+".json", data)
	}
	b.testDoor = reopened(b)
	page := b.escalations(panel.EscalationParams{})
	if e := page.Items[0]; e.Open || e.Acked == 0 || e.Answer == nil || e.Answer.Action != "split" || e.Task.Phase != string(agn.PhaseResumed) {
		t.Errorf("%+v", e)
	}
	task, err := b.Task(t.Context(), panel.TaskParams{Ref: page.Items[0].Ref})
	if err != nil || len(task.Timeline) != 2 || task.Timeline[1].Kind != panel.EventResume {
		t.Errorf("%+v, %v", task.Timeline, err)
	}
}

// TestOneSecond holds that the messages of a round with the same second are shown in their
// order, and without false faults.
func TestOneSecond(t *testing.T) {
	b := newBoard(t, panel.Settings{})
	h := agn.Head{TaskID: "T-2026-001", Millis: now.UnixMilli()}
	var ids []string
	for _, build := range []func() ([]byte, error){
		func() ([]byte, error) {
			return agn.BuildDispatch(h, agn.Dispatch{Description: "d", Repo: "/r", Branch: "b", Subtasks: []agn.Subtask{{ID: "S1"}}, Criteria: []string{"c"}, Risk: "low"})
		},
		func() ([]byte, error) {
			return agn.BuildResult(h, agn.Result{SubtaskID: "S1", Status: "complete", CriteriaMet: []agn.Answer{agn.Yes}})
		},
		func() ([]byte, error) {
			return agn.BuildRequest(h, agn.Request{DispatchRef: h.ID(agn.TypeDispatch), ResultRef: h.ID(agn.TypeResult), Scope: "full", DiffURL: "u"})
		},
		func() ([]byte, error) {
			return agn.BuildVerdict(h, agn.Verdict{Decision: agn.Approved, Confidence: 1, Criteria: []agn.Criterion{{Text: "c", Passed: agn.Yes}}})
		},
	} {
		data, err := build()
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, b.put(data).ID)
	}
	b.testDoor = reopened(b)
	page, err := b.Task(t.Context(), panel.TaskParams{Ref: panel.Ref{Protocol: "agn", Store: tree.ID(b.ssot), ID: "t/T-2026-001"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range page.Timeline {
		got = append(got, e.ID)
		if len(e.Warnings) > 0 {
			t.Errorf("%s: %+v", e.ID, e.Warnings)
		}
	}
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Error(diff)
	}
}

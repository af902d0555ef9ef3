package demo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/lsp/store/ssot"
)

// demoSSOT is the directory of the demo's tasks, within its project.
const demoSSOT = ".ssot"

// demoTasks writes tasks of the sample project: one that ran into a lock and
// waits for the admin, one whose dispatch nobody acknowledged, and one in work
// with a result that was refused.
func demoTasks(ctx context.Context, project string, now time.Time) error {
	if err := os.MkdirAll(project, 0o700); err != nil {
		return err
	}
	d, err := ssot.Create(filepath.Join(project, demoSSOT))
	if err != nil {
		return err
	}
	defer d.Close()
	d.SkipRepo = true // where git is not installed the project is no repository
	t := &demoWriter{dir: d, ctx: ctx, now: now, repo: project}
	year := now.UTC().Year()
	t.locked(fmt.Sprintf("T-%04d-001", year))
	t.unheard(fmt.Sprintf("T-%04d-002", year))
	t.refused(fmt.Sprintf("T-%04d-003", year))
	return t.err
}

// demoWriter writes messages of the demo and keeps the first error.
type demoWriter struct {
	dir  *ssot.Dir
	ctx  context.Context
	now  time.Time
	repo string
	task string
	err  error
}

func (t *demoWriter) at(ago time.Duration) time.Time { return t.now.Add(-ago) }

// head begins a message that was sent some time ago.
func (t *demoWriter) head(ago time.Duration, refs ...string) agn.Head {
	return agn.Head{TaskID: t.task, Millis: t.at(ago).UnixMilli(), ContextRef: refs}
}

// send writes a message, and gives its id.
func (t *demoWriter) send(ago time.Duration, data []byte, err error) string {
	if t.err = cmp.Or(t.err, err); t.err != nil {
		return ""
	}
	m, err := t.dir.Send(t.ctx, data, "signalbox demo", t.at(ago))
	t.err = err
	return m.ID
}

// ack writes the receiver's ACK, half a minute after the message.
func (t *demoWriter) ack(ago time.Duration, id, by string) string {
	if t.err == nil {
		_, t.err = t.dir.Ack(t.ctx, id, by, t.at(ago-30*time.Second))
	}
	return id
}

func (t *demoWriter) dispatch(ago time.Duration, d agn.Dispatch, refs ...string) string {
	d.Repo = t.repo
	data, err := agn.BuildDispatch(t.head(ago, refs...), d)
	return t.send(ago, data, err)
}

// locked is a task that the reviewer rejected three times for the same reason.
func (t *demoWriter) locked(task string) {
	t.task = task
	d := agn.Dispatch{
		Description: "Users are logged out too early\n\nA session must stay valid until it ends.",
		Branch:      "fix/login", Risk: "medium", Forbidden: []string{"Change the format of stored sessions"},
		Subtasks: []agn.Subtask{
			{ID: task + "-S1", Description: "Compare the times of sessions, not their equality", EstimatedLines: 20},
			{ID: task + "-S2", Description: "Renew a session once, not twice", EstimatedLines: 15},
		},
		Criteria: []string{"A session is valid until it ends", "A session is renewed once", "All tests pass"},
	}
	before := []string{}
	for round := range 3 {
		start := 58*time.Minute - time.Duration(round)*11*time.Minute
		id := t.ack(start, t.dispatch(start, d, before...), agn.Executor)
		before = []string{t.round(start, round, id)}
		d.Description = "Users are still logged out too early: see the review"
	}
	e := agn.Escalation{
		Kind: agn.HallucinationLock, Severity: agn.Critical, TriggeredBy: agn.Coordinator, Suspended: true,
		Description: task + " is locked: the reviewer rejected three times in a row, each time because a session is renewed twice. The executor repeats the same fix.",
		Affected:    before, Snapshot: agn.Snapshot{TaskStatus: "locked", RejectCount: 3, LastSuccessful: before[0]},
		Suggested: []string{"Redirect: say where the second renewal comes from", "Split the renewal off into a task of its own", "Terminate the task and roll fix/login back"},
	}
	data, err := agn.BuildEscalation(t.head(23*time.Minute, before...), agn.Coordinator, e)
	t.send(23*time.Minute, data, err)
}

// round is a result, its review and its rejection.
func (t *demoWriter) round(start time.Duration, n int, dispatch string) string {
	ago := start - 5*time.Minute
	data, err := agn.BuildResult(t.head(ago, dispatch), agn.Result{
		SubtaskID: t.task + "-S2", Status: "complete", Files: []string{"src/auth.ts"}, LinesAdded: int64(6 + n), LinesRemoved: 2,
		CriteriaMet: []agn.Answer{agn.Yes, agn.Unknown, agn.Yes}, Notes: []string{"a test of the renewal would need a clock"},
		Log:    []agn.LogEntry{{Time: agn.At(t.at(ago).UnixMilli()), Action: "edit", File: "src/auth.ts", Detail: "compare with > instead of =="}},
		Commit: fmt.Sprintf("a3f8d2%d", n),
	})
	result := t.ack(ago, t.send(ago, data, err), agn.Coordinator)
	ago -= time.Minute
	r := agn.Request{
		DispatchRef: dispatch, ResultRef: result, Scope: "full", DiffURL: "main...fix/login", RejectCount: int64(n),
		CI: []agn.Build{{Name: "xcode_cloud", Status: "passed"}},
	}
	if n >= agn.WarnRejects {
		r.Notes = "Lock is approaching: please say exactly what is missing."
	}
	data, err = agn.BuildRequest(t.head(ago, dispatch, result), r)
	request := t.ack(ago, t.send(ago, data, err), agn.Reviewer)
	ago -= 3 * time.Minute
	data, err = agn.BuildVerdict(t.head(ago, request), agn.Verdict{
		Decision: agn.Rejected, Confidence: 0.95,
		Criteria: []agn.Criterion{
			{Text: "A session is valid until it ends", Passed: agn.Yes, Evidence: "src/auth.ts compares with >"},
			{Text: "A session is renewed once", Passed: agn.No, Evidence: "renew runs from valid and from the timer"},
			{Text: "All tests pass", Passed: agn.Yes, Evidence: "12 passing"},
		},
		Issues: []agn.Issue{
			{Severity: "critical", File: "src/auth.ts", Line: 2, Description: "valid() renews the session, and the timer does it again", SuggestedFix: "Renew in the timer alone"},
			{Severity: "minor", File: "README.md", Line: 1, Description: "Says nothing of how long a session lasts", SuggestedFix: ""},
		},
	})
	return t.ack(ago, t.send(ago, data, err), agn.Coordinator)
}

// unheard is a task whose dispatch the executor did not acknowledge.
func (t *demoWriter) unheard(task string) {
	t.task = task
	t.dispatch(12*time.Minute, agn.Dispatch{
		Description: "Write the release notes for 1.4", Branch: "release/1.4", Risk: "low",
		Subtasks: []agn.Subtask{{ID: task + "-S1", Description: "One entry for each merged branch", EstimatedLines: 40}},
		Criteria: []string{"Each merged branch has an entry"},
	})
}

// refused is a task in work, with a partial result that does not say why.
func (t *demoWriter) refused(task string) {
	t.task = task
	id := t.dispatch(20*time.Minute, agn.Dispatch{
		Description: "Share one type check between build and test", Branch: "build/speed", Risk: "low",
		Subtasks: []agn.Subtask{{ID: task + "-S1", Description: "Run the type check once", EstimatedLines: 30}},
		Criteria: []string{"The build takes less than a minute"},
	})
	t.ack(20*time.Minute, id, agn.Executor)
	const ago = 8 * time.Minute
	if t.err != nil {
		return
	}
	// The builder refuses this, so that one word changes afterwards.
	data, err := agn.BuildResult(t.head(ago, id), agn.Result{
		SubtaskID: task + "-S1", Status: "complete", Files: []string{"package.json"}, LinesAdded: 4, LinesRemoved: 1, CriteriaMet: []agn.Answer{agn.Unknown},
	})
	if err != nil {
		t.err = err
		return
	}
	_, err = t.dir.Send(t.ctx, bytes.Replace(data, []byte(`"complete"`), []byte(`"partial"`), 1), "signalbox demo", t.at(ago))
	if r, expected := errors.AsType[*ssot.RejectedError](err); !expected || r.Log != nil {
		t.err = fmt.Errorf("demo: the result without blockers was not refused: %w", err)
	}
}

package agn

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// TestAck holds AGN E12, D9 and C4: the receiver acknowledges, once, and the
// task is in work.
func TestAck(t *testing.T) {
	k := newWriteFixture(t)
	m := k.send(k.dispatch(task))
	a := k.ack(m)
	if want := (agn.Ack{MsgID: m.ID, By: agn.Executor, Millis: k.now}); a != want {
		t.Errorf("%+v", a)
	}
	if got, err := agn.ParseAck([]byte(k.has(AckPath(m.ID)))); err != nil || got != a {
		t.Errorf("%+v: %v", got, err)
	}
	if s := k.scan().Task(task).State(k.now); s.Phase != agn.PhaseInWork || len(s.Waits) > 0 {
		t.Errorf("%+v", s)
	}
	before := k.has(AckPath(m.ID))
	k.now += 5000
	_, err := k.d.Ack(t.Context(), m.ID, m.To, k.at())
	if e, ok := errors.AsType[*ExistsError](err); !ok || e.Ack == nil || *e.Ack != a || e.Path != AckPath(m.ID) || k.has(AckPath(m.ID)) != before {
		t.Errorf("E12: a second ACK: %v", err)
	}
	// An escalation asks for none, and may have one.
	k.ack(k.send(k.escalation(task, agn.Warning)))
}

// TestAckRefused writes no ACK that would count for nothing.
func TestAckRefused(t *testing.T) {
	k := newWriteFixture(t)
	m := k.send(k.dispatch(task))
	before := k.standing()
	for _, c := range []struct{ name, id, by, rule string }{
		{"E12 the sender's", m.ID, agn.Coordinator, "E12"},
		{"E12 somebody's", m.ID, agn.Reviewer, "E12"},
		{"E12 nobody's", m.ID, "", "E12"},
		{"E12 the system's", m.ID, agn.System, "E12"},
		{"E12 a stranger's", m.ID, "../x", "E12"},
		{"E1 a path", "../" + m.ID, agn.Executor, "E1"},
		{"E1 no id", "", agn.Executor, "E1"},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			if _, err := k.d.Ack(t.Context(), c.id, c.by, k.at()); ruleOf(err) != c.rule {
				t.Errorf("%v, want %s", err, c.rule)
			}
		})
	}
	if _, err := k.d.Ack(t.Context(), "task_dispatch-T-2026-007-1", agn.Executor, k.at()); !errors.Is(err, ErrNotFound) {
		t.Errorf("E12: a message that is not there: %v", err)
	}
	if diff := cmp.Diff(before, k.standing()); diff != "" {
		t.Errorf("E12: %s", diff)
	}
}

// TestAckTaken leaves what has an ACK's name alone, whatever it is: AGN E12 C4.
func TestAckTaken(t *testing.T) {
	for name, content := range map[string]string{"another's ACK": "", "no ACK": "x", "an empty file": " "} {
		t.Run("AGN E12 "+name, func(t *testing.T) {
			k := newWriteFixture(t)
			m := k.send(k.dispatch(task))
			if content == "" {
				content = string(k.built(agn.BuildAck(agn.Ack{MsgID: m.ID, By: agn.Reviewer, Millis: k.now})))
			}
			k.put(AckPath(m.ID), content)
			_, err := k.d.Ack(t.Context(), m.ID, m.To, k.at())
			e, ok := errors.AsType[*ExistsError](err)
			if !ok || (e.Ack != nil) != (name == "another's ACK") || e.Resume != nil {
				t.Errorf("%v", err)
			}
			if e.Void == "" || !strings.Contains(err.Error(), AckPath(m.ID)) || !strings.Contains(err.Error(), "counts for nothing") || !strings.Contains(err.Error(), "remove the file") {
				t.Errorf("it does not say what to do: %v", err)
			}
			if k.has(AckPath(m.ID)) != content {
				t.Error("overwritten")
			}
		})
	}
	k := newWriteFixture(t)
	m := k.send(k.dispatch(task))
	if err := os.Symlink(k.file("nowhere"), k.file(AckPath(m.ID))); err != nil {
		t.Fatal(err)
	}
	if _, err := k.d.Ack(t.Context(), m.ID, m.To, k.at()); err == nil {
		t.Error("E12: through a link")
	}
	if _, err := os.Lstat(k.file("nowhere")); err == nil {
		t.Error("E12: a link was followed")
	}
}

// TestAckClock holds AGN E7 and E12: an ACK of a message whose sender's clock is
// ahead counts all the same.
func TestAckClock(t *testing.T) {
	k := newWriteFixture(t)
	k.now += 60_000
	m := k.send(k.dispatch(task))
	k.now -= 30_000
	a := k.ack(m)
	if a.Millis != m.Time.Millis {
		t.Errorf("%d", a.Millis)
	}
	if s := k.scan().Task(task).State(k.now); len(s.Waits) > 0 || s.Phase != agn.PhaseInWork {
		t.Errorf("%+v", s)
	}
}

// TestResume holds AGN X9 and C6: the admin's answer to what is open, once.
func TestResume(t *testing.T) {
	k := newWriteFixture(t)
	k.send(k.dispatch(task))
	m := k.send(k.escalation(task, agn.Critical))
	r := agn.Resume{MsgID: m.ID, Action: agn.Redirect, Text: "do otherwise", Millis: k.now + 1000}
	if err := k.d.Resume(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if got, err := agn.ParseResume([]byte(k.has(ResumePath(m.ID)))); err != nil || got != r {
		t.Errorf("%+v: %v", got, err)
	}
	if s := k.scan().Task(task).State(r.Millis); s.Phase != agn.PhaseResumed || len(s.Open) > 0 {
		t.Errorf("%+v", s)
	}
	if record, err := agn.ParseRecord([]byte(k.has(TaskPath(task)))); err != nil || record.Phase != agn.PhaseResumed || record.Updated != r.Millis {
		t.Errorf("E6: %+v", record)
	}
	if f := k.scan().CheckResume(r, k.now); f != nil {
		t.Errorf("X9: %v", f)
	}
	again := r
	again.Action, again.Text, again.Millis = agn.Terminate, "", r.Millis+1000
	err := k.d.Resume(t.Context(), again)
	if e, ok := errors.AsType[*ExistsError](err); !ok || e.Resume == nil || *e.Resume != r || e.Void != "" {
		t.Errorf("X9: a second answer: %v", err)
	}
}

// TestResumeRefused writes no answer that would count for nothing, and says why:
// AGN X9 C6.
func TestResumeRefused(t *testing.T) {
	k := newWriteFixture(t)
	d := k.send(k.dispatch(task))
	open := k.send(k.escalation(task, agn.Warning))
	before := k.standing()
	for _, c := range []struct {
		name string
		r    agn.Resume
		rule string
		says string
	}{
		{"X9 no escalation", agn.Resume{MsgID: d.ID, Action: agn.Approve}, "X9", "no escalation and does not lock"},
		{"X9 no action", agn.Resume{MsgID: open.ID}, "X9", `"action"`},
		{"X9 an unknown action", agn.Resume{MsgID: open.ID, Action: "obey"}, "X9", "obey"},
		{"X9 a redirect to nowhere", agn.Resume{MsgID: open.ID, Action: agn.Redirect, Text: " \n"}, "X9", "needs a text"},
		{"X9 a long text", agn.Resume{MsgID: open.ID, Action: agn.Approve, Text: strings.Repeat("x", agn.MaxText+1)}, "X9", "limit"},
		{"E0 no text", agn.Resume{MsgID: open.ID, Action: agn.Approve, Text: "\xff"}, "E0", "UTF-8"},
		{"E1 a path", agn.Resume{MsgID: "../x", Action: agn.Approve}, "E1", "form"},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			c.r.Millis = k.now
			if err := k.d.Resume(t.Context(), c.r); ruleOf(err) != c.rule || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %s", err, c.rule)
			}
		})
	}
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: "escalation-T-2026-007-1", Action: agn.Approve, Millis: k.now}); !errors.Is(err, ErrNotFound) {
		t.Errorf("X9: %v", err)
	}
	if diff := cmp.Diff(before, k.standing()); diff != "" {
		t.Errorf("X9: %s", diff)
	}
}

// TestResumeLock holds AGN X9, X11 and C2 for locks: any escalation of the lock
// opens it, and so does the verdict that locked; what was opened is not answered
// again.
func TestResumeLock(t *testing.T) {
	k := newWriteFixture(t)
	d := k.send(k.dispatch(task))
	var v agn.Message
	for i := range 3 {
		r := k.send(k.result(task))
		k.send(k.request(task, d.ID, r.ID, int64(i)))
		v = k.send(k.verdict(task, agn.Rejected))
	}
	if s := k.scan().Task(task).State(k.now); s.Phase != agn.PhaseLocked || s.LockedBy != v.ID {
		t.Fatalf("%+v", s)
	}
	lock := func() agn.Message {
		return k.send(k.built(agn.BuildEscalation(k.head(task), agn.Coordinator, agn.Escalation{
			Kind: agn.HallucinationLock, Severity: agn.Critical, TriggeredBy: agn.Coordinator, Description: "x", Suspended: true, Affected: []string{v.ID},
			Snapshot: agn.Snapshot{TaskStatus: "locked", RejectCount: 3},
		})))
	}
	first, second := lock(), lock()
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: first.ID, Action: agn.Split, Millis: k.now}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{second.ID, v.ID} {
		err := k.d.Resume(t.Context(), agn.Resume{MsgID: id, Action: agn.Approve, Millis: k.now + 1})
		if ruleOf(err) != "X9" {
			t.Errorf("X9: %s was opened with the other: %v", id, err)
		}
	}
	// The fourth rejection locks again; its verdict is answered itself.
	d = k.send(k.dispatch(task))
	r := k.send(k.result(task))
	k.send(k.request(task, d.ID, r.ID, 3))
	v = k.send(k.verdict(task, agn.Rejected))
	warning := k.send(k.escalation(task, agn.Info))
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: d.ID, Action: agn.Approve, Millis: k.now}); ruleOf(err) != "X9" || !strings.Contains(err.Error(), v.ID) {
		t.Errorf("X9: it does not say what locks: %v", err)
	}
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: v.ID, Action: agn.Approve, Millis: k.now}); err != nil {
		t.Fatal(err)
	}
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: warning.ID, Action: agn.Approve, Millis: k.now}); err != nil {
		t.Errorf("X9: what is mere information is open too: %v", err)
	}
	if s := k.scan().Task(task).State(k.now); s.Lock != agn.LockNone || len(s.Open) > 0 {
		t.Errorf("%+v", s)
	}
}

// TestResumeClock holds AGN E7 and X9: an answer counts though the clock of
// whoever escalated is ahead, and what the admin could not have seen yet by the
// times is not built upon.
func TestResumeClock(t *testing.T) {
	k := newWriteFixture(t)
	k.send(k.dispatch(task))
	k.now += 60_000
	m := k.send(k.escalation(task, agn.Critical))
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: m.ID, Action: agn.Approve, Millis: k.now - 30_000}); err != nil {
		t.Fatal(err)
	}
	if s := k.scan().Task(task).State(k.now); s.Phase != agn.PhaseResumed {
		t.Errorf("%+v", s)
	}
}

// TestResumeLater holds AGN X9 and E7: what is dated after an answer, by a clock
// that is ahead, opens nothing for it to answer.
func TestResumeLater(t *testing.T) {
	k := newWriteFixture(t)
	k.send(k.dispatch(task))
	lock := func() agn.Message {
		return k.send(k.built(agn.BuildEscalation(k.head(task), agn.Coordinator, agn.Escalation{
			Kind: agn.HallucinationLock, Severity: agn.Critical, TriggeredBy: agn.Coordinator, Description: "x", Suspended: true,
			Snapshot: agn.Snapshot{TaskStatus: "locked"},
		})))
	}
	first, second := lock(), lock()
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: first.ID, Action: agn.Approve, Millis: k.now + 1}); err != nil {
		t.Fatal(err)
	}
	now := k.now + 1000
	k.now += 100_000
	third := lock()
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: second.ID, Action: agn.Approve, Millis: now}); ruleOf(err) != "X9" {
		t.Errorf("%v", err)
	}
	if err := k.d.Resume(t.Context(), agn.Resume{MsgID: third.ID, Action: agn.Approve, Millis: now}); err != nil {
		t.Error(err)
	}
}

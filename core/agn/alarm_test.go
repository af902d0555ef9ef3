package agn_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/agn/agntest"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// refusedDispatch is a dispatch to main (AGN D3), with an id or what stands in
// its place.
func refusedDispatch(t testing.TB, id string) agn.Message {
	t.Helper()
	raw := string(tell(t, "dispatch").H.Messages[0].Raw)
	raw = strings.Replace(raw, `"branch": "b"`, `"branch": "main"`, 1)
	if id != "" {
		raw = strings.Replace(raw, agn.ID{Type: agn.TypeDispatch, TaskID: task, Millis: noon + minute}.String(), id, 1)
	}
	m := parse(t, []byte(raw))
	if len(m.Faults) == 0 {
		t.Fatal("the dispatch is sound")
	}
	return m
}

// kinds lists alarms as "kind of the message's type by whom".
func kinds(list []agn.Alarm) string {
	var out []string
	for _, a := range list {
		of, _, _ := strings.Cut(a.MsgID, "-")
		out = append(out, strings.TrimSpace(a.Kind+" "+of)+" by "+a.Who)
	}
	return strings.Join(out, ", ")
}

// TestAlarms holds what a watchdog reports, from which moment on, and what it
// leaves out: AGN E12 X9 X10 X11 D3 C5.
func TestAlarms(t *testing.T) {
	const (
		late  = 300*1000 + 1 // of a dispatch's ACK
		quiet = agn.HeartbeatLimit
	)
	three := reject + reject + reject
	for _, c := range []struct {
		name, steps string
		after       int64 // milliseconds after the last step
		want        string
		since       int64 // of the last alarm, after the last step
	}{
		{"E12 at the deadline", "dispatch", late - 1, "", 0},
		{"E12 after the deadline", "dispatch", late, "ack_timeout task_dispatch by executor", late},
		{"E12 much later, and silent", "dispatch", quiet, "ack_timeout task_dispatch by executor, heartbeat_timeout task_dispatch by executor", quiet},
		{"C5 the coordinator's own", "dispatch ack:task_dispatch complete", 120*1000 + 1, "ack_timeout task_result by coordinator", 120*1000 + 1},
		{"X11 before silence", "dispatch ack:task_dispatch", quiet - 1, "", 0},
		{"X11 silence", "dispatch ack:task_dispatch", quiet, "heartbeat_timeout task_dispatch by executor", quiet},
		{"X11 silence after an answer", "dispatch ack:task_dispatch critical resume:escalation", quiet, "heartbeat_timeout by coordinator", quiet},
		{"X11 the admin's turn", "dispatch ack:task_dispatch warning", quiet, "", 0},
		{"X10 a lock", three, 0, "hallucination_lock review_verdict by coordinator", -minute},
		{"X10 a lock that was escalated", three + "lock", 0, "", 0},
		{"X10 a lock with another escalation", three + "stop", 0, "hallucination_lock review_verdict by coordinator", -2 * minute},
		{"X10 a declared lock", "dispatch ack:task_dispatch lock", 0, "", 0},
		{"X9 a lock that was answered", three + "lock resume:escalation", 0, "", 0},
		{"X9 terminated", "dispatch critical terminate:escalation", quiet, "", 0},
		{"done", round + "approve ack:review_verdict", quiet, "", 0},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			s := tell(t, c.steps)
			list := alarmsOf(task, s.H, nil, s.Now+c.after)
			if got := kinds(list); got != c.want {
				t.Fatalf("%s, want %s", got, c.want)
			}
			if len(list) > 0 && list[len(list)-1].Since != s.Now+c.since {
				t.Errorf("since %d after the last step, want %d", list[len(list)-1].Since-s.Now, c.since)
			}
			for _, a := range list {
				want := agn.Warning
				if a.Kind == agn.HallucinationLock {
					want = agn.Critical
				}
				if a.Severity != want || !strings.HasPrefix(a.Description, task+": ") {
					t.Errorf("%+v", a)
				}
			}
		})
	}
}

// TestAlarmsAdmin holds that the admin is not told of their own missing ACK: AGN
// E12 C5.
func TestAlarmsAdmin(t *testing.T) {
	s := tell(t, "dispatch ack:task_dispatch warning")
	last := &s.H.Messages[1]
	last.RequiresAck, last.AckTimeout = true, 10
	now := s.Now + 60_000
	if waits := agn.State(task, s.H, now).Waits; len(waits) != 1 || !waits[0].Overdue {
		t.Fatalf("%+v", waits)
	}
	if list := alarmsOf(task, s.H, nil, now); len(list) > 0 {
		t.Errorf("%+v", list)
	}
}

// TestAlarmsSilenceAgain holds that a silence is reported once, again after the
// admin answered in vain, and not because of a clock that is wrong: AGN X10 X11
// E7.
func TestAlarmsSilenceAgain(t *testing.T) {
	s := tell(t, "dispatch ack:task_dispatch")
	for range 3 {
		s.Now += agn.HeartbeatLimit
		list := alarmsOf(task, s.H, nil, s.Now)
		if len(list) != 1 || list[0].Kind != agn.HeartbeatTimeout {
			t.Fatalf("X11: %+v", list)
		}
		s.report(list[0], agn.System)
		if list := alarmsOf(task, s.H, nil, s.Now+10*agn.HeartbeatLimit); len(list) > 0 {
			t.Fatalf("X11: reported again: %+v", list)
		}
		s.Now += minute
		s.step("resume:escalation")
	}
	// Told as mere information, by whomever: the task is silent still, and the
	// admin knows.
	for _, from := range []string{agn.System, agn.Reviewer} {
		s := tell(t, "dispatch ack:task_dispatch")
		s.Now += agn.HeartbeatLimit
		a := alarmsOf(task, s.H, nil, s.Now)[0]
		a.Severity = agn.Info
		s.report(a, from)
		now := s.Now + agn.HeartbeatLimit
		if !agn.State(task, s.H, now).Silent {
			t.Error("X11: not silent")
		}
		if list := alarmsOf(task, s.H, nil, now); len(list) > 0 {
			t.Errorf("X11: told by the %s, and %+v", from, list)
		}
		// What the system writes is no sign of life.
		s.Now += minute
		s.step("notice")
		now += minute
		if list := alarmsOf(task, s.H, nil, now); !agn.State(task, s.H, now).Silent || len(list) > 0 {
			t.Errorf("X11: told by the %s, and %+v", from, list)
		}
		// An ACK is a sign of life, after which a silence is another one.
		s.H.Acks = append(s.H.Acks, agn.Ack{MsgID: s.Marks[agn.TypeDispatch], By: agn.Executor, Millis: s.Now + 1})
		if list := alarmsOf(task, s.H, nil, now+1); len(list) != 1 {
			t.Errorf("X11: another silence, and %+v", list)
		}
	}
	// One that lies in the future tells of no silence of today.
	s = tell(t, "dispatch ack:task_dispatch")
	now := s.Now + agn.HeartbeatLimit
	a := alarmsOf(task, s.H, nil, now)[0]
	a.Severity = agn.Info
	s.Now = now + agn.FutureLimit + 1
	s.report(a, agn.System)
	if list := alarmsOf(task, s.H, nil, now); len(list) != 1 {
		t.Errorf("E7: %+v", list)
	}
}

// TestAlarmsBranch holds AGN D3 for dispatches that were refused: reported once,
// whatever their id is and from however many places they come.
func TestAlarmsBranch(t *testing.T) {
	for name, id := range map[string]string{"an id": "", "no id that can be named": "../../x", "an elided id": "task_dispatch-T-2026-044-..."} {
		t.Run("AGN D3 "+name, func(t *testing.T) {
			bad := refusedDispatch(t, id)
			refused := []agn.Message{{ID: "x"}, bad, bad}
			s := tell(t, "dispatch ack:task_dispatch")
			s.Now += minute
			list := alarmsOf(task, s.H, refused, s.Now)
			if len(list) != 1 || list[0].Kind != agn.BranchViolation || list[0].Severity != agn.Critical || list[0].Since != bad.Time.Millis || !strings.Contains(list[0].Description, `"main"`) {
				t.Fatalf("%+v", list)
			}
			if want := map[bool]string{true: bad.ID}[id == ""]; list[0].MsgID != want {
				t.Errorf("about %q, want %q", list[0].MsgID, want)
			}
			s.report(list[0], agn.System)
			if list := alarmsOf(task, s.H, refused, s.Now); len(list) > 0 {
				t.Errorf("reported, and %+v", list)
			}
			s.step("terminate:escalation")
			other := refusedDispatch(t, agn.ID{Type: agn.TypeDispatch, TaskID: task, Millis: 7}.String())
			if list := alarmsOf(task, s.H, []agn.Message{other}, s.Now); len(list) > 0 {
				t.Errorf("terminated, and %+v", list)
			}
		})
	}
	t.Run("AGN D3 other messages", func(t *testing.T) {
		bad := refusedDispatch(t, "")
		other := bad
		other.TaskID = "T-2026-008"
		result := bad
		result.Type = agn.TypeResult
		sound := bad
		sound.Faults = []canon.Fault{{Rule: "D5"}}
		if list := alarmsOf(task, agn.History{}, []agn.Message{other, result, sound}, noon); len(list) > 0 {
			t.Errorf("%+v", list)
		}
	})
}

// TestAlarmsOrder holds that the cause that came first is reported first, and
// that the order in which facts are found does not matter.
func TestAlarmsOrder(t *testing.T) {
	s := tell(t, "dispatch complete request")
	s.Now += agn.HeartbeatLimit
	want := alarmsOf(task, s.H, []agn.Message{refusedDispatch(t, "")}, s.Now)
	if got := kinds(want); got != "branch_violation task_dispatch by coordinator, ack_timeout task_result by coordinator, ack_timeout task_dispatch by executor, ack_timeout review_request by reviewer, heartbeat_timeout review_request by reviewer" {
		t.Error(got)
	}
	slices.Reverse(s.H.Messages)
	if diff := cmp.Diff(want, alarmsOf(task, s.H, []agn.Message{refusedDispatch(t, "")}, s.Now)); diff != "" {
		t.Error(diff)
	}
}

// TestAlarmEscalation holds AGN X3 to X8 and C8 of what is written of an alarm.
func TestAlarmEscalation(t *testing.T) {
	s := tell(t, reject+reject+reject)
	a := alarmsOf(task, s.H, nil, s.Now)[0]
	got := a.Escalation(s.state())
	got.Suggested, got.Description = nil, ""
	verdict := s.Marks[agn.TypeVerdict]
	want := agn.Escalation{
		Kind: agn.HallucinationLock, Severity: agn.Critical, TriggeredBy: agn.Coordinator, Affected: []string{verdict}, Suspended: true,
		Snapshot: agn.Snapshot{TaskStatus: "locked", RejectCount: 3, LastSuccessful: verdict},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// One that nobody acknowledged reached nobody yet.
	for steps, want := range map[string]string{"dispatch ack:task_dispatch complete": agn.TypeDispatch, "dispatch": ""} {
		s := tell(t, steps)
		if a := alarmsOf(task, s.H, nil, s.Now+agn.HeartbeatLimit)[0]; a.LastSuccessful != s.Marks[want] {
			t.Errorf("X7: %s: %q", steps, a.LastSuccessful)
		}
	}
	// The id is made of the cause, the timestamp of the moment (AGN C9).
	s.Now += minute
	m := s.report(a, agn.System)
	if id, ok := agn.ParseID(m.ID); !ok || id.Millis != a.Since || m.Time.Millis != s.Now {
		t.Errorf("%+v", m)
	}
}

// report adds the escalation that an alarm gives.
func (s *scenario) report(a agn.Alarm, from string) agn.Message {
	s.t.Helper()
	h := agn.Head{TaskID: task, Millis: s.Now, Number: max(agn.MinNumber, a.Since)}
	for slices.ContainsFunc(s.H.Messages, func(m agn.Message) bool { return m.ID == h.ID(agn.TypeEscalation) }) {
		h.Number++
	}
	e := a.Escalation(agn.State(task, s.H, s.Now))
	e.Suspended = a.Severity != agn.Info
	data, err := agn.BuildEscalation(h, from, e)
	if err != nil {
		s.t.Fatalf("%+v: %v", a, err)
	}
	m := parse(s.t, data)
	if f := agn.Check(&m, s.H.Messages); len(f.Faults) > 0 {
		s.t.Fatalf("%+v: %v", a, f.Faults)
	}
	s.Marks[m.Type] = m.ID
	s.H.Messages = append(s.H.Messages, m)
	return m
}

// alarmed holds that there is an alarm exactly for what is overdue, silent or
// locked and named by no escalation, and that each is gone once it was reported
// and brings no other one up. The scenario stays as it is.
func (s *scenario) alarmed(now int64) {
	s.t.Helper()
	refused := []agn.Message{refusedDispatch(s.t, ""), refusedDispatch(s.t, "?")}
	state := agn.State(task, s.H, now)
	told := func(kind string, is func(m *agn.Message) bool) bool {
		return slices.ContainsFunc(s.H.Messages, func(m agn.Message) bool {
			return m.Type == agn.TypeEscalation && m.Payload.Escalation.Kind == kind && is(&m)
		})
	}
	about := func(id string) func(*agn.Message) bool {
		return func(m *agn.Message) bool { return slices.Contains(m.Payload.Escalation.Affected, id) }
	}
	want := map[string]bool{}
	if state.Phase != agn.PhaseTerminated {
		want[agn.BranchViolation+" "+refused[0].ID], want[agn.BranchViolation+" "] = true, true
		for _, w := range state.Waits {
			if w.Overdue && w.To != agn.Admin && !told(agn.AckTimeout, about(w.MsgID)) {
				want[agn.AckTimeout+" "+w.MsgID] = true
			}
		}
		if state.Silent && !told(agn.HeartbeatTimeout, func(m *agn.Message) bool { return m.Time.Millis >= state.LastWrite }) {
			want[agn.HeartbeatTimeout+" "+state.Next.MsgID] = true
		}
		if state.Phase == agn.PhaseLocked && state.Next.Who != agn.Admin && !told(agn.HallucinationLock, about(state.LockedBy)) {
			want[agn.HallucinationLock+" "+state.LockedBy] = true
		}
	}
	list := alarmsOf(task, s.H, refused, now)
	got := map[string]bool{}
	for i, a := range list {
		got[a.Kind+" "+a.MsgID] = true
		if a.Since > now && a.Kind != agn.BranchViolation || i > 0 && a.Since < list[i-1].Since || a.Who == "" || a.Who == agn.Admin {
			s.t.Fatalf("AGN X10 X11: %+v at %d", a, now)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(list) != len(got) {
		s.t.Fatalf("AGN X10 X11: %d: %s", len(list), diff)
	}
	after := &scenario{&agntest.Scenario{Now: now, H: s.H, Marks: map[string]string{}}, s.t}
	after.H.Messages = slices.Clone(s.H.Messages)
	for range list {
		rest := alarmsOf(task, after.H, refused, now)
		if len(rest) == 0 {
			break // who waits for the admin is not silent any more
		}
		if !got[rest[0].Kind+" "+rest[0].MsgID] {
			s.t.Fatalf("AGN X10: a report made another alarm: %+v", rest[0])
		}
		after.report(rest[0], agn.System)
		for _, a := range alarmsOf(task, after.H, refused, now) {
			if a.Kind == rest[0].Kind && a.MsgID == rest[0].MsgID && a.Description == rest[0].Description {
				s.t.Fatalf("AGN X10: reported, and still there: %+v", a)
			}
		}
	}
	if rest := alarmsOf(task, after.H, refused, now); len(rest) > 0 {
		s.t.Fatalf("AGN X10: %+v", rest)
	}
}

func alarmsOf(taskID string, h agn.History, refused []agn.Message, now int64) []agn.Alarm {
	_, list := agn.Alarms(taskID, h, refused, now)
	return list
}

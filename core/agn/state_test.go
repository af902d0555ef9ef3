package agn_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/agn/agntest"
)

const (
	task   = agntest.Task
	noon   = agntest.Noon
	minute = 60_000
)

// scenario is a task's history, made step by step.
type scenario struct {
	*agntest.Scenario
	t testing.TB
}

// tell makes a scenario whose steps are a minute apart.
func tell(t testing.TB, steps string) *scenario {
	s := &scenario{agntest.New(), t}
	for step := range strings.FieldsSeq(steps) {
		s.Now += minute
		s.step(step)
	}
	return s
}

func (s *scenario) step(step string) {
	s.t.Helper()
	if err := s.Step(step); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scenario) state() agn.TaskState { return s.State() }

const (
	round  = "dispatch ack:task_dispatch complete ack:task_result request ack:review_request "
	reject = round + "reject ack:review_verdict "
)

// TestPhases holds where each scenario leads, and whose turn it is.
func TestPhases(t *testing.T) {
	all := "coordinator executor reviewer"
	for _, c := range []struct {
		name, steps string
		phase       agn.Phase
		who         string
		do          agn.ActionKind
		suspended   string
		notes       string
	}{
		{"nothing yet", "", agn.PhaseNone, agn.Coordinator, agn.DoDispatch, "", ""},
		{"E12 the executor's ACK first", "dispatch", agn.PhaseDispatched, agn.Executor, agn.DoAck, "", ""},
		{"D9 an ACK is no completion", "dispatch ack:task_dispatch", agn.PhaseInWork, agn.Executor, agn.DoResult, "", ""},
		{"E12 the coordinator's ACK", "dispatch ack:task_dispatch complete", agn.PhaseResult, agn.Coordinator, agn.DoAck, "", ""},
		{"a result to review", "dispatch ack:task_dispatch complete ack:task_result", agn.PhaseResult, agn.Coordinator, agn.DoReview, "", ""},
		{"T9 C18 a partial result", "dispatch ack:task_dispatch partial ack:task_result", agn.PhaseResult, agn.Coordinator, agn.DoDecide, "", ""},
		{"in review", round, agn.PhaseInReview, agn.Reviewer, agn.DoVerdict, "", ""},
		{"C15 approved", round + "approve ack:review_verdict", agn.PhaseApproved, "", agn.DoNothing, "", ""},
		{"approved without an ACK", round + "approve", agn.PhaseApproved, agn.Coordinator, agn.DoAck, "", ""},
		{"V7 low confidence", round + "doubt ack:review_verdict", agn.PhaseApproved, agn.Coordinator, agn.DoReport, "", ""},
		{"V7 reported", round + "doubt ack:review_verdict info", agn.PhaseApproved, "", agn.DoNothing, "", ""},
		{"V7 reported by somebody else", round + "doubt ack:review_verdict notice", agn.PhaseApproved, agn.Coordinator, agn.DoReport, "", ""},
		{"rejected", reject, agn.PhaseRejected, agn.Coordinator, agn.DoDispatch, "", ""},
		{"a new round", reject + "dispatch", agn.PhaseDispatched, agn.Executor, agn.DoAck, "", ""},
		{"T1 a result of nothing", "complete", agn.PhaseNone, agn.Coordinator, agn.DoDispatch, "", "T1"},
		{"Q2 a review of nothing", "dispatch ack:task_dispatch request", agn.PhaseInWork, agn.Executor, agn.DoResult, "", "Q2"},
		{"Q2 a review of a partial result", "dispatch partial ack:task_result request", agn.PhaseResult, agn.Coordinator, agn.DoDecide, "", "Q2"},
		{"V1 a verdict on nothing", "dispatch complete ack:task_result approve", agn.PhaseResult, agn.Coordinator, agn.DoReview, "", "V1"},
		{"V1 a second verdict", round + "reject approve ack:review_verdict", agn.PhaseApproved, "", agn.DoNothing, "", "V1"},
		{"T10 a result in review", round + "complete ack:task_result", agn.PhaseResult, agn.Coordinator, agn.DoReview, "", "T10"},
		{"X9 critical stops all that took part", "dispatch ack:task_dispatch critical", agn.PhaseSuspended, agn.Admin, agn.DoRespond, "coordinator executor", ""},
		{"X9 critical before all else", "critical", agn.PhaseSuspended, agn.Admin, agn.DoRespond, "coordinator executor", ""},
		{"V1 a verdict on the result before", round + "partial ack:task_result approve", agn.PhaseResult, agn.Coordinator, agn.DoDecide, "", "T10 V1"},
		{"V1 a verdict on the round before", reject + "dispatch approve", agn.PhaseDispatched, agn.Executor, agn.DoAck, "", "V1"},
		{"Q2 a review of the round before", reject + "dispatch request", agn.PhaseDispatched, agn.Executor, agn.DoAck, "", "Q2"},
		{"X9 critical by the system", round + "stop", agn.PhaseSuspended, agn.Admin, agn.DoRespond, all, ""},
		{"X9 nothing moves", "dispatch critical complete ack:task_dispatch", agn.PhaseSuspended, agn.Admin, agn.DoRespond, "coordinator executor", "X9"},
		{"C8 warning stops its sender", "dispatch ack:task_dispatch warning", agn.PhaseEscalated, agn.Admin, agn.DoRespond, "coordinator", ""},
		{"X5 info stops nobody", "dispatch ack:task_dispatch info", agn.PhaseInWork, agn.Executor, agn.DoResult, "", ""},
		{"X9 critical before a warning", "dispatch warning critical", agn.PhaseSuspended, agn.Admin, agn.DoRespond, "coordinator executor", ""},
		{"X9 C6 resumed", "dispatch critical resume:escalation", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", ""},
		{"X9 resumed and on", "dispatch critical redirect:escalation dispatch", agn.PhaseDispatched, agn.Executor, agn.DoAck, "", ""},
		{"an answer to info changes nothing", "dispatch ack:task_dispatch info resume:escalation", agn.PhaseInWork, agn.Executor, agn.DoResult, "", ""},
		{"X9 a resume of nothing", "dispatch resume:task_dispatch", agn.PhaseDispatched, agn.Executor, agn.DoAck, "", "X9"},
		{"X9 an unknown action", "dispatch critical go:escalation", agn.PhaseSuspended, agn.Admin, agn.DoRespond, "coordinator executor", "X9"},
		{"X9 approved below a warning", round + "approve ack:review_verdict warning resume:escalation", agn.PhaseApproved, "", agn.DoNothing, "", ""},
		{"X9 V7 approved in the end", round + "doubt ack:review_verdict warning resume:escalation", agn.PhaseApproved, "", agn.DoNothing, "", ""},
		{"X9 approved below a critical one", round + "approve ack:review_verdict critical resume:escalation", agn.PhaseApproved, "", agn.DoNothing, "", ""},
		{"X9 an approval redirected", round + "approve ack:review_verdict warning redirect:escalation", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", ""},
		{"X9 an approval and a lock", round + "approve ack:review_verdict lock resume:escalation", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", ""},
		{"X9 in work below a warning", "dispatch ack:task_dispatch warning resume:escalation", agn.PhaseInWork, agn.Executor, agn.DoResult, "", ""},
		{"X9 D9 an ACK below a warning", "dispatch warning ack:task_dispatch resume:escalation", agn.PhaseInWork, agn.Executor, agn.DoResult, "", ""},
		{"X9 D9 an ACK after the answer", "dispatch warning resume:escalation ack:task_dispatch", agn.PhaseInWork, agn.Executor, agn.DoResult, "", ""},
		{"X9 D9 an ACK after a redirect", "dispatch warning redirect:escalation ack:task_dispatch", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", ""},
		{"X9 a result below a warning", "dispatch complete ack:task_result warning resume:escalation", agn.PhaseResult, agn.Coordinator, agn.DoReview, "", ""},
		{"X9 split", round + "warning split:escalation", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", ""},
		{"X9 in work below a critical one", "dispatch ack:task_dispatch critical resume:escalation", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", ""},
		{"X9 an approve once resumed", "dispatch critical resume:escalation warning resume:escalation", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", ""},
		{"E12 an ACK dated before its message", "dispatch early:task_dispatch", agn.PhaseInWork, agn.Executor, agn.DoResult, "", ""},
		{"E12 X9 an answer dated before its message", "dispatch critical before:escalation", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", ""},
		{"X9 an answer to a lock dated before it", reject + reject + reject + "before:review_verdict", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", ""},
		{"E7 X9 critical from the future", "dispatch ack:task_dispatch ahead", agn.PhaseSuspended, agn.Admin, agn.DoRespond, "coordinator executor", "E7"},
		{"E7 X9 it was answered", "dispatch ack:task_dispatch ahead redirect:escalation", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", "E7"},
		{"E7 X9 it was answered, and on", "dispatch ack:task_dispatch ahead redirect:escalation dispatch ack:task_dispatch", agn.PhaseInWork, agn.Executor, agn.DoResult, "", "E7"},
		{"E7 a dispatch from the future", "dispatch dawn", agn.PhaseDispatched, agn.Executor, agn.DoAck, "", "E7"},
		{"E7 E12 it was acknowledged, and on", "dawn ack:task_dispatch complete ack:task_result", agn.PhaseResult, agn.Coordinator, agn.DoReview, "", "E7"},
		{"E7 E12 by another", "dawn stray:task_dispatch complete", agn.PhaseDispatched, agn.Executor, agn.DoAck, "", "T1 E7 E12"},
		{"E7 an ACK from the future too", "dawn early:task_dispatch", agn.PhaseInWork, agn.Executor, agn.DoResult, "", "E7 E7"},
		{"terminated with others open", "dispatch warning info critical terminate:escalation", agn.PhaseTerminated, "", agn.DoNothing, "", ""},
		{"terminated with a lock", reject + reject + reject + "warning terminate:escalation", agn.PhaseTerminated, "", agn.DoNothing, "", ""},
		{"X9 an escalation after the end", "dispatch critical terminate:escalation critical", agn.PhaseTerminated, "", agn.DoNothing, "", "X9"},
		{"X9 a lock after the end", "dispatch critical terminate:escalation lock", agn.PhaseTerminated, "", agn.DoNothing, "", "X9"},
		{"X9 an answer after the end", "dispatch critical terminate:escalation critical resume:escalation", agn.PhaseTerminated, "", agn.DoNothing, "", "X9 X9"},
		{"terminated", "dispatch critical terminate:escalation", agn.PhaseTerminated, "", agn.DoNothing, "", ""},
		{"terminated for good", "dispatch critical terminate:escalation dispatch", agn.PhaseTerminated, "", agn.DoNothing, "", "X9"},
		{"C2 two in a row", reject + reject, agn.PhaseRejected, agn.Coordinator, agn.DoDispatch, "", ""},
		{"X11 C2 three in a row", reject + reject + reject, agn.PhaseLocked, agn.Coordinator, agn.DoEscalate, all, ""},
		{"X10 a lock that was escalated", reject + reject + reject + "lock", agn.PhaseLocked, agn.Admin, agn.DoRespond, all, ""},
		{"X9 a locked task stands still", reject + reject + reject + "dispatch", agn.PhaseLocked, agn.Coordinator, agn.DoEscalate, all, "X9"},
		{"X9 a lock opens with its escalation", reject + reject + reject + "lock resume:escalation", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", ""},
		{"X9 a lock opens with its verdict", reject + reject + reject + "resume:review_verdict", agn.PhaseResumed, agn.Coordinator, agn.DoDispatch, "", ""},
		{"X9 a lock does not open with another escalation", reject + reject + reject + "warning resume:escalation", agn.PhaseLocked, agn.Coordinator, agn.DoEscalate, all, ""},
		{"X11 three, a resume and one more", reject + reject + reject + "lock resume:escalation " + reject, agn.PhaseLocked, agn.Coordinator, agn.DoEscalate, all, ""},
		{"X11 C2 three with an approval between", reject + reject + round + "approve " + reject, agn.PhaseRejected, agn.Coordinator, agn.DoDispatch, "", ""},
		{"X11 a declared lock", "dispatch lock", agn.PhaseLocked, agn.Admin, agn.DoRespond, "coordinator executor", ""},
		{"E12 an ACK of nothing", "dispatch ack:review_request", agn.PhaseDispatched, agn.Executor, agn.DoAck, "", "E12"},
		{"E12 an ACK of what is not there yet", "ack:task_dispatch dispatch", agn.PhaseDispatched, agn.Executor, agn.DoAck, "", "E12"},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			s := tell(t, c.steps).state()
			if s.Phase != c.phase || s.Next.Who != c.who || s.Next.Do != c.do {
				t.Errorf("%s: %s is to %s, want %s: %s is to %s", s.Phase, s.Next.Who, s.Next.Do, c.phase, c.who, c.do)
			}
			if got := strings.Join(s.Suspended, " "); got != c.suspended {
				t.Errorf("suspended %q, want %q", got, c.suspended)
			}
			if got := only(s.Notes); got != c.notes {
				t.Errorf("notes %q, want %q: %+v", got, c.notes, s.Notes)
			}
			if s.Phase == agn.PhaseTerminated && (len(s.Open) > 0 || s.Lock != agn.LockNone || s.LockedBy != "") {
				t.Errorf("terminated, and open are %q, locked by %q", s.Open, s.LockedBy)
			}
		})
	}
}

// TestSameMillisecond holds that facts of one moment count in the order in which
// they depend on each other, not in that of their names.
func TestSameMillisecond(t *testing.T) {
	s := tell(t, "")
	for step := range strings.FieldsSeq("dispatch complete request approve ack:review_verdict warning redirect:escalation") {
		s.step(step)
	}
	for range 2 {
		if got := s.state(); got.Phase != agn.PhaseResumed || len(got.Notes)+len(got.Open) > 0 {
			t.Errorf("%+v", got)
		}
		slices.Reverse(s.H.Messages)
	}
}

// TestStateLock holds AGN Q5, Q7, X11 and C2: the counts, the warning and the
// name of the rule that locked.
func TestStateLock(t *testing.T) {
	for _, c := range []struct {
		name, steps          string
		rejects, consecutive int
		near                 bool
		lock                 agn.LockRule
		by                   string
	}{
		{"one", reject, 1, 1, false, agn.LockNone, ""},
		{"two", reject + reject, 2, 2, true, agn.LockNone, ""},
		{"three in a row", reject + reject + reject, 3, 3, true, agn.LockConsecutive, agn.TypeVerdict},
		{"three with an approval", reject + reject + round + "approve " + reject, 3, 1, true, agn.LockNone, ""},
		{"four with an approval", reject + reject + round + "approve " + reject + reject, 4, 2, true, agn.LockCount, agn.TypeVerdict},
		{"resumed", reject + reject + reject + "lock resume:escalation", 3, 0, true, agn.LockNone, ""},
		{"Q5 one while it stands still", round + "critical reject", 1, 0, false, agn.LockNone, ""},
		{"Q5 one that nobody asked for", "dispatch reject", 1, 0, false, agn.LockNone, ""},
		{"Q5 the fourth of all", round + "critical reject resume:escalation " + reject + round + "approve " + reject + reject, 4, 2, true, agn.LockCount, agn.TypeVerdict},
		{"declared", "dispatch lock", 0, 0, false, agn.LockDeclared, agn.TypeEscalation},
	} {
		t.Run("AGN X11 "+c.name, func(t *testing.T) {
			scenario := tell(t, c.steps)
			s := scenario.state()
			if s.Rejects != c.rejects || s.Consecutive != c.consecutive || s.LockNear != c.near || s.Lock != c.lock || s.LockedBy != scenario.Marks[c.by] {
				t.Errorf("%+v", s)
			}
		})
	}
}

// TestLockAnswered holds AGN X9 for locks that were said more than once, or as
// mere information: what locked first stays named, and any of them opens it.
func TestLockAnswered(t *testing.T) {
	s := tell(t, reject+reject+reject+"lock")
	first := s.Marks[agn.TypeEscalation]
	s.Now += minute
	s.step("lock")
	if got := s.state(); got.LockedBy != s.Marks[agn.TypeVerdict] || got.Lock != agn.LockConsecutive || got.Next.MsgID != first || len(got.Open) != 2 {
		t.Errorf("%+v", got)
	}
	s.step("resume:escalation")
	if got := s.state(); got.Phase != agn.PhaseResumed || len(got.Open) > 0 {
		t.Errorf("%+v", got)
	}

	s = tell(t, "dispatch")
	data, err := agn.BuildEscalation(agn.Head{TaskID: task, Millis: s.Now}, agn.System, agn.Escalation{
		Kind: agn.HallucinationLock, Severity: agn.Info, TriggeredBy: agn.System, Description: "x", Snapshot: agn.Snapshot{TaskStatus: "x"},
	})
	if err != nil {
		t.Fatal(err)
	}
	m := parse(t, data)
	s.H.Messages = append(s.H.Messages, m)
	if got := s.state(); got.Phase != agn.PhaseLocked || got.LockedBy != m.ID {
		t.Errorf("%+v", got)
	}
	s.H.Resumes = append(s.H.Resumes, agn.Resume{MsgID: m.ID, Action: agn.Split, Millis: s.Now})
	if got := s.state(); got.Phase != agn.PhaseResumed {
		t.Errorf("%+v", got)
	}
}

// TestWorst holds whose answer is asked for first: the oldest of the worst.
func TestWorst(t *testing.T) {
	s := tell(t, "dispatch warning critical")
	want := s.Marks[agn.TypeEscalation]
	s.Now += minute
	s.step("critical")
	if got := s.state(); got.Next.MsgID != want {
		t.Errorf("AGN X9: %+v", got.Next)
	}
}

// TestOverdue holds AGN E12 and E9: an ACK is missed one millisecond after its
// deadline, by default or by the message's own.
func TestOverdue(t *testing.T) {
	for kind, c := range map[string]struct {
		steps   string
		seconds int64
	}{
		agn.TypeDispatch: {"dispatch", 300},
		agn.TypeResult:   {"dispatch ack:task_dispatch complete", 120},
		agn.TypeRequest:  {"dispatch ack:task_dispatch complete ack:task_result request", 600},
		agn.TypeVerdict:  {round + "approve", 60},
	} {
		t.Run("AGN E12 "+kind, func(t *testing.T) {
			s := tell(t, c.steps)
			last := &s.H.Messages[len(s.H.Messages)-1]
			for _, own := range []int64{0, 7} {
				seconds := c.seconds
				if last.AckTimeout = own; own > 0 {
					seconds = own
				}
				deadline := s.Now + seconds*1000
				for now, overdue := range map[int64]bool{s.Now: false, deadline: false, deadline + 1: true} {
					want := []agn.Wait{{MsgID: last.ID, From: last.From, To: last.To, Deadline: deadline, Overdue: overdue}}
					if diff := cmp.Diff(want, agn.State(task, s.H, now).Waits); diff != "" {
						t.Errorf("at %d: %s", now, diff)
					}
				}
			}
			s.Now += minute
			s.step("ack:" + kind)
			if waits := s.state().Waits; len(waits) > 0 {
				t.Errorf("acknowledged, and %+v", waits)
			}
		})
	}
	t.Run("AGN E12 C4 another's ACK", func(t *testing.T) {
		s := tell(t, "dispatch")
		s.H.Acks = append(s.H.Acks, agn.Ack{MsgID: s.Marks[agn.TypeDispatch], By: agn.Reviewer, Millis: s.Now})
		if got := s.state(); len(got.Waits) != 1 || only(got.Notes) != "E12" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("AGN E12 the nearest deadline first", func(t *testing.T) {
		s := tell(t, "dispatch complete")
		waits := s.state().Waits
		if len(waits) != 2 || waits[0].MsgID != s.Marks[agn.TypeResult] || waits[1].MsgID != s.Marks[agn.TypeDispatch] {
			t.Errorf("%+v", waits)
		}
	})
	t.Run("AGN E9 an escalation waits for none", func(t *testing.T) {
		if waits := tell(t, "warning").state().Waits; len(waits) > 0 {
			t.Errorf("%+v", waits)
		}
	})
}

// TestHeartbeat holds AGN X11's thirty minutes of silence.
func TestHeartbeat(t *testing.T) {
	for _, c := range []struct {
		name, steps string
		silent      bool
	}{
		{"in work", "dispatch ack:task_dispatch", true},
		{"waiting for the admin", "dispatch critical", false},
		{"done", round + "approve ack:review_verdict", false},
		{"terminated", "dispatch critical terminate:escalation", false},
	} {
		t.Run("AGN X11 "+c.name, func(t *testing.T) {
			s := tell(t, c.steps)
			if got := agn.State(task, s.H, s.Now+agn.HeartbeatLimit-1); got.Silent || got.Age != agn.HeartbeatLimit-1 || got.LastWrite != s.Now {
				t.Errorf("too early: %+v", got)
			}
			if got := agn.State(task, s.H, s.Now+agn.HeartbeatLimit); got.Silent != c.silent {
				t.Errorf("silent: %t", got.Silent)
			}
		})
	}
	t.Run("AGN E7 a clock in the future is no heartbeat", func(t *testing.T) {
		s := tell(t, "dispatch ack:task_dispatch")
		now := s.Now + agn.HeartbeatLimit
		s.Now = now + agn.FutureLimit + 1
		s.step("info")
		if got := agn.State(task, s.H, now); !got.Silent || only(got.Notes) != "E7" {
			t.Errorf("%+v", got)
		}
	})
}

// TestStateLeavesOut holds AGN E0, E1 and E6 over a history: what is invalid,
// double or another task's moves nothing.
func TestStateLeavesOut(t *testing.T) {
	good := tell(t, "dispatch ack:task_dispatch")
	want := good.state()
	raw := string(good.H.Messages[0].Raw)
	for _, c := range []struct{ name, data, note string }{
		{"E0 invalid", strings.Replace(raw, `"b"`, `"main"`, 1), "E0"},
		{"E1 twice", raw, ""},
		{"E1 other content", strings.Replace(raw, `"b"`, `"c"`, 1), "E1"},
		{"E6 another task", strings.ReplaceAll(raw, task, "T-2026-008"), "E6"},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			h := good.H
			h.Messages = append(slices.Clone(h.Messages), parse(t, []byte(c.data)), agn.Message{Type: agn.TypeResult, TaskID: task})
			got := agn.State(task, h, good.Now)
			// The last one has no payload, and was never parsed.
			if rules := strings.TrimSpace(c.note + " E0"); only(got.Notes) != rules {
				t.Errorf("notes %q, want %q", only(got.Notes), rules)
			}
			got.Notes = nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestStateChain holds the fixture's task: one rejection and a declared lock.
func TestStateChain(t *testing.T) {
	list := chain(t)
	last := list[5]
	s := agn.State(last.TaskID, agn.History{Messages: list}, last.Time.Millis)
	if s.Phase != agn.PhaseLocked || s.Lock != agn.LockDeclared || s.Rejects != 1 || len(s.Waits) != 5 || !s.Waits[0].Overdue ||
		!slices.Equal(s.Open, []string{last.ID}) || s.Next != (agn.NextAction{Who: agn.Admin, Do: agn.DoRespond, MsgID: last.ID}) {
		t.Errorf("%+v", s)
	}
}

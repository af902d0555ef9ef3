package agntest_test

import (
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/agn/agntest"
)

// TestRun holds that a state which lies is noticed, by the rule that it breaks,
// and the truth is not.
func TestRun(t *testing.T) {
	const (
		round  = "dispatch ack:task_dispatch complete ack:task_result request ack:review_request "
		locked = round + "reject " + round + "reject " + round + "reject "
	)
	for _, c := range []struct {
		name, scenario, want string
		lie                  func(s *agn.TaskState, now int64)
	}{
		{"the truth", locked + "lock resume:escalation dispatch", "", func(*agn.TaskState, int64) {}},
		{"approved without a result", "dispatch", "AGN Q1 Q2: approved without", func(s *agn.TaskState, _ int64) { s.Phase = agn.PhaseApproved }},
		{"approved without a verdict", round, "AGN V1: approved", func(s *agn.TaskState, _ int64) {
			if s.Phase == agn.PhaseInReview {
				s.Phase = agn.PhaseApproved
			}
		}},
		{"unlocked", locked, "AGN X9 X11: locked by \"\"", func(s *agn.TaskState, _ int64) { s.Lock, s.LockedBy = agn.LockNone, "" }},
		{"a rejection forgotten", round + "reject", "AGN Q5 Q7: 0 rejections", func(s *agn.TaskState, _ int64) { s.Rejects, s.Consecutive = 0, 0 }},
		{"an agent not suspended", "dispatch critical", "AGN X9 C8: suspended are executor,", func(s *agn.TaskState, _ int64) {
			if len(s.Suspended) > 1 {
				s.Suspended = s.Suspended[1:]
			}
		}},
		{"an escalation forgotten", "dispatch critical", "AGN X9: open are", func(s *agn.TaskState, _ int64) { s.Open = nil }},
		{"not suspended", "dispatch critical", "AGN X9 X11: dispatched", func(s *agn.TaskState, _ int64) { s.Phase = agn.PhaseDispatched }},
		{"moved while it halted still", "dispatch terminate:escalation critical terminate:escalation complete", "AGN X9 X11: result", func(s *agn.TaskState, _ int64) {
			if s.Phase == agn.PhaseTerminated {
				s.Phase = agn.PhaseResult
			}
		}},
		{"overdue at the deadline", "dispatch", "AGN E9 E12: task_dispatch-T-2026-007-1772107240000 is overdue: true, 0 ms", func(s *agn.TaskState, now int64) {
			for i := range s.Waits {
				s.Waits[i].Overdue = now >= s.Waits[i].Deadline
			}
		}},
		{"overdue too late", "hurry", "is overdue: false, 1 ms after", func(s *agn.TaskState, now int64) {
			for i := range s.Waits {
				s.Waits[i].Overdue = now > s.Waits[i].Deadline+1
			}
		}},
		{"nobody waits", "dispatch", "AGN E12: 0 messages wait", func(s *agn.TaskState, _ int64) { s.Waits = nil }},
		{"never silent", "dispatch ack:task_dispatch", "AGN X11: silent false after 1800000 ms", func(s *agn.TaskState, _ int64) { s.Silent = false }},
		{"an approval taken back", round + "approve warning resume:escalation", "AGN X9 D9: resumed, not approved", func(s *agn.TaskState, _ int64) {
			if s.Phase == agn.PhaseApproved {
				s.Phase = agn.PhaseResumed
			}
		}},
		{"stopped agents go on", "dispatch critical resume:escalation", "AGN X9 D9: dispatched, not resumed", func(s *agn.TaskState, _ int64) {
			if s.Phase == agn.PhaseResumed {
				s.Phase = agn.PhaseDispatched
			}
		}},
		{"open after the end", "dispatch critical terminate:escalation", "AGN X9: open are escalation-", func(s *agn.TaskState, _ int64) {
			if s.Phase == agn.PhaseTerminated {
				s.Open = []string{"escalation-T-2026-007-1"}
			}
		}},
		{"an ACK before its message lost", "dispatch early:task_dispatch", "AGN X9 D9: dispatched, not in work", func(s *agn.TaskState, _ int64) {
			if s.Phase == agn.PhaseInWork {
				s.Phase = agn.PhaseDispatched
			}
		}},
		{"a rejection that moved nothing forgotten", "dispatch reject", "AGN Q5 Q7: 0 rejections", func(s *agn.TaskState, _ int64) { s.Rejects = 0 }},
		{"nobody has to do anything", "dispatch", "AGN X10: nobody", func(s *agn.TaskState, _ int64) { s.Next = agn.NextAction{} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := agntest.Run(agntest.Choices(c.scenario), func(s *agntest.Scenario, now int64) (agn.TaskState, error) {
				state := agn.State(agntest.Task, s.H, now)
				c.lie(&state, now)
				return state, nil
			})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

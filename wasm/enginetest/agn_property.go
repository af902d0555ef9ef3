package enginetest

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/client"
	"github.com/signalbox-dev/signalbox/wasm/engine"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/agn/agntest"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// testAGNStories tells random stories of a task, legal and illegal, and looks at
// each step through the module: what agntest requires is true there as it is
// natively (never approved without a result, never unlocked without an answer,
// critical suspends, overdue exactly after the deadline: AGN Q2 X9 X11 E12), and
// the states are the same.
func (suite *Suite) testAGNStories(t *testing.T) {
	const stories = 60
	module := suite.open(t, engine.Options{Instances: 1}).AGN()
	look := func(s *agntest.Story, now int64) (agn.TaskState, error) {
		messages, acks, resumes, err := s.Texts()
		if err != nil {
			return agn.TaskState{}, err
		}
		got, err := module.State(context.Background(), agntest.Task, client.TaskHistory{Messages: messages, Acks: acks, Resumes: resumes}, now)
		if err != nil {
			return agn.TaskState{}, err
		}
		if diff := cmp.Diff(hostState(agn.State(agntest.Task, s.H, now)), got); diff != "" {
			t.Errorf("the module's state differs: %s", diff)
		}
		return coreState(got), nil
	}
	r := rand.New(rand.NewPCG(4, 2))
	phases := map[agn.Phase]int{}
	for range stories {
		choices := make([]byte, 10+r.IntN(agntest.MaxSteps-10))
		for i := range choices {
			choices[i] = byte(r.IntN(256))
		}
		s, err := agntest.Play(choices, look)
		if err != nil {
			t.Error(err)
		}
		phases[s.State().Phase]++
	}
	for _, story := range []string{
		"dispatch ack:task_dispatch complete ack:task_result request ack:review_request approve ack:review_verdict",
		"dispatch complete request reject dispatch complete request reject dispatch complete request reject lock resume:escalation dispatch complete request reject",
		"dispatch complete request reject dispatch complete request reject dispatch complete request approve dispatch complete request reject dispatch complete request reject",
		"dispatch complete request reject critical approve request resume:escalation approve",
		"dispatch complete request doubt warning resume:escalation critical resume:escalation",
		"dispatch warning critical terminate:escalation lock resume:escalation",
		"dispatch early:task_dispatch critical before:escalation ahead complete redirect:escalation dispatch",
	} {
		s, err := agntest.Play(agntest.Choose(story), look)
		if err != nil {
			t.Error(err)
		}
		phases[s.State().Phase]++
	}
	for _, phase := range []agn.Phase{agn.PhaseApproved, agn.PhaseLocked, agn.PhaseSuspended, agn.PhaseTerminated} {
		if phases[phase] == 0 {
			t.Errorf("no story ends %s: %v", phase, phases)
		}
	}
}

// coreState returns the module's state as core/agn has it.
func coreState(s client.TaskState) agn.TaskState {
	out := agn.TaskState{
		TaskID: s.TaskID, Phase: agn.Phase(s.Phase), Rejects: int(s.Rejects), Consecutive: int(s.Consecutive), LockNear: s.LockNear,
		Lock: agn.LockRule(s.Lock), LockedBy: s.LockedBy, Open: s.Open, Suspended: s.Suspended,
		LastWrite: s.LastWrite, Age: s.Age, Silent: s.Silent, Next: agn.Duty{Who: s.Next.Who, Do: agn.Deed(s.Next.Do), MsgID: s.Next.MsgID},
	}
	for _, w := range s.Waits {
		out.Waits = append(out.Waits, agn.Wait{MsgID: w.MsgID, From: w.From, To: w.To, Deadline: w.Deadline, Overdue: w.Overdue})
	}
	return out
}

// hostState returns core/agn's state as the host has it.
func hostState(s agn.TaskState) client.TaskState {
	out := client.TaskState{
		TaskID: s.TaskID, Phase: client.Phase(s.Phase), Rejects: int64(s.Rejects), Consecutive: int64(s.Consecutive), LockNear: s.LockNear,
		Lock: string(s.Lock), LockedBy: s.LockedBy, Open: append([]string{}, s.Open...), Suspended: append([]string{}, s.Suspended...),
		Waits: []client.Wait{}, LastWrite: s.LastWrite, Age: s.Age, Silent: s.Silent,
		Next: client.Duty{Who: s.Next.Who, Do: string(s.Next.Do), MsgID: s.Next.MsgID}, Notes: taskFaults(s.Notes),
	}
	for _, w := range s.Waits {
		out.Waits = append(out.Waits, client.Wait{MsgID: w.MsgID, From: w.From, To: w.To, Deadline: w.Deadline, Overdue: w.Overdue})
	}
	return out
}

// taskFaults returns core/agn's faults as the host has them.
func taskFaults(list []canon.Fault) []client.Fault {
	out := []client.Fault{}
	for _, f := range list {
		out = append(out, client.Fault{Rule: f.Rule, Field: f.Field, Offset: int64(f.Offset), Reason: f.Reason})
	}
	return out
}

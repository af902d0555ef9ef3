package agn_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/agn/agntest"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// FuzzState tells random scenarios, legal and illegal, and holds what agntest says
// must be true after every step of each: never approved without a result, never
// unlocked without an answer, critical suspends, overdue exactly after the
// deadline (AGN Q2 X9 X11 E12). The bytes choose the steps and the pauses.
func FuzzState(f *testing.F) {
	if testing.Short() {
		f.Skip()
	}
	for _, s := range []string{
		round + "approve", reject + reject + reject + "lock resume:escalation dispatch", "dispatch critical complete resume:escalation", reject + reject + round + "approve " + reject + reject,
		round + "approve critical resume:escalation", round + "approve warning resume:escalation redirect:escalation", "dispatch warning resume:escalation ack:task_dispatch",
		"dispatch warning critical terminate:escalation lock resume:escalation", reject + reject + reject + "warning terminate:escalation",
		"dispatch early:task_dispatch complete critical before:escalation", "dispatch ahead complete resume:escalation dispatch", "dawn early:task_dispatch complete", "dispatch critical reject",
	} {
		f.Add(agntest.Choices(s))
	}
	r := rand.New(rand.NewPCG(4, 1))
	for range 500 {
		seed := make([]byte, r.IntN(agntest.MaxSteps))
		for i := range seed {
			seed[i] = byte(r.IntN(256))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		var before agn.TaskState
		told := 0
		played, err := agntest.Run(choices, func(s *agntest.Scenario, now int64) (agn.TaskState, error) {
			after := agn.State(agntest.Task, s.H, now)
			if n := len(s.H.Resumes); n > told {
				told = n
				answered(t, s, &before, &after)
			}
			counted(t, s, &after)
			before = after
			return after, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		s := &scenario{played, t}
		for _, later := range []int64{0, 10 * minute, agn.HeartbeatLimit} {
			s.alarmed(s.Now + later)
		}
		shuffled(t, s)
	})
}

// answered holds that the admin's latest answer counts exactly where the state
// before it said so.
func answered(t *testing.T, s *agntest.Scenario, before, after *agn.TaskState) {
	t.Helper()
	last := s.H.Resumes[len(s.H.Resumes)-1]
	at := slices.IndexFunc(s.H.Messages, func(m agn.Message) bool { return m.ID == last.MsgID })
	if at < 0 {
		return
	}
	if when := s.H.Messages[at].Time.Millis; last.Millis < when || when > s.Now+agn.FutureLimit {
		return // it counts at another time than now
	}
	vain := func(state *agn.TaskState) (n int) {
		for _, f := range state.Notes {
			if f.Field == last.MsgID && f.Reason == "a resume of what is not open" {
				n++
			}
		}
		return n
	}
	if opens := before.CanAnswer(&s.H.Messages[at]); opens == (vain(after) > vain(before)) {
		t.Fatalf("AGN X9: %+v: opens %t, and %+v", last, opens, after.Notes)
	}
}

// counted holds AGN Q5 and X7: what the state counts is what the next request and
// escalation have to say.
func counted(t *testing.T, s *agntest.Scenario, state *agn.TaskState) {
	t.Helper()
	h := agn.Head{TaskID: agntest.Task, Millis: s.Now + 3*366*24*60*minute, Number: agn.MinNumber}
	request, err := agn.BuildRequest(h, agn.Request{DispatchRef: h.ID(agn.TypeDispatch), ResultRef: h.ID(agn.TypeResult), Scope: "full", DiffURL: "u", RejectCount: int64(state.Rejects)})
	if err != nil {
		t.Fatal(err)
	}
	alarm := agn.Alarm{Kind: agn.AckTimeout, Severity: agn.Warning, Who: agn.Executor, Description: "x"}
	escalation, err := agn.BuildEscalation(h, agn.System, alarm.Escalation(*state))
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{request, escalation} {
		m := parse(t, data)
		found := agn.Check(&m, s.H.Messages)
		for _, f := range append(found.Faults, found.Notes...) {
			if f.Rule == "Q5" || f.Rule == "X7" {
				t.Fatalf("AGN Q5 X7: the state counts %d rejections, and %+v", state.Rejects, f)
			}
		}
	}
}

// shuffled holds that the order in which facts are found on a disk does not
// matter.
func shuffled(t *testing.T, s *scenario) {
	t.Helper()
	want := s.state()
	slices.Reverse(s.H.Messages)
	slices.Reverse(s.H.Acks)
	slices.Reverse(s.H.Resumes)
	got := s.state()
	// Messages that count for nothing are noted as they are found.
	order := func(a, b canon.Fault) int { return strings.Compare(a.Rule+a.Field+a.Reason, b.Rule+b.Field+b.Reason) }
	slices.SortStableFunc(want.Notes, order)
	slices.SortStableFunc(got.Notes, order)
	if len(want.Notes) == canon.MaxFindings {
		want.Notes, got.Notes = nil, nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("another order, another state: %s", diff)
	}
}

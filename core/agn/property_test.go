package agn_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/agn/agntest"
)

// FuzzState tells random stories, legal and illegal, and holds what agntest says
// must be true after every step of each: never approved without a result, never
// unlocked without an answer, critical suspends, overdue exactly after the
// deadline (AGN Q2 X9 X11 E12). The bytes choose the steps and the pauses.
func FuzzState(f *testing.F) {
	for _, s := range []string{round + "approve", reject + reject + reject + "lock resume:escalation dispatch", "dispatch critical complete resume:escalation", reject + reject + round + "approve " + reject + reject} {
		f.Add(agntest.Choose(s))
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
		played, err := agntest.Play(choices, func(s *agntest.Story, now int64) (agn.TaskState, error) {
			after := agn.State(agntest.Task, s.H, now)
			if n := len(s.H.Resumes); n > told {
				told = n
				answered(t, s, &before, &after)
			}
			before = after
			return after, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		s := &story{played, t}
		for _, later := range []int64{0, 10 * minute, agn.HeartbeatLimit} {
			s.alarmed(s.Now + later)
		}
		shuffled(t, s)
	})
}

// answered holds that the admin's latest answer counts exactly where the state
// before it said so.
func answered(t *testing.T, s *agntest.Story, before, after *agn.TaskState) {
	t.Helper()
	last := s.H.Resumes[len(s.H.Resumes)-1]
	at := slices.IndexFunc(s.H.Messages, func(m agn.Message) bool { return m.ID == last.MsgID })
	if at < 0 {
		return
	}
	vain := func(state *agn.TaskState) (n int) {
		for _, f := range state.Notes {
			if f.Reason == "a resume of what is not open" {
				n++
			}
		}
		return n
	}
	if opens := before.Opens(&s.H.Messages[at]); opens == (vain(after) > vain(before)) {
		t.Fatalf("AGN X9: %+v: opens %t, and %+v", last, opens, after.Notes)
	}
}

// shuffled holds that the order in which facts are found on a disk does not
// matter.
func shuffled(t *testing.T, s *story) {
	t.Helper()
	want := s.state()
	slices.Reverse(s.H.Messages)
	slices.Reverse(s.H.Acks)
	slices.Reverse(s.H.Resumes)
	got := s.state()
	// Messages that count for nothing are noted as they are found.
	order := func(a, b agn.Fault) int { return strings.Compare(a.Rule+a.Field+a.Reason, b.Rule+b.Field+b.Reason) }
	slices.SortStableFunc(want.Notes, order)
	slices.SortStableFunc(got.Notes, order)
	if len(want.Notes) == agn.MaxFindings {
		want.Notes, got.Notes = nil, nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("another order, another state: %s", diff)
	}
}

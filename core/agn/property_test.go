package agn_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// steps are what a random story is made of, legal or not in its place. Those
// that lead on come more often.
var steps = strings.Fields(`dispatch dispatch complete complete request request reject reject approve doubt partial
	ack:task_dispatch ack:task_result ack:review_request ack:review_verdict ack:escalation
	critical warning info lock stop resume:escalation resume:escalation redirect:escalation resume:review_verdict terminate:escalation go:escalation`)

// FuzzState tells random stories, legal and illegal, and holds what must be true
// after every step of each. The bytes choose the steps.
func FuzzState(f *testing.F) {
	for _, s := range []string{round + "approve", reject + reject + reject + "lock resume:escalation dispatch", "dispatch critical complete resume:escalation"} {
		f.Add(choose(s))
	}
	r := rand.New(rand.NewPCG(4, 1))
	for range 300 {
		seed := make([]byte, r.IntN(40))
		for i := range seed {
			seed[i] = byte(r.IntN(len(steps)))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > 64 {
			return
		}
		s := tell(t, "")
		before := s.state()
		for _, c := range choices {
			step := steps[int(c)%len(steps)]
			s.now += 40_000 // so that some deadlines pass
			s.step(step)
			after := s.state()
			invariants(t, s, step, &before, &after)
			answered(t, s, step, &before, &after)
			before = after
		}
		for _, later := range []int64{0, 10 * minute, agn.HeartbeatLimit} {
			s.alarmed(s.now + later)
		}
		shuffled(t, s, &before)
	})
}

// choose gives the bytes for a story.
func choose(story string) (seed []byte) {
	for step := range strings.FieldsSeq(story) {
		seed = append(seed, byte(slices.Index(steps, step)))
	}
	return seed
}

func invariants(t *testing.T, s *story, step string, before, after *agn.TaskState) {
	t.Helper()
	verb, _, _ := strings.Cut(step, ":")
	answer := verb == "resume" || verb == "redirect" || verb == "terminate"
	count := func(is func(m *agn.Message) bool) (n int) {
		for i := range s.h.Messages {
			if is(&s.h.Messages[i]) {
				n++
			}
		}
		return n
	}
	if after.Phase == agn.PhaseApproved && count(func(m *agn.Message) bool { return m.Payload.Result != nil && m.Payload.Result.Status == "complete" }) == 0 {
		t.Fatal("AGN Q2: approved without a result")
	}
	if after.Phase == agn.PhaseInReview && count(func(m *agn.Message) bool { return m.Type == agn.TypeRequest }) == 0 {
		t.Fatal("AGN Q1: in review without a request")
	}
	if before.Lock != agn.LockNone && after.Lock == agn.LockNone && !answer {
		t.Fatalf("AGN X9: %s opened a lock", step)
	}
	if len(after.Open) < len(before.Open) && !answer {
		t.Fatalf("AGN X9: %s closed an escalation", step)
	}
	if before.Phase == agn.PhaseTerminated && after.Phase != agn.PhaseTerminated {
		t.Fatalf("AGN X9: %s revived a terminated task", step)
	}
	critical := count(func(m *agn.Message) bool {
		return slices.Contains(after.Open, m.ID) && m.Payload.Escalation.Severity == agn.Critical
	})
	standing := after.Phase == agn.PhaseSuspended || after.Phase == agn.PhaseLocked || after.Phase == agn.PhaseTerminated
	if critical > 0 && !standing {
		t.Fatalf("AGN X9: %s with a critical escalation open", after.Phase)
	}
	if (after.Phase == agn.PhaseSuspended) && critical == 0 {
		t.Fatal("AGN X9: suspended for nothing")
	}
	if after.Phase == agn.PhaseLocked && after.Lock == agn.LockNone || after.Lock != agn.LockNone && after.Phase != agn.PhaseLocked && after.Phase != agn.PhaseTerminated {
		t.Fatalf("AGN X11: %s with the lock %q", after.Phase, after.Lock)
	}
	if after.Rejects < before.Rejects || after.Consecutive > after.Rejects || after.Lock == agn.LockNone && after.Consecutive >= agn.MaxConsecutive {
		t.Fatalf("AGN Q5 C2: %+v", after)
	}
	if after.LockNear != (after.Rejects >= agn.WarnRejects) {
		t.Fatal("AGN Q7: no warning, or a false one")
	}
	idle := after.Next.Do == agn.DoNothing
	if idle != (after.Next.Who == "") || idle && after.Phase != agn.PhaseTerminated && after.Phase != agn.PhaseApproved {
		t.Fatalf("AGN X10: nobody has to do anything about %s: %+v", after.Phase, after.Next)
	}
	overdue(t, s, after)
}

// answered holds that an answer counts exactly where the state before it said so.
func answered(t *testing.T, s *story, step string, before, after *agn.TaskState) {
	t.Helper()
	verb, of, _ := strings.Cut(step, ":")
	at := slices.IndexFunc(s.h.Messages, func(m agn.Message) bool { return m.ID == s.marks[of] })
	if at < 0 || verb != "resume" && verb != "redirect" && verb != "terminate" {
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
	if opens := before.Opens(&s.h.Messages[at]); opens == (vain(after) > vain(before)) {
		t.Fatalf("AGN X9: %s: opens %t, and %+v", step, opens, after.Notes)
	}
}

// overdue holds that exactly those messages wait that have no ACK of their
// receiver's, and are overdue exactly after their deadlines.
func overdue(t *testing.T, s *story, state *agn.TaskState) {
	t.Helper()
	want := map[string]bool{}
	for i := range s.h.Messages {
		m := &s.h.Messages[i]
		acked := slices.ContainsFunc(s.h.Acks, func(a agn.Ack) bool { return a.MsgID == m.ID && a.By == m.To })
		if m.RequiresAck && !acked && state.Phase != agn.PhaseTerminated {
			want[m.ID] = s.now-m.Time.Millis > m.Timeout()*1000
		}
	}
	got := map[string]bool{}
	for _, w := range state.Waits {
		got[w.MsgID] = w.Overdue
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("AGN E12: %s", diff)
	}
}

// shuffled holds that the order in which facts are found on a disk does not
// matter.
func shuffled(t *testing.T, s *story, want *agn.TaskState) {
	t.Helper()
	slices.Reverse(s.h.Messages)
	slices.Reverse(s.h.Acks)
	slices.Reverse(s.h.Resumes)
	got := s.state()
	if diff := cmp.Diff(*want, got); diff != "" {
		t.Fatalf("another order, another state: %s", diff)
	}
}

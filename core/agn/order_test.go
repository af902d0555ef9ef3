package agn_test

import (
	"slices"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// TestCompare holds the order of messages: by time, within a millisecond as they
// depend on each other, then by id (AGN E7).
func TestCompare(t *testing.T) {
	want := []agn.Message{
		{ID: "z", Type: agn.TypeEscalation, Time: agn.At(noon - 1)},
		{ID: "e", Type: agn.TypeDispatch, Time: agn.At(noon)},
		{ID: "d", Type: agn.TypeResult, Time: agn.At(noon)},
		{ID: "c", Type: agn.TypeRequest, Time: agn.At(noon)},
		{ID: "b", Type: agn.TypeVerdict, Time: agn.At(noon)},
		{ID: "a", Type: agn.TypeEscalation, Time: agn.At(noon)},
		{ID: "b", Type: agn.TypeEscalation, Time: agn.At(noon)},
		{ID: "a", Type: agn.TypeDispatch, Time: agn.At(noon + 1)},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, func(a, b agn.Message) int { return agn.Compare(&a, &b) })
	for i := range want {
		if got[i].ID != want[i].ID || got[i].Type != want[i].Type {
			t.Errorf("%d: %s of %s, want %s of %s", i, got[i].ID, got[i].Type, want[i].ID, want[i].Type)
		}
	}
	if agn.Compare(&want[1], &want[1]) != 0 {
		t.Error("a message differs from itself")
	}
}

// TestRejects holds AGN Q5: what was rejected before a message, each once, moved
// or not.
func TestRejects(t *testing.T) {
	s := tell(t, "dispatch reject critical reject again other main")
	first, second := s.H.Messages[1], s.H.Messages[3]
	bad := second
	bad.ID, bad.Faults = "x", []canon.Fault{{Rule: "V3"}}
	s.H.Messages = append(s.H.Messages, bad)
	for _, c := range []struct {
		name string
		m    agn.Message
		want int
	}{
		{"before", s.H.Messages[0], 0},
		{"itself", first, 0},
		{"after one", s.H.Messages[2], 1},
		{"after that one in its millisecond", agn.Message{TaskID: task, Type: agn.TypeEscalation, Time: second.Time}, 2},
		{"asked in its millisecond", agn.Message{TaskID: task, Type: agn.TypeRequest, Time: second.Time}, 1},
		{"all", agn.Message{TaskID: task, Type: agn.TypeRequest, Time: agn.At(s.Now)}, 2},
		{"another task", agn.Message{TaskID: "T-2026-008", Type: agn.TypeRequest, Time: agn.At(s.Now)}, 0},
	} {
		t.Run("AGN Q5 "+c.name, func(t *testing.T) {
			if got := agn.Rejects(&c.m, s.H.Messages); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

// TestCheckOneSecond holds that a round which was written in one second, as
// clocks that count seconds do, passes with all of it as history: AGN Q5 Q6 T1.
func TestCheckOneSecond(t *testing.T) {
	s := tell(t, "")
	for _, step := range []string{"dispatch", "complete", "request", "reject"} {
		s.step(step)
	}
	for i := range s.H.Messages {
		if got := agn.Check(&s.H.Messages[i], s.H.Messages); len(got.Faults) > 0 {
			t.Errorf("%s: %+v", s.H.Messages[i].ID, got.Faults)
		}
	}
}

// TestRoute holds AGN R1 as the text's table has it.
func TestRoute(t *testing.T) {
	for kind, want := range map[string][2]string{
		agn.TypeDispatch:   {agn.Coordinator, agn.Executor},
		agn.TypeResult:     {agn.Executor, agn.Coordinator},
		agn.TypeRequest:    {agn.Coordinator, agn.Reviewer},
		agn.TypeVerdict:    {agn.Reviewer, agn.Coordinator},
		agn.TypeEscalation: {"", agn.Admin},
	} {
		if from, to, ok := agn.Route(kind); !ok || from != want[0] || to != want[1] {
			t.Errorf("%s: from %q to %q, %t", kind, from, to, ok)
		}
	}
	if _, _, ok := agn.Route("ack"); ok {
		t.Error("an unknown type has a route")
	}
}

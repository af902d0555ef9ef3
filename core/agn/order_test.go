package agn_test

import (
	"slices"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
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

package amp_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/amp"
)

// TestArrival holds AMP SIG-9: which one of several messages with one signature came
// first, from any order.
func TestArrival(t *testing.T) {
	want := []amp.Arrival{
		{Received: 1, Written: 9_000, ID: "msg_9_a"},
		{Received: 2, Written: 5_000, ID: "msg_5_b"},
		{Received: 2, Written: 5_000, ID: "msg_7_c"},
		{Received: 2, Written: 5_000, ID: "no id"},
		{Received: 2, Written: 6_000, ID: "msg_6_d"},
		{Received: 2, ID: "msg_1_e"},
		{Written: 1_000, ID: "msg_1_f"},
		{Written: 2_000, ID: "msg-2000000000123-g"},
		{ID: "msg_1_h"},
	}
	for turn := range want {
		got := append(slices.Clone(want[turn:]), want[:turn]...)
		slices.Reverse(got)
		slices.SortFunc(got, amp.Arrival.Compare)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("turned by %d: %s", turn, diff)
		}
	}
}

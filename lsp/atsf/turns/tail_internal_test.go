package turns

import (
	"testing"

	"github.com/signalbox-dev/signalbox/core/atsf"
	"github.com/signalbox-dev/signalbox/lsp/panel"
)

// TestFailedAgain counts how often an agent failed for one reason, one turn after the other.
func TestFailedAgain(t *testing.T) {
	user := &atsf.Message{Role: atsf.RoleUser}
	ended := func(why string) *atsf.Message { return &atsf.Message{Role: atsf.RoleAgent, StopReason: why} }
	for _, c := range []struct {
		list  []*atsf.Message
		times int
	}{
		{[]*atsf.Message{ended("error")}, 1},
		{[]*atsf.Message{user, ended("error"), user, ended("error"), ended("error")}, 3},
		{[]*atsf.Message{ended("error"), ended("end_turn"), ended("error")}, 1},
		{[]*atsf.Message{ended("error"), ended("refusal"), user, ended("refusal")}, 2},
		{[]*atsf.Message{ended("error"), ended("end_turn")}, 0},
	} {
		var tail Tail
		if tail.read(c.list); tail.Times != c.times || (tail.State == panel.AgentFailed) != (c.times > 0) {
			t.Errorf("%+v, want %d", tail, c.times)
		}
	}
}

package box

import (
	"testing"

	"github.com/signalbox-dev/signalbox/core/samp"
)

// TestAnswered goes by the time at which an answer was written, whatever the order in which sync
// tools deliver mail.
func TestAnswered(t *testing.T) {
	message := func(from, thread string, ts int64) *samp.Found {
		return &samp.Found{Record: samp.Record{From: from, Thread: thread, TS: ts}}
	}
	for name, c := range map[string]struct {
		messages []*samp.Found
		want     []string
	}{
		"older than every question":    {[]*samp.Found{message("dev", "t", 9)}, []string{""}},
		"in the second of the first":   {[]*samp.Found{message("dev", "t", 10)}, []string{"first?"}},
		"to the first, after the last": {[]*samp.Found{message("dev", "t", 30), message("dev", "t", 15)}, []string{"last?", "first?"}},
		"after what asks nothing":      {[]*samp.Found{message("dev", "t", 41)}, []string{""}},
		"twice":                        {[]*samp.Found{message("dev", "t", 21), message("dev", "t", 22)}, []string{"last?", ""}},
		"of another":                   {[]*samp.Found{message("mallory", "t", 21)}, []string{""}},
		"in another thread":            {[]*samp.Found{message("dev", "u", 21)}, []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			asked := Questions{addressed{"t", "dev"}: {{"first?", 10}, {"last?", 20}, {"", 40}}}
			for i, m := range c.messages {
				if got := asked.Answered(m); got != c.want[i] {
					t.Errorf("message %d of second %d answers %q, want %q", i, m.TS, got, c.want[i])
				}
			}
		})
	}
}

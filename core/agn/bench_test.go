package agn_test

import (
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
)

func BenchmarkParseMessage(b *testing.B) {
	for _, m := range chain(b) {
		b.Run(m.Type, func(b *testing.B) {
			b.SetBytes(int64(len(m.Raw)))
			for b.Loop() {
				if got := parse(b, m.Raw); len(got.Faults) > 0 {
					b.Fatal(got.Faults)
				}
			}
		})
	}
}

// BenchmarkState follows a task of 10,000 messages, each acknowledged.
func BenchmarkState(b *testing.B) {
	s := tell(b, "")
	for len(s.H.Messages) < 10_000 {
		for _, step := range []string{"dispatch", "ack:task_dispatch", "complete", "ack:task_result", "request", "ack:review_request", "approve", "ack:review_verdict"} {
			s.Now++
			s.step(step)
		}
	}
	for b.Loop() {
		if got := s.state(); got.Phase != agn.PhaseApproved || len(got.Waits)+len(got.Notes) > 0 {
			b.Fatalf("%+v", got)
		}
	}
}

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

// BenchmarkStateOpen follows a task of 10,000 escalations, all of them answered
// after the last one came.
func BenchmarkStateOpen(b *testing.B) {
	s := tell(b, "dispatch")
	for len(s.H.Messages) < 10_000 {
		s.Now++
		s.step("critical")
	}
	for i := range s.H.Messages[1:] {
		s.Now++
		s.H.Resumes = append(s.H.Resumes, agn.Resume{MsgID: s.H.Messages[i+1].ID, Action: agn.Approve, Millis: s.Now})
	}
	for b.Loop() {
		if got := s.state(); got.Phase != agn.PhaseResumed || len(got.Open)+len(got.Notes) > 0 {
			b.Fatalf("%+v", got)
		}
	}
}

// BenchmarkCheckRefs holds a message with as many references as there can be
// against a task of 10,000 messages.
func BenchmarkCheckRefs(b *testing.B) {
	s := tell(b, "dispatch")
	for len(s.H.Messages) < 10_000 {
		s.Now++
		s.step("info")
	}
	m := s.H.Messages[1]
	for i := range agn.MaxItems {
		m.ContextRef = append(m.ContextRef, s.H.Messages[2*i].ID)
	}
	for b.Loop() {
		if got := agn.Check(&m, s.H.Messages); len(got.Faults)+len(got.Notes) > 0 {
			b.Fatal(got)
		}
	}
}

package agn_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// rebuild writes a message again from what was read of it.
func rebuild(m *agn.Message) ([]byte, error) {
	h := agn.Head{TaskID: m.TaskID, Millis: m.Time.Millis, AckTimeout: m.AckTimeout, ContextRef: m.ContextRef}
	switch p := &m.Payload; m.Type {
	case agn.TypeDispatch:
		return agn.BuildDispatch(h, *p.Dispatch)
	case agn.TypeResult:
		return agn.BuildResult(h, *p.Result)
	case agn.TypeRequest:
		return agn.BuildRequest(h, *p.Request)
	case agn.TypeVerdict:
		return agn.BuildVerdict(h, *p.Verdict)
	default:
		return agn.BuildEscalation(h, m.From, *p.Escalation)
	}
}

// TestBuildChain holds that a builder loses nothing of the fixture's messages,
// that it writes the same bytes twice, and AGN E1, E8 and R1 of what it adds.
func TestBuildChain(t *testing.T) {
	for _, m := range chain(t) {
		t.Run(m.Type, func(t *testing.T) {
			data, err := rebuild(&m)
			if err != nil {
				t.Fatal(err)
			}
			again, err := rebuild(&m)
			if err != nil || !bytes.Equal(data, again) {
				t.Errorf("%v: other bytes:\n%s", err, again)
			}
			back := parse(t, data)
			if len(back.Faults)+len(back.Notes) > 0 {
				t.Errorf("%+v", back.Findings)
			}
			// The fixture's id has the time it was made at, with a millisecond more.
			want := m
			want.ID, want.Time, want.Raw = back.ID, agn.At(m.Time.Millis), back.Raw
			want.Payload.Raw = back.Payload.Raw
			if diff := cmp.Diff(want, back, cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Constraints" }, cmp.Ignore())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBuildUnverified holds AGN T8 and C3: what nobody verified is written as
// null, which is what an answer is before anyone gives it.
func TestBuildUnverified(t *testing.T) {
	data, err := agn.BuildResult(agn.Head{TaskID: "T-2026-001", Millis: noon}, agn.Result{SubtaskID: "S1", Status: "complete", CriteriaMet: make([]agn.Answer, 2)})
	if err != nil || !bytes.Contains(data, []byte("\"criteria_met\": [\n        null,\n        null\n      ]")) {
		t.Fatalf("AGN T8: %v\n%s", err, data)
	}
	data, err = agn.BuildVerdict(agn.Head{TaskID: "T-2026-001", Millis: noon}, agn.Verdict{Decision: agn.Approved, Criteria: []agn.Criterion{{Text: "c"}}})
	if err != nil || !bytes.Contains(data, []byte(`"passed": null`)) {
		t.Fatalf("AGN C3: %v\n%s", err, data)
	}
}

// TestBuildBytes holds the form of a new message to the byte.
func TestBuildBytes(t *testing.T) {
	data, err := agn.BuildEscalation(agn.Head{TaskID: "T-2026-001", Millis: 1772116327001}, agn.System, agn.Escalation{
		Kind: agn.AckTimeout, Severity: agn.Info, TriggeredBy: agn.System, Description: "no \"ACK\"\n",
		Snapshot: agn.Snapshot{TaskStatus: "dispatched"},
	})
	want := `{
  "msg_id": "escalation-T-2026-001-1772116327001",
  "protocol_version": "AMP/1.0",
  "type": "escalation",
  "from": "system",
  "to": "admin",
  "task_id": "T-2026-001",
  "timestamp": "2026-02-26T14:32:07.001+00:00",
  "requires_ack": false,
  "payload": {
    "escalation_type": "ack_timeout",
    "severity": "info",
    "triggered_by": "system",
    "description": "no \"ACK\"\n",
    "affected_msgs": [],
    "system_state_snapshot": {
      "task_status": "dispatched",
      "reject_count": 0,
      "last_successful_msg_id": ""
    },
    "auto_suspended": false
  }
}
`
	if err != nil || string(data) != want {
		t.Errorf("%v\n%s", err, cmp.Diff(want, string(data)))
	}
}

// TestBuildRefuses holds that builders make only valid messages, and name the
// rule where they will not.
func TestBuildRefuses(t *testing.T) {
	list := chain(t)
	for _, c := range []struct {
		name, rule string
		of         int
		change     func(m *agn.Message)
	}{
		{"E6 task", "E6", 0, func(m *agn.Message) { m.TaskID = "../x" }},
		{"E7 time", "E7", 0, func(m *agn.Message) { m.Time.Millis = math.MaxInt64 }},
		{"E1 time before 1970", "E1", 0, func(m *agn.Message) { m.Time.Millis = -1 }},
		{"E9 timeout", "E9", 0, func(m *agn.Message) { m.AckTimeout = -1 }},
		{"E10 ref", "C9", 0, func(m *agn.Message) { m.ContextRef = []string{"x"} }},
		{"E0 text", "E0", 0, func(m *agn.Message) { m.Payload.Dispatch.Description = "\xff" }},
		{"D3 branch", "D3", 0, func(m *agn.Message) { m.Payload.Dispatch.Branch = "main" }},
		{"D5 criteria", "D5", 0, func(m *agn.Message) { m.Payload.Dispatch.Criteria = nil }},
		{"D8 injection", "D8", 0, func(m *agn.Message) { m.Payload.Dispatch.Constraints = []byte(`{},"branch":"x"`) }},
		{"D8 list", "D8", 0, func(m *agn.Message) { m.Payload.Dispatch.Constraints = []byte(`[]`) }},
		{"T5 time", "T5", 1, func(m *agn.Message) { m.Payload.Result.Log = []agn.LogEntry{{}} }},
		{"T7 blockers", "T7", 1, func(m *agn.Message) { m.Payload.Result.Status = "failed" }},
		{"Q2 ref", "C9", 2, func(m *agn.Message) { m.Payload.Request.ResultRef = "task_result" }},
		{"Q10 twice", "Q10", 2, func(m *agn.Message) { m.Payload.Request.CI = []agn.Build{{Name: "a"}, {Name: "a"}} }},
		{"V3 issues", "V3", 3, func(m *agn.Message) { m.Payload.Verdict.Issues = nil }},
		{"V4 fixes", "V4", 4, func(m *agn.Message) { m.Payload.Verdict.Fixes = nil }},
		{"V6 not a number", "V6", 4, func(m *agn.Message) { m.Payload.Verdict.Confidence = math.NaN() }},
		{"R1 sender", "R1", 5, func(m *agn.Message) { m.From = agn.Admin }},
		{"X5 goes on", "X5", 5, func(m *agn.Message) { m.Payload.Escalation.Suspended = false }},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			m := parse(t, list[c.of].Raw) // its own copy of the payload
			c.change(&m)
			data, err := rebuild(&m)
			if data != nil || fault(t, err).Rule != c.rule {
				t.Errorf("%v\n%s", err, data)
			}
		})
	}
}

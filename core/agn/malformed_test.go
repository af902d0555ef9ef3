package agn_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
)

// TestMalformedEscalation holds AGN X10: what is an escalation in any way is heard, however
// malformed, with what could be read of it. By the strict reading each breaks a
// rule and counts for nothing (AGN E0).
func TestMalformedEscalation(t *testing.T) {
	sound := string(fixtures(t, "amp-chain")["06-escalation.json"])
	const lock = "T-2026-044 Hallucination Lock has been triggered"
	tests := []struct {
		name, old, with string
		gravity, says   string // the description begins so
	}{
		{"X7 null in the snapshot", `"last_successful_msg_id": "task_dispatch-T-2026-044-1772116327001"`, `"last_successful_msg_id": null`, agn.Critical, lock},
		{"X7 no snapshot", `"system_state_snapshot"`, `"snapshot"`, agn.Critical, lock},
		{"X1 a type outside the list", `"hallucination_lock"`, `"disk_full"`, agn.Critical, lock},
		{"X2 another word for it", `"severity": "critical"`, `"severity": "fatal"`, agn.Critical, lock},
		{"X2 in capitals", `"severity": "critical"`, `"severity": " WARNING"`, agn.Warning, lock},
		{"X2 null", `"severity": "critical"`, `"severity": null`, agn.Critical, lock},
		{"X2 info stays info", `"severity": "critical"`, `"severity": "info", "mood": 1, "mood": 2`, agn.Info, lock},
		{"X4 a list", `"description": "`, `"description": ["disk", "full"], "was": "`, agn.Critical, `["disk", "full"]`},
		{"X4 none", `"description"`, `"text"`, agn.Critical, ""},
		{"E1 a counter", `-1772120327001"`, `-001"`, agn.Critical, lock},
		{"E2 another version", `AMP/1.0`, `AMP/1.1`, agn.Critical, lock},
		{"E3 in capitals", `"type": "escalation"`, `"type": "Escalation"`, agn.Critical, lock},
		{"E3 missing", `"type": "escalation"`, `"kind": "escalation"`, agn.Critical, lock},
		{"E3 another, though its id says so", `"type": "escalation"`, `"type": "task_result"`, agn.Critical, lock},
		{"E3 and E1, though its payload says so", `"msg_id": "escalation-T-2026-044-1772120327001"`, `"msg_id": "x", "type": 1`, agn.Critical, lock},
		{"E4 unknown", `"from": "coordinator"`, `"from": "me"`, agn.Critical, lock},
		{"E6 no task", `"task_id": "T-2026-044"`, `"task_id": null`, agn.Critical, lock},
		{"E7 no offset", `+00:00"`, `"`, agn.Critical, lock},
		{"E11 a text", `"payload": {`, `"payload": "the disk is full", "was": {`, agn.Critical, "the disk is full"},
		{"E0 twice", `"from"`, `"from": "executor", "from"`, agn.Critical, lock},
		{"E0 a comma too many", `"auto_suspended": true`, `"auto_suspended": true,`, agn.Critical, lock},
		{"E0 a byte order mark", "{\n  \"msg_id\"", "\ufeff{\n  \"msg_id\"", agn.Critical, lock},
		{"E0 another encoding", `"severity": "critical"`, "\"severity\": \"critical\", \"mood\": \"\xe4\"", agn.Critical, lock},
		{"E0 cut off", `"affected_msgs"`, `"affected_msgs": ["`, agn.Critical, lock},
		{"R1 to the reviewer", `"to": "admin"`, `"to": "reviewer"`, agn.Critical, lock},
	}
	for _, tt := range tests {
		t.Run("AGN X10 "+tt.name, func(t *testing.T) {
			data := []byte(strings.Replace(sound, tt.old, tt.with, 1))
			if bytes.Equal(data, []byte(sound)) {
				t.Fatal("nothing was replaced")
			}
			if m, err := agn.ParseMessage(data); err == nil && len(m.Faults) == 0 {
				t.Fatal("the strict reading takes it")
			}
			m, ok := agn.MalformedEscalation(data)
			if !ok {
				t.Fatal("it is not heard")
			}
			e := m.Payload.Escalation
			if e.ShownSeverity() != tt.gravity || !strings.HasPrefix(e.Description, tt.says) || tt.says == "" && e.Description != "" {
				t.Errorf("%s: %q", e.ShownSeverity(), e.Description)
			}
			if len(m.Faults)+len(m.Notes) > 0 || m.Type != agn.TypeEscalation {
				t.Errorf("%+v", m)
			}
		})
	}
}

// TestMalformedEscalationElsewhere holds that nothing else is heard, and that a sound
// escalation is heard as what it says (AGN X10).
func TestMalformedEscalationElsewhere(t *testing.T) {
	for name, data := range fixtures(t, "amp-chain") {
		m, ok := agn.MalformedEscalation(data)
		if want := strings.Contains(name, "escalation"); ok != want {
			t.Errorf("%s: %t", name, ok)
		}
		if ok && cmp.Diff(m.Payload.Escalation, parse(t, data).Payload.Escalation) != "" {
			t.Errorf("%s: %+v", name, m.Payload.Escalation)
		}
	}
	for name, data := range fixtures(t, "invalid") {
		if _, ok := agn.MalformedEscalation(data); ok != (strings.HasPrefix(name, "X") || strings.HasPrefix(name, "R-route-escalation")) {
			t.Errorf("%s: %t", name, ok)
		}
	}
	for _, s := range []string{"", "null", "[]", `"escalation"`, `{"x":{"type":"escalation"}}`, `{"msg_id":"escalation-T-2026-044-1772120327001","type":"ack"}`, `{"payload":{"x":{"escalation_type":1}}}`, strings.Repeat("[", 200)} {
		if m, ok := agn.MalformedEscalation([]byte(s)); ok {
			t.Errorf("%q: %+v", s, m)
		}
	}
}

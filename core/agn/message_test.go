package agn_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// TestFaults changes one thing in a sound message and asks for exactly the
// faults, or notes, that it makes.
func TestFaults(t *testing.T) {
	list := chain(t)
	const dispatch, result, request, rejected, fixed, escalation = 0, 1, 2, 3, 4, 5
	for _, c := range []struct {
		name     string // begins with the rule
		of       int
		old, new string
		faults   string // space-separated rules
		notes    string
	}{
		{"E1 missing", dispatch, `"msg_id"`, `"msg"`, "E1", "C17"},
		{"E1 other type", dispatch, `"task_dispatch-T`, `"task_result-T`, "E1", ""},
		{"E1 other task", dispatch, `dispatch-T-2026-044-1`, `dispatch-T-2026-045-1`, "E1", ""},
		{"E1 no digits", dispatch, `-1772116327001"`, `-..."`, "E1", ""},
		{"E1 a counter", dispatch, `-1772116327001"`, `-001"`, "E1", ""},
		{"E1 seconds", dispatch, `-1772116327001"`, `-1772116327"`, "E1", ""},
		{"E1 microseconds", dispatch, `-1772116327001"`, `-1772116327001000"`, "E1", ""},
		{"E1 a padded counter", dispatch, `-1772116327001"`, `-0000000000001"`, "E1", ""},
		{"E1 C9 a year off", dispatch, `-1772116327001"`, `-1740576727001"`, "", ""},
		{"E1 a path", dispatch, `"task_dispatch-T-2026-044-1772116327001"`, `"../../etc/passwd"`, "E1", ""},
		{"E1 empty", dispatch, `"task_dispatch-T-2026-044-1772116327001"`, `""`, "E1", ""},
		{"E1 twice", dispatch, `"protocol_version"`, `"msg_id":"x","protocol_version"`, "E1", ""},
		{"E1 null", dispatch, `"task_dispatch-T-2026-044-1772116327001"`, `null`, "E1", ""},
		{"E2 missing", dispatch, `"protocol_version": "AMP/1.0",`, ``, "E2", ""},
		{"E2 other, and nothing else is said", dispatch, `"AMP/1.0",`, `"AMP/1.1","x":1,"to":3,`, "E2", ""},
		{"E2 no string", dispatch, `"AMP/1.0"`, `1`, "E2", ""},
		{"E3 unknown", dispatch, `"type": "task_dispatch"`, `"type": "ack"`, "E3", ""},
		{"E4 unknown", dispatch, `"from": "coordinator"`, `"from": "codex"`, "E4", ""},
		{"E5 C7 system", dispatch, `"to": "executor"`, `"to": "system"`, "E5", ""},
		{"E6 form", dispatch, `"task_id": "T-2026-044"`, `"task_id": "T-2026-44"`, "E6", ""},
		{"E7 no offset", dispatch, `14:32:07+00:00`, `14:32:07`, "E7", ""},
		{"E7 no T", dispatch, `2026-02-26T14`, `2026-02-26 14`, "E7", ""},
		{"E7 no such day", dispatch, `2026-02-26T`, `2026-02-30T`, "E7", ""},
		{"E7 after the year 9999 in UTC", dispatch, `2026-02-26T14:32:07+00:00`, `9999-12-31T23:59:59.999-12:00`, "E7", ""},
		{"E7 before the year 0 in UTC", dispatch, `2026-02-26T14:32:07+00:00`, `0000-01-01T00:00:00+23:59`, "E7", ""},
		{"E7 the last moment", dispatch, `2026-02-26T14:32:07+00:00`, `9999-12-31T23:59:59.999Z`, "", ""},
		{"E7 a number", dispatch, `"2026-02-26T14:32:07+00:00"`, `1772116327001`, "E7", ""},
		{"E7 C11 Z", dispatch, `14:32:07+00:00`, `14:32:07Z`, "", ""},
		{"E7 other offset", dispatch, `14:32:07+00:00`, `14:32:07.25-0330`, "", ""},
		{"E8 no", dispatch, `"requires_ack": true`, `"requires_ack": false`, "E8", ""},
		{"E8 text", dispatch, `"requires_ack": true`, `"requires_ack": "true"`, "E8", ""},
		{"E8 yes on an escalation", escalation, `"requires_ack": false`, `"requires_ack": true`, "", ""},
		{"E9 zero", dispatch, `"ack_timeout_sec": 300`, `"ack_timeout_sec": 0`, "E9", ""},
		{"E9 negative", dispatch, `"ack_timeout_sec": 300`, `"ack_timeout_sec": -1`, "E9", ""},
		{"E9 beyond 64 bits", dispatch, `"ack_timeout_sec": 300`, `"ack_timeout_sec": 9223372036854775808`, "E9", ""},
		{"E9 centuries", dispatch, `"ack_timeout_sec": 300`, `"ack_timeout_sec": 9223372036854775807`, "E9", ""},
		{"E9 null", dispatch, `"ack_timeout_sec": 300`, `"ack_timeout_sec": null`, "E9", ""},
		{"E9 without an ACK", escalation, `"requires_ack": false`, `"requires_ack": false, "ack_timeout_sec": 5`, "", "E9"},
		{"E10 text", escalation, `"context_ref": [`, `"context_ref": "x", "y": [`, "E10", "C17"},
		{"E10 number", escalation, `"context_ref": [`, `"context_ref": [1,`, "E10", ""},
		{"E11 list", dispatch, `"payload": {`, `"payload": [], "x": {`, "E11", "C17"},
		{"R1 backwards", dispatch, `"from": "coordinator"`, `"from": "executor"`, "R1", ""},
		{"R1 the admin escalates", escalation, `"from": "coordinator"`, `"from": "admin"`, "R1", ""},
		{"R1 C5 the system escalates", escalation, `"from": "coordinator"`, `"from": "system"`, "", ""},
		{"E0 every fault is named", dispatch, `"from": "coordinator"`, `"from": 1, "to": 2, "context_ref": 3`, "E4 E5 E10 E5", ""},
		{"C17 unknown field", dispatch, `"from"`, `"colour": 1, "from"`, "", "C17"},

		{"D1 blank", dispatch, `"Reconstruct watchOS breathing engine timing logic and fix timer exception when background hangs"`, `" "`, "D1", ""},
		{"D2 relative", dispatch, `/Users/kircerta`, `Users/kircerta`, "D2", ""},
		{"D2 Windows", dispatch, `/Users/kircerta`, `C:\\Users`, "", ""},
		{"D3 main", dispatch, `feature/watch-breath-v2`, `main`, "D3", ""},
		{"D3 master in full", dispatch, `feature/watch-breath-v2`, `refs/heads/master`, "D3", ""},
		{"D3 main with a space", dispatch, `feature/watch-breath-v2`, ` main`, "D3", ""},
		{"D3 another main", dispatch, `feature/watch-breath-v2`, `feature/main`, "", ""},
		{"D4 no id", dispatch, `"subtask_id": "T-2026-044-S2",`, ``, "D4", ""},
		{"D4 two of one id", dispatch, `T-2026-044-S2`, `T-2026-044-S1`, "D4", ""},
		{"D4 lines", dispatch, `"estimated_lines": 30`, `"estimated_lines": 3.5`, "D4", ""},
		{"D4 no object", dispatch, `"subtasks": [`, `"subtasks": ["x",`, "D4", ""},
		{"D4 none", dispatch, `"subtasks": [`, `"subtasks": [], "x": [`, "", "D4 C17"},
		{"D5 C13 none", dispatch, `"acceptance_criteria": [`, `"acceptance_criteria": [], "x": [`, "D5", "C17"},
		{"D5 blank", dispatch, `"XCode Cloud all tests passed"`, `""`, "D5", ""},
		{"D6 unknown", dispatch, `"medium"`, `"none"`, "D6", ""},
		{"D7 text", dispatch, `"Modify HealthKit permission statement"`, `4`, "D7", ""},
		{"D8 list", dispatch, `"tech_constraints": {`, `"tech_constraints": [], "x": {`, "D8", "C17"},

		{"T1 empty", result, `"subtask_id": "T-2026-044-S1"`, `"subtask_id": ""`, "T1", ""},
		{"T2 unknown", result, `"complete"`, `"done"`, "T2", ""},
		{"T3 text", result, `"lines_removed": 24`, `"lines_removed": "24"`, "T3", ""},
		{"T3 missing", result, `"lines_removed": 24`, `"lines": 24`, "T3", "C17"},
		{"T4 C3 null is allowed", result, "[\n        true,", "[\n        null,", "", ""},
		{"T4 a guess", result, `null,`, `"maybe",`, "T4", ""},
		{"T5 C11 any time", result, `14:28:00Z`, `23:28:00+09:00`, "", ""},
		{"T5 no time", result, `2026-02-26T14:28:00Z`, `soon`, "T5", ""},
		{"T6 number", result, `"a3f8d21"`, `3`, "T6", ""},
		{"T7 missing", result, `"complete"`, `"partial"`, "T7", ""},
		{"T7 given", result, `"complete",`, `"failed", "blockers": ["no disk"],`, "", ""},
		{"T7 C16 failed with nothing that blocks is noted", result, `"complete",`, `"failed", "blockers": [],`, "", "T7"},
		{"T7 C16 partial with nothing that blocks is noted", result, `"complete",`, `"partial", "blockers": [],`, "", "T7"},

		{"Q1 missing", request, `"original_dispatch_ref"`, `"dispatch"`, "Q1", "C17"},
		{"Q2 C9 elided", request, `"task_result_ref": "task_result-T-2026-044-1772117227001"`, `"task_result_ref": "task_result-T-2026-044-..."`, "", "C9"},
		{"Q2 empty", request, `"task_result_ref": "task_result-T-2026-044-1772117227001"`, `"task_result_ref": ""`, "Q2", ""},
		{"Q3 unknown", request, `"full"`, `"some"`, "Q3", ""},
		{"Q4 missing", request, `"diff_url"`, `"diff"`, "Q4", "C17"},
		{"Q5 negative", request, `"reject_count": 0`, `"reject_count": -1`, "Q5", ""},
		{"Q9 null", request, `"coordinator_notes": "`, `"coordinator_notes": null, "x": "`, "Q9", "C17"},
		{"Q10 number", request, `"running"`, `7`, "Q10", ""},
		{"Q10 twice", request, `"codex_review"`, `"xcode_cloud"`, "Q10", ""},
		{"Q10 C12 any name", request, `"codex_review"`, `"make check"`, "", ""},

		{"V1 unknown", rejected, `"decision": "rejected"`, `"decision": "no"`, "V1", ""},
		{"V2 missing", rejected, `"evidence": "CI is still running"`, `"e": 1`, "V2", "C17"},
		{"V2 text", rejected, `"passed": null`, `"passed": "no"`, "V2", ""},
		{"V3 missing", rejected, `"issues": [`, `"issue": [`, "V3", "C17"},
		{"V3 C14 an escalation's severity", rejected, `"severity": "critical"`, `"severity": "info"`, "V3", "C16"},
		{"V3 line", rejected, `"line": 87`, `"line": "87"`, "V3", ""},
		{"V3 C16 only a minor issue", rejected, `"severity": "critical"`, `"severity": "minor"`, "", "C16"},
		{"V3 C16 approved with a blocking issue", rejected, `"decision": "rejected"`, `"decision": "approved"`, "", "C16"},
		{"V4 five lines", fixed, `"diff_lines": 4`, `"diff_lines": 5`, "V4", ""},
		{"V4 C1 import", fixed, `"typo"`, `"import"`, "", ""},
		{"V4 C1 import_order", fixed, `"typo"`, `"import_order"`, "", ""},
		{"V4 other change", fixed, `"typo"`, `"rename"`, "V4", ""},
		{"V5 list", rejected, `"architecture_notes": "`, `"architecture_notes": [], "x": "`, "V5", "C17"},
		{"V6 above", fixed, `0.9`, `1.01`, "V6", ""},
		{"V6 below", fixed, `0.9`, `-0.01`, "V6", ""},
		{"V6 huge", fixed, `0.9`, `1e999`, "V6", ""},
		{"V6 whole", fixed, `0.9`, `1`, "", ""},

		{"X1 unknown", escalation, `"hallucination_lock"`, `"lock"`, "X1", ""},
		{"X2 C14 an issue's severity", escalation, `"severity": "critical"`, `"severity": "major"`, "X2", ""},
		{"X3 admin", escalation, `"triggered_by": "coordinator"`, `"triggered_by": "admin"`, "X3", ""},
		{"X4 missing", escalation, `"description"`, `"text"`, "X4", "C17"},
		{"X5 critical goes on", escalation, `"auto_suspended": true`, `"auto_suspended": false`, "X5", ""},
		{"X5 C8 warning stops", escalation, `"critical"`, `"warning"`, "", ""},
		{"X6 number", escalation, `"affected_msgs": [`, `"affected_msgs": [1,`, "X6", ""},
		{"X7 missing", escalation, `"task_status": "locked",`, ``, "X7", ""},
		{"X7 nothing succeeded", escalation, `"last_successful_msg_id": "task_dispatch-T-2026-044-1772116327001"`, `"last_successful_msg_id": ""`, "", ""},
		{"X8 text", escalation, `"suggested_actions": [`, `"suggested_actions": [true,`, "X8", ""},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			data := strings.Replace(string(list[c.of].Raw), c.old, c.new, 1)
			if data == string(list[c.of].Raw) {
				t.Fatal("nothing was changed")
			}
			m := parse(t, []byte(data))
			if got := only(m.Faults); got != c.faults {
				t.Errorf("faults %q, want %q: %+v", got, c.faults, m.Faults)
			}
			if got := only(m.Notes); got != c.notes {
				t.Errorf("notes %q, want %q: %+v", got, c.notes, m.Notes)
			}
			for _, f := range append(slices.Clone(m.Faults), m.Notes...) {
				if f.Offset < 0 || f.Offset >= len(data) || f.Reason == "" {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// TestManyItems holds that a list is read up to its limit, and what lies beyond
// is a fault.
func TestManyItems(t *testing.T) {
	raw := string(chain(t)[5].Raw)
	for n, faults := range map[int]string{agn.MaxItems - 3: "", agn.MaxItems - 2: "X8"} {
		m := parse(t, []byte(strings.Replace(raw, `"suggested_actions": [`, `"suggested_actions": [`+strings.Repeat(`"x",`, n), 1)))
		if got := m.Payload.Escalation.Suggested; only(m.Faults) != faults || len(got) != agn.MaxItems {
			t.Errorf("AGN X8: %d actions, faults %q", len(got), only(m.Faults))
		}
	}
}

// TestManyFindings holds that a hostile message lists no more than so many.
func TestManyFindings(t *testing.T) {
	text := []byte(`{`)
	for i := range 1000 {
		text = fmt.Appendf(text, `"type":1,"x%d":[{"a":1,"a":2}],`, i)
	}
	m := parse(t, append(text, `"y":1}`...))
	if len(m.Faults) != canon.MaxFindings || len(m.Notes) != canon.MaxFindings {
		t.Errorf("AGN E0: %d faults, %d notes", len(m.Faults), len(m.Notes))
	}
}

// TestTwice holds that a member which stands twice is a fault wherever it stands,
// once for each time too many, by its rule and at its place: AGN E0 C17 D8 Q10.
func TestTwice(t *testing.T) {
	list := chain(t)
	for _, c := range []struct {
		name     string
		of       int
		old, new string
		want     string // rules and fields
		notes    string
	}{
		{"E0 unknown", 0, `"from"`, `"x": 1, "x": {"HERE": 2}, "from"`, "E0 x", "C17"},
		{"E0 unknown, in other letters", 0, `"from"`, `"x": 1, "\u0078": {"HERE": 2}, "from"`, "E0 x", "C17"},
		{"E0 inside an unknown one", 0, `"from"`, `"x": {"a": [1, {"b": 1, "c": 2, "b": {"HERE": 2}}]}, "from"`, "E0 x.a[1].b", "C17"},
		{"E0 in a list of the payload", 0, `"subtask_id": "T-2026-044-S2"`, `"subtask_id": "T-2026-044-S2", "x": 1, "x": {"HERE": 2}`, "E0 payload.subtasks[1].x", "C17"},
		{"D4 in a list of the payload", 0, `"subtask_id": "T-2026-044-S2"`, `"subtask_id": "T-2026-044-S2", "subtask_id": {"HERE": 2}`, "D4 payload.subtasks[1].subtask_id", ""},
		{"D8 in an object of any names", 0, `"tech_constraints": {`, `"tech_constraints": {"a": 1, "a": {"HERE": 2},`, "D8 payload.tech_constraints.a", ""},
		{"D8 deep inside", 0, `"tech_constraints": {`, `"tech_constraints": {"a": {"b": {"c": 1, "c": {"HERE": 2}}},`, "D8 payload.tech_constraints.a.b.c", ""},
		{"D8 the same name elsewhere", 0, `"tech_constraints": {`, `"tech_constraints": {"a": {"a": [{"a": 1}, {"a": 2}]},`, "", ""},
		{"Q10 builds", 2, `"xcode_cloud"`, `"a": "x", "a": {"HERE": 2}, "xcode_cloud"`, "Q10 payload.ci_status.a", ""},
		{"E0 three times", 0, `"from"`, `"x": 1, "x": {"HERE": 2}, "x": 3, "from"`, "E0 x, E0 x", "C17"},
	} {
		t.Run("AGN "+c.name, func(t *testing.T) {
			data := strings.Replace(string(list[c.of].Raw), c.old, c.new, 1)
			if data == string(list[c.of].Raw) {
				t.Fatal("nothing was changed")
			}
			m := parse(t, []byte(data))
			if got := strings.Join(rules(m.Faults), ", "); got != c.want || only(m.Notes) != c.notes {
				t.Errorf("%s, want %s; notes %q", got, c.want, only(m.Notes))
			}
			if at := strings.Index(data, `{"HERE"`); c.want != "" && len(m.Faults) > 0 && m.Faults[0].Offset != at {
				t.Errorf("at %d, want %d", m.Faults[0].Offset, at)
			}
		})
	}
}

func only(list []canon.Fault) string {
	names := []string{}
	for _, f := range list {
		names = append(names, f.Rule)
	}
	return strings.Join(names, " ")
}

// TestOffsets holds that a fault lies exactly at the value that is wrong, however
// deep, and at the object where a member is missing.
func TestOffsets(t *testing.T) {
	list := chain(t)
	for _, c := range []struct {
		of           int
		old, new, at string
		field        string
	}{
		{0, `"estimated_lines": 30`, `"estimated_lines": "?"`, `"?"`, "payload.subtasks[1].estimated_lines"},
		{0, `"estimated_lines": 30`, `"lines": 30`, "{\n        \"subtask_id\": \"T-2026-044-S2\"", "payload.subtasks[1].estimated_lines"},
		{1, `"Waiting for Instruments analysis"`, `[7]`, `[7]`, "payload.self_assessment.notes[2]"},
		{2, `"running"`, `-7`, `-7`, "payload.ci_status.codex_review"},
		{5, `"locked"`, `{}`, `{}`, "payload.system_state_snapshot.task_status"},
	} {
		t.Run(c.field, func(t *testing.T) {
			data := strings.Replace(string(list[c.of].Raw), c.old, c.new, 1)
			m := parse(t, []byte(data))
			if len(m.Faults) != 1 || m.Faults[0].Field != c.field || m.Faults[0].Offset != strings.Index(data, c.at) {
				t.Errorf("%+v, want it at %d", m.Faults, strings.Index(data, c.at))
			}
		})
	}
}

// TestUnreadable holds AGN E0 for what is no message at all.
func TestUnreadable(t *testing.T) {
	for name, data := range map[string]string{
		"empty":     "",
		"a list":    "[]",
		"torn":      `{"msg_id":"x"`,
		"two":       "{}{}",
		"not UTF-8": "{\"a\":\"\xff\"}",
		"too deep":  `{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}",
		"too long":  `{"a":"` + strings.Repeat("x", agn.MaxMessage) + `"}`,
	} {
		t.Run("AGN E0 "+name, func(t *testing.T) {
			_, err := agn.ParseMessage([]byte(data))
			if f := fault(t, err); f.Rule != "E0" || f.Offset > len(data) {
				t.Errorf("%+v", f)
			}
			if _, _, err := agn.ParsePayload(agn.TypeResult, []byte(data)); fault(t, err).Rule != "E0" {
				t.Error(err)
			}
		})
	}
	if _, _, err := agn.ParsePayload("ack", []byte("{}")); fault(t, err).Rule != "E3" {
		t.Error(err)
	}
}

func fault(t testing.TB, err error) *canon.Fault {
	t.Helper()
	f, ok := err.(*canon.Fault) //nolint:errorlint // the contract is the type itself
	if !ok {
		t.Fatalf("%v is no fault", err)
	}
	return f
}

// TestTimeout holds AGN E9's defaults and that a message's own deadline counts.
func TestTimeout(t *testing.T) {
	for i, want := range []int64{300, 120, 600, 60, 60, 0} {
		m := chain(t)[i]
		if got := m.Timeout(); got != want {
			t.Errorf("%s: %d s as written, want %d", m.Type, got, want)
		}
		m.AckTimeout = 0
		if got := m.Timeout(); got != want {
			t.Errorf("%s: %d s by default, want %d", m.Type, got, want)
		}
		m.AckTimeout = 7
		if got := m.Timeout(); m.RequiresAck && got != 7 || !m.RequiresAck && got != 0 {
			t.Errorf("%s: %d s of its own", m.Type, got)
		}
	}
}

// TestIDs holds the forms of AGN E1 and E6, and C17's wider numbers.
func TestIDs(t *testing.T) {
	for s, want := range map[string]bool{
		"T-2026-044": true, "T-2026-1000": true, "T-2026-123456789": true,
		"": false, "T-": false, "T-2026": false, "T-2026-": false, "T-2026-04": false, "T-26-044": false, "t-2026-044": false,
		"T-2026-1234567890": false, "T-2026-04x": false, "T-2026-044/": false, "T-2026-٠٤٤": false,
	} {
		if agn.ValidTaskID(s) != want {
			t.Errorf("AGN E6: %q is %t", s, !want)
		}
		_, ok := agn.ParseID("escalation-" + s + "-1")
		if ok != want {
			t.Errorf("AGN E1: %q is %t", s, ok)
		}
	}
	const text = "task_result-T-2026-044-1772117227001"
	if id, ok := agn.ParseID(text); !ok || id.String() != text || id.TaskID != "T-2026-044" || id.Millis != 1772117227001 {
		t.Errorf("AGN E1: %+v %t", id, ok)
	}
	for _, s := range []string{"", "-", "--", "task_result", "task_result-T-2026-044", "task_result-T-2026-044-", "task_result-T-2026-044-12345678901234567", "x-T-2026-044-1", "task_result-T-2026-044--1"} {
		if _, ok := agn.ParseID(s); ok {
			t.Errorf("AGN E1: %q is taken", s)
		}
	}
}

// TestLowConfidence holds AGN V7 and C17: 0.8 itself is enough.
func TestLowConfidence(t *testing.T) {
	for x, want := range map[float64]bool{0: true, 0.79: true, 0.8: false, 1: false} {
		v := agn.Verdict{Confidence: x}
		if v.LowConfidence() != want {
			t.Errorf("AGN V7: %v", x)
		}
	}
}

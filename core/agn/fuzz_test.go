package agn_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
)

// FuzzMessage holds that any bytes give a message or a fault, with offsets
// inside the text, and that a sound message can be written and read again.
func FuzzMessage(f *testing.F) {
	for _, folder := range []string{"amp-chain", "invalid", "spec-examples"} {
		for _, data := range fixtures(f, folder) {
			f.Add(data)
		}
	}
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"payload":{},"type":"escalation","type":1}`))
	f.Add([]byte("\ufeff{\"type\":\"escalation\",\"payload\":{\"severity\":\"Warning\",\"description\":[\"disk\",\"\xff\"],"))
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		m, err := agn.ParseMessage(data)
		if !bytes.Equal(data, before) {
			t.Fatal("the input was changed")
		}
		malformed, heard := agn.MalformedEscalation(data)
		if !bytes.Equal(data, before) || heard && !slices.Contains([]string{agn.Critical, agn.Warning, agn.Info}, malformed.Payload.Escalation.ShownSeverity()) {
			t.Fatal("the input was changed, or an alarm has no severity")
		}
		if err != nil {
			if fault(t, err).Offset > len(data) {
				t.Fatal("a fault beyond the end")
			}
			return
		}
		if len(m.Faults) > canon.MaxFindings || len(m.Notes) > canon.MaxFindings || !bytes.Equal(m.Raw, data) {
			t.Fatal("too many findings, or other bytes")
		}
		for _, list := range [][]canon.Fault{m.Faults, m.Notes} {
			for _, f := range list {
				if f.Offset < 0 || f.Offset > len(data) || f.Rule == "" {
					t.Fatalf("%+v", f)
				}
			}
		}
		if e := m.Payload.Escalation; e != nil {
			if !heard {
				t.Fatal("an escalation is not heard")
			}
			if diff := cmp.Diff(e, malformed.Payload.Escalation); diff != "" && len(m.Faults) == 0 {
				t.Fatal(diff)
			}
		}
		if len(m.Faults) > 0 {
			return
		}
		out, err := rebuild(&m)
		if err != nil {
			// What is only tolerated is not written: short ids, and years that no
			// id can hold.
			if rule := fault(t, err).Rule; rule != "C9" && rule != "E1" && rule != "E7" && rule != "E0" {
				t.Fatal(err)
			}
			return
		}
		back := parse(t, out)
		back.Payload.Raw, m.Payload.Raw = nil, nil
		if diff := cmp.Diff(m.Payload, back.Payload); diff != "" {
			t.Fatal(diff)
		}
	})
}

// FuzzRecords holds that any bytes give each of our records or a fault (AGN C4 C6
// E6 E0), and that what was read can be written, and is then read as the same. Not
// written, and only tolerated, are a redirect that says nothing and times that no
// four digits of a year can hold; a line of the error log has the nearest time.
func FuzzRecords(f *testing.F) {
	ack, _ := agn.BuildAck(agn.Ack{MsgID: verdictID, By: agn.Coordinator, Millis: noon})
	resume, _ := agn.BuildResume(agn.Resume{MsgID: verdictID, Action: agn.Redirect, Text: "x", Millis: noon})
	record, _ := agn.BuildRecord(agn.Record{TaskID: task, Phase: agn.PhaseResult, Created: noon})
	line := agn.AppendRejection(nil, agn.Rejection{
		Source: "s", Digest: strings.Repeat("0", 64), Text: "\x1b\n", Faults: []canon.Fault{{Rule: "D3", Field: "payload.branch", Offset: 12, Reason: "no"}},
	})
	for _, seed := range [][]byte{ack, resume, record, line, {}, []byte(`{"format":"signalbox-ack/2"}`), bytes.Replace(resume, []byte(`"x"`), []byte(`" "`), 1)} {
		f.Add(seed)
		f.Add(bytes.Replace(seed, []byte("2026-02-26T12:00:00.000+00:00"), []byte("9999-12-31T23:59:59-01:00"), 1))
		f.Add(bytes.Replace(seed, []byte("1970-01-01T00:00:00.000+00:00"), []byte("0000-01-01T00:00:00+01:00"), 1))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		again(t, data, agn.ParseAck, agn.BuildAck)
		again(t, data, func(data []byte) (agn.Resume, error) {
			r, err := agn.ParseResume(data)
			if r.Action == agn.Redirect && strings.TrimSpace(r.Text) == "" {
				r.Text = "x"
			}
			return r, err
		}, agn.BuildResume)
		again(t, data, agn.ParseRecord, agn.BuildRecord)
		again(t, data, func(data []byte) (agn.Rejection, error) {
			r, err := agn.ParseRejection(data)
			r.Millis = agn.At(r.Millis).Millis
			return r, err
		}, func(r agn.Rejection) ([]byte, error) { return agn.AppendRejection(nil, r), nil })
	})
}

// again reads a record, writes what was read and reads that.
func again[T any](t *testing.T, data []byte, parse func([]byte) (T, error), build func(T) ([]byte, error)) {
	t.Helper()
	first, err := parse(data)
	if err != nil {
		if fault := fault(t, err); fault.Offset > len(data) || fault.Offset < 0 || fault.Rule == "" || fault.Reason == "" {
			t.Errorf("%+v", fault)
		}
		return
	}
	made, err := build(first)
	if err != nil {
		if fault(t, err).Rule != "E7" {
			t.Fatalf("%+v was read and is not written: %v", first, err)
		}
		return
	}
	second, err := parse(made)
	if diff := cmp.Diff(first, second, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Fatalf("%s: %v %s", made, err, diff)
	}
}

// FuzzNames holds that an id is read from nothing that could be a path or leave a
// line, and that ids and times are read as they were written.
func FuzzNames(f *testing.F) {
	for _, s := range []string{
		"task_dispatch-T-2026-044-1772116327001", "escalation-T-2026-001-3", "../../x", "task_dispatch-T-2026-044-", "T-2026-044",
		"2026-02-26T14:32:07+00:00", "2026-02-26T14:32:07.123Z", "\u202e", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, ok := agn.ParseID(s); ok {
			for i := range len(s) {
				if c := s[i]; c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
					t.Fatalf("%q is an id", s)
				}
			}
		}
		if at := agn.ParseTime(s); at.OK {
			if again := agn.At(at.Millis); again.OK && again.Millis != at.Millis {
				t.Fatalf("%q is %d, and written %d", s, at.Millis, again.Millis)
			}
		}
	})
}

// FuzzPayload holds that a payload of any kind is read or refused, with bounded findings.
func FuzzPayload(f *testing.F) {
	for _, kind := range []string{"task_dispatch", "task_result", "review_request", "review_verdict", "escalation", "x"} {
		f.Add(kind, []byte(`{"description":"x","repo":"/r","branch":"b","subtasks":[{"subtask_id":"S1","description":"x","estimated_lines":3}],"acceptance_criteria":["y"],"risk_level":"low"}`))
		f.Add(kind, []byte(`{"decision":"rejected","criteria_results":[{"criterion":"x","passed":null,"evidence":"y"}],"issues":[{"severity":"critical"}],"confidence":1e9}`))
		f.Add(kind, []byte(`{"escalation_type":"unknown","severity":"info","triggered_by":"system","description":"\u202e","affected_msgs":[],"auto_suspended":false}`))
		f.Add(kind, []byte(`[`))
	}
	f.Fuzz(func(t *testing.T, kind string, data []byte) {
		_, found, err := agn.ParsePayload(kind, data)
		if err != nil && len(err.Error()) > 2000 {
			t.Fatalf("an error of %d bytes", len(err.Error()))
		}
		for _, fault := range found.Faults {
			if len(fault.Reason) > 1000 {
				t.Fatalf("a reason of %d bytes", len(fault.Reason))
			}
		}
	})
}

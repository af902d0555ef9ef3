package ops_test

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/core/canon"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

// lengths lists the lengths of texts, as JSON.
func lengths(texts []string) string {
	list := []string{}
	for _, s := range texts {
		list = append(list, fmt.Sprint(len(s)))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// TestAGNMessages reads every fixture with the op and with core/agn, and checks that
// both find the same faults and notes, with rule, field and offset.
func TestAGNMessages(t *testing.T) {
	native := called{}
	chain := agnChain(t)
	for name, text := range agnFiles(t) {
		t.Run("AGN E0/"+name, func(t *testing.T) {
			if path.Dir(name) == "spec-examples" && path.Base(name) != "envelope.json" {
				kind := strings.TrimSuffix(path.Base(name), ".json")
				_, want, err := agn.ParsePayload(kind, []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				got := parse[canon.Findings](t, native.must(t, abi.AGNPayload, `{"type":"`+kind+`"}`, text))
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Error(diff)
				}
				return
			}
			want, err := agn.ParseMessage([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			got := parse[struct {
				ID      string
				Time    agn.Time
				Timeout int64
				canon.Findings
			}](t, native.must(t, abi.AGNMessage, "", text))
			if diff := cmp.Diff(want.Findings, got.Findings, cmpopts.EquateEmpty()); diff != "" || got.ID != want.ID || got.Time.Millis != want.Time.Millis || got.Timeout != want.Timeout() {
				t.Errorf("%+v: %s", got, diff)
			}
			native.checkMessage(t, &want, text, chain)
		})
	}
}

// checkMessage checks a fixture against the fixture's task.
func (e called) checkMessage(t *testing.T, m *agn.Message, text string, chain []string) {
	t.Helper()
	history := []agn.Message{}
	for _, h := range chain {
		before, err := agn.ParseMessage([]byte(h))
		if err != nil {
			t.Fatal(err)
		}
		history = append(history, before)
	}
	params := fmt.Sprintf(`{"messageLength":%d,"history":%s}`, len(text), lengths(chain))
	result, ok := e.call(t, abi.AGNCheck, params, text+strings.Join(chain, ""))
	if ok != (len(m.Faults) == 0) {
		t.Fatalf("AGN E0: %s", result)
	}
	if !ok {
		if !strings.Contains(result, `"code":"Malformed","rule":"`+m.Faults[0].Rule+`"`) {
			t.Errorf("AGN E0: %s", result)
		}
		return
	}
	if diff := cmp.Diff(agn.Check(m, history), parse[canon.Findings](t, result), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	e.rebuild(t, m, text)
}

// rebuild makes the message again from what was read.
func (e called) rebuild(t *testing.T, m *agn.Message, text string) {
	t.Helper()
	got := parse[map[string]any](t, e.must(t, abi.AGNMessage, "", text))
	payload, _ := got["payload"].(map[string]any)
	payload["taskId"], payload["millis"] = m.TaskID, m.Time.Millis
	op := map[string]abi.Op{
		agn.TypeDispatch: abi.AGNBuildDispatch, agn.TypeResult: abi.AGNBuildResult, agn.TypeRequest: abi.AGNBuildRequest,
		agn.TypeVerdict: abi.AGNBuildVerdict, agn.TypeEscalation: abi.AGNBuildEscalation,
	}[m.Type]
	if op == abi.AGNBuildEscalation {
		payload["from"] = m.From
	}
	if r, ok := payload["result"].(map[string]any); ok {
		for _, l := range r["log"].([]any) {
			entry := l.(map[string]any)
			entry["time"] = entry["time"].(map[string]any)["text"]
		}
	}
	built, ok := e.call(t, op, encode(t, payload), "")
	if !ok {
		t.Fatal(built)
	}
	again, err := agn.ParseMessage([]byte(built))
	if err != nil {
		t.Fatal(err)
	}
	again.Payload.Raw, m.Payload.Raw = nil, nil
	for _, d := range []*agn.Dispatch{again.Payload.Dispatch, m.Payload.Dispatch} {
		if d != nil && d.Constraints != nil {
			d.Constraints = []byte(encode(t, parse[any](t, string(d.Constraints)))) // white space may differ
		}
	}
	if diff := cmp.Diff(m.Payload, again.Payload); diff != "" {
		t.Errorf("AGN E11: built again: %s", diff)
	}
}

func encode(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestAGNChain follows the fixture's task message by message, to the moments at
// which its deadlines pass.
func TestAGNChain(t *testing.T) {
	native := called{}
	chain := agnChain(t)
	history := agn.History{}
	for i, text := range chain {
		m, err := agn.ParseMessage([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		history.Messages = append(history.Messages, m)
		for _, later := range []int64{0, 60_000, 60_001, 120_000, 120_001, 300_000, 300_001, 600_000, 600_001, agn.HeartbeatLimit} {
			now := m.Time.Millis + later
			params := fmt.Sprintf(`{"taskId":%q,"now":%d,"messages":%s}`, m.TaskID, now, lengths(chain[:i+1]))
			got := parse[agn.TaskState](t, native.must(t, abi.AGNState, params, strings.Join(chain[:i+1], "")))
			if diff := cmp.Diff(agn.State(m.TaskID, history, now), got, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("AGN E12 X9 X11: %s", diff)
			}
			alarms := parse[struct {
				Alarms []struct {
					Kind, MsgID string
					Since       int64
					Escalation  agn.Escalation
				}
			}](t, native.must(t, abi.AGNAlarms, params, strings.Join(chain[:i+1], "")))
			want := agn.Alarms(m.TaskID, history, nil, now)
			for j, a := range alarms.Alarms {
				if w := want[j]; a.Kind != w.Kind || a.MsgID != w.MsgID || a.Since != w.Since || a.Escalation.Description != w.Description {
					t.Errorf("AGN X10 X11: %+v, want %+v", a, w)
				}
			}
			if len(alarms.Alarms) != len(want) {
				t.Errorf("AGN X10 X11: %d alarms, want %d", len(alarms.Alarms), len(want))
			}
		}
	}
}

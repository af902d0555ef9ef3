package enginetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/client"

	"github.com/google/go-cmp/cmp"

	"github.com/signalbox-dev/signalbox/core/agn"
	"github.com/signalbox-dev/signalbox/wasm/abi"
)

const agndata = "../../testdata/agn"

// agnFiles are all fixtures of AMP/1.0, by path.
func agnFiles(t testing.TB) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(agndata, "*", "*.json"))
	if err != nil || len(paths) < 55 {
		t.Fatalf("%d fixtures, %v", len(paths), err)
	}
	files := map[string]string{}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(filepath.Dir(p))+"/"+filepath.Base(p)] = string(data)
	}
	return files
}

// agnChain gives the texts of the fixture's task, in order.
func agnChain(t testing.TB) []string {
	t.Helper()
	files := agnFiles(t)
	names := []string{}
	for name := range files {
		if strings.HasPrefix(name, "amp-chain/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	list := []string{}
	for _, name := range names {
		list = append(list, files[name])
	}
	return list
}

// taskFaults gives core/agn's faults as the host has them.
func taskFaults(list []agn.Fault) []client.Fault {
	out := []client.Fault{}
	for _, f := range list {
		out = append(out, client.Fault{Rule: f.Rule, Field: f.Field, Offset: int64(f.Offset), Reason: f.Reason})
	}
	return out
}

func taskFindings(f agn.Findings) client.TaskFindings {
	return client.TaskFindings{Faults: taskFaults(f.Faults), Notes: taskFaults(f.Notes)}
}

// lengths lists the lengths of texts, as JSON.
func lengths(texts []string) string {
	list := []string{}
	for _, s := range texts {
		list = append(list, fmt.Sprint(len(s)))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// testAGNMessages reads every fixture in the module and natively, and holds that
// each gives the same faults and notes, with rule, field and offset.
func (suite *Suite) testAGNMessages(t *testing.T) {
	engines := suite.newEngines(t)
	chain := agnChain(t)
	for name, text := range agnFiles(t) {
		t.Run("AGN E0/"+name, func(t *testing.T) {
			if path.Dir(name) == "spec-examples" && path.Base(name) != "envelope.json" {
				kind := strings.TrimSuffix(path.Base(name), ".json")
				_, want, err := agn.ParsePayload(kind, []byte(text))
				if err != nil {
					t.Fatal(err)
				}
				got := parse[client.TaskFindings](t, engines.must(t, abi.AGNPayload, `{"type":"`+kind+`"}`, text))
				if diff := cmp.Diff(taskFindings(want), got); diff != "" {
					t.Error(diff)
				}
				return
			}
			want, err := agn.ParseMessage([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			got := parse[client.TaskMessage](t, engines.must(t, abi.AGNMessage, "", text))
			if diff := cmp.Diff(taskFindings(want.Findings), got.TaskFindings); diff != "" || got.ID != want.ID || got.Time.Millis != want.Time.Millis || got.Timeout != want.Timeout() {
				t.Errorf("%+v: %s", got, diff)
			}
			engines.checkMessage(t, &want, text, chain)
		})
	}
}

// checkMessage holds a fixture against the fixture's task.
func (e *engines) checkMessage(t *testing.T, m *agn.Message, text string, chain []string) {
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
	if diff := cmp.Diff(taskFindings(agn.Check(m, history)), parse[client.TaskFindings](t, result)); diff != "" {
		t.Error(diff)
	}
	e.rebuild(t, m, text)
}

// rebuild makes the message again from what was read.
func (e *engines) rebuild(t *testing.T, m *agn.Message, text string) {
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
			d.Constraints = []byte(encode(t, tree(t, string(d.Constraints)))) // white space may differ
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

// testAGNChain follows the fixture's task message by message, to the moments at
// which its deadlines pass.
func (suite *Suite) testAGNChain(t *testing.T) {
	engines := suite.newEngines(t)
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
			got := parse[client.TaskState](t, engines.must(t, abi.AGNState, params, strings.Join(chain[:i+1], "")))
			if diff := cmp.Diff(hostState(agn.State(m.TaskID, history, now)), got); diff != "" {
				t.Errorf("AGN E12 X9 X11: %s", diff)
			}
			alarms := parse[struct{ Alarms []client.Alarm }](t, engines.must(t, abi.AGNAlarms, params, strings.Join(chain[:i+1], "")))
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

// hostState gives core/agn's state as the host has it.
func hostState(s agn.TaskState) client.TaskState {
	out := client.TaskState{
		TaskID: s.TaskID, Phase: string(s.Phase), Rejects: int64(s.Rejects), Consecutive: int64(s.Consecutive), LockNear: s.LockNear,
		Lock: string(s.Lock), LockedBy: s.LockedBy, Open: append([]string{}, s.Open...), Suspended: append([]string{}, s.Suspended...),
		Waits: []client.Wait{}, LastWrite: s.LastWrite, Age: s.Age, Silent: s.Silent,
		Next: client.Duty{Who: s.Next.Who, Do: string(s.Next.Do), MsgID: s.Next.MsgID}, Notes: taskFaults(s.Notes),
	}
	for _, w := range s.Waits {
		out.Waits = append(out.Waits, client.Wait{MsgID: w.MsgID, From: w.From, To: w.To, Deadline: w.Deadline, Overdue: w.Overdue})
	}
	return out
}

// testAGNEveryOp gives every fixture to every op: most refuse most of them, in
// the module as natively.
func (suite *Suite) testAGNEveryOp(t *testing.T) {
	engines := suite.newEngines(t)
	passed := map[abi.Op]int{}
	all := agnFiles(t)
	all["nothing"] = ""
	for _, text := range all {
		for _, op := range abi.Numbers() {
			if op < abi.AGNMessage || op >= abi.AMPMessage {
				continue
			}
			for _, params := range agnParams(len(text)) {
				if _, ok := engines.call(t, op, params, text); ok {
					passed[op]++
				}
			}
		}
	}
	for _, op := range abi.Numbers() {
		// The fixtures have no records.
		if op >= abi.AGNMessage && op < abi.AMPMessage && passed[op] == 0 && (op < abi.AGNAck || op > abi.AGNRejection) {
			t.Errorf("no call of %v gave a result", op)
		}
	}
}

// agnParams are parameters of all ops.
func agnParams(length int) []string {
	head := `"taskId":"T-2026-044","millis":1772116327001`
	task := fmt.Sprintf(`"taskId":"T-2026-044","now":1772120000000,"messages":[%d]`, length)
	list := []string{
		``, `{}`, fmt.Sprintf(`{"messageLength":%d,"history":[]}`, length), fmt.Sprintf(`{"messageLength":%d,"history":[%d,0]}`, length/2, length-length/2),
		`{` + task + `}`, `{` + task + `,"acks":[0],"resumes":[0]}`, `{` + task + `,"refused":[0]}`,
		`{` + head + `,"dispatch":{"description":"d","repo":"C:\\r","branch":"b","subtasks":[],"criteria":["c"],"risk":"high","forbidden":[],"constraints":{"a":[1.0]}}}`,
		`{` + head + `,"contextRef":[],"result":{"subtaskId":"s","status":"failed","criteriaMet":[null],"log":[{"time":"2026-02-26T12:00:00Z"}],"blockers":["\u00e9"]}}`,
		`{` + head + `,"request":{"dispatchRef":"task_dispatch-T-2026-044-1","resultRef":"task_result-T-2026-044-1","scope":"full","diffUrl":"u","ci":[]}}`,
		`{` + head + `,"number":7,"verdict":{"decision":"approved","criteria":[{"text":"c","passed":null}],"confidence":0.1}}`,
		`{` + head + `,"from":"system","escalation":{"kind":"unknown","severity":"info","triggeredBy":"system","description":"d","affected":[],"snapshot":{"taskStatus":"s"}}}`,
		`{"msgId":"task_dispatch-T-2026-044-1","by":"executor","millis":-1}`, `{"msgId":"escalation-T-2026-044-1","action":"split","millis":1}`,
		`{"taskId":"T-2026-044","phase":"none","created":1,"updated":2}`, `{"millis":1,"source":"s","digest":"d","faults":[{"rule":"E0","reason":"r","offset":-1}]}`,
	}
	for _, kind := range []string{agn.TypeDispatch, agn.TypeResult, agn.TypeRequest, agn.TypeVerdict, agn.TypeEscalation} {
		list = append(list, `{"type":"`+kind+`"}`)
	}
	return list
}

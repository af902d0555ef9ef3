package ops

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/signalbox-dev/signalbox/wasm/abi"
)

const (
	taskHead  = `"taskId":"T-2026-007","millis":1772107200000`
	dispatch1 = `"dispatch":{"description":"d","repo":"/r","branch":"b","subtasks":[{"id":"S1","description":"s","estimatedLines":3}],"criteria":["c"],"risk":"low"}`
	result1   = `"result":{"subtaskId":"S1","status":"complete","files":["f"],"linesAdded":1,"linesRemoved":2,"criteriaMet":[true,false,null],"notes":["n"],"log":[{"time":"2026-02-26T12:00:00Z","action":"a","file":"f","detail":"x"}]}`
	verdict1  = `"verdict":{"decision":"rejected","criteria":[{"text":"c","passed":null,"evidence":"e"}],"issues":[{"severity":"major","file":"f","line":3,"description":"d","suggestedFix":"s"}],"confidence":0.75}`
	lock1     = `"from":"system","escalation":{"kind":"hallucination_lock","severity":"critical","triggeredBy":"executor","description":"d","affected":[],"snapshot":{"taskStatus":"locked","rejectCount":3},"suggested":[],"suspended":true}`
	taskID1   = "task_dispatch-T-2026-007-1772107200000"
	lockID1   = "escalation-T-2026-007-1772107200000"
	reviewed  = `{"description":"d","repo":"r","branch":"main","subtasks":[],"acceptance_criteria":["c"],"risk_level":"low"}`
	noTime    = `{"text":"","millis":0,"ok":false}`
)

// made runs an op that writes something.
func made(t testing.TB, op abi.Op, params string) string {
	t.Helper()
	result, ok := Call(nil, op, []byte("{"+params+"}"), nil)
	if !ok {
		t.Fatalf("%v of %s: %s", op, params, result)
	}
	return string(result)
}

// lengthsOf joins texts and lists their lengths, as JSON.
func lengthsOf(texts ...string) (list, joined string) {
	lengths := []int{}
	for _, s := range texts {
		lengths = append(lengths, len(s))
	}
	data, _ := json.Marshal(lengths)
	return string(data), strings.Join(texts, "")
}

// TestAGNResults checks the shapes of results, with at least one good call of each op.
func TestAGNResults(t *testing.T) {
	dispatch := made(t, abi.AGNBuildDispatch, taskHead+","+dispatch1)
	result := made(t, abi.AGNBuildResult, taskHead+","+result1)
	lock := made(t, abi.AGNBuildEscalation, taskHead+","+lock1)
	ack := made(t, abi.AGNBuildAck, `"msgId":"`+taskID1+`","by":"executor","millis":1772107200000`)
	resume := made(t, abi.AGNBuildResume, `"msgId":"`+lockID1+`","action":"redirect","text":"x","millis":1772107200000`)
	record := `"taskId":"T-2026-007","title":"t","repo":"/r","branch":"b","risk":"low","phase":"in work","rejectCount":1,"messages":2,"lastMsgId":"` + taskID1 + `","created":0,"updated":1`
	line := `"millis":0,"source":"s","msgId":"m","taskId":"t","digest":"00","faults":[{"rule":"D3","field":"f","offset":4,"reason":"r"}],"text":"x"`
	history := func(rest string, texts ...string) (params, input string) {
		list, joined := lengthsOf(texts...)
		return `{"taskId":"T-2026-007","now":1772107500001,"messages":` + list + rest + `}`, joined
	}
	checkParams := func(m string, others ...string) (params, input string) {
		list, joined := lengthsOf(others...)
		return fmt.Sprintf(`{"messageLength":%d,"history":%s}`, len(m), list), m + joined
	}
	one, oneInput := history("", dispatch)
	all, allInput := history(fmt.Sprintf(`,"acks":[%d,1],"resumes":[%d]`, len(ack), len(resume)), dispatch, lock, "x")
	allInput += ack + "y" + resume
	refused := strings.Replace(dispatch, `"b"`, `"main"`, 1)
	alarms, alarmsInput := history(fmt.Sprintf(`,"refused":[%d]`, len(refused)), dispatch)
	checkA, checkB := checkParams(result, dispatch, "x")
	results(t, []good{
		{name: "message", op: abi.AGNMessage, b: dispatch, want: `{"id":"` + taskID1 + `","version":"AMP/1.0","type":"task_dispatch","from":"coordinator","to":"executor","taskId":"T-2026-007","time":{"text":"2026-02-26T12:00:00.000+00:00","millis":1772107200000,"ok":true},"requiresAck":true,"ackTimeout":0,"timeout":300,"contextRef":[],"payload":{` + dispatch1 + `},` + noFaults + `}`},
		{name: "message of nothing", op: abi.AGNMessage, b: `{}`, want: `{"id":"","version":"","type":"","from":"","to":"","taskId":"","time":` + noTime + `,"requiresAck":false,"ackTimeout":0,"timeout":0,"contextRef":[],"payload":{},"faults":[{"rule":"E1","field":"msg_id","offset":0,"reason":"the message has no \"msg_id\""},`, partial: true},
		{name: "message with a result", op: abi.AGNMessage, b: result, want: strings.Replace(result1, `"time":"2026-02-26T12:00:00Z"`, `"time":{"text":"2026-02-26T12:00:00Z","millis":1772107200000,"ok":true}`, 1), partial: true},
		{name: "message with a verdict", op: abi.AGNMessage, b: made(t, abi.AGNBuildVerdict, taskHead+","+verdict1), want: verdict1, partial: true},
		{name: "message with fixes", op: abi.AGNMessage, b: made(t, abi.AGNBuildVerdict, taskHead+`,"verdict":{"decision":"approved_with_fix","fixes":[{"file":"f","change":"typo","lines":4}],"architecture":"a","confidence":1}`), want: `"verdict":{"decision":"approved_with_fix","criteria":[],"fixes":[{"file":"f","change":"typo","lines":4}],"architecture":"a","confidence":1}`, partial: true},
		{name: "message with a request", op: abi.AGNMessage, b: made(t, abi.AGNBuildRequest, taskHead+`,"ackTimeout":7,"contextRef":["`+taskID1+`"],"request":{"dispatchRef":"`+taskID1+`","resultRef":"task_result-T-2026-007-1","scope":"full","diffUrl":"u","rejectCount":1,"notes":"n","ci":[{"name":"xcode_cloud","status":"passed"}]}`), want: `"ackTimeout":7,"timeout":7,"contextRef":["` + taskID1 + `"],"payload":{"request":{"dispatchRef":"` + taskID1 + `","resultRef":"task_result-T-2026-007-1","scope":"full","diffUrl":"u","rejectCount":1,"notes":"n","ci":[{"name":"xcode_cloud","status":"passed"}]}}`, partial: true},
		{name: "message with an escalation", op: abi.AGNMessage, b: lock, want: `"payload":{` + strings.TrimPrefix(strings.Replace(lock1, `"rejectCount":3`, `"rejectCount":3,"lastSuccessful":""`, 1), `"from":"system",`) + `}`, partial: true},
		{name: "message with all that may be missing", op: abi.AGNMessage, b: made(t, abi.AGNBuildDispatch, taskHead+","+strings.Replace(dispatch1, `"low"`, `"low","forbidden":[],"constraints":{"a" : [ ]}`, 1)), want: `"risk":"low","forbidden":[],"constraints":{"a" : [ ]}}`, partial: true},
		{name: "message in distress", op: abi.AGNMessage, b: `{"type":"Escalation","protocol_version":"AMP/9","payload":{"severity":"high","description":"help"}}`, want: `"payload":{},"distress":{"kind":"","severity":"critical","triggeredBy":"","description":"help",`, partial: true},
		{name: "message that is blocked", op: abi.AGNMessage, b: made(t, abi.AGNBuildResult, taskHead+`,"result":{"subtaskId":"S1","status":"failed","commit":"c","blockers":[]}`), want: `"criteriaMet":[],"notes":[],"log":[],"commit":"c","blockers":[]}},"faults":[],"notes":[{"rule":"T7",`, partial: true},
		{name: "payload", op: abi.AGNPayload, a: `{"type":"task_dispatch"}`, b: reviewed, want: `{"payload":{"dispatch":{"description":"d","repo":"r","branch":"main","subtasks":[],"criteria":["c"],"risk":"low"}},"faults":[{"rule":"D2","field":"repo","offset":26,"reason":"the repository \"r\" is not an absolute path"},{"rule":"D3","field":"branch","offset":39,"reason":"the branch is \"main\", where no agent may work"}],"notes":[{"rule":"D4",`, partial: true},
		{name: "check", op: abi.AGNCheck, a: checkA, b: checkB, want: `{"faults":[{"rule":"T4","field":"payload.self_assessment.criteria_met","offset":` + fmt.Sprint(strings.Index(result, "[\n        true")) + `,"reason":"3 answers to 1 criterion"}],"notes":[],"unread":1}`},
		{name: "state", op: abi.AGNState, a: one, b: oneInput, want: `{"taskId":"T-2026-007","phase":"dispatched","rejects":0,"consecutive":0,"lockNear":false,"lock":"","lockedBy":"","open":[],"suspended":[],"waits":[{"msgId":"` + taskID1 + `","from":"coordinator","to":"executor","deadline":1772107500000,"overdue":true}],"lastWrite":1772107200000,"age":300001,"silent":false,"next":{"who":"executor","do":"acknowledge","msgId":"` + taskID1 + `"},"notes":[],"unread":0}`},
		{name: "state of nothing", op: abi.AGNState, a: `{"taskId":"T-2026-007","now":0,"messages":[]}`, want: `{"taskId":"T-2026-007","phase":"none",`, partial: true},
		{name: "state with all records", op: abi.AGNState, a: all, b: allInput, want: `"phase":"resumed","rejects":0,"consecutive":0,"lockNear":false,"lock":"","lockedBy":"","open":[],"suspended":[],"waits":[],"lastWrite":1772107200000,"age":300001,"silent":false,"next":{"who":"coordinator","do":"dispatch","msgId":""},"notes":[],"unread":2}`, partial: true},
		{name: "alarms", op: abi.AGNAlarms, a: alarms, b: alarmsInput + refused, want: `{"alarms":[{"kind":"branch_violation","severity":"critical","msgId":"` + taskID1 + `","who":"coordinator","since":1772107200000,"description":"T-2026-007: the dispatch \"` + taskID1 + `\" was refused: `, partial: true},
		{name: "alarms of what is late", op: abi.AGNAlarms, a: one, b: oneInput, want: `{"alarms":[{"kind":"ack_timeout","severity":"warning","msgId":"` + taskID1 + `","who":"executor","since":1772107500001,"description":"T-2026-007: the executor did not acknowledge ` + taskID1 + ` by 2026-02-26T12:05:00.000+00:00.","lastSuccessful":"","escalation":{"kind":"ack_timeout","severity":"warning","triggeredBy":"executor",`, partial: true},
		{name: "alarms of nothing", op: abi.AGNAlarms, a: `{"taskId":"T-2026-007","now":0,"messages":[]}`, want: `{"alarms":[],"unread":0}`},
		{name: "id", op: abi.AGNID, b: taskID1, want: `{"valid":true,"type":"task_dispatch","taskId":"T-2026-007","millis":1772107200000}`},
		{name: "id with a path", op: abi.AGNID, b: "../" + taskID1, want: `{"valid":false,"type":"","taskId":"","millis":0}`},
		{name: "task id", op: abi.AGNValidTaskID, b: "T-2026-007", want: `{"valid":true}`},
		{name: "task id with a path", op: abi.AGNValidTaskID, b: "../T-2026-007", want: `{"valid":false}`},
		{name: "build a dispatch", op: abi.AGNBuildDispatch, a: "{" + taskHead + "," + dispatch1 + "}", want: dispatch},
		{name: "ACK", op: abi.AGNAck, b: ack, want: `{"msgId":"` + taskID1 + `","by":"executor","millis":1772107200000}`},
		{name: "build an ACK", op: abi.AGNBuildAck, a: `{"msgId":"` + taskID1 + `","by":"executor","millis":1772107200000}`, want: "{\n  \"format\": \"signalbox-ack/1\",\n  \"msg_id\": \"" + taskID1 + "\",\n  \"by\": \"executor\",\n  \"timestamp\": \"2026-02-26T12:00:00.000+00:00\"\n}\n"},
		{name: "resume", op: abi.AGNResume, b: resume, want: `{"msgId":"` + lockID1 + `","action":"redirect","text":"x","millis":1772107200000}`},
		{name: "record", op: abi.AGNRecord, b: made(t, abi.AGNBuildRecord, record), want: "{" + record + "}"},
		{name: "rejection", op: abi.AGNRejection, b: made(t, abi.AGNBuildRejection, line), want: "{" + line + "}"},
		{name: "build a rejection", op: abi.AGNBuildRejection, a: `{"millis":0,"source":"s","digest":"00","faults":[]}`, want: `{"format": "signalbox-rejection/1","timestamp": "1970-01-01T00:00:00.000+00:00","source": "s","msg_id": "","task_id": "","sha256": "00","faults": []}` + "\n"},
	})
}

// TestAGNErrors checks the code and rule of what cannot be read or made.
func TestAGNErrors(t *testing.T) {
	dispatch := made(t, abi.AGNBuildDispatch, taskHead+","+dispatch1)
	bad := strings.Replace(dispatch, `"b"`, `"main"`, 1)
	build := func(old, new string) string {
		return "{" + taskHead + "," + strings.Replace(dispatch1, old, new, 1) + "}"
	}
	state := func(rest string) string { return `{"taskId":"T-2026-007","now":0,` + rest + `}` }
	failures(t, []failing{
		{"no message", abi.AGNMessage, "", `[]`, abi.Malformed, "E0"},
		{"message not UTF-8", abi.AGNMessage, "", "{\"a\":\"\xff\"}", abi.Malformed, "E0"},
		{"no type of payload", abi.AGNPayload, "", `{}`, abi.BadArgument, ""},
		{"unknown type of payload", abi.AGNPayload, `{"type":"ack"}`, `{}`, abi.BadArgument, ""},
		{"no payload", abi.AGNPayload, `{"type":"escalation"}`, ``, abi.Malformed, "E0"},
		{"check of no message", abi.AGNCheck, `{"messageLength":0,"history":[]}`, "", abi.Malformed, "E0"},
		{"check of an invalid message", abi.AGNCheck, fmt.Sprintf(`{"messageLength":%d,"history":[]}`, len(bad)), bad, abi.Malformed, "D3"},
		{"check without lengths", abi.AGNCheck, `{"messageLength":0}`, "", abi.BadArgument, ""},
		{"no task", abi.AGNState, `{"now":0,"messages":[]}`, "", abi.BadArgument, ""},
		{"a task's path", abi.AGNState, `{"taskId":"../T-2026-007","now":0,"messages":[]}`, "", abi.BadArgument, ""},
		{"no time", abi.AGNState, `{"taskId":"T-2026-007","messages":[]}`, "", abi.BadArgument, ""},
		{"lengths of text", abi.AGNState, state(`"messages":["1"]`), "x", abi.BadArgument, ""},
		{"lengths of halves", abi.AGNState, state(`"messages":[0.5]`), "x", abi.BadArgument, ""},
		{"lengths that are none", abi.AGNState, state(`"messages":1`), "x", abi.BadArgument, ""},
		{"negative length", abi.AGNState, state(`"messages":[-1]`), "", abi.BadArgument, ""},
		{"length beyond", abi.AGNState, state(`"messages":[1],"acks":[1]`), "x", abi.BadArgument, ""},
		{"length of 2^62", abi.AGNState, state(`"messages":[4611686018427387904]`), "x", abi.BadArgument, ""},
		{"bytes left over", abi.AGNState, state(`"messages":[]`), "x", abi.BadArgument, ""},
		{"refused messages and a state", abi.AGNState, state(`"messages":[],"refused":[]`), "", abi.BadArgument, ""},
		{"refused messages beyond", abi.AGNAlarms, state(`"messages":[],"refused":[1]`), "", abi.BadArgument, ""},
		{"dispatch to main", abi.AGNBuildDispatch, build(`"b"`, `"main"`), "", abi.Refused, "D3"},
		{"dispatch with more", abi.AGNBuildDispatch, build(`"b"`, `"b","x":1`), "", abi.BadArgument, ""},
		{"dispatch with input", abi.AGNBuildDispatch, build("", ""), "x", abi.BadArgument, ""},
		{"dispatch of nothing", abi.AGNBuildDispatch, "{" + taskHead + "}", "", abi.BadArgument, ""},
		{"dispatch without criteria", abi.AGNBuildDispatch, build(`["c"]`, `[]`), "", abi.Refused, "D5"},
		{"dispatch with constraints of text", abi.AGNBuildDispatch, build(`"low"`, `"low","constraints":"x"`), "", abi.Refused, "D8"},
		{"subtasks of text", abi.AGNBuildDispatch, build(`[{"id":"S1","description":"s","estimatedLines":3}]`, `["S1"]`), "", abi.BadArgument, ""},
		{"dispatch of no task", abi.AGNBuildDispatch, strings.Replace(build("", ""), "T-2026-007", "T-1", 1), "", abi.Refused, "E6"},
		{"a short reference", abi.AGNBuildDispatch, strings.Replace(build("", ""), `"millis"`, `"contextRef":["x"],"millis"`, 1), "", abi.Refused, "C9"},
		{"an answer of text", abi.AGNBuildResult, "{" + taskHead + "," + strings.Replace(result1, "[true,", `["yes",`, 1) + "}", "", abi.BadArgument, ""},
		{"no list of answers", abi.AGNBuildResult, "{" + taskHead + "," + strings.Replace(result1, "[true,false,null]", `true`, 1) + "}", "", abi.BadArgument, ""},
		{"a time of no form", abi.AGNBuildResult, "{" + taskHead + "," + strings.Replace(result1, "2026-02-26T12:00:00Z", `noon`, 1) + "}", "", abi.Refused, "T5"},
		{"a partial result", abi.AGNBuildResult, "{" + taskHead + "," + strings.Replace(result1, "complete", `partial`, 1) + "}", "", abi.Refused, "T7"},
		{"a request of nothing", abi.AGNBuildRequest, "{" + taskHead + `,"request":{}}`, "", abi.Refused, "Q1"},
		{"no confidence", abi.AGNBuildVerdict, "{" + taskHead + `,"verdict":{"decision":"approved"}}`, "", abi.BadArgument, ""},
		{"a confidence of text", abi.AGNBuildVerdict, "{" + taskHead + `,"verdict":{"decision":"approved","confidence":"1"}}`, "", abi.BadArgument, ""},
		{"a confidence beyond 64 bits", abi.AGNBuildVerdict, "{" + taskHead + `,"verdict":{"decision":"approved","confidence":1e999}}`, "", abi.BadArgument, ""},
		{"a confidence of 2", abi.AGNBuildVerdict, "{" + taskHead + `,"verdict":{"decision":"approved","confidence":2}}`, "", abi.Refused, "V6"},
		{"an escalation from the admin", abi.AGNBuildEscalation, "{" + taskHead + "," + strings.Replace(lock1, "system", "admin", 1) + "}", "", abi.Refused, "R1"},
		{"ACK of a later version", abi.AGNAck, "", `{"format":"signalbox-ack/2"}`, abi.Malformed, "C4"},
		{"an ACK for an answer", abi.AGNResume, "", `{"format":"signalbox-ack/1"}`, abi.Malformed, "C6"},
		{"no record", abi.AGNRecord, "", ``, abi.Malformed, "E6"},
		{"no rejection", abi.AGNRejection, "", `{}`, abi.Malformed, "E0"},
		{"ACK of the system", abi.AGNBuildAck, `{"msgId":"` + taskID1 + `","by":"system","millis":0}`, "", abi.Refused, "E12"},
		{"ACK without a time", abi.AGNBuildAck, `{"msgId":"` + taskID1 + `","by":"executor"}`, "", abi.BadArgument, ""},
		{"ACK with input", abi.AGNBuildAck, `{"msgId":"` + taskID1 + `","by":"executor","millis":0}`, "x", abi.BadArgument, ""},
		{"a redirect to nowhere", abi.AGNBuildResume, `{"msgId":"` + taskID1 + `","action":"redirect","millis":0}`, "", abi.Refused, "X9"},
		{"record of no task", abi.AGNBuildRecord, `{"taskId":"x","phase":"","created":0,"updated":0}`, "", abi.Refused, "E6"},
		{"rejection for no rule", abi.AGNBuildRejection, `{"millis":0,"source":"s","digest":"0","faults":[{"reason":"r"}]}`, "", abi.BadArgument, ""},
	})
}
